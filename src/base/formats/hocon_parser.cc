#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/formats/hocon_tree.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"

namespace bunraku::hocon {
namespace {

enum class TokenKind : uint8_t {
  kEnd,
  kNewline,
  kComma,
  kEquals,
  kColon,
  kPlusEquals,
  kOpenBrace,
  kCloseBrace,
  kOpenBracket,
  kCloseBracket,
  kQuoted,
  kBare,
  kNumber,
  kSubstitution,
  kProblem
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  uint32_t line = 1;
  std::string space;  // the white space before it on its line
  // For values their contents, for a substitution the path as written, for a problem its
  // description; for others their source text.
  std::string text;
  bool is_optional = false;
};

bool begins_value(TokenKind kind) {
  return kind == TokenKind::kOpenBrace || kind == TokenKind::kOpenBracket ||
         (kind >= TokenKind::kQuoted && kind <= TokenKind::kSubstitution);
}

bool is_simple(TokenKind kind) {
  return kind == TokenKind::kQuoted || kind == TokenKind::kBare || kind == TokenKind::kNumber;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    Token token;
    token.space = skip_space();
    token.line = line_;
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    constexpr std::string_view kSigns = ",=:{}[]";
    constexpr TokenKind kKinds[] = {TokenKind::kComma,       TokenKind::kEquals,
                                    TokenKind::kColon,       TokenKind::kOpenBrace,
                                    TokenKind::kCloseBrace,  TokenKind::kOpenBracket,
                                    TokenKind::kCloseBracket};
    if (const size_t sign = kSigns.find(c); sign != std::string_view::npos) {
      ++at_;
      token.kind = kKinds[sign];
      token.text = c;
    } else if (c == '\n') {
      ++at_;
      ++line_;
      token.kind = TokenKind::kNewline;
    } else if (c == '"') {
      quoted(token);
    } else if (c == '$') {
      substitution(token);
    } else if (c == '+') {
      plus(token);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      number(token);
    } else if (kReserved.find(c) != std::string_view::npos) {
      ++at_;
      problem(token, std::string(1, c),
              "Reserved character '" + std::string(1, c) + "' is not allowed outside quotes");
    } else {
      bare(token);
    }
    return token;
  }

 private:
  static constexpr std::string_view kReserved = "`^?!@*&\\$+#\"{}[]:=,";

  static void problem(Token& token, const std::string& what, const std::string& why) {
    token.kind = TokenKind::kProblem;
    token.text = "'" + what + "' (" + why + ")";
  }

  // The number of bytes of white space here, without line ends.
  size_t space_size() const {
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) return 0;
    if (rest[0] == ' ' || rest[0] == '\t' || (rest[0] >= '\v' && rest[0] <= '\r')) return 1;
    if (rest.starts_with("\xC2\xA0")) return 2;
    return rest.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  }

  bool is_comment() const {
    return at_ < text_.size() && (text_[at_] == '#' || text_.substr(at_).starts_with("//"));
  }

  std::string skip_space() {
    std::string space;
    while (const size_t size = space_size()) {
      space += text_.substr(at_, size);
      at_ += size;
    }
    if (is_comment()) at_ = std::min(text_.find('\n', at_), text_.size());
    return space;
  }

  void bare(Token& token) {
    token.kind = TokenKind::kBare;
    while (at_ < text_.size() && text_[at_] != '\n' && space_size() == 0 && !is_comment() &&
           kReserved.find(text_[at_]) == std::string_view::npos) {
      token.text += text_[at_++];
    }
  }

  void number(Token& token) {
    const size_t end = text_.find_first_not_of("0123456789eE+-.", at_);
    const std::string_view text =
        text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    char* rest = nullptr;
    std::string copy(text);
    std::strtod(copy.c_str(), &rest);
    const bool is_number = *rest == '\0' && copy.back() != '.' &&
                           copy.find(".e") == std::string::npos &&
                           copy.find(".E") == std::string::npos;
    const size_t plus = copy.find('+');
    if (!is_number && plus != std::string::npos) copy.resize(plus);
    at_ += copy.size();
    token.kind = is_number ? TokenKind::kNumber : TokenKind::kBare;
    token.text = std::move(copy);
  }

