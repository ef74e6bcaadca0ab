// Parses permissions as chmod does.
#include "apply/providers/file/symbolic_mode.h"

#include <fmt/format.h>

#include <algorithm>

#include "apply/transaction/failure.h"
#include "base/text/ascii.h"
#include "base/text/number_text.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kOperators = "+-=";
constexpr std::string_view kBlank = " ";

// Removes and returns the next clause of a comma-separated list.
std::string_view next_clause(std::string_view& rest) {
  const size_t comma = rest.find(',');
  const std::string_view clause = rest.substr(0, comma);
  rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  return clause;
}

bool is_clause(std::string_view clause) {
  clause = trimmed(clause, kBlank);
  const size_t action = clause.find_first_of(kOperators);
  if (action == std::string_view::npos) return false;
  if (clause.substr(0, action).find_first_not_of("ugoa") != std::string_view::npos) return false;
  return clause.substr(action).find_first_not_of("+-=rwxXstugo") == std::string_view::npos;
}

struct Change {
  std::string_view who;
  char action;
  std::string_view permissions;
};

uint32_t bits_of(const Change& change, char who, uint32_t current, uint32_t original,
                 bool is_directory) {
  const uint32_t shift = who == 'u' ? 6 : who == 'g' ? 3 : 0;
  uint32_t bits = 0;
  for (const char permission : change.permissions) {
    switch (permission) {
      case 'r':
        bits |= 4u << shift;
        break;
      case 'w':
        bits |= 2u << shift;
        break;
      case 'x':
        bits |= 1u << shift;
        break;
      case 'X':
        if (is_directory || (original & 0111) != 0) bits |= 1u << shift;
        break;
      case 's':
        if (who == 'u') bits |= 04000;
        if (who == 'g') bits |= 02000;
        break;
      case 't':
        bits |= 01000;
        break;
      case 'u':
        bits |= ((current >> 6) & 7) << shift;
        break;
      case 'g':
        bits |= ((current >> 3) & 7) << shift;
        break;
      case 'o':
        bits |= (current & 7) << shift;
        break;
      default:
        break;
    }
  }
  return bits;
}

// X (execution where there is some already) is allowed only with +.
void check_change(const Change& change, std::string_view clause, std::string_view mode) {
  if (change.action == '+' || change.permissions.find('X') == std::string_view::npos) return;
  const std::string place = clause == mode ? "" : fmt::format(" at \"{}\"", clause);
  throw Failure(
      fmt::format("X only works with the '+' operator{} in symbolic mode \"{}\"", place, mode));
}

uint32_t applied(const Change& change, uint32_t current, uint32_t original, bool is_directory) {
  std::string_view whom = change.who;
  if (whom.empty() || whom.find('a') != std::string_view::npos) whom = "ugo";
  uint32_t result = current;
  for (const char who : whom) {
    const uint32_t bits = bits_of(change, who, current, original, is_directory);
    if (change.action == '+') result |= bits;
    if (change.action == '-') result &= ~bits;
    if (change.action == '=') {
      const uint32_t shift = who == 'u' ? 6 : who == 'g' ? 3 : 0;
      const uint32_t special = who == 'u' ? 04000u : who == 'g' ? 02000u : 01000u;
      result = (result & ~((7u << shift) | special)) | bits;
    }
  }
  return result;
}

}  // namespace

bool is_numeric_mode(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  if (text.empty() || !std::ranges::all_of(text, is_octal)) return false;
  return text.size() <= 4 || (text.size() == 5 && text[0] == '0');
}

bool is_mode(std::string_view text) {
  if (is_numeric_mode(text)) return true;
  if (text.empty()) return false;
  for (std::string_view rest = text; !rest.empty();) {
    if (!is_clause(next_clause(rest))) return false;
  }
  return true;
}

std::string normalized_mode(std::string_view text) {
  if (!is_numeric_mode(text)) return std::string(trimmed(text, kBlank));
  return octal(static_cast<uint32_t>(*parse_integer(text, 8)));
}

std::string displayed_mode(std::string_view text) {
  if (!is_numeric_mode(text) || text.size() >= 4) return std::string(text);
  return std::string(4 - text.size(), '0') + std::string(text);
}

uint32_t mode_bits(std::string_view text, uint32_t current, bool is_directory) {
  if (is_numeric_mode(text)) return static_cast<uint32_t>(*parse_integer(text, 8));
  const uint32_t original = current & 07777;
  uint32_t bits = original;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view clause = trimmed(next_clause(rest), kBlank);
    size_t action = clause.find_first_of(kOperators);
    const std::string_view who = clause.substr(0, action);
    while (action != std::string_view::npos) {
      const size_t next = clause.find_first_of(kOperators, action + 1);
      const std::string_view permissions =
          clause.substr(action + 1, next == std::string_view::npos ? next : next - action - 1);
      const Change change{who, clause[action], permissions};
      check_change(change, clause, text);
      bits = applied(change, bits, original, is_directory);
      action = next;
    }
  }
  return bits;
}

std::string octal(uint32_t bits) {
  return fmt::format("{:o}", bits);
}

}  // namespace bunraku::apply
