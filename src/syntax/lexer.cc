#include "syntax/lexer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "syntax/lexer_internal.h"
#include "syntax/scan.h"

namespace bunraku {

using characters::is;
using characters::is_word;

namespace {

struct ByteOrderMark {
  std::string_view bytes;
  std::string_view name;
};

constexpr ByteOrderMark kByteOrderMarks[] = {
    {{"\0\0\xFE\xFF", 4}, "UTF-32"},  {{"\xFF\xFE\0\0", 4}, "UTF-32"},
    {"\x84\x31\x95\x33", "GB-18030"}, {"\xDD\x73\x66\x73", "UTF-EBCDIC"},
    {"\x0E\xFE\xFF", "SCSU"},         {"\xEF\xBB\xBF", "UTF-8"},
    {"\xF7\x64\x4C", "UTF-1"},        {"\xFB\xEE\x28", "BOCU"},
    {"\xFE\xFF", "UTF-16"},           {"\xFF\xFE", "UTF-16"},
};

bool has_byte_order_mark(const SourcePointer& source, TokenList& result) {
  for (const ByteOrderMark& mark : kByteOrderMarks) {
    if (!std::string_view(source->text()).starts_with(mark.bytes)) continue;
    std::string bytes;
    for (char c : mark.bytes) {
      bytes += fmt::format("{}{:X}", bytes.empty() ? "[" : " ", static_cast<unsigned char>(c));
    }
    bytes += "]";
    const Location location{0, static_cast<uint32_t>(mark.bytes.size())};
    Range range{source, location};
    range.is_whole_file = true;
    result.errors.push_back(
        make_diagnostic(Issue::kIllegalBom, range, {std::string(mark.name), bytes}));
    return true;
  }
  return false;
}

// A word of up to 8 bytes as an integer.
constexpr uint64_t packed(std::string_view word) {
  uint64_t number = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    number |= uint64_t{static_cast<unsigned char>(word[i])} << (8 * i);
  }
  return number;
}

// The same for a word within a text; reads 8 bytes at once where the text is long enough.
uint64_t packed_within(std::string_view text, size_t at, size_t length) {
  if (std::endian::native != std::endian::little || at + 8 > text.size()) {
    return packed(text.substr(at, length));
  }
  uint64_t number;
  std::memcpy(&number, text.data() + at, sizeof number);
  return number & (~uint64_t{0} >> (64 - 8 * length));
}

struct Keyword {
  uint64_t word = 0;
  TokenKind kind = TokenKind::kName;
};

// A perfect hash of the keywords; with a collision the table would not compile.
constexpr size_t keyword_place(uint64_t word) {
  return (word * 0x44d4b81969b3331full) >> 59;
}

constexpr auto kKeywords = [] {
  std::array<Keyword, 32> table{};
  for (auto kind = TokenKind::kTrue; kind <= TokenKind::kApply;
       kind = static_cast<TokenKind>(static_cast<int>(kind) + 1)) {
    const uint64_t word = packed(text_of(kind));
    Keyword& keyword = table[keyword_place(word)];
    if (keyword.word != 0) throw std::logic_error("two keywords in one place");
    keyword = {word, kind};
  }
  return table;
}();

TokenKind keyword(std::string_view text, size_t at, size_t length, bool tasks) {
  if (length < 2 || length > 8) return TokenKind::kName;
  const uint64_t word = packed_within(text, at, length);
  const Keyword& found = kKeywords[keyword_place(word)];
  if (found.word != word) return TokenKind::kName;
  const bool is_for_tasks = found.kind == TokenKind::kPlan || found.kind == TokenKind::kApply;
  return is_for_tasks && !tasks ? TokenKind::kName : found.kind;
}

}  // namespace

void OffsetMap::add_line(uint32_t local_start, uint32_t removed) {
  const uint32_t before = lines_.empty() ? 0 : lines_.back().removed_before;
  lines_.push_back({local_start, before + removed});
}

