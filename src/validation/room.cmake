# The static rules over a tree.
room(validation
  USES base syntax
  FACE heredoc_syntax.h ruby_json.h validate.h)
