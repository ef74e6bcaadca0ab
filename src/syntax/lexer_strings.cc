// Quoted strings and interpolation.
#include <cstring>

#include "syntax/lexer_internal.h"
#include "syntax/scan.h"

namespace bunraku {

namespace {

constexpr int kDeepestInterpolation = 100;

// The reference searches the end of a string by a pattern that needs a character before the quote,
// unless the quote is first. A quote that is first and has another terminator after it (with only
// pairs of backslashes between them) is therefore read as that character, a part of the string.
bool is_hidden_quote(std::string_view text, size_t at, std::string_view terminators) {
  if (at >= text.size() || text[at] != terminators[0]) return false;
  size_t next = at + 1;
  while (next + 1 < text.size() && text[next] == '\\' && text[next + 1] == '\\') next += 2;
  return next < text.size() && terminators.find(text[next]) != std::string_view::npos;
}

}  // namespace

void Lexer::lex_single_quoted() {
  const size_t begin = at_;
  bool has_escapes = false;
  size_t end = begin + 1;
  if (is_hidden_quote(text_, end, "'")) ++end;
  end = scan::find_any<'\'', '\\'>(text_, end);
  while (end < text_.size() && text_[end] == '\\') {
    has_escapes = true;
    end = scan::find_any<'\'', '\\'>(text_, end + 2);
  }
  if (end >= text_.size()) {
    at_ = begin + 1;
    fail(Issue::kUnclosedQuote, at_, {"\"'\"", followed_by()});
    label_error(begin, "the string begins here");
    at_ = text_.size();
    return;
  }
  std::string_view value = slice(begin + 1, end);
  if (has_escapes) value = context_.arena.copy(unescape_single_quoted(value));
  add(TokenKind::kString, value, begin, end + 1 - begin);
  after_ = TokenKind::kString;
  at_ = end + 1;
}

std::string_view Lexer::unescaped(size_t begin, size_t end, EscapeSet escapes,
                                  bool warns_of_unknown) {
  const Unescaped result = unescape(slice(begin, end), escapes);
  if (result.is_invalid) {
    fail(Issue::kIllegalUnicodeEscapeCharacter, at_);
    return {};
  }
  for (const EscapeMistake& mistake : result.mistakes) {
    Range range{context_.source, {file_offset(at_), 0}};
    if (mistake.offset) {
      const uint32_t place = file_offset(begin + *mistake.offset);
      range.location = {place, static_cast<uint32_t>(1 + mistake.character.size())};
    }
    if (mistake.kind == EscapeMistake::Kind::kIncompleteUnicode) {
      context_.diagnostics.report(make_diagnostic(Issue::kIllegalUnicodeEscape, range));
    } else if (warns_of_unknown) {
      context_.diagnostics.report(
          make_diagnostic(Issue::kUnrecognizedEscape, range, {mistake.character}));
    }
  }
  return context_.arena.copy(result.text);
}

// Reads text up to its terminator, and skips the terminator.
Lexer::Segment Lexer::read_segment(StringForm form, bool& is_broken) {
  const size_t begin = at_;
  const size_t size = text_.size();
  const bool skips_escapes = form.is_quoted || (form.escapes & kEscapeDollar) != 0;
  bool has_backslash = false;
  Segment segment{{}, Terminator::kMissing, 0};
  size_t at = begin;
  size_t scan_begin = begin;  // the start of the reference's current search for an end
  for (; at < size; ++at) {
    at = scan::find_any<'"', '$', '\\'>(text_, at);
    if (at == size) break;
    const char c = text_[at];
    if (c == '\\') {
      has_backslash = true;
      if (skips_escapes) ++at;
      continue;
    }
    if (c == '"' && form.is_quoted) {
      if (at == scan_begin && is_hidden_quote(text_, at, "\"$")) continue;
      segment.terminator = Terminator::kQuote;
      at_ = at + 1;
      break;
    }
    if (c != '$' || !form.interpolates) continue;
    if (at + 1 < size && text_[at + 1] == '{') {
      segment.terminator = Terminator::kExpression;
      segment.dollar = at;
      at_ = at + 2;
      break;
    }
    if (variable_length(at + 1) != 0) {
      segment.terminator = Terminator::kVariable;
      segment.dollar = at;
      at_ = at + 1;
      break;
    }
    scan_begin = at + 1;
  }
  if (segment.terminator == Terminator::kMissing) {
    if (form.is_quoted) {
      segment.dollar = scan_begin;
      return segment;
    }
    segment.terminator = Terminator::kEnd;
    at = size;
    at_ = size;
  }
  segment.value = slice(begin, at);
  if (has_backslash && form.escapes != 0) {
    const size_t errors = context_.result.errors.size();
    segment.value = unescaped(begin, at, form.escapes, form.is_quoted);
    is_broken = is_broken || context_.result.errors.size() != errors;
  }
  return segment;
}

void Lexer::lex_double_quoted() {
  const size_t begin = at_++;
  lex_string({true, true, kDoubleQuotedEscapes}, begin);
}

void Lexer::lex_unquoted(EscapeSet escapes, bool interpolates) {
  lex_string({false, interpolates, escapes}, 0);
}

// Lexes a string from `begin`, after its opening quote. An error anywhere in it replaces the whole
// string, because the reference lexes a string to its end before it uses the first token.
void Lexer::lex_string(StringForm form, size_t begin) {
  const size_t first_token = tokens_.size();
  const size_t first_error = context_.result.errors.size();
  bool is_broken = false;
  bool is_first = true;
  if (++context_.depth > kDeepestInterpolation) {
    fail(Issue::kTooDeep, begin, {"A string", std::to_string(kDeepestInterpolation)});
    is_broken = true;
    at_ = text_.size();
  }
  std::string after = "\"";  // the last text that the reference read, for its message
  while (!is_broken || at_ < text_.size()) {
    const size_t start = is_first ? begin : at_;
    const Segment segment = read_segment(form, is_broken);
    if (segment.terminator == Terminator::kMissing) {
      if (segment.dollar != at_) {
        after.clear();  // the $ that begins no variable was read last
        at_ = segment.dollar;
      }
      const std::string quoted = after == "'" ? "\"'\"" : "'" + after + "'";
      fail(Issue::kUnclosedQuote, at_, {quoted, followed_by()});
      label_error(begin, "the string begins here");
      is_broken = true;
      at_ = text_.size();
      break;
    }
    if (segment.terminator == Terminator::kQuote || segment.terminator == Terminator::kEnd) {
      const TokenKind kind = is_first ? TokenKind::kString : TokenKind::kStringEnd;
      add(kind, segment.value, start, at_ - start);
      after_ = kind;
      break;
    }
    const TokenKind kind = is_first ? TokenKind::kStringStart : TokenKind::kStringMiddle;
    is_first = false;
    if (segment.terminator == Terminator::kVariable) {
      add(kind, segment.value, start, segment.dollar - start);
      const size_t length = variable_length(at_);
      after = std::string(text_.substr(at_, length));
      add(TokenKind::kVariable, text_.substr(at_, length), segment.dollar, length + 1);
      at_ += length;
    } else {
      add(kind, segment.value, start, at_ - start);
      std::string_view last_match;
      if (!lex_interpolation(last_match)) is_broken = true;
      after = last_match;
    }
  }
  --context_.depth;
  if (is_broken) {
    tokens_.truncate(first_token);
    for (size_t i = first_error; i < context_.result.errors.size(); ++i) {
      const Location& location = context_.result.errors[i].primary.location;
      tokens_.push_back({nullptr, static_cast<uint32_t>(i), location.offset, 0, TokenKind::kError});
    }
    after_ = TokenKind::kError;
  }
}

namespace {

// Returns whether the reference's scanner finds the token by a pattern; its message about the
// enclosing string shows such a token.
bool is_found_by_pattern(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
    case TokenKind::kWord:
    case TokenKind::kClassReference:
    case TokenKind::kVariable:
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kStringEnd:
      return true;
    default:
      return is_keyword(kind);
  }
}

}  // namespace