uint32_t OffsetMap::removed_before(uint32_t local) const {
  if (lines_.empty()) return 0;
  auto begins_later = [](uint32_t at, const Line& line) { return at < line.local_start; };
  // A lexer queries offsets in ascending order: the line is the one of the last query, or the next.
  for (size_t line = latest_; line < std::min(latest_ + 2, lines_.size()); ++line) {
    if (begins_later(local, lines_[line])) break;
    if (line + 1 == lines_.size() || begins_later(local, lines_[line + 1])) {
      return lines_[latest_ = line].removed_before;
    }
  }
  auto after = std::ranges::upper_bound(lines_, local, {}, &Line::local_start);
  latest_ = static_cast<size_t>(std::prev(after) - lines_.begin());
  return lines_[latest_].removed_before;
}

uint32_t OffsetMap::outer(uint32_t local) const {
  // The margin of the first line belongs to the text that begins there.
  return local == 0 ? base_ : base_ + local + removed_before(local);
}

uint32_t Lexer::file_offset(size_t at) const {
  auto offset = static_cast<uint32_t>(std::min(at, text_.size()));
  return outer_ == nullptr ? offset : outer_->file_offset(map_->outer(offset));
}

void Lexer::fail(Issue issue, size_t at, std::vector<std::string> arguments) {
  auto& errors = context_.result.errors;
  add(TokenKind::kError, {}, std::min(at, text_.size()), 0);
  tokens_.back().text_length = static_cast<uint32_t>(errors.size());
  errors.push_back(
      make_diagnostic(issue, {context_.source, {file_offset(at), 0}}, std::move(arguments)));
  after_ = TokenKind::kError;
}

std::string Lexer::followed_by() const {
  if (at_ >= text_.size()) return "<eof>";
  size_t end = at_;
  for (int i = 0; i < 5 && end < text_.size(); ++i) {
    end += characters::character_length(text_, end);
  }
  std::string result;
  for (const char c : slice(at_, end)) {
    switch (c) {
      case '\t':
        result += "\\t";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        result += c;
    }
  }
  return result + "...";
}

void Lexer::lex_manifest() {
  const size_t size = text_.size();
  while (true) {
    if (at_ < size && is(text_[at_], characters::kBlank)) at_ = scan::blanks_end(text_, at_ + 1);
    if (at_ >= size) return;
    if (text_[at_] == '\n') {
      lex_newline();
    } else {
      lex_token();
      if (has_given_up()) return;
    }
  }
}

