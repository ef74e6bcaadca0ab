#include "syntax/lexer_internal.h"

namespace bunraku {

using characters::is_digit;
using characters::is_hex;
using characters::is_word;

namespace {

// Returns whether no word could continue at `at`. Characters beyond ASCII are parts of words unless
// they are blanks.
bool is_boundary(std::string_view text, size_t at) {
  if (at >= text.size()) return true;
  if (static_cast<unsigned char>(text[at]) < 0x80) return !is_word(text[at]);
  return characters::blank_length(text, at) != 0;
}

size_t skip_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// The end of [eE]-?\d+ at `at`, or `at` when there is none.
size_t skip_exponent(std::string_view text, size_t at) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  const size_t digits = at + 1 + (at + 1 < text.size() && text[at + 1] == '-' ? 1 : 0);
  const size_t end = skip_digits(text, digits);
  return end == digits ? at : end;
}

// Returns the end of the number at `at`, or `at` when there is none.
size_t number_end(std::string_view text, size_t at) {
  if (text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
    size_t end = at + 2;
    while (end < text.size() && is_hex(text[end])) ++end;
    return end > at + 2 && is_boundary(text, end) ? end : at;
  }
  const size_t whole = skip_digits(text, at);
  if (whole + 1 < text.size() && text[whole] == '.' && is_digit(text[whole + 1])) {
    const size_t fraction = skip_digits(text, whole + 1);
    const size_t end = skip_exponent(text, fraction);
    if (is_boundary(text, end)) return end;
    if (is_boundary(text, fraction)) return fraction;
    return whole;
  }
  const size_t end = skip_exponent(text, whole);
  if (is_boundary(text, end)) return end;
  return is_boundary(text, whole) ? whole : at;
}

bool is_all(std::string_view text, bool (*test)(char)) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (!test(c)) return false;
  }
  return true;
}

bool is_octal_digit(char c) {
  return c >= '0' && c <= '7';
}

}  // namespace

// Reports a number that begins at `begin`; the reference's message has the place `at`.
void Lexer::fail_number(Issue issue, std::string_view number, size_t begin, size_t at) {
  fail(issue, at, {std::string(number)});
  const Range range{context_.source, {file_offset(begin), static_cast<uint32_t>(number.size())}};
  context_.result.errors.back().fixes.push_back(
      {range, "'" + std::string(number) + "'", "put it in quotes if it is meant as text"});
}

// Reports a number with digits that are invalid in its radix.
bool Lexer::check_number(std::string_view number, size_t at) {
  Issue issue;
  if (number.size() >= 2 && number[0] == '0' && (number[1] == 'x' || number[1] == 'X')) {
    if (is_all(number.substr(2), is_hex)) return true;
    issue = Issue::kInvalidHexNumber;
  } else if (number.size() >= 2 && number[0] == '0' && number[1] != '.') {
    if (is_all(number.substr(1), is_octal_digit)) return true;
    issue = Issue::kInvalidOctalNumber;
  } else {
    const size_t whole = skip_digits(number, 0);
    const bool is_decimal = whole < number.size() &&
                            (number[whole] == '.' || number[whole] == 'e' || number[whole] == 'E');
    if (is_decimal) {
      size_t end = whole;
      if (number[end] == '.') {
        const size_t fraction = skip_digits(number, end + 1);
        if (fraction > end + 1) end = fraction;
      }
      if (skip_exponent(number, end) == number.size()) return true;
      issue = Issue::kInvalidDecimalNumber;
    } else {
      if (whole == number.size()) return true;
      issue = Issue::kIllegalNumber;
    }
  }
  fail_number(issue, number, at, at);
  return false;
}

void Lexer::lex_number() {
  size_t begin = at_;
  size_t end = number_end(text_, begin);
  if (end > begin) {
    if (!check_number(slice(begin, end), begin)) {
      at_ = end;
      return;
    }
    return emit(TokenKind::kNumber, end - begin);
  }
  end = begin;
  while (end < text_.size() && is_word(text_[end])) ++end;
  if (end == begin) end = begin + 1;
  // After "12." the digits before the dot are part of the number too.
  if (begin > 1 && text_[begin - 1] == '.') {
    size_t whole = begin - 1;
    while (whole > 0 && is_digit(text_[whole - 1])) --whole;
    if (whole < begin - 1) begin = whole;
  }
  const std::string_view number = slice(begin, end);
  if (check_number(number, begin)) {
    fail_number(Issue::kIllegalNumber, number, begin, begin + 1);
  }
  at_ = end;
}

}  // namespace bunraku
