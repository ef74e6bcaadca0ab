#include "conversion/string_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/ascii.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

constexpr std::string_view kDelimiters = "[{(<|";
// The limit of widths, against exhaustion of memory.
constexpr int kWidest = 1 << 26;

bool is_flag(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') ||
         std::string_view("[+#0{<(|-").find(c) != std::string_view::npos;
}

int take_number(std::string_view text, size_t& at) {
  int64_t number = 0;
  while (at < text.size() && is_digit(text[at])) {
    number = std::min<int64_t>(number * 10 + (text[at++] - '0'), kWidest);
  }
  return static_cast<int>(number);
}

[[noreturn]] void fail_form(std::string_view text) {
  fail_conversion(
      Issue::kInvalidFormat,
      {fmt::format(
          "The format '{}' is not a valid format on the form '%<flags><width>.<prec><format>'",
          text)});
}

void set_flags(StringFormat& format, std::string_view flags) {
  for (size_t i = 0; i < flags.size(); i++) {
    if (flags.find(flags[i], i + 1) != std::string_view::npos) {
      fail_conversion(Issue::kInvalidFormat,
                      {fmt::format("The same flag can only be used once, got '{}'", format.text)});
    }
  }
  auto has = [flags](char flag) { return flags.find(flag) != std::string_view::npos; };
  format.left = has('-');
  format.alternative = has('#');
  format.zero_padded = has('0');
  format.sign = has(' ')   ? StringFormat::Sign::kSpace
                : has('+') ? StringFormat::Sign::kPlus
                           : StringFormat::Sign::kIgnore;
  for (const char delimiter : kDelimiters) {
    if (!has(delimiter)) continue;
    if (format.delimiter) {
      fail_conversion(
          Issue::kInvalidFormat,
          {fmt::format(
              "Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{}'",
              format.text)});
    }
    format.delimiter = delimiter;
  }
}

constexpr StringFormat simple(std::string_view text) {
  StringFormat format{};
  format.text = text;
  format.letter = text[1];
  return format;
}

constexpr StringFormat container(std::string_view text, std::string_view separator2,
                                 const FormatMap* elements) {
  StringFormat format = simple(text);
  format.separator = ", ";
  format.separator2 = separator2;
  format.elements = elements;
  return format;
}

struct Defaults {
  StringFormat programmatic = simple("%p");
  StringFormat fixed = simple("%f");
  StringFormat decimal = simple("%d");
  StringFormat base64 = simple("%B");
  StringFormat string = simple("%s");
  TypeFormat element[1] = {{types::kAny, &programmatic}};
  FormatMap elements{element};
  StringFormat array = container("%a", ", ", &elements);
  StringFormat hash = container("%h", " => ", &elements);
  TypeFormat top[7] = {{types::kObject, &programmatic}, {types::kFloat, &fixed},
                       {types::kNumeric, &decimal},     {types::kArray, &array},
                       {types::kHash, &hash},           {types::kBinary, &base64},
                       {types::kAny, &string}};
};

const Defaults& defaults() {
  static const Defaults instance;
  return instance;
}

const StringFormat* merge_formats(Arena& arena, const StringFormat* lower,
                                  const StringFormat* higher) {
  if (!lower || !higher) return lower ? lower : higher;
  auto* merged = arena.make<StringFormat>(*higher);
  if (!merged->separator.data()) merged->separator = lower->separator;
  if (!merged->separator2.data()) merged->separator2 = lower->separator2;
  if (lower->elements && higher->elements) {
    merged->elements =
        arena.make<FormatMap>(merge_format_maps(arena, *lower->elements, *higher->elements));
  } else if (lower->elements) {
    merged->elements = lower->elements;
  }
  return merged;
}

// The order of unrelated types: more specific kinds are first.
int rank(const Type* type) {
  switch (type->kind) {
    case TypeKind::kStruct:
      return 1;
    case TypeKind::kHash:
      return 2;
    case TypeKind::kTuple:
      return 3;
    case TypeKind::kArray:
      return 4;
    case TypeKind::kPattern:
      return 10;
    case TypeKind::kEnum:
      return 11;
    case TypeKind::kString:
      return 12;
    default:
      return 0;
  }
}