void Lexer::lex_token() {
  const char c = text_[at_];
  if (is(c, characters::kLower | characters::kUnderscore)) return lex_name();
  switch (c) {
    case ' ':
    case '\t':
    case '\r':
      return skip_blanks();
    case '\n':
      return lex_newline();
    case '#':
      return lex_comment();
    case '\'':
      return lex_single_quoted();
    case '"':
      return lex_double_quoted();
    case '$':
      return lex_variable();
    case ',':
      return emit(TokenKind::kComma, 1);
    case '.':
      return emit(TokenKind::kDot, 1);
    case ';':
      return emit(TokenKind::kSemicolon, 1);
    case '?':
      return emit(TokenKind::kQuestion, 1);
    case '*':
      return emit(TokenKind::kTimes, 1);
    case ')':
      return emit(TokenKind::kRightParen, 1);
    case ']':
      return emit(TokenKind::kRightBracket, 1);
    case '(':
      return lex_left_paren();
    case '[':
      return lex_left_bracket();
    case '{':
      ++brace_count_;
      return emit(
          after_ == TokenKind::kQuestion ? TokenKind::kSelectorBrace : TokenKind::kLeftBrace, 1);
    case '}':
      --brace_count_;
      return emit(TokenKind::kRightBrace, 1);
    case '=':
      switch (peek(1)) {
        case '>':
          return emit(TokenKind::kFatArrow, 2);
        case '=':
          return emit(TokenKind::kEqual, 2);
        case '~':
          return emit(TokenKind::kMatch, 2);
        default:
          return emit(TokenKind::kAssign, 1);
      }
    case '+':
      switch (peek(1)) {
        case '=':
          return emit(TokenKind::kAppend, 2);
        case '>':
          return emit(TokenKind::kPlusArrow, 2);
        default:
          return emit(TokenKind::kPlus, 1);
      }
    case '!':
      switch (peek(1)) {
        case '=':
          return emit(TokenKind::kNotEqual, 2);
        case '~':
          return emit(TokenKind::kNoMatch, 2);
        default:
          return emit(TokenKind::kNot, 1);
      }
    case '~':
      return peek(1) == '>' ? emit(TokenKind::kNotify, 2) : emit(TokenKind::kTilde, 1);
    case '|':
      if (peek(1) != '>') return emit(TokenKind::kPipe, 1);
      return peek(2) == '>' ? emit(TokenKind::kRightExportedCollect, 3)
                            : emit(TokenKind::kRightCollect, 2);
    case '@':
      if (peek(1) == '(') return lex_heredoc();
      return peek(1) == '@' ? emit(TokenKind::kAtAt, 2) : emit(TokenKind::kAt, 1);
    case '<':
    case '>':
      return lex_angle();
    case ':':
      return lex_colon();
    case '/':
      return lex_slash();
    case '-':
      return lex_minus();
    case '%':
      return lex_percent();
    default:
      break;
  }
  if (is(c, characters::kUpper)) return lex_class_reference();
  if (is(c, characters::kDigit)) return lex_number();
  lex_other();
}

void Lexer::lex_angle() {
  if (text_[at_] == '>') {
    switch (peek(1)) {
      case '>':
        return emit(TokenKind::kRightShift, 2);
      case '=':
        return emit(TokenKind::kGreaterOrEqual, 2);
      default:
        return emit(TokenKind::kGreater, 1);
    }
  }
  switch (peek(1)) {
    case '<':
      return peek(2) == '|' ? emit(TokenKind::kLeftExportedCollect, 3)
                            : emit(TokenKind::kLeftShift, 2);
    case '|':
      return emit(TokenKind::kLeftCollect, 2);
    case '=':
      return emit(TokenKind::kLessOrEqual, 2);
    case '-':
      return emit(TokenKind::kAfter, 2);
    case '~':
      return emit(TokenKind::kSubscribe, 2);
    default:
      return emit(TokenKind::kLess, 1);
  }
}

void Lexer::lex_newline() {
  if (newline_jump_ != 0) {
    at_ = newline_jump_;
    newline_jump_ = 0;
  } else {
    ++at_;
  }
  line_start_ = at_;
}

void Lexer::lex_comment() {
  const void* newline = std::memchr(text_.data() + at_, '\n', text_.size() - at_);
  const size_t end = newline == nullptr
                         ? text_.size()
                         : static_cast<size_t>(static_cast<const char*>(newline) - text_.data());
  if (outer_ == nullptr) {
    context_.result.comments.push_back(
        {static_cast<uint32_t>(at_), static_cast<uint32_t>(end - at_)});
  }
  at_ = end;
}

bool Lexer::lex_block_comment() {
  const size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) {
    fail(Issue::kUnclosedMlcomment, at_);
    at_ = text_.size();
    return false;
  }
  if (outer_ == nullptr) {
    context_.result.comments.push_back(
        {static_cast<uint32_t>(at_), static_cast<uint32_t>(end + 2 - at_)});
  }
  at_ = end + 2;
  return true;
}

