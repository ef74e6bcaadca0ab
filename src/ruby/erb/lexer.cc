#include "ruby/erb/lexer.h"

#include <algorithm>
#include <iterator>

#include "base/text/ascii.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/script.h"

namespace bunraku::erb {

namespace {

constexpr std::string_view kKeywords[] = {
    "__ENCODING__", "__FILE__", "__LINE__", "BEGIN", "END",   "alias",   "and",
    "begin",        "break",    "case",     "class", "def",   "do",      "else",
    "elsif",        "end",      "ensure",   "false", "for",   "if",      "in",
    "module",       "next",     "nil",      "not",   "or",    "redo",    "rescue",
    "retry",        "return",   "self",     "super", "then",  "true",    "undef",
    "unless",       "until",    "when",     "while", "yield", "defined?"};
constexpr std::string_view kClosingKeywords[] = {
    "end", "false", "nil", "redo", "self", "retry", "true", "__FILE__", "__LINE__", "__ENCODING__"};
// Sorted by length, the longest first.
constexpr std::string_view kOperators[] = {
    "**=", "<=>", "===", "<<=", ">>=", "&&=", "||=", "...", "**", "*=", "==", "=~", "=>", "!=",
    "!~",  "<<",  "<=",  ">>",  ">=",  "&&",  "&.",  "&=",  "||", "|=", "+=", "-=", "->", "/=",
    "%=",  "^=",  "..",  "::",  "*",   "=",   "!",   "<",   ">",  "&",  "|",  "+",  "-",  "/",
    "%",   "^",   "~",   ".",   ",",   "(",   ")",   "[",   "]",  "{",  "}",  "?",  ":"};

constexpr char kMarks[] = {kTextMark, kInsertMark, '\0'};
// The margin of a here document without lines that are not blank.
constexpr size_t kNoMargin = std::string_view::npos;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || is_upper(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

template <size_t kSize>
bool contains(const std::string_view (&list)[kSize], std::string_view text) {
  return std::ranges::find(list, text) != std::end(list);
}

}  // namespace

std::string_view leading_operator_name(std::string_view text) {
  constexpr std::string_view kNames[] = {"<=>", "===", "[]=", "**", "==", "=~", "!=", "!~", "[]",
                                         "<<",  ">>",  "<=",  ">=", "+@", "-@", "+",  "-",  "*",
                                         "/",   "%",   "&",   "|",  "^",  "<",  ">",  "!",  "~"};
  const auto name =
      std::ranges::find_if(kNames, [&](std::string_view known) { return text.starts_with(known); });
  return name == std::end(kNames) ? std::string_view() : *name;
}

// Returns whether the next line begins with `.method`.
bool Lexer::continues_on_next_line() const {
  size_t at = at_;
  if (at + 1 == documents_.begin && documents_.end > at) at = documents_.end;
  while (at < code_.size()) {
    while (at < code_.size() && is_white(code_[at])) ++at;
    if (at < code_.size() && code_[at] == '#') {
      at = std::min(code_.find('\n', at), code_.size());
      continue;
    }
    break;
  }
  const std::string_view rest = code_.substr(at);
  return (rest.starts_with('.') && !rest.starts_with("..")) || rest.starts_with("&.");
}

// Skips white space, comments, escaped line ends, and line ends where a statement cannot end.
// Returns false at a line end that ends a statement.
bool Lexer::skip_blanks() {
  while (at_ < code_.size()) {
    const char c = code_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      while (peek() != '\n') ++at_;
      step();
    } else if (c == '#') {
      at_ = std::min(code_.find('\n', at_), code_.size());
      continue;
    } else if (c == '\n') {
      if (code_.substr(at_ + 1).starts_with("=begin") ||
          code_.substr(at_ + 1).starts_with("__END__")) {
        fail_with_obstacle(line_ + 1, "a '=begin' comment");
      }
      if (state_ != State::kBegin && state_ != State::kDot && !continues_on_next_line()) {
        return false;
      }
      step();
    } else {
      return true;
    }
    space_before_ = true;
  }
  return true;
}

Token Lexer::finish(TokenKind kind, size_t begin, State after) {
  Token token;
  token.kind = kind;
  token.text = code_.substr(begin, at_ - begin);
  token.begin = begin;
  token.line = line_;
  token.space_before = space_before_;
  state_ = after;
  return token;
}

// Returns whether a character that may be an operator starts an operand here. `next` is the
// character after it.
bool Lexer::begins_operand(char next) const {
  if (state_ == State::kBegin || state_ == State::kMiddle) return true;
  return state_ == State::kArgument && space_before_ && !is_white(next);
}

Token Lexer::next() {
  space_before_ = false;
  if (!skip_blanks()) {
    step();
    label_allowed_ = false;
    return finish(TokenKind::kNewline, at_ - 1, State::kBegin);
  }
  const size_t begin = at_;
  const bool label_allowed = label_allowed_;
  label_allowed_ = true;
  if (at_ >= code_.size()) return finish(TokenKind::kEnd, begin, State::kEnd);
  const char c = code_[at_];
  if (c == kTextMark || c == kInsertMark) return read_mark(begin);
  if (is_name_start(c)) {
    label_allowed_ = label_allowed;
    return read_identifier(begin);
  }
  if (c == '@' || c == '$') return read_variable(begin);
  if (is_digit(c)) return read_number(begin);
  if ((c == '-' || c == '+') && is_digit(peek(1)) && begins_operand(peek(1))) {
    const bool begins_argument = state_ == State::kArgument;
    Token token = read_number(begin);
    token.begins_argument = begins_argument;
    return token;
  }
  switch (c) {
    case ';':
      ++at_;
      label_allowed_ = false;
      return finish(TokenKind::kNewline, begin, State::kBegin);
    case '"':
      ++at_;
      return begin_quote(TokenKind::kQuote, begin, '"', true);
    case '\'':
      ++at_;
      return begin_quote(TokenKind::kQuote, begin, '\'', false);
    case '`':
      fail_with_obstacle(line_, "a command in backquotes");
    case ':':
      return read_colon(begin);
    case '/':
      if (begins_operand(peek(1)) && (state_ != State::kArgument || peek(1) != '=')) {
        ++at_;
        return begin_quote(TokenKind::kRegexQuote, begin, '/', true);
      }
      break;
    case '%':
      if (begins_operand(peek(1)) && (state_ != State::kArgument || peek(1) != '=')) {
        return read_percent(begin);
      }
      break;
    case '?':
      if (begins_operand(peek(1))) fail_with_obstacle(line_, "a character literal");
      break;
    case '<':
      if (begins_here_document()) return read_here_document(begin);
      break;
    default:
      break;
  }
  return read_operator(begin);
}

Token Lexer::read_mark(size_t begin) {
  if (code_[at_] == kInsertMark) {
    ++at_;
    return finish(TokenKind::kInsert, begin, State::kBegin);
  }
  const size_t end = code_.find(kTextMark, begin + 1);
  at_ = end + 1;
  Token token = finish(TokenKind::kText, begin, State::kEnd);
  token.text = code_.substr(begin + 1, end - begin - 1);
  return token;
}

Token Lexer::read_identifier(size_t begin) {
  while (is_name_part(peek())) ++at_;
  bool ends_in_mark = false;
  if ((peek() == '?' || peek() == '!') &&
      (peek(1) != '=' || peek(2) == '=' || peek(2) == '~' || peek(2) == '>')) {
    ends_in_mark = true;
    ++at_;
  }
  const std::string_view name = code_.substr(begin, at_ - begin);
  const bool is_method_name = state_ == State::kDot;
  if (!is_method_name && label_allowed_ && peek() == ':' && peek(1) != ':') {
    Token token = finish(TokenKind::kLabel, begin, State::kBegin);
    ++at_;
    label_allowed_ = false;
    return token;
  }
  label_allowed_ = true;
  if (is_method_name) return finish(TokenKind::kIdentifier, begin, State::kArgument);
  if (contains(kKeywords, name)) {
    const bool closes = contains(kClosingKeywords, name);
    label_allowed_ = false;
    const bool may_end = name == "next" || name == "break" || name == "return" || name == "rescue";
    return finish(TokenKind::kKeyword, begin,
                  closes            ? State::kEnd
                  : may_end         ? State::kMiddle
                  : name == "yield" ? State::kArgument
                                    : State::kBegin);
  }
  if (is_upper(name[0]) && !ends_in_mark) {
    return finish(TokenKind::kConstant, begin, State::kEnd);
  }
  const State after = locals_.is_local(name) ? State::kEnd : State::kArgument;
  return finish(TokenKind::kIdentifier, begin, after);
}

Token Lexer::read_variable(size_t begin) {
  if (code_[at_] == '@') {
    ++at_;
    if (!is_name_start(peek())) fail_with_obstacle(line_, "a class variable");
    while (is_name_part(peek())) ++at_;
    Token token = finish(TokenKind::kInstanceVariable, begin, State::kEnd);
    token.text.remove_prefix(1);
    return token;
  }
  ++at_;
  if (peek() >= 'a' && peek() <= 'z') return read_global_variable(begin);
  if (!is_digit(peek()) || peek() == '0') fail_with_obstacle(line_, "a global variable");
  while (is_digit(peek())) ++at_;
  Token token = finish(TokenKind::kMatchGroup, begin, State::kEnd);
  token.text.remove_prefix(1);
  return token;
}

// Reads a global variable. One that is not set is nil.
Token Lexer::read_global_variable(size_t begin) {
  constexpr std::string_view kSet[] = {"$stdin", "$stdout", "$stderr", "$unique_warnings",
                                       "$deprecation_warnings"};
  while (is_name_part(peek())) ++at_;
  const std::string_view name = code_.substr(begin, at_ - begin);
  std::string_view rest = code_.substr(at_);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const bool is_set = contains(kSet, name) || (rest.starts_with('=') && !rest.starts_with("==")) ||
                      rest.starts_with("||=") || rest.starts_with("&&=");
  if (is_set) fail_with_obstacle(line_, "a global variable");
  Token token = finish(TokenKind::kKeyword, begin, State::kEnd);
  token.text = "nil";
  return token;
}

Token Lexer::read_number(size_t begin) {
  ++at_;  // a sign or the first digit
  const bool signed_number = !is_digit(code_[begin]);
  const size_t first = signed_number ? begin + 1 : begin;
  at_ = first + 1;
  bool is_float = false;
  if (code_[first] == '0' && is_name_part(peek())) {
    while (is_name_part(peek())) ++at_;
    return finish(TokenKind::kInteger, begin, State::kEnd);
  }
  while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) ++at_;
  if (peek() == '.' && is_digit(peek(1))) {
    is_float = true;
    ++at_;
    while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) ++at_;
  }
  if (peek() == 'e' || peek() == 'E') {
    const size_t digits = peek(1) == '-' || peek(1) == '+' ? 2 : 1;
    if (is_digit(peek(digits))) {
      is_float = true;
      at_ += digits;
      while (is_digit(peek())) ++at_;
    }
  }
  if (is_name_part(peek())) fail_with_obstacle(line_, "a number of an unusual form");
  return finish(is_float ? TokenKind::kFloat : TokenKind::kInteger, begin, State::kEnd);
}