  void plus(Token& token) {
    ++at_;
    if (at_ < text_.size() && text_[at_] == '=') {
      ++at_;
      token.kind = TokenKind::kPlusEquals;
      token.text = "+=";
      return;
    }
    const std::string next = at_ < text_.size() ? std::string(1, text_[at_]) : "end of file";
    problem(token, next, "'+' not followed by =, '" + next + "' not allowed after '+'");
  }

  void substitution(Token& token) {
    ++at_;
    if (at_ >= text_.size() || text_[at_] != '{') {
      const std::string next = at_ < text_.size() ? std::string(1, text_[at_]) : "end of file";
      return problem(token, next, "'$' not followed by {, '" + next + "' not allowed after '$'");
    }
    ++at_;
    token.is_optional = at_ < text_.size() && text_[at_] == '?';
    if (token.is_optional) ++at_;
    bool is_quoted = false;
    size_t end = at_;
    while (end < text_.size() && text_[end] != '\n' && (is_quoted || text_[end] != '}')) {
      is_quoted = is_quoted != (text_[end] == '"');
      ++end;
    }
    if (end >= text_.size() || text_[end] == '\n') {
      at_ = text_.size();
      return problem(token, "end of file", "Substitution ${ was not closed with a }");
    }
    token.kind = TokenKind::kSubstitution;
    token.text = text_.substr(at_, end - at_);
    at_ = end + 1;
  }

  void quoted(Token& token) {
    token.kind = TokenKind::kQuoted;
    if (text_.substr(at_).starts_with("\"\"\"")) return tripled(token);
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return;
      }
      if (c == '\n') {
        return problem(token, "\n",
                       "JSON does not allow unescaped \n in quoted strings, use a backslash "
                       "escape");
      }
      if (c != '\\') {
        token.text += c;
      } else if (!escape(token)) {
        return;
      }
    }
    problem(token, "-1", "End of input but string quote was still open");
  }

  // A tripled string ends with the last three of its closing quotes.
  void tripled(Token& token) {
    size_t end = text_.find("\"\"\"", at_ + 3);
    if (end == std::string_view::npos) {
      at_ = text_.size();
      return problem(token, "-1", "End of input but triple-quoted string was still open");
    }
    while (end + 3 < text_.size() && text_[end + 3] == '"') ++end;
    token.text = text_.substr(at_ + 3, end - at_ - 3);
    for (const char c : token.text) line_ += c == '\n';
    at_ = end + 3;
  }

  // Reads an escape such as \n; leaves at_ at its last character. Returns false when it is invalid.
  bool escape(Token& token) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const char c = ++at_ < text_.size() ? text_[at_] : '\0';
    if (const size_t letter = kLetters.find(c); c != '\0' && letter != std::string_view::npos) {
      token.text += kMeant[letter];
      return true;
    }
    if (c != 'u') {
      problem(
          token, std::string(1, c),
          "backslash followed by '" + std::string(1, c) + "', this is not a valid escape sequence");
      return false;
    }
    std::optional<uint32_t> unit = hex_digits();
    const bool is_high = unit && *unit >= 0xD800 && *unit < 0xDC00;
    if (is_high && text_.substr(at_ + 1).starts_with("\\u")) {
      at_ += 2;
      std::optional<uint32_t> low = hex_digits();
      if (low) unit = 0x10000 + ((*unit - 0xD800) << 10) + ((*low - 0xDC00) & 0x3FF);
    }
    if (!unit) {
      problem(token, "-1", "End of input but expecting 4 hex digits for \\uXXXX escape");
      return false;
    }
    append_character(token.text, *unit >= 0xD800 && *unit < 0xE000 ? 0xFFFD : *unit);
    return true;
  }

  std::optional<uint32_t> hex_digits() {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    uint32_t value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) return std::nullopt;
    at_ += 4;
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
};

std::string shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "end of file";
  if (token.kind == TokenKind::kProblem) return token.text;
  if (token.kind == TokenKind::kNewline) return "'\\n'";
  if (token.kind == TokenKind::kQuoted) return "'" + token.text + "' (STRING)";
  if (token.kind == TokenKind::kNumber) return "'" + token.text + "' (NUMBER)";
  if (token.kind == TokenKind::kBare && (token.text == "true" || token.text == "false")) {
    return "'" + token.text + "' (BOOLEAN)";
  }
  if (token.kind == TokenKind::kBare && token.text == "null") return "'' (NULL)";
  if (token.kind == TokenKind::kSubstitution) return "'${" + token.text + "}'";
  return "'" + token.text + "'";
}