// After the end of a value a slash is a division, after anything else it starts a regular
// expression. A } may end either a value or a case option; it is treated as the latter.
bool Lexer::regex_acceptable() const {
  switch (after_) {
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kRightExportedCollect:
    case TokenKind::kRightCollect:
    case TokenKind::kName:
    case TokenKind::kClassReference:
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kStringStart:
    case TokenKind::kStringMiddle:
    case TokenKind::kStringEnd:
    case TokenKind::kHeredoc:
    case TokenKind::kRegex:
    case TokenKind::kVariable:
    case TokenKind::kWord:
      return false;
    default:
      return true;
  }
}

void Lexer::lex_slash() {
  if (peek(1) == '*') {
    lex_block_comment();
    return;
  }
  if (!regex_acceptable() || at_ >= regex_end_missing_) return emit(TokenKind::kDivide, 1);
  bool has_escaped_slash = false;
  size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '/') {
    if (text_[end] == '\\' && end + 1 < text_.size()) {
      ++end;
      if (text_[end] == '/') has_escaped_slash = true;
    }
    ++end;
  }
  if (end >= text_.size()) {
    regex_end_missing_ = at_;
    return emit(TokenKind::kDivide, 1);
  }
  std::string_view value = slice(at_ + 1, end);
  if (has_escaped_slash) {
    std::string unescaped;
    for (size_t i = 0; i < value.size(); ++i) {
      if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == '/') ++i;
      unescaped += value[i];
    }
    value = context_.arena.copy(unescaped);
  }
  try {
    Regex::compile(value);
    add(TokenKind::kRegex, value, at_, end + 1 - at_);
    after_ = TokenKind::kRegex;
  } catch (const RegexError& error) {
    fail(Issue::kIllegalRegex, at_, {error.what()});
  }
  at_ = end + 1;
}

void Lexer::lex_left_bracket() {
  const bool starts_list = at_ == 0 || text_[at_ - 1] == '\n' || text_[at_ - 1] == '\r' ||
                           characters::blank_length_before(text_, at_) != 0;
  emit(starts_list ? TokenKind::kListStart : TokenKind::kLeftBracket, 1);
}

void Lexer::lex_left_paren() {
  // The first token of a line never continues a call.
  size_t at = at_;
  while (at > line_start_) {
    if (text_[at - 1] == '\r') {
      --at;
    } else if (const size_t length = characters::blank_length_before(text_, at)) {
      at -= length;
    } else {
      break;
    }
  }
  emit(at == line_start_ ? TokenKind::kLineLeftParen : TokenKind::kLeftParen, 1);
}

// Returns the end of a bare word; `at` when there is none.
size_t Lexer::bare_word_end(size_t at, bool& is_name) const {
  const size_t size = text_.size();
  while (true) {
    size_t begin = at;
    if (begin + 1 < size && text_[begin] == ':' && text_[begin + 1] == ':') begin += 2;
    if (begin >= size || !is(text_[begin], characters::kLower | characters::kUnderscore)) return at;
    if (text_[begin] == '_') is_name = false;
    size_t end = scan::word_end(text_, begin + 1);
    if (end < size && text_[end] == '-') {
      size_t last = end;  // hyphens are part of the word only in its middle
      while (end < size && (is_word(text_[end]) || text_[end] == '-')) {
        if (text_[end++] != '-') last = end;
      }
      if (slice(begin, last).find('-') != std::string_view::npos) is_name = false;
      end = last;
    }
    at = end;
    if (at >= size || text_[at] != ':') return at;
  }
}

void Lexer::lex_name() {
  bool is_name = true;
  const size_t end = bare_word_end(at_, is_name);
  const size_t length = end - at_;
  emit(is_name ? keyword(text_, at_, length, context_.options.tasks) : TokenKind::kWord, length);
}