// Lexes from after ${ to after the closing }. Returns false when it contains an error.
bool Lexer::lex_interpolation(std::string_view& last_match) {
  const int closing_count = brace_count_++;
  const size_t first_error = context_.result.errors.size();
  const size_t begin = at_;
  skip_blanks();
  last_match = slice(begin, at_);
  const size_t first = tokens_.size();
  while (at_ < text_.size()) {
    const size_t before = tokens_.size();
    lex_token();
    if (has_given_up()) {
      at_ = text_.size();
      break;
    }
    if (tokens_.size() == before) {
      const size_t after = at_;
      skip_blanks();
      last_match = slice(after, at_);
      continue;
    }
    const Token& last = tokens_.back();
    if (is_found_by_pattern(last.kind)) {
      last_match = text_.substr(last.offset, last.length);
      const bool is_quoted = last.kind == TokenKind::kString || last.kind == TokenKind::kStringEnd;
      if (is_quoted && last_match.size() > 2) last_match = last_match.substr(last_match.size() - 2);
    }
    const bool is_end = tokens_.size() == before + 1 &&
                        tokens_.back().kind == TokenKind::kRightBrace &&
                        brace_count_ == closing_count;
    if (is_end) {
      tokens_.pop_back();
      finish_interpolation(first);
      break;
    }
  }
  return context_.result.errors.size() == first_error;
}

// A single name, number or keyword is a variable, as is a first one before . or [.
void Lexer::finish_interpolation(size_t first) {
  const size_t count = tokens_.size() - first;
  const bool becomes_variable =
      count == 1 || (count > 1 && (tokens_[first + 1].kind == TokenKind::kDot ||
                                   tokens_[first + 1].kind == TokenKind::kLeftBracket));
  if (!becomes_variable) return;
  Token& token = tokens_[first];
  const bool is_word = token.kind == TokenKind::kNumber || token.kind == TokenKind::kName ||
                       token.kind == TokenKind::kWord || is_keyword(token.kind);
  if (is_word) token.kind = TokenKind::kVariable;
}

}  // namespace bunraku