[[noreturn]] void fail_quotable(const Token& token, const std::string& message,
                                const std::string& rest = "") {
  fail(token.line, message + shown(token) + rest + " (if you intended " + shown(token) +
                       " to be part of a key or string value, try enclosing the key or value in "
                       "double quotes");
}

[[noreturn]] void fail_in_list(const Token& token, const std::string& message,
                               const std::string& what) {
  fail(token.line, message + shown(token) + " (if you want " + what + shown(token) +
                       " to be part of a string value, then double-quote it)");
}

// Assembles the parts of a path: dots outside of quotes separate them.
class PathBuilder {
 public:
  void add(const Token& token) {
    if (!parts_.empty()) parts_.back().text += token.space;
    if (parts_.empty()) parts_.emplace_back();
    if (token.kind == TokenKind::kQuoted) {
      parts_.back().text += token.text;
      parts_.back().may_be_empty = true;
      return;
    }
    for (const char c : token.text) {
      if (c == '.')
        parts_.emplace_back();
      else
        parts_.back().text += c;
    }
  }

  std::vector<std::string> finish() const {
    std::vector<std::string> path;
    for (const Part& part : parts_) {
      if (part.text.empty() && !part.may_be_empty) {
        throw DataError(
            "path has a leading, trailing, or two adjacent period '.' (use quoted \"\" empty "
            "string if you want an empty element)");
      }
      path.push_back(part.text);
    }
    return path;
  }

 private:
  struct Part {
    std::string text;
    bool may_be_empty = false;
  };
  std::vector<Part> parts_;
};

class Parser {
 public:
  Parser(Tree& tree, std::string_view text, int file_depth)
      : tree_(tree), lexer_(text), file_depth_(file_depth) {
    advance();
  }

  Node* document() {
    skip_newlines();
    const bool is_list = token_.kind == TokenKind::kOpenBracket;
    if (!is_list && token_.kind != TokenKind::kOpenBrace) return object(false, 0);
    const uint32_t line = token_.line;
    advance();
    Node* root = is_list ? list(0) : object(true, 0);
    skip_newlines();
    if (token_.kind != TokenKind::kEnd) {
      fail(token_.line,
           "Document has trailing tokens after first object or array: " + shown(token_));
    }
    if (is_list) fail(line, " has type LIST rather than object at file root");
    return root;
  }

 private:
  void advance() { token_ = lexer_.next(); }

  bool skip_newlines() {
    const bool skipped = token_.kind == TokenKind::kNewline;
    while (token_.kind == TokenKind::kNewline) advance();
    return skipped;
  }

  // Skips a comma or line ends. Returns false when there is neither.
  bool separator() {
    const bool skipped = skip_newlines();
    if (token_.kind != TokenKind::kComma) return skipped;
    advance();
    skip_newlines();
    return true;
  }

  void check_depth(int depth) const {
    if (depth > kDeepest) fail(token_.line, "The value is nested more than 500 levels deep");
  }

  // Parses from after the opening brace to after the closing one.
  Node* object(bool is_braced, int depth) {
    check_depth(depth);
    Node* object = tree_.make(NodeKind::kObject, token_.line);
    skip_newlines();
    while (true) {
      if (token_.kind == TokenKind::kCloseBrace) {
        if (!is_braced) fail_quotable(token_, "unbalanced close brace ", " with no open brace");
        advance();
        return object;
      }
      if (token_.kind == TokenKind::kEnd && !is_braced) return object;
      field(*object, depth);
      if (separator() || token_.kind == TokenKind::kCloseBrace) continue;
      if (token_.kind != TokenKind::kEnd) {
        fail_quotable(token_, "Expecting close brace } or a comma, got ");
      }
      if (is_braced) fail(token_.line, "Expecting close brace } or a comma, got end of file");
    }
  }