void Lexer::lex_class_reference() {
  size_t end = at_;
  const size_t size = text_.size();
  while (true) {
    size_t begin = end;
    if (begin + 1 < size && text_[begin] == ':' && text_[begin + 1] == ':') begin += 2;
    if (begin >= size || !is(text_[begin], characters::kUpper)) break;
    end = scan::word_end(text_, begin + 1);
  }
  if (end + 1 < size && text_[end] == ':' && text_[end + 1] == ':') {
    const bool is_qualified = text_[at_] == ':';
    fail(is_qualified ? Issue::kIllegalFullyQualifiedClassReference : Issue::kIllegalClassReference,
         end + (is_qualified ? 3 : 1));
    // The rest of the name is part of the same error.
    at_ = end;
    while (at_ < size && (is_word(text_[at_]) || text_[at_] == ':')) ++at_;
    return;
  }
  emit(TokenKind::kClassReference, end - at_);
}

void Lexer::lex_colon() {
  if (peek(1) != ':') return emit(TokenKind::kColon, 1);
  if (is(peek(2), characters::kUpper)) return lex_class_reference();
  bool is_name = true;
  const size_t end = bare_word_end(at_, is_name);
  if (end == at_) {
    fail(Issue::kIllegalFullyQualifiedName, at_ + 2);
    at_ += 2;
    at_ = scan::word_end(text_, at_);
    return;
  }
  emit(is_name ? TokenKind::kName : TokenKind::kWord, end - at_);
}

// The length of (::)?(\w+::)*\w+ at `at`, 0 when there is none.
size_t Lexer::variable_length(size_t at) const {
  const size_t size = text_.size();
  size_t end = at;
  size_t next = at;
  if (next + 1 < size && text_[next] == ':' && text_[next + 1] == ':') next += 2;
  while (next < size && is_word(text_[next])) {
    next = scan::word_end(text_, next + 1);
    end = next;
    if (next + 1 >= size || text_[next] != ':' || text_[next + 1] != ':') break;
    next += 2;
  }
  return end - at;
}

void Lexer::lex_variable() {
  const size_t length = variable_length(at_ + 1);
  // A single $ is a variable without a name, which validation reports.
  add(TokenKind::kVariable, text_.substr(at_ + 1, length), at_, length + 1);
  at_ += length + 1;
  after_ = TokenKind::kVariable;
}

void Lexer::lex_other() {
  if (characters::blank_length(text_, at_) != 0) return skip_blanks();
  const size_t length = characters::character_length(text_, at_);
  add(TokenKind::kOther, {}, at_, length);
  at_ += length;
  after_ = TokenKind::kOther;
}

void lex(const SourcePointer& source, const ParseOptions& options, Arena& arena, TokenList& result,
         DiagnosticSink& diagnostics) {
  result.tokens.clear();
  result.errors.clear();
  result.comments.clear();
  const std::string_view text = source->text();
  auto refuse = [&](Diagnostic diagnostic) {
    result.errors.push_back(std::move(diagnostic));
    result.tokens.push_back({nullptr, 0, 0, 0, TokenKind::kError});
  };
  // Files are limited when they are read; this is for other texts.
  if (text.size() > kLargestFile) {
    throw FileError(FileErrorKind::kTooLarge, source->path(), "too large for source text");
  }
  if (has_byte_order_mark(source, result)) {
    result.tokens.push_back({nullptr, 0, 0, 0, TokenKind::kError});
  } else {
    if (const size_t valid = valid_utf8_prefix(text); valid < text.size()) {
      const auto offset = static_cast<uint32_t>(valid);
      refuse(make_diagnostic(Issue::kInvalidUtf8, {source, {offset, 1}}));
    } else {
      LexerContext context{source, options, arena, result, diagnostics};
      Lexer lexer(context, text);
      if (options.form == SourceForm::kTemplate) {
        lexer.lex_template();
      } else {
        lexer.lex_manifest();
      }
    }
  }
  auto end = static_cast<uint32_t>(std::min<size_t>(text.size(), 0xFFFFFFFFu));
  result.tokens.push_back({nullptr, 0, end, 0, TokenKind::kEndOfInput});
}

}  // namespace bunraku