int compare(const TypeFormat& a, const TypeFormat& b) {
  if (same_type(a.type, b.type)) return 0;
  const bool a_in_b = is_assignable(b.type, a.type);
  const bool b_in_a = is_assignable(a.type, b.type);
  if (a_in_b != b_in_a) return a_in_b ? -1 : 1;
  const int rank_a = rank(a.type);
  const int rank_b = rank(b.type);
  if (rank_a == 0 || rank_b == 0) return to_text(a.type).compare(to_text(b.type));
  return rank_a - rank_b;
}

// Sorts by a comparison that is no strict order, so the algorithm matters: a top-down merge sort,
// as on the reference's platform.
void sort_formats(std::span<TypeFormat> formats) {
  if (formats.size() < 2) return;
  const size_t half = formats.size() / 2;
  sort_formats(formats.first(half));
  sort_formats(formats.subspan(half));
  std::vector<TypeFormat> sorted;
  size_t left = 0;
  size_t right = half;
  while (left < half && right < formats.size()) {
    sorted.push_back(compare(formats[left], formats[right]) <= 0 ? formats[left++]
                                                                 : formats[right++]);
  }
  while (left < half) sorted.push_back(formats[left++]);
  std::ranges::copy(sorted, formats.begin());
}

const StringFormat* read_container_format(Arena& arena, const HashObject& hash) {
  const Value* text = hash.find("format");
  // In the reference, a hash without a format fails too: it looks for an empty one.
  if (!text || !text->is_string()) fail_form("");
  auto* format = arena.make<StringFormat>(*parse_string_format(arena, text->as_string()));
  auto text_of = [&](std::string_view key) -> std::string_view {
    const Value* found = hash.find(key);
    if (!found || !found->is_string()) return {};
    return found->as_string().empty() ? std::string_view("") : found->as_string();
  };
  format->separator = text_of("separator");
  format->separator2 = text_of("separator2");
  const Value* elements = hash.find("string_formats");
  if (elements && elements->is_hash()) {
    format->elements = arena.make<FormatMap>(read_format_map(arena, elements->as_hash()));
  }
  return format;
}

}  // namespace

const StringFormat* parse_string_format(Arena& arena, std::string_view text) {
  auto* format = arena.make<StringFormat>();
  format->text = text;
  size_t at = 0;
  if (at >= text.size() || text[at++] != '%') fail_form(text);
  const size_t flags = at;
  while (at < text.size() && is_flag(text[at])) at++;
  const std::string_view flag_text = text.substr(flags, at - flags);
  if (at < text.size() && is_digit(text[at])) format->width = take_number(text, at);
  if (at < text.size() && text[at] == '.') {
    const size_t before = ++at;
    format->precision = take_number(text, at);
    if (at == before) fail_form(text);
  }
  if (at + 1 != text.size() || !is_letter(text[at])) fail_form(text);
  format->letter = text[at];
  set_flags(*format, flag_text);
  return format;
}

FormatMap read_format_map(Arena& arena, const HashObject& map) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  std::vector<TypeFormat> formats;
  for (const HashEntry& entry : map) {
    if (!entry.key.is_type()) {
      fail_conversion(
          Issue::kInvalidFormat,
          {fmt::format("top level keys in the format hash must be data types, got instance of '{}'",
                       ruby_class_name(entry.key))});
    }
    const StringFormat* format = entry.value.is_hash()
                                     ? read_container_format(arena, entry.value.as_hash())
                                     : parse_string_format(arena, entry.value.as_string());
    formats.push_back({entry.key.as_type(), format});
  }
  return arena.copy(std::span<const TypeFormat>(formats));
}

FormatMap merge_format_maps(Arena& arena, FormatMap lower, FormatMap higher) {
  std::vector<TypeFormat> merged;
  for (const TypeFormat& low : lower) {
    // An entry narrower than one in `higher` must not take precedence over it.
    const bool is_covered = std::ranges::any_of(higher, [&](const TypeFormat& high) {
      return !same_type(high.type, low.type) && is_assignable(high.type, low.type);
    });
    if (!is_covered) merged.push_back(low);
  }
  for (const TypeFormat& high : higher) {
    auto found = std::ranges::find_if(
        merged, [&](const TypeFormat& other) { return same_type(other.type, high.type); });
    if (found != merged.end()) {
      found->format = merge_formats(arena, found->format, high.format);
    } else {
      merged.push_back(high);
    }
  }
  sort_formats(merged);
  return arena.copy(std::span<const TypeFormat>(merged));
}

FormatMap default_formats() {
  return defaults().top;
}
FormatMap default_element_formats() {
  return defaults().elements;
}

}  // namespace bunraku
