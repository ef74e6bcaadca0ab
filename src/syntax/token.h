// Tokens, with the reference's names. The lexer returns all tokens of a file at once; they point
// into the source or, where escapes or margins were processed, into the program's arena.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/diagnostics/source.h"

namespace bunraku {

// TOKEN(identifier, reference's name, fixed text or "" where the text varies)
#define BUNRAKU_TOKENS(TOKEN)                     \
  TOKEN(EndOfInput, "", "")                       \
  TOKEN(Error, "", "")                            \
  TOKEN(Other, "OTHER", "")                       \
  TOKEN(Name, "NAME", "")                         \
  TOKEN(Word, "WORD", "")                         \
  TOKEN(ClassReference, "CLASSREF", "")           \
  TOKEN(Variable, "VARIABLE", "")                 \
  TOKEN(Number, "NUMBER", "")                     \
  TOKEN(String, "STRING", "")                     \
  TOKEN(StringStart, "DQPRE", "")                 \
  TOKEN(StringMiddle, "DQMID", "")                \
  TOKEN(StringEnd, "DQPOST", "")                  \
  TOKEN(Regex, "REGEX", "")                       \
  TOKEN(Heredoc, "HEREDOC", "")                   \
  TOKEN(Sublocate, "SUBLOCATE", "")               \
  TOKEN(EppStart, "EPP_START", "")                \
  TOKEN(EppEnd, "EPP_END", "%>")                  \
  TOKEN(EppEndTrim, "EPP_END_TRIM", "-%>")        \
  TOKEN(RenderString, "RENDER_STRING", "")        \
  TOKEN(RenderExpression, "RENDER_EXPR", "")      \
  TOKEN(True, "BOOLEAN", "true")                  \
  TOKEN(False, "BOOLEAN", "false")                \
  TOKEN(Case, "CASE", "case")                     \
  TOKEN(Class, "CLASS", "class")                  \
  TOKEN(Default, "DEFAULT", "default")            \
  TOKEN(Define, "DEFINE", "define")               \
  TOKEN(If, "IF", "if")                           \
  TOKEN(Elsif, "ELSIF", "elsif")                  \
  TOKEN(Else, "ELSE", "else")                     \
  TOKEN(Inherits, "INHERITS", "inherits")         \
  TOKEN(Node, "NODE", "node")                     \
  TOKEN(And, "AND", "and")                        \
  TOKEN(Or, "OR", "or")                           \
  TOKEN(Undef, "UNDEF", "undef")                  \
  TOKEN(In, "IN", "in")                           \
  TOKEN(Unless, "UNLESS", "unless")               \
  TOKEN(Function, "FUNCTION", "function")         \
  TOKEN(Type, "TYPE", "type")                     \
  TOKEN(Attr, "ATTR", "attr")                     \
  TOKEN(Private, "PRIVATE", "private")            \
  TOKEN(Plan, "PLAN", "plan")                     \
  TOKEN(Apply, "APPLY", "apply")                  \
  TOKEN(ListStart, "LISTSTART", "[")              \
  TOKEN(LeftBracket, "LBRACK", "[")               \
  TOKEN(RightBracket, "RBRACK", "]")              \
  TOKEN(LeftBrace, "LBRACE", "{")                 \
  TOKEN(SelectorBrace, "SELBRACE", "{")           \
  TOKEN(RightBrace, "RBRACE", "}")                \
  TOKEN(LeftParen, "LPAREN", "(")                 \
  TOKEN(LineLeftParen, "WSLPAREN", "(")           \
  TOKEN(RightParen, "RPAREN", ")")                \
  TOKEN(Assign, "EQUALS", "=")                    \
  TOKEN(Append, "APPENDS", "+=")                  \
  TOKEN(Delete, "DELETES", "-=")                  \
  TOKEN(Equal, "ISEQUAL", "==")                   \
  TOKEN(NotEqual, "NOTEQUAL", "!=")               \
  TOKEN(Match, "MATCH", "=~")                     \
  TOKEN(NoMatch, "NOMATCH", "!~")                 \
  TOKEN(GreaterOrEqual, "GREATEREQUAL", ">=")     \
  TOKEN(Greater, "GREATERTHAN", ">")              \
  TOKEN(LessOrEqual, "LESSEQUAL", "<=")           \
  TOKEN(Less, "LESSTHAN", "<")                    \
  TOKEN(FatArrow, "FARROW", "=>")                 \
  TOKEN(PlusArrow, "PARROW", "+>")                \
  TOKEN(LeftShift, "LSHIFT", "<<")                \
  TOKEN(LeftExportedCollect, "LLCOLLECT", "<<|")  \
  TOKEN(LeftCollect, "LCOLLECT", "<|")            \
  TOKEN(RightShift, "RSHIFT", ">>")               \
  TOKEN(RightExportedCollect, "RRCOLLECT", "|>>") \
  TOKEN(RightCollect, "RCOLLECT", "|>")           \
  TOKEN(Plus, "PLUS", "+")                        \
  TOKEN(Minus, "MINUS", "-")                      \
  TOKEN(Divide, "DIV", "/")                       \
  TOKEN(Times, "TIMES", "*")                      \
  TOKEN(Modulo, "MODULO", "%")                    \
  TOKEN(Not, "NOT", "!")                          \
  TOKEN(Dot, "DOT", ".")                          \
  TOKEN(Pipe, "PIPE", "|")                        \
  TOKEN(At, "AT", "@")                            \
  TOKEN(AtAt, "ATAT", "@@")                       \
  TOKEN(Colon, "COLON", ":")                      \
  TOKEN(Comma, "COMMA", ",")                      \
  TOKEN(Semicolon, "SEMIC", ";")                  \
  TOKEN(Question, "QMARK", "?")                   \
  TOKEN(Tilde, "TILDE", "~")                      \
  TOKEN(Before, "IN_EDGE", "->")                  \
  TOKEN(Notify, "IN_EDGE_SUB", "~>")              \
  TOKEN(After, "OUT_EDGE", "<-")                  \
  TOKEN(Subscribe, "OUT_EDGE_SUB", "<~")

enum class TokenKind : uint8_t {
#define BUNRAKU_TOKEN(identifier, name, text) k##identifier,
  BUNRAKU_TOKENS(BUNRAKU_TOKEN)
#undef BUNRAKU_TOKEN
};

struct TokenTexts {
  std::string_view name;
  std::string_view text;
};

inline constexpr TokenTexts kTokenTexts[] = {
#define BUNRAKU_TOKEN(identifier, name, text) {name, text},
    BUNRAKU_TOKENS(BUNRAKU_TOKEN)
#undef BUNRAKU_TOKEN
};

// The reference's name, "CLASSREF".
constexpr std::string_view name_of(TokenKind kind) {
  return kTokenTexts[static_cast<size_t>(kind)].name;
}
// The fixed text of keywords and punctuation; empty for the others.
constexpr std::string_view text_of(TokenKind kind) {
  return kTokenTexts[static_cast<size_t>(kind)].text;
}

inline bool is_keyword(TokenKind kind) {
  return kind >= TokenKind::kTrue && kind <= TokenKind::kApply;
}

struct Token {
  const char* text = nullptr;  // the value: a string's contents, a variable's name without the $
  uint32_t text_length = 0;
  uint32_t offset = 0;  // in the source file
  uint32_t length = 0;
  TokenKind kind = TokenKind::kEndOfInput;

  std::string_view value() const { return {text, text_length}; }
  Location location() const { return {offset, length}; }
};
static_assert(sizeof(Token) == 24);

}  // namespace bunraku
