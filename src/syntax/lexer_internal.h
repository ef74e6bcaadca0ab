// The lexer's class, shared by the files that implement it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/characters.h"
#include "syntax/escapes.h"
#include "syntax/lexer.h"

namespace bunraku {

// The state that the lexer of a file shares with those of its heredocs.
struct LexerContext {
  const SourcePointer& source;
  const ParseOptions& options;
  Arena& arena;
  TokenList& result;
  DiagnosticSink& diagnostics;
  int depth = 0;  // of strings within interpolations within strings
};

// Maps offsets in a lexer's text to offsets in the outer lexer's text. A heredoc's text is
// contiguous in the file unless a margin was removed from its lines.
class OffsetMap {
 public:
  explicit OffsetMap(uint32_t base) : base_(base) {}
  // Adds a line that begins at `local_start`, after `removed` removed bytes.
  void add_line(uint32_t local_start, uint32_t removed);
  uint32_t outer(uint32_t local) const;
  // The outer length of a range; the margin before its first line does not count.
  uint32_t outer_length(uint32_t local, uint32_t length) const {
    return length + removed_before(local + length) - removed_before(local);
  }

 private:
  uint32_t removed_before(uint32_t local) const;
  struct Line {
    uint32_t local_start;
    uint32_t removed_before;  // in this line and all before it
  };
  uint32_t base_;
  std::vector<Line> lines_;
  mutable size_t latest_ = 0;  // the line of the last query; a map serves one lexer
};

class Lexer {
 public:
  Lexer(LexerContext& context, std::string_view text, Lexer* outer = nullptr,
        const OffsetMap* map = nullptr)
      : context_(context), text_(text), outer_(outer), map_(map) {}

  void lex_manifest();
  void lex_template();
  // Lexes the text of a heredoc: one string, with interpolations if `interpolates`.
  void lex_unquoted(EscapeSet escapes, bool interpolates);

 private:
  enum class EppMode : uint8_t { kNone, kText, kCode, kExpression };
  enum class Terminator : uint8_t { kEnd, kQuote, kVariable, kExpression, kMissing };
  // The form of a string with interpolations: quoted, or the text of a heredoc.
  struct StringForm {
    bool is_quoted;
    bool interpolates;
    EscapeSet escapes;
  };
  struct Segment {
    std::string_view value;
    Terminator terminator;
    size_t dollar;  // the position of the terminating $
  };

  void lex_token();
  void lex_newline();
  void lex_comment();
  bool lex_block_comment();
  void lex_slash();
  void lex_name();
  void lex_class_reference();
  void lex_colon();
  void lex_variable();
  void lex_left_bracket();
  void lex_left_paren();
  void lex_angle();
  void lex_other();
  void lex_percent();
  void lex_minus();
  bool regex_acceptable() const;

  // lexer_numbers.cc
  void lex_number();
  void fail_number(Issue issue, std::string_view number, size_t begin, size_t at);
  bool check_number(std::string_view number, size_t at);

  // lexer_strings.cc
  void lex_single_quoted();
  void lex_double_quoted();
  void lex_string(StringForm form, size_t begin);
  Segment read_segment(StringForm form, bool& is_broken);
  bool lex_interpolation(std::string_view& last_match);
  void finish_interpolation(size_t first);
  std::string_view unescaped(size_t begin, size_t end, EscapeSet escapes, bool warns_of_unknown);
  size_t variable_length(size_t at) const;

  // heredoc.cc
  struct HeredocTag;
  void lex_heredoc();
  bool read_heredoc_tag(HeredocTag& tag);
  bool read_heredoc_escapes(std::string_view letters, HeredocTag& tag);
  void skip_heredoc_text(size_t spec);
  void lex_heredoc_text(const HeredocTag& tag, size_t after_tag);

  // lexer_epp.cc
  void lex_template_text(bool skip_leading);
  size_t bare_word_end(size_t at, bool& is_name) const;

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r') {
        ++at_;
      } else if (size_t length = characters::blank_length(text_, at_)) {
        at_ += length;
      } else {
        return;
      }
    }
  }
  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view slice(size_t begin, size_t end) const {
    return text_.substr(begin, end - begin);
  }
  void add(TokenKind kind, std::string_view value, size_t offset, size_t length) {
    tokens_.push_back({value.data(), static_cast<uint32_t>(value.size()),
                       static_cast<uint32_t>(offset), static_cast<uint32_t>(length), kind});
  }
  // Adds a token of the next `length` bytes, whose value is its text.
  void emit(TokenKind kind, size_t length) {
    add(kind, text_.substr(at_, length), at_, length);
    at_ += length;
    after_ = kind;
  }
  // Reports an error; `at` is its place in the reference's message.
  void fail(Issue issue, size_t at, std::vector<std::string> arguments = {});
  // Adds a label at a place that explains the error just reported.
  void label_error(size_t at, std::string text) {
    Label label{{context_.source, {file_offset(at), 1}}, std::move(text)};
    context_.result.errors.back().labels.push_back(std::move(label));
  }
  bool has_given_up() const {
    return after_ == TokenKind::kError && context_.result.errors.size() >= kMostSyntaxErrors;
  }
  uint32_t file_offset(size_t at) const;
  std::string followed_by() const;

  LexerContext& context_;
  TokenBuffer& tokens_ = context_.result.tokens;
  std::string_view text_;
  Lexer* outer_;
  const OffsetMap* map_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  size_t newline_jump_ = 0;  // the start of the line after this line's heredocs; 0 without heredocs
  // no regex that starts here or later has an end
  size_t regex_end_missing_ = static_cast<size_t>(-1);
  int brace_count_ = 0;
  TokenKind after_ = TokenKind::kEndOfInput;
  EppMode epp_mode_ = EppMode::kNone;
  bool tag_is_open_ = false;
};

}  // namespace bunraku
