// Heredocs: the tag @("END":syntax/escapes), and the text on the lines after it.
#include <cstring>
#include <optional>

#include "syntax/lexer_internal.h"

namespace bunraku {

using characters::is;

struct Lexer::HeredocTag {
  std::string_view end_tag;
  std::string_view syntax;
  EscapeSet escapes = 0;
  bool interpolates = false;
};

namespace {

// Ruby's String#strip.
std::string_view strip(std::string_view text) {
  auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; };
  while (!text.empty() && is_space(text.front()) && text.front() != '\0') text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

size_t skip_blanks_forward(std::string_view text, size_t at) {
  while (const size_t length = characters::blank_length(text, at)) at += length;
  return at;
}

size_t skip_blanks_back(std::string_view text, size_t at) {
  while (const size_t length = characters::blank_length_before(text, at)) at -= length;
  return at;
}

// The last line of a heredoc: [blanks] [| [blanks]] [- [blanks]] TAG [blanks].
struct EndLine {
  bool matches = false;
  std::string_view leading;
  bool has_margin = false;
  bool removes_break = false;
};

// As in the reference, the tag need not be alone on its line: text before it is dropped.
EndLine read_end_line(std::string_view line, std::string_view tag) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = line.substr(0, skip_blanks_back(line, line.size()));
  if (!line.ends_with(tag)) return {};
  EndLine result;
  result.matches = true;
  size_t marks = line.size() - tag.size();
  size_t before = skip_blanks_back(line, marks);
  if (before > 0 && line[before - 1] == '-') {
    result.removes_break = true;
    marks = before - 1;
    before = skip_blanks_back(line, marks);
  }
  if (before > 0 && line[before - 1] == '|') {
    result.has_margin = true;
    marks = before - 1;
    before = skip_blanks_back(line, marks);
  }
  result.leading = line.substr(before, marks - before);
  return result;
}

}  // namespace

namespace {

// The end of a heredoc's text.
struct HeredocEnd {
  EndLine line;
  size_t text_end;
  size_t next_line;  // the start of the line after the end line
};

// A line that ends with the tag ends the text. Searching for the tag skips most lines.
std::optional<HeredocEnd> find_end(std::string_view text, size_t begin, std::string_view end_tag) {
  for (size_t next_line = begin; true;) {
    const size_t found = text.find(end_tag, next_line);
    if (found == std::string_view::npos) return {};
    size_t line = found;
    while (line > next_line && text[line - 1] != '\n') --line;
    size_t line_end = text.find('\n', found);
    line_end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    const EndLine end_line = read_end_line(text.substr(line, line_end - line), end_tag);
    if (end_line.matches) return HeredocEnd{end_line, line, line_end};
    next_line = line_end;
  }
}

// The parts of endtag[:syntax][/escapes], as written.
struct HeredocSpec {
  std::string_view name;
  std::string_view syntax;
  std::string_view escapes;
  bool has_escapes = false;
};

bool read_spec(std::string_view spec, HeredocSpec& result) {
  result = {};
  size_t at = spec.find_first_of(":/\r\n");
  if (at == std::string_view::npos) at = spec.size();
  result.name = spec.substr(0, at);
  if (result.name.empty()) return false;
  if (at < spec.size() && spec[at] == ':') {
    const size_t from = skip_blanks_forward(spec, at + 1);
    size_t to = from;
    while (to < spec.size() && (characters::is_word(spec[to]) || spec[to] == '+')) ++to;
    if (to - from < 2 || !is(spec[from], characters::kLower)) return false;
    result.syntax = spec.substr(from, to - from);
    at = skip_blanks_forward(spec, to);
  }
  if (at < spec.size() && spec[at] == '/') {
    size_t to = at + 1;
    while (to < spec.size() && (characters::is_word(spec[to]) || spec[to] == '$')) ++to;
    result.has_escapes = true;
    result.escapes = spec.substr(at + 1, to - at - 1);
    at = skip_blanks_forward(spec, to);
  }
  return at == spec.size();
}

}  // namespace

// Reads the text between @( and the next ). When it is malformed, the reference continues at an @(
// within it, if there is one.
bool Lexer::read_heredoc_tag(HeredocTag& tag) {
  size_t begin = at_ + 2;
  const size_t end = text_.find(')', begin);
  if (end == std::string_view::npos) {
    fail(Issue::kHeredocUnclosedParenthesis, at_, {followed_by()});
    at_ += 2;
    return false;
  }
  at_ = end + 1;
  HeredocSpec spec;
  while (!read_spec(slice(begin, end), spec)) {
    const size_t next = text_.find("@(", begin);
    if (next == std::string_view::npos || next >= end) {
      fail(Issue::kHeredocInvalidSyntax, at_);
      return false;
    }
    begin = next + 2;
  }
  tag.syntax = spec.syntax;
  std::string_view name = strip(spec.name);
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    tag.interpolates = true;
    name = strip(name.substr(1, name.size() - 2));
  }
  if (name.empty()) {
    fail(Issue::kHeredocEmptyEndtag, at_);
    return false;
  }
  tag.end_tag = name;
  return !spec.has_escapes || read_heredoc_escapes(spec.escapes, tag);
}