  void field(Node& object, int depth) {
    if (token_.kind == TokenKind::kBare && token_.text == "include") return include(object);
    if (!is_simple(token_.kind)) {
      fail(token_.line, "expecting a close brace or a field name here, got " + shown(token_));
    }
    std::string source;
    std::vector<std::string> path = key(source);
    skip_newlines();
    const TokenKind sign = token_.kind;
    const bool has_sign =
        sign == TokenKind::kEquals || sign == TokenKind::kColon || sign == TokenKind::kPlusEquals;
    if (!has_sign && sign != TokenKind::kOpenBrace) {
      const std::string mistake = "Key '" + source + "' may not be followed by token: ";
      if (sign != TokenKind::kEnd) fail_quotable(token_, mistake);
      fail(token_.line, mistake + shown(token_));
    }
    if (has_sign) advance();
    skip_newlines();
    // Without a sign, the value is the object alone.
    Node* found = has_sign ? value(depth + 1) : piece(depth + 1);
    if (sign == TokenKind::kPlusEquals) found = appended(path, found);
    for (size_t i = path.size() - 1; i > 0; --i) {
      Node* outer = tree_.make(NodeKind::kObject, found->line);
      set_field(tree_, *outer, path[i], found);
      found = outer;
    }
    set_field(tree_, object, path[0], found);
  }

  // `source` gets the key as written.
  std::vector<std::string> key(std::string& source) {
    PathBuilder path;
    token_.space.clear();
    do {
      path.add(token_);
      const bool is_quoted = token_.kind == TokenKind::kQuoted;
      source += token_.space + (is_quoted ? "\"" + token_.text + "\"" : token_.text);
      advance();
    } while (is_simple(token_.kind));
    return path.finish();
  }

  // a += b: the earlier value of a, with b appended.
  Node* appended(const std::vector<std::string>& path, Node* item) {
    Node* before = tree_.make(NodeKind::kSubstitution, item->line);
    before->path = path;
    before->is_optional = true;
    Node* list = tree_.make(NodeKind::kArray, item->line);
    list->items = {item};
    list->is_open = is_open(*item);
    Node* both = tree_.make(NodeKind::kConcatenation, item->line);
    both->items = {before, list};
    return both;
  }

  // Parses a value with all further values on the same line, which are concatenated.
  Node* value(int depth) {
    check_depth(depth);
    if (!begins_value(token_.kind)) {
      if (token_.kind == TokenKind::kEnd) {
        fail(token_.line, "Expecting a value but got wrong token: end of file");
      }
      fail_quotable(token_, "Expecting a value but got wrong token: ");
    }
    std::vector<Node*> parts;
    while (begins_value(token_.kind)) {
      const bool is_collection =
          token_.kind == TokenKind::kOpenBrace || token_.kind == TokenKind::kOpenBracket;
      if (!parts.empty() && !token_.space.empty() && !is_collection) {
        add_part(parts, tree_.text(token_.space, token_.line, true));
      }
      add_part(parts, piece(depth));
    }
    if (parts.size() == 1) return parts[0];
    Node* all = tree_.make(NodeKind::kConcatenation, parts[0]->line);
    all->items = std::move(parts);
    return all;
  }

  void add_part(std::vector<Node*>& parts, Node* part) {
    const bool is_known = part->kind < NodeKind::kSubstitution;
    if (!parts.empty() && is_known && parts.back()->kind < NodeKind::kSubstitution) {
      parts.back() = join(tree_, parts.back(), part);
    } else {
      parts.push_back(part);
    }
  }

  Node* piece(int depth) {
    Token token = std::move(token_);
    advance();
    switch (token.kind) {
      case TokenKind::kOpenBrace:
        return object(true, depth);
      case TokenKind::kOpenBracket:
        return list(depth);
      case TokenKind::kSubstitution:
        return substitution(token);
      case TokenKind::kNumber:
        return number(token);
      case TokenKind::kQuoted:
        return tree_.text(std::move(token.text), token.line, false);
      default:
        return word(token);
    }
  }

  Node* word(const Token& token) {
    if (token.text != "true" && token.text != "false" && token.text != "null") {
      return tree_.text(token.text, token.line, true);
    }
    Node* node = tree_.make(NodeKind::kScalar, token.line);
    node->text = token.text;
    if (token.text != "null") node->value = DataNode::boolean(token.text == "true");
    return node;
  }