Token Lexer::read_colon(size_t begin) {
  const char next = peek(1);
  if (next == ':' || is_white(next) || state_ == State::kEnd || next == 0) {
    return read_operator(begin);
  }
  at_ += 1;
  if (next == '"' || next == '\'') {
    ++at_;
    return begin_quote(TokenKind::kSymbolQuote, begin, next, next == '"');
  }
  if (!is_name_start(next)) return read_operator_symbol(begin);
  while (is_name_part(peek())) ++at_;
  if ((peek() == '?' || peek() == '!' || peek() == '=') && peek(1) != '=' && peek(1) != '~' &&
      peek(1) != '>') {
    ++at_;
  }
  Token token = finish(TokenKind::kSymbol, begin, State::kEnd);
  token.text.remove_prefix(1);
  return token;
}

// :+ and the like. After a name, `:` may belong to a conditional.
Token Lexer::read_operator_symbol(size_t begin) {
  const std::string_view name = leading_operator_name(code_.substr(at_));
  if (state_ != State::kBegin || name.empty()) {
    fail_with_obstacle(line_, "the symbol of an operator");
  }
  at_ += name.size();
  Token token = finish(TokenKind::kSymbol, begin, State::kEnd);
  token.text.remove_prefix(1);
  return token;
}

Token Lexer::read_percent(size_t begin) {
  ++at_;
  TokenKind kind = TokenKind::kQuote;
  bool interpolates = true;
  if (is_name_part(peek())) {
    switch (peek()) {
      case 'w':
        kind = TokenKind::kWords;
        interpolates = false;
        break;
      case 'i':
        kind = TokenKind::kSymbols;
        interpolates = false;
        break;
      case 'q':
        interpolates = false;
        break;
      case 'Q':
        break;
      case 'r':
        kind = TokenKind::kRegexQuote;
        break;
      default:
        fail_with_obstacle(line_, "a '%' literal of an unusual kind");
    }
    ++at_;
  }
  const char open = peek();
  if (is_name_part(open) || is_white(open) || open == 0 || open == kTextMark) {
    fail_with_obstacle(line_, "a '%' literal of an unusual kind");
  }
  ++at_;
  return begin_quote(kind, begin, open, interpolates);
}

