#include "site/lookup/lookup_key.h"

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "site/lookup/lookup_error.h"

namespace bunraku {
namespace {

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

// The end of a segment that starts at `start`; npos for an invalid segment.
size_t segment_end(std::string_view key, size_t start) {
  size_t at = start;
  while (at < key.size() && is_blank(key[at])) ++at;
  if (at < key.size() && (key[at] == '\'' || key[at] == '"')) {
    const size_t close = key.find(key[at], at + 1);
    if (close == std::string_view::npos || close == at + 1) return std::string_view::npos;
    size_t end = close + 1;
    while (end < key.size() && is_blank(key[end])) ++end;
    return end;
  }
  size_t end = key.find_first_of("'\".", start);
  if (end == std::string_view::npos) end = key.size();
  return end == start ? std::string_view::npos : end;
}

Value to_segment(std::string_view text) {
  text = stripped(text);
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) {
    return Value::string(text.substr(1, text.size() - 2));
  }
  std::string_view digits = text;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) digits.remove_prefix(1);
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos) {
    const std::string_view number = text[0] == '+' ? text.substr(1) : text;
    int64_t index = 0;
    auto parsed = std::from_chars(number.data(), number.data() + number.size(), index);
    if (parsed.ec == std::errc()) return Value::integer(index);
  }
  return Value::string(text);
}

// Whether a key is a single segment that needs no reading, as the names of most parameters.
bool is_one_segment(std::string_view key) {
  const auto is_special = [](char c) { return c == '\'' || c == '"' || c == '.'; };
  return !key.empty() && std::ranges::none_of(key, is_special);
}

}  // namespace

std::optional<std::vector<Value>> split_lookup_key(std::string_view key) {
  std::vector<Value> segments;
  if (is_one_segment(key)) {
    segments.push_back(Value::string(key));
    return segments;
  }
  for (size_t at = 0;;) {
    const size_t end = segment_end(key, at);
    if (end == std::string_view::npos) return std::nullopt;
    segments.push_back(to_segment(key.substr(at, end - at)));
    if (end == key.size()) return segments;
    if (key[end] != '.') return std::nullopt;
    at = end + 1;
  }
}

LookupKey::LookupKey(std::string_view text) : text_(text) {
  if (text.empty()) {
    // The reference accepts an empty key, and finds nothing.
    return;
  }
  if (is_one_segment(text)) {
    root_ = text;
  } else {
    const auto segments = split_lookup_key(text);
    if (!segments) fail_lookup(Issue::kInvalidKey, {std::string(text)});
    const Value root = segments->front();
    root_ = root.is_string() ? root.as_string() : text.substr(0, text.find('.'));
    segments_.assign(segments->begin() + 1, segments->end());
  }
  const size_t colons = root_.find("::");
  // The module of "::a" is "a".
  if (colons != std::string_view::npos)
    module_name_ = colons == 0 ? root_ : root_.substr(0, colons);
}

Value LookupKey::all_segments(Arena& arena) const {
  ArrayBuilder all(arena, segments_.size() + 1);
  all.push(Value::string(root_));
  all.push_all(segments_);
  return all.finish();
}

Value LookupKey::undig(Arena& arena, Value value) const {
  for (auto segment = segments_.rbegin(); segment != segments_.rend(); ++segment) {
    if (segment->is_integer()) {
      ArrayBuilder array(arena);
      // A bound, because the index comes from the user.
      constexpr int64_t kMost = 1 << 20;
      const int64_t index = segment->as_integer();
      if (index < 0 || index > kMost) {
        fail_lookup(Issue::kKeyNavigation,
                    {"index out of range in key: '" + std::string(text_) + "'"});
      }
      for (int64_t i = 0; i < index; ++i) array.push(Value());
      array.push(value);
      value = array.finish();
    } else {
      HashBuilder hash(arena, 1);
      hash.set(*segment, value);
      value = hash.finish();
    }
  }
  return value;
}

}  // namespace bunraku
