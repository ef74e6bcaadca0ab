#include "base/formats/yaml_scalar.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "base/text/number_text.h"

namespace bunraku {
namespace {

// A pattern that is compiled when it is first needed: most data needs none of them.
class Pattern {
 public:
  constexpr explicit Pattern(std::string_view source) : source_(source) {}
  const Regex& regex() {
    const Regex* regex = regex_.load(std::memory_order_acquire);
    if (regex == nullptr) {
      regex = Regex::compile(source_);
      regex_.store(regex, std::memory_order_release);
    }
    return *regex;
  }
  bool matches(std::string_view text) { return regex().matches(text); }

 private:
  std::string_view source_;
  std::atomic<const Regex*> regex_ = nullptr;
};

// The patterns by which psych distinguishes scalars, in the order of its tests. A matching pattern
// decides; resolve_plain_scalar converts the scalar accordingly.
constinit struct {
  Pattern text = Pattern(R"(^[^\d.:-]?[[:alpha:]_\s!@#$%\^&*(){}<>|/\\~;=]+|\n)");
  Pattern surely_text = Pattern(R"((?i)^[^ytonf~])");
  Pattern null = Pattern(R"((?i)^null$)");
  Pattern yes = Pattern(R"((?i)^(?:yes|true|on)$)");
  Pattern no = Pattern(R"((?i)^(?:no|false|off)$)");
  Pattern time = Pattern(
      R"(^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$)");
  Pattern date = Pattern(R"(^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$)");
  Pattern infinity = Pattern(R"((?i)^\+?\.inf$)");
  Pattern minus_infinity = Pattern(R"((?i)^-\.inf$)");
  Pattern not_a_number = Pattern(R"((?i)^\.nan$)");
  Pattern symbol = Pattern(R"(^:.)");
  Pattern quoted_symbol = Pattern(R"(^:(["'])(.*)\1)");
  Pattern sexagesimal = Pattern(R"(^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$)");
  Pattern sexagesimal_float = Pattern(R"(^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$)");
  Pattern floating = Pattern(R"(^[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?$)");
  Pattern integer = Pattern(
      R"(^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$)");
} patterns;

DataNode string_node(std::string_view text) {
  return DataNode::text(DataKind::kString, text);
}

std::string without(std::string_view text, std::string_view unwanted) {
  std::string kept;
  for (const char c : text) {
    if (unwanted.find(c) == std::string_view::npos) kept += c;
  }
  return kept;
}

// Returns whether the text is one line of ASCII, so that line anchors and case folding do not
// matter.
bool is_simple(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\n'; });
}

bool is_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, [](char a, char b) { return (a | 0x20) == b; });
}

DataNode resolve_simple_word(std::string_view text) {
  if (text == "~" || is_word(text, "null")) return DataNode();
  for (const std::string_view word : {"yes", "true", "on"}) {
    if (is_word(text, word)) return DataNode::boolean(true);
  }
  for (const std::string_view word : {"no", "false", "off"}) {
    if (is_word(text, word)) return DataNode::boolean(false);
  }
  return string_node(text);
}

DataNode resolve_word(std::string_view text) {
  constexpr size_t kLongestWord = 5;
  if (text.size() > kLongestWord) return string_node(text);
  if (is_simple(text)) return resolve_simple_word(text);
  if (patterns.surely_text.matches(text)) return string_node(text);
  if (text == "~" || patterns.null.matches(text)) return DataNode();
  if (patterns.yes.matches(text)) return DataNode::boolean(true);
  if (patterns.no.matches(text)) return DataNode::boolean(false);
  return string_node(text);
}

DataNode resolve_symbol(std::string_view text, bool allow_symbols) {
  if (!allow_symbols) throw DisallowedClass("Symbol");
  Captures captures;
  std::string_view name = text;
  if (patterns.quoted_symbol.regex().search(text, 0, captures)) name = captures.text(text, 2);
  if (!name.empty() && name[0] == ':') name.remove_prefix(1);
  return DataNode::text(DataKind::kSymbol, name);
}

// Parses "1:30:15": each unit is sixty of the next.
template <typename Number, typename Convert>
Number sum_sexagesimal(std::string_view text, Convert convert) {
  Number sum = 0;
  for (int place = 0;; ++place) {
    const size_t colon = text.find(':');
    // As in psych, the first part is hours, even when there are only two.
    constexpr int kWeights[] = {3600, 60, 1};
    sum += convert(without(text.substr(0, colon), "_")) * kWeights[place];
    if (colon == std::string_view::npos) return sum;
    text.remove_prefix(colon + 1);
  }
}

DataNode resolve_sexagesimal(std::string_view text) {
  return DataNode::integer(sum_sexagesimal<int64_t>(text, [text](const std::string& part) {
    std::optional<int64_t> value = parse_integer(part);
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max() / 8000;
    if (!value || *value > kLargest || *value < -kLargest) {
      throw DataError(fmt::format("number out of range: {}", text));
    }
    return *value;
  }));
}

DataNode resolve_sexagesimal_float(std::string_view text) {
  return DataNode::floating(sum_sexagesimal<double>(
      text, [](const std::string& part) { return parse_float(part).value_or(0.0); }));
}

DataNode resolve_float(std::string_view text) {
  if (text == "." || text == "+." || text == "-.") return string_node(text);
  std::string digits = without(text, ",_");
  const size_t point = digits.find('.');
  const bool is_point_last =
      point + 1 == digits.size() || digits[point + 1] == 'e' || digits[point + 1] == 'E';
  if (is_point_last) digits.erase(point, 1);
  std::optional<double> value = parse_float(digits);
  if (!value) throw DataError(fmt::format("invalid value for Float(): \"{}\"", digits));
  return DataNode::floating(*value);
}

// Converts digits of a large number to decimal ones.
std::string decimal_digits(std::string_view digits, unsigned radix) {
  std::string decimal = "0";  // least significant first
  for (const char digit : digits) {
    unsigned carry = digit <= '9' ? static_cast<unsigned>(digit - '0')
                                  : static_cast<unsigned>((digit | 0x20) - 'a' + 10);
    for (char& d : decimal) {
      const unsigned sum = static_cast<unsigned>(d - '0') * radix + carry;
      d = static_cast<char>('0' + sum % 10);
      carry = sum / 10;
    }
    for (; carry > 0; carry /= 10) decimal += static_cast<char>('0' + carry % 10);
  }
  std::ranges::reverse(decimal);
  return decimal;
}

DataNode resolve_integer(std::string_view text, Arena& arena) {
  std::string cleaned = without(text, ",_");
  std::string_view digits = cleaned;
  const bool is_negative = digits[0] == '-';
  if (is_negative || digits[0] == '+') digits.remove_prefix(1);
  int radix = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    radix = digits[1] == 'x' ? 16 : digits[1] == 'b' ? 2 : 8;
    digits.remove_prefix(radix == 8 ? 1 : 2);
  }
  if (digits.empty()) throw DataError(fmt::format("invalid value for Integer(): \"{}\"", cleaned));
  const std::string sign = is_negative ? "-" : "";
  if (auto value = parse_integer(sign + std::string(digits), radix))
    return DataNode::integer(*value);
  // A limit, because reading a number takes quadratic time.
  constexpr size_t kMostDigits = 1000;
  if (digits.size() > kMostDigits) throw DataError("number of more than 1000 digits");
  const std::string decimal = sign + decimal_digits(digits, static_cast<unsigned>(radix));
  return DataNode::text(DataKind::kBigInteger, arena.copy(decimal));
}