Token Lexer::begin_quote(TokenKind kind, size_t begin, char open, bool interpolates) {
  constexpr std::string_view kOpening = "([{<", kClosing = ")]}>";
  const size_t pair = kOpening.find(open);
  quote_ = {open, pair == kOpening.npos ? open : kClosing[pair], interpolates};
  return finish(kind, begin, State::kEnd);
}

bool Lexer::begins_here_document() const {
  if (peek(1) != '<' || state_ == State::kEnd || !begins_operand(peek(2))) return false;
  const char after = peek(2) == '-' || peek(2) == '~' ? peek(3) : peek(2);
  return is_name_start(after) || after == '"' || after == '\'' || after == '`';
}

// Reads <<X, <<-X and <<~X; X may be quoted.
Token Lexer::read_here_document(size_t begin) {
  if (in_here_document_) fail_with_obstacle(line_, "a here document in another one");
  at_ += 2;
  const char form = peek() == '-' || peek() == '~' ? peek() : '\0';
  if (form != '\0') ++at_;
  const char quote = is_name_start(peek()) ? '\0' : peek();
  if (quote == '`') fail_with_obstacle(line_, "a command in backquotes");
  if (quote != '\0') ++at_;
  const size_t name = at_;
  while (at_ < code_.size() && (quote == '\0' ? is_name_part(peek()) : peek() != quote)) ++at_;
  find_contents(code_.substr(name, at_ - name), form);
  document_.interpolates = quote != '\'';
  if (quote != '\0') ++at_;
  return finish(TokenKind::kHereDocument, begin, State::kEnd);
}

