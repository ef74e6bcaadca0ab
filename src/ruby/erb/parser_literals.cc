#include <algorithm>

#include "base/regex/regex.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"
#include "ruby/erb/methods.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/parser_internal.h"
#include "values/ruby_number.h"

namespace bunraku::erb {

namespace {

constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The character of an escape with a letter; -1 when the letter has no special meaning.
int escaped_letter(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 's':
      return ' ';
    case 'r':
      return '\r';
    case 'e':
      return 0x1b;
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    default:
      return -1;
  }
}

// Whether `#` and the character begin an interpolation, or may.
bool begins_interpolation(char c) {
  return c == '{' || c == '@' || c == '$';
}

bool is_mark(char c) {
  return c == kTextMark || c == kInsertMark;
}

}  // namespace

const Node* Parser::parse_number() {
  std::string digits(token_.text);
  const int line = token_.line;
  const Node* node = nullptr;
  if (token_.is(TokenKind::kFloat)) {
    std::erase(digits, '_');
    auto value = parse_float(digits);
    if (!value) fail_here();
    node = make<FloatNode>(NodeKind::kFloat, line, *value);
  } else {
    auto value = ruby_integer(digits);
    if (!value) fail_here();
    if (!value->fits_int64()) fail("an integer of more than 64 bits");
    node = make<IntegerNode>(NodeKind::kInteger, line, value->to_int64());
  }
  advance();
  return node;
}

// Reads an escape in double quotes; the backslash has been read.
void Parser::read_escape(std::string& text) {
  const char c = lexer_.peek();
  lexer_.step();
  if (const int letter = escaped_letter(c); letter >= 0) {
    text += static_cast<char>(letter);
  } else if (c == 'u') {
    const bool in_braces = lexer_.peek() == '{';
    if (in_braces) lexer_.step();
    char32_t code = 0;
    int count = 0;
    while (hex_digit(lexer_.peek()) >= 0 && count < (in_braces ? 6 : 4)) {
      code = code * 16 + static_cast<char32_t>(hex_digit(lexer_.peek()));
      lexer_.step();
      ++count;
    }
    if (count == 0 || (!in_braces && count != 4)) fail("an escape of an unusual form");
    if (in_braces) {
      if (lexer_.peek() != '}') fail("an escape of an unusual form");
      lexer_.step();
    }
    if (!append_character(text, code)) fail("an escape of an unusual form");
  } else if (c == 'x' || (c >= '0' && c <= '7')) {
    // Bytes beyond ASCII would make text that is not UTF-8.
    constexpr int kMostDigits = 2;  // after the first
    int value = c == 'x' ? 0 : c - '0';
    const int base = c == 'x' ? 16 : 8;
    for (int count = 0; count < kMostDigits; ++count) {
      const int digit = hex_digit(lexer_.peek());
      if (digit < 0 || digit >= base) break;
      value = value * base + digit;
      lexer_.step();
    }
    if (value >= 0x80) fail("an escape of a byte");
    text += static_cast<char>(value);
  } else if (c == 'c' || c == 'C' || c == 'M') {
    fail("an escape of an unusual form");
  } else if (c != '\n') {
    text += c;
  }
}

// Reads an escape in a regular expression, which stays as written unless it escapes the delimiter.
void Parser::read_regex_escape(std::string& text, char close) {
  const char c = lexer_.peek();
  lexer_.step();
  // An escaped end stays escaped where it would mean something else without that.
  constexpr std::string_view kSpecial = "$*+.?^|)]}>";
  if (c == '\n') fail("an escape of an unusual form");
  if (c == close && kSpecial.find(c) == kSpecial.npos) {
    text += c;
  } else {
    text += '\\';
    text += c;
  }
}

// Parses up to and including the closing quote. Returns the texts and the interpolations between
// them; empty for an empty literal.
std::vector<const Node*> Parser::parse_quoted(bool is_regex) {
  const DepthGuard guard(*this);
  const Quote quote = lexer_.quote();
  std::vector<const Node*> parts;
  std::string text;
  int line = lexer_.line();
  auto flush = [&] {
    if (text.empty()) return;
    parts.push_back(make<TextNode>(NodeKind::kString, line, arena_.copy(text)));
    text.clear();
    line = lexer_.line();
  };
  int open = 0;
  while (true) {
    if (lexer_.at_end()) fail("a literal that does not end");
    const char c = lexer_.peek();
    if (is_mark(c)) fail("a literal that goes on beyond its tag");
    lexer_.step();
    if (c == '\\') {
      const char next = lexer_.peek();
      if (lexer_.at_end() || is_mark(next)) fail("a literal that does not end");
      if (is_regex) {
        read_regex_escape(text, quote.close);
      } else if (quote.interpolates) {
        read_escape(text);
      } else {
        if (next != '\\' && next != quote.close && next != quote.open) text += '\\';
        lexer_.step();
        text += next;
      }
    } else if (c == '#' && quote.interpolates && begins_interpolation(lexer_.peek())) {
      flush();
      parts.push_back(parse_interpolation());
    } else if (c == quote.close && open == 0) {
      break;
    } else {
      if (c == quote.close) --open;
      if (c == quote.open && quote.open != quote.close) ++open;
      text += c;
    }
  }
  flush();
  lexer_.end_literal();
  return parts;
}