bool Lexer::read_heredoc_escapes(std::string_view letters, HeredocTag& tag) {
  if (letters.empty()) letters = "trnsuL$";
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters.find(letters[i], i + 1) == std::string_view::npos) continue;
    std::string all;
    for (const char c : letters) all += (all.empty() ? "" : ", ") + std::string(1, c);
    fail(Issue::kHeredocMultipleAtEscapes, at_, {all});
    return false;
  }
  tag.escapes = kEscapeBackslash;
  for (const char c : letters) {
    switch (c) {
      case 't':
        tag.escapes |= kEscapeTab;
        break;
      case 'r':
        tag.escapes |= kEscapeReturn;
        break;
      case 'n':
        tag.escapes |= kEscapeNewline;
        break;
      case 's':
        tag.escapes |= kEscapeSpace;
        break;
      case 'u':
        tag.escapes |= kEscapeUnicode;
        break;
      case '$':
        tag.escapes |= kEscapeDollar;
        break;
      case 'L':
        tag.escapes |= kEscapeLineEnd;
        break;
      default:
        fail(Issue::kHeredocInvalidEscape, at_, {std::string(1, c)});
        return false;
    }
  }
  return true;
}

void Lexer::lex_heredoc() {
  const size_t begin = at_;
  HeredocTag tag;
  if (!read_heredoc_tag(tag)) return skip_heredoc_text(begin + 2);
  const size_t after_tag = at_;
  // The text begins on the next line, or after the text of an earlier heredoc of this line.
  if (newline_jump_ != 0) {
    at_ = newline_jump_;
  } else {
    const size_t newline = text_.find('\n', at_);
    if (newline == std::string_view::npos) return fail(Issue::kHeredocWithoutText, at_);
    at_ = newline + 1;
  }
  add(TokenKind::kHeredoc, tag.syntax, begin, after_tag - begin);
  lex_heredoc_text(tag, after_tag);
}

// Skips the text of a heredoc after an error in the tag that begins at `spec`. The name is enough
// to find the end.
void Lexer::skip_heredoc_text(size_t spec) {
  std::string_view name = text_.substr(spec, text_.find_first_of(":/)\r\n", spec) - spec);
  name = strip(name);
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = strip(name.substr(1, name.size() - 2));
  }
  size_t begin = newline_jump_;
  if (begin == 0) {
    const size_t newline = text_.find('\n', at_);
    if (newline == std::string_view::npos) return;
    begin = newline + 1;
  }
  if (name.empty()) return;
  if (const auto end = find_end(text_, begin, name)) newline_jump_ = end->next_line;
}

void Lexer::lex_heredoc_text(const HeredocTag& tag, size_t after_tag) {
  const size_t text_begin = at_;
  const std::optional<HeredocEnd> end = find_end(text_, text_begin, tag.end_tag);
  if (!end) {
    tokens_.pop_back();
    fail(Issue::kHeredocWithoutEndTaggedLine, text_begin);
    // The rest is text without an end, not code.
    newline_jump_ = text_.size();
    at_ = after_tag;
    return;
  }
  newline_jump_ = end->next_line;
  const EndLine& end_line = end->line;
  const std::string_view text = slice(text_begin, end->text_end);
  add(TokenKind::kSublocate, text, text_begin, text.size());

  OffsetMap map(static_cast<uint32_t>(text_begin));
  std::string_view processed = text;
  const bool has_margin = end_line.has_margin && !end_line.leading.empty();
  if (has_margin) {
    char* to = context_.arena.make_array<char>(text.size());
    size_t length = 0;
    for (size_t line = 0; line < text.size();) {
      const void* newline = std::memchr(text.data() + line, '\n', text.size() - line);
      const size_t line_end =
          newline == nullptr
              ? text.size()
              : static_cast<size_t>(static_cast<const char*>(newline) - text.data()) + 1;
      // Lines with less indentation than the margin are unchanged.
      const bool has_leading = text.substr(line, line_end - line).starts_with(end_line.leading);
      const size_t removed = has_leading ? end_line.leading.size() : 0;
      map.add_line(static_cast<uint32_t>(length), static_cast<uint32_t>(removed));
      std::memcpy(to + length, text.data() + line + removed, line_end - line - removed);
      length += line_end - line - removed;
      line = line_end;
    }
    processed = {to, length};
  }
  if (end_line.removes_break && processed.ends_with('\n')) {
    processed.remove_suffix(processed.ends_with("\r\n") ? 2 : 1);
  }

  const size_t first = tokens_.size();
  Lexer lexer(context_, processed, this, &map);
  lexer.lex_unquoted(tag.escapes, tag.interpolates);
  const bool is_broken = tokens_[first].kind == TokenKind::kError;
  if (is_broken) {
    // The error replaces the whole heredoc.
    tokens_.erase(first - 2, first);
  } else {
    for (size_t i = first; i < tokens_.size(); ++i) {
      Token& token = tokens_[i];
      const uint32_t length = map.outer_length(token.offset, token.length);
      token.offset = map.outer(token.offset);
      token.length = length;
    }
  }
  after_ = is_broken ? TokenKind::kError : TokenKind::kString;
  at_ = after_tag;
}

}  // namespace bunraku