  // A number without a fraction is an integer in any notation.
  Node* number(const Token& token) {
    Node* node = tree_.make(NodeKind::kScalar, token.line);
    node->text = token.text;
    if (token.text.find_first_of(".eE") != std::string::npos) {
      const double value = std::strtod(token.text.c_str(), nullptr);
      if (!std::isfinite(value)) fail(token.line, "The number " + token.text + " is too large");
      const bool is_whole = std::floor(value) == value && std::fabs(value) < 9.2e18;
      node->value =
          is_whole ? DataNode::integer(static_cast<int64_t>(value)) : DataNode::floating(value);
      return node;
    }
    int64_t value = 0;
    const char* end = token.text.data() + token.text.size();
    const bool fits = std::from_chars(token.text.data(), end, value).ec == std::errc();
    node->value =
        fits ? DataNode::integer(value) : DataNode::text(DataKind::kBigInteger, node->text);
    return node;
  }

  Node* substitution(const Token& token) {
    Node* node = tree_.make(NodeKind::kSubstitution, token.line);
    node->is_optional = token.is_optional;
    node->text = (token.is_optional ? "${?" : "${") + token.text + "}";
    Lexer inside(token.text);
    PathBuilder path;
    Token part = inside.next();
    if (part.kind == TokenKind::kEnd) {
      fail(token.line, "Expecting a field name or path here, but got nothing");
    }
    part.space.clear();
    for (; part.kind != TokenKind::kEnd; part = inside.next()) {
      if (!is_simple(part.kind)) {
        fail(token.line, "Token not allowed in path expression: " + shown(part));
      }
      path.add(part);
    }
    node->path = path.finish();
    return node;
  }

  Node* list(int depth) {
    Node* list = tree_.make(NodeKind::kArray, token_.line);
    skip_newlines();
    if (token_.kind != TokenKind::kCloseBracket && !begins_value(token_.kind)) {
      fail_in_list(
          token_,
          "List should have ] or a first element after the open [, instead had token: ", "");
    }
    while (token_.kind != TokenKind::kCloseBracket) {
      if (!begins_value(token_.kind)) {
        fail_in_list(token_, "List should have had new element after a comma, instead had token: ",
                     "the comma or ");
      }
      list->items.push_back(value(depth + 1));
      list->is_open = list->is_open || is_open(*list->items.back());
      if (!separator() && token_.kind != TokenKind::kCloseBracket) {
        fail_in_list(token_,
                     "List should have ended with ] or had a comma, instead had token: ", "");
      }
    }
    advance();
    return list;
  }

  // Only include file("...") reads a file, because a bare name has no directory.
  void include(Node& object) {
    advance();
    if (token_.kind == TokenKind::kQuoted) return advance();
    if (token_.kind != TokenKind::kBare) {
      fail(token_.line,
           "include keyword is not followed by a quoted string, but by: " + shown(token_));
    }
    const std::string kind = token_.text;
    const uint32_t line = token_.line;
    if (kind != "file(" && kind != "url(" && kind != "classpath(") {
      fail(line,
           "expecting include parameter to be quoted filename, file(), classpath(), or url(). No "
           "spaces are allowed before the open paren. Not expecting: " +
               shown(token_));
    }
    advance();
    const std::string path = token_.text;
    const bool is_quoted = token_.kind == TokenKind::kQuoted;
    if (is_quoted) advance();
    if (!is_quoted || token_.kind != TokenKind::kBare || token_.text != ")") {
      fail(line, "expecting a quoted string and a close parentheses ')' inside " + kind + "), " +
                     "instead have: " + shown(token_));
    }
    advance();
    if (kind != "file(") fail(line, "include of " + kind + ") is not supported");
    include_file(object, path, line);
  }

  void include_file(Node& object, const std::string& path, uint32_t line) {
    constexpr int kMostFiles = 50;
    if (file_depth_ >= kMostFiles) fail(line, "include statements nested more than 50 times");
    std::string text;
    try {
      if (is_file(path)) text = read_file(path);
    } catch (const FileError& error) {
      fail(line, error.what());
    }
    Node* included = parse(tree_, text, file_depth_ + 1);
    for (size_t i = 0; i < included->items.size(); ++i) {
      set_field(tree_, object, included->keys[i], included->items[i]);
    }
  }

  Tree& tree_;
  Lexer lexer_;
  int file_depth_;
  Token token_;
};

}  // namespace

Node* parse(Tree& tree, std::string_view text, int depth) {
  return Parser(tree, text, depth).document();
}

}  // namespace bunraku::hocon