// Parses `{…}` or `@variable` after `#`.
const Node* Parser::parse_interpolation() {
  if (lexer_.peek() == '$') fail("a variable without braces in a literal");
  if (lexer_.peek() == '@') {
    advance();
    return make<InstanceVariableNode>(NodeKind::kInstanceVariable, token_.line,
                                      instance_variable(token_.text));
  }
  lexer_.step();
  lexer_.begin_interpolation();
  advance();
  const Node* inner = parse_statements({"}"});
  if (!token_.is_operator("}")) fail_here();
  return inner;
}

// Skips the blanks that <<~ removes from the start of a line.
void Parser::skip_margin(size_t margin) {
  size_t columns = 0;
  while (lexer_.peek() == ' ' || lexer_.peek() == '\t') {
    columns = column_after(lexer_.peek(), columns);
    if (columns > margin) return;
    lexer_.step();
  }
}

const Node* Parser::parse_here_document() {
  const DepthGuard guard(*this);
  const int line = token_.line;
  const HereDocument document = lexer_.enter_here_document();
  std::vector<const Node*> parts;
  std::string text;
  int text_line = lexer_.line();
  auto flush = [&] {
    if (!text.empty()) {
      parts.push_back(make<TextNode>(NodeKind::kString, text_line, arena_.copy(text)));
    }
    text.clear();
  };
  bool at_line_start = true;
  while (lexer_.position() < document.end) {
    if (at_line_start) skip_margin(document.margin);
    const char c = lexer_.peek();
    lexer_.step();
    at_line_start = c == '\n';
    const char next = lexer_.peek();
    if (c == '\\' && document.interpolates) {
      if (next == '\n') fail("an escaped line end in a here document");
      read_escape(text);
    } else if (c == '#' && document.interpolates && begins_interpolation(next)) {
      flush();
      const int begin = lexer_.line();
      parts.push_back(parse_interpolation());
      if (lexer_.line() != begin) fail("an interpolation of several lines in a here document");
      text_line = begin;
    } else {
      text += c;
    }
  }
  flush();
  lexer_.leave_here_document();
  advance();
  return join_parts(line, parts);
}

// Returns the string that texts and interpolations make.
const Node* Parser::join_parts(int line, const std::vector<const Node*>& parts) {
  if (parts.empty()) return make<TextNode>(NodeKind::kString, line, std::string_view());
  if (parts.size() == 1 && parts[0]->kind == NodeKind::kString) return parts[0];
  return make<InterpolationNode>(NodeKind::kInterpolation, line, list(parts));
}

const Node* Parser::parse_string() {
  const int line = token_.line;
  std::vector<const Node*> parts;
  // Adjacent literals are joined.
  do {
    std::vector<const Node*> more = parse_quoted(false);
    parts.insert(parts.end(), more.begin(), more.end());
    advance();
  } while (token_.is(TokenKind::kQuote));
  return join_parts(line, parts);
}

const Node* Parser::parse_symbol_quote() {
  const int line = token_.line;
  std::vector<const Node*> parts = parse_quoted(false);
  advance();
  if (parts.empty()) return make<TextNode>(NodeKind::kSymbol, line, std::string_view());
  if (parts.size() > 1 || parts[0]->kind != NodeKind::kString)
    fail("a symbol that is made of parts");
  return make<TextNode>(NodeKind::kSymbol, line, static_cast<const TextNode&>(*parts[0]).text);
}

const Node* Parser::parse_regex() {
  const int line = token_.line;
  std::vector<const Node*> parts = parse_quoted(true);
  std::string options;
  while (std::string_view("mixo").find(lexer_.peek()) != std::string_view::npos &&
         lexer_.peek() != 0) {
    if (lexer_.peek() != 'o') options += lexer_.peek();
    lexer_.step();
  }
  const char after = lexer_.peek();
  if ((after >= 'a' && after <= 'z') || (after >= 'A' && after <= 'Z')) {
    fail("an option of a regular expression");
  }
  advance();
  // Sorted as Ruby shows them.
  std::string sorted;
  for (const char option : std::string_view("mix")) {
    if (options.find(option) != options.npos) sorted += option;
  }
  const std::string_view kept = arena_.copy(sorted);
  const Regex* none = nullptr;
  const bool is_constant =
      parts.empty() || (parts.size() == 1 && parts[0]->kind == NodeKind::kString);
  if (!is_constant) {
    return make<RegexNode>(NodeKind::kRegex, line, list(parts), std::string_view(), kept, none);
  }
  std::string_view source;
  if (!parts.empty()) source = static_cast<const TextNode&>(*parts[0]).text;
  try {
    const Regex* regex = compile_regex(source, kept);
    return make<RegexNode>(NodeKind::kRegex, line, NodeList(), source, kept, regex);
  } catch (const RegexError& error) {
    fail("a regular expression: " + std::string(error.what()));
  }
}

const Node* Parser::parse_words(bool are_symbols) {
  const int line = token_.line;
  std::vector<const Node*> parts = parse_quoted(false);
  std::string_view text;
  if (!parts.empty()) text = static_cast<const TextNode&>(*parts[0]).text;
  if (text.find('\\') != text.npos) fail("an escape in a list of words");
  std::vector<const Node*> words;
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  size_t at = text.find_first_not_of(kBlanks);
  while (at != text.npos) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(make<TextNode>(are_symbols ? NodeKind::kSymbol : NodeKind::kString, line,
                                   text.substr(at, end - at)));
    at = text.find_first_not_of(kBlanks, end);
  }
  advance();
  return make<ArrayNode>(NodeKind::kArray, line, list(words));
}

}  // namespace bunraku::erb