// Finds the lines up to the one that consists of the name; with a form, blanks may precede it.
void Lexer::find_contents(std::string_view name, char form) {
  const size_t next_line = std::min(code_.find('\n', at_), code_.size() - 1) + 1;
  const bool is_second = documents_.begin == next_line && documents_.end > next_line;
  document_.begin = is_second ? documents_.end : next_line;
  size_t at = document_.begin;
  while (at < code_.size()) {
    const size_t end = std::min(code_.find('\n', at), code_.size());
    std::string_view line = code_.substr(at, end - at);
    if (line.find_first_of(kMarks) != line.npos) {
      fail_with_obstacle(line_, "a here document that does not end in its tag");
    }
    if (line.find('\r') != line.npos)
      fail_with_obstacle(line_, "a here document with carriage returns");
    if (form != '\0') line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line == name) {
      document_.end = at;
      document_.margin = form == '~' ? margin_of(document_.begin, document_.end) : 0;
      documents_ = {next_line, std::min(end + 1, code_.size())};
      return;
    }
    at = end + 1;
  }
  fail_with_obstacle(line_, "a here document that does not end");
}

// Returns the smallest indentation of the lines that are not blank, in columns; without such lines,
// all blanks belong to the margin. Some versions of Ruby do not count a line after one that
// consists of blanks.
size_t Lexer::margin_of(size_t begin, size_t end) const {
  size_t margin = kNoMargin, certain_margin = kNoMargin;
  bool is_certain = true;
  for (size_t at = begin; at < end;) {
    size_t columns = 0;
    for (; code_[at] == ' ' || code_[at] == '\t'; ++at) {
      columns = column_after(code_[at], columns);
    }
    const bool is_blank_line = code_[at] == '\n';
    if (!is_blank_line) {
      margin = std::min(margin, columns);
      if (is_certain) certain_margin = std::min(certain_margin, columns);
    }
    is_certain = !is_blank_line || columns == 0;
    at = code_.find('\n', at) + 1;
  }
  if (margin != certain_margin) fail_with_obstacle(line_, "a here document with a line of blanks");
  return margin;
}

const HereDocument& Lexer::enter_here_document() {
  opened_at_ = {at_, line_};
  line_ += static_cast<int>(std::ranges::count(code_.substr(at_, document_.begin - at_), '\n'));
  at_ = document_.begin;
  in_here_document_ = true;
  return document_;
}

void Lexer::leave_here_document() {
  at_ = opened_at_.at;
  line_ = opened_at_.line;
  in_here_document_ = false;
  end_literal();
}

void Lexer::skip_here_documents() {
  const std::string_view skipped = code_.substr(at_, documents_.end - at_);
  line_ += static_cast<int>(std::ranges::count(skipped, '\n'));
  at_ = documents_.end;
}

Token Lexer::read_operator(size_t begin) {
  std::string_view rest = code_.substr(at_);
  auto found = std::ranges::find_if(kOperators,
                                    [&](std::string_view text) { return rest.starts_with(text); });
  if (found == std::end(kOperators)) {
    fail_with_obstacle(line_, "the character '" + std::string(rest.substr(0, 1)) + "'");
  }
  const char after = rest.size() > found->size() ? rest[found->size()] : '\0';
  const bool assigns = found->size() > 1 && found->ends_with('=');
  const bool opens = *found == "[" || *found == "(";
  const bool begins_argument =
      state_ == State::kArgument && space_before_ && (opens || !is_white(after)) && !assigns;
  at_ += found->size();
  const bool closes = *found == ")" || *found == "]" || *found == "}";
  const State state = closes                            ? State::kEnd
                      : *found == "." || *found == "&." ? State::kDot
                                                        : State::kBegin;
  if (*found == "?") label_allowed_ = false;
  Token token = finish(TokenKind::kOperator, begin, state);
  token.begins_argument = begins_argument;
  return token;
}

}  // namespace bunraku::erb
