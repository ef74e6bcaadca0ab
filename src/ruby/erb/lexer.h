// The tokens of the Ruby in a script. The meaning of a character depends on the token before it, so
// tokens are read one at a time; the parser reads the contents of strings.
#pragma once

#include <cstdint>
#include <string_view>

namespace bunraku::erb {

enum class TokenKind : uint8_t {
  kEnd,
  kNewline,  // or a semicolon
  kText,     // the number of a literal text
  kInsert,
  kIdentifier,
  kConstant,
  kInstanceVariable,  // without the @
  kMatchGroup,        // $1: its digits
  kInteger,
  kFloat,
  kSymbol,  // without the colon
  kLabel,   // `name:`, without the colon
  // the start of a string; the token's text is the delimiter that ends it, see Lexer::quote()
  kQuote,
  kSymbolQuote,  // :" or :'
  kRegexQuote,
  kHereDocument,  // <<X, <<-X or <<~X, see Lexer::enter_here_document()
  kWords,         // %w[
  kSymbols,       // %i[
  kKeyword,
  kOperator,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  size_t begin = 0;
  int line = 1;
  bool space_before = false;
  // `foo -1`, `foo [1]`, `foo (1)`: begins the first argument of a call without parentheses.
  bool begins_argument = false;

  bool is(TokenKind wanted) const { return kind == wanted; }
  bool is_operator(std::string_view wanted) const {
    return kind == TokenKind::kOperator && text == wanted;
  }
  bool is_keyword(std::string_view wanted) const {
    return kind == TokenKind::kKeyword && text == wanted;
  }
};

// The delimiters of the literal that a quote token starts.
struct Quote {
  char open;  // counted for nested pairs; equal to close when they do not nest
  char close;
  bool interpolates;
};

// The lines between `<<X` and the line X. Positions are those in the code.
struct HereDocument {
  size_t begin = 0;
  size_t end = 0;
  size_t margin = 0;  // the columns of blanks that <<~ removes from each line
  bool interpolates = true;
};

// Returns the longest operator at the start of the text that can be the name of a method; empty if
// there is none.
std::string_view leading_operator_name(std::string_view text);

// Returns the column after a blank; a tab ends at the next multiple of 8.
constexpr size_t column_after(char blank, size_t column) {
  constexpr size_t kTab = 8;
  return blank == '\t' ? (column / kTab + 1) * kTab : column + 1;
}

class LocalNames {
 public:
  virtual bool is_local(std::string_view name) const = 0;

 protected:
  ~LocalNames() = default;
};

class Lexer {
 public:
  Lexer(std::string_view code, const LocalNames& locals) : code_(code), locals_(locals) {}

  Token next();
  // The quote of the quote or word list token that next() returned last.
  const Quote& quote() const { return quote_; }

  // --- for the contents of quotes ---
  std::string_view code() const { return code_; }
  size_t position() const { return at_; }
  int line() const { return line_; }
  char peek(size_t ahead = 0) const { return at_ + ahead < code_.size() ? code_[at_ + ahead] : 0; }
  bool at_end() const { return at_ >= code_.size(); }
  // Consumes one character. The lines of here documents are skipped at the end of the line on which
  // they are opened.
  void step() {
    if (code_[at_] == '\n') ++line_;
    ++at_;
    if (at_ == documents_.begin && at_ < documents_.end) skip_here_documents();
  }
  // Moves to the contents of the here document whose token next() returned last, and returns them.
  const HereDocument& enter_here_document();
  // Returns to the code after the token.
  void leave_here_document();
  // Ends a literal: the next token is no operand.
  void end_literal() { state_ = State::kEnd; }
  // Begins an interpolation: the next token may be an operand.
  void begin_interpolation() { state_ = State::kBegin; }
  // After `?` of a conditional, a name before a colon is no label.
  void forbid_label() { label_allowed_ = false; }

 private:
  // kMiddle: an operand may follow, or the end of the line.
  enum class State : uint8_t { kBegin, kEnd, kArgument, kDot, kMiddle };

  bool skip_blanks();
  bool continues_on_next_line() const;
  bool begins_operand(char next) const;
  Token finish(TokenKind kind, size_t begin, State after);
  Token read_identifier(size_t begin);
  Token read_variable(size_t begin);
  Token read_global_variable(size_t begin);
  Token read_number(size_t begin);
  Token read_colon(size_t begin);
  Token read_operator_symbol(size_t begin);
  Token read_percent(size_t begin);
  Token read_mark(size_t begin);
  Token read_operator(size_t begin);
  Token begin_quote(TokenKind kind, size_t begin, char open, bool interpolates);
  bool begins_here_document() const;
  Token read_here_document(size_t begin);
  void find_contents(std::string_view name, char form);
  size_t margin_of(size_t begin, size_t end) const;
  void skip_here_documents();

  std::string_view code_;
  const LocalNames& locals_;
  size_t at_ = 0;
  int line_ = 1;
  State state_ = State::kBegin;
  bool space_before_ = false;
  bool label_allowed_ = false;
  Quote quote_{};
  HereDocument document_;
  // All here documents of the line that was read last, with their last lines.
  struct {
    size_t begin = 0;
    size_t end = 0;
  } documents_;
  // The place of the token of the document whose contents are being read.
  struct {
    size_t at = 0;
    int line = 0;
  } opened_at_;
  bool in_here_document_ = false;
};

}  // namespace bunraku::erb