// Texts of digits and points need no pattern: integers, decimal numbers, addresses, versions.
std::optional<DataNode> resolve_digits(std::string_view text) {
  constexpr size_t kSurelyFits = 18;
  if (!is_digit(text.front()) || !is_digit(text.back()) || text.size() > kSurelyFits)
    return std::nullopt;
  size_t points = 0;
  for (const char c : text) {
    if (c == '.') {
      ++points;
    } else if (!is_digit(c)) {
      return std::nullopt;
    }
  }
  if (points > 1) return string_node(text);
  if (points == 1) return DataNode::floating(*parse_float(text));
  if (text.front() == '0' && text.size() > 1) return std::nullopt;  // octal
  return DataNode::integer(*parse_integer(text));
}

// Returns whether the pattern for text matches every scalar that begins with the character.
bool begins_text(char c) {
  return is_letter(c) || (c != '\0' && std::strchr("_!@#$%^&*(){}<>|/\\~;=", c) != nullptr);
}

// For a text of one line that begins with a digit: only some patterns can match, depending on the
// characters that they need.
DataNode resolve_number(std::string_view text, Arena& arena) {
  const auto has = [text](char c) { return text.find(c) != std::string_view::npos; };
  if (has('-')) {
    if (patterns.time.matches(text)) throw DisallowedClass("Time");
    if (patterns.date.matches(text)) throw DisallowedClass("Date");
  }
  if (has(':')) {
    if (patterns.sexagesimal.matches(text)) return resolve_sexagesimal(text);
    if (has('.') && patterns.sexagesimal_float.matches(text))
      return resolve_sexagesimal_float(text);
    return string_node(text);
  }
  if (has('.')) return patterns.floating.matches(text) ? resolve_float(text) : string_node(text);
  return patterns.integer.matches(text) ? resolve_integer(text, arena) : string_node(text);
}

}  // namespace

DataNode resolve_plain_scalar(std::string_view text, bool allow_symbols, Arena& arena) {
  if (text.empty()) return DataNode();
  // Most scalars begin with a letter and need no pattern.
  if (begins_text(text[0])) return resolve_word(text);
  if (std::optional<DataNode> number = resolve_digits(text)) return *number;
  if (is_digit(text[0]) && text.find('\n') == std::string_view::npos) {
    return resolve_number(text, arena);
  }
  if (patterns.text.matches(text)) return resolve_word(text);
  if (patterns.time.matches(text)) throw DisallowedClass("Time");
  if (patterns.date.matches(text)) throw DisallowedClass("Date");
  if (patterns.infinity.matches(text)) return DataNode::floating(INFINITY);
  if (patterns.minus_infinity.matches(text)) return DataNode::floating(-INFINITY);
  if (patterns.not_a_number.matches(text)) return DataNode::floating(NAN);
  if (patterns.symbol.matches(text)) return resolve_symbol(text, allow_symbols);
  if (patterns.sexagesimal.matches(text)) return resolve_sexagesimal(text);
  if (patterns.sexagesimal_float.matches(text)) return resolve_sexagesimal_float(text);
  if (patterns.floating.matches(text)) return resolve_float(text);
  if (patterns.integer.matches(text)) return resolve_integer(text, arena);
  return string_node(text);
}

}  // namespace bunraku
