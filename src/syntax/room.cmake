# Bytes into tokens, tokens into an immutable tree, and the printed forms of both.
room(syntax
  USES base
  FACE characters.h children.h dump.h dump_tokens.h label.h parser.h tree.h)
