// A cursor over JSON text.
#include "store/database/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/formats/json.h"
#include "base/memory/arena.h"

namespace bunraku::store {
namespace {

size_t skip_blanks(std::string_view json, size_t at) {
  while (at < json.size() &&
         (json[at] == ' ' || json[at] == '\n' || json[at] == '\t' || json[at] == '\r')) {
    ++at;
  }
  return at;
}

size_t skip_string(std::string_view json, size_t at) {
  for (++at;;) {
    const size_t quote = json.find('"', at);
    if (quote == std::string_view::npos) return json.size();
    size_t backslashes = 0;
    while (quote - backslashes > at && json[quote - backslashes - 1] == '\\') ++backslashes;
    at = quote + 1;
    if (backslashes % 2 == 0) return at;
  }
}

// The position after the value at `at`.
size_t skip_value(std::string_view json, size_t at) {
  if (at >= json.size()) return json.size();
  if (json[at] == '"') return skip_string(json, at);
  if (json[at] == '{' || json[at] == '[') {
    size_t depth = 0;
    while (at < json.size()) {
      const char c = json[at];
      if (c == '"') {
        at = skip_string(json, at);
        continue;
      }
      ++at;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at;
    }
    return json.size();
  }
  while (at < json.size() && json[at] != ',' && json[at] != '}' && json[at] != ']' &&
         json[at] != ' ' && json[at] != '\n') {
    ++at;
  }
  return at;
}

std::string_view trimmed(std::string_view json) {
  const size_t begin = skip_blanks(json, 0);
  size_t end = json.size();
  while (end > begin && (json[end - 1] == ' ' || json[end - 1] == '\n')) --end;
  return json.substr(begin, end - begin);
}

double number_of(std::string_view json) {
  return std::strtod(std::string(json).c_str(), nullptr);
}

size_t part_count(std::string_view json) {
  size_t count = 0;
  for_each_part(json, [&](std::string_view, std::string_view) { return ++count != 0; });
  return count;
}

// Digits whose text order is the order of the numbers.
std::string number_order(double number) {
  uint64_t bits = std::bit_cast<uint64_t>(number == 0 ? 0.0 : number);
  constexpr uint64_t kSign = uint64_t{1} << 63;
  bits = (bits & kSign) != 0 ? ~bits : bits | kSign;
  return fmt::format("{:016x}", bits);
}

// The bound on ordered nesting; deeper values are equal.
constexpr int kOrderedDepth = 64;

void append_order(std::string& to, std::string_view json, int depth) {
  switch (json_kind(json)) {
    case JsonKind::kNull:
      to += '1';
      return;
    case JsonKind::kString:
      to += '2';
      to += json_plain_text(json);
      to += '\x01';
      return;
    case JsonKind::kNumber:
      to += '3';
      to += number_order(number_of(json));
      return;
    case JsonKind::kBoolean:
      to += '4';
      to += trimmed(json) == "true" ? '1' : '0';
      return;
    case JsonKind::kArray:
    case JsonKind::kObject:
      break;
  }
  const bool is_array = json_kind(json) == JsonKind::kArray;
  const size_t count = part_count(json);
  if (is_array && count == 0 && depth == 0) {  // PostgreSQL sorts it before null
    to += '0';
    return;
  }
  to += is_array ? '5' : '6';
  to += fmt::format("{:08x}", count);
  if (depth >= kOrderedDepth) return;
  std::vector<std::pair<std::string, std::string_view>> parts;
  for_each_part(json, [&](std::string_view key, std::string_view value) {
    parts.emplace_back(key.empty() ? "" : json_plain_text(key), value);
    return true;
  });
  if (!is_array) {  // PostgreSQL sorts shorter names first
    std::ranges::sort(parts, [](const auto& a, const auto& b) {
      return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a.first < b.first;
    });
  }
  for (const auto& [key, value] : parts) {
    if (!is_array) to += key, to += '\x01';
    append_order(to, value, depth + 1);
  }
}

bool scalars_equal(std::string_view a, std::string_view b, JsonKind kind) {
  if (a == b) return true;
  return kind == JsonKind::kNumber && number_of(a) == number_of(b);
}

}  // namespace

JsonKind json_kind(std::string_view json) {
  const size_t at = skip_blanks(json, 0);
  if (at >= json.size()) return JsonKind::kNull;
  switch (json[at]) {
    case '{':
      return JsonKind::kObject;
    case '[':
      return JsonKind::kArray;
    case '"':
      return JsonKind::kString;
    case 't':
    case 'f':
      return JsonKind::kBoolean;
    case 'n':
      return JsonKind::kNull;
    default:
      return JsonKind::kNumber;
  }
}

std::string_view json_kind_name(std::string_view json) {
  switch (json_kind(json)) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBoolean:
      return "boolean";
    case JsonKind::kNumber:
      return "number";
    case JsonKind::kString:
      return "string";
    case JsonKind::kArray:
      return "array";
    case JsonKind::kObject:
      return "object";
  }
  return {};
}

void for_each_part(std::string_view json, JsonVisitor visit) {
  size_t at = skip_blanks(json, 0);
  if (at >= json.size() || (json[at] != '{' && json[at] != '[')) return;
  const bool is_object = json[at] == '{';
  at = skip_blanks(json, at + 1);
  while (at < json.size() && json[at] != '}' && json[at] != ']') {
    std::string_view key;
    if (is_object) {
      const size_t end = skip_string(json, at);
      key = json.substr(at, end - at);
      at = skip_blanks(json, skip_blanks(json, end) + 1);
    }
    const size_t end = skip_value(json, at);
    if (!visit(key, json.substr(at, end - at))) return;
    at = skip_blanks(json, end);
    if (at < json.size() && json[at] == ',') at = skip_blanks(json, at + 1);
  }
}

std::optional<std::string_view> json_member(std::string_view json, std::string_view quoted_key) {
  std::optional<std::string_view> found;
  if (json_kind(json) != JsonKind::kObject) return found;
  for_each_part(json, [&](std::string_view key, std::string_view value) {
    if (key == quoted_key) found = value;
    return !found;
  });
  return found;
}

std::optional<std::string_view> json_at(std::string_view json, std::string_view path) {
  std::optional<std::string_view> at = json;
  for_each_part(path, [&](std::string_view, std::string_view step) {
    if (step.starts_with('"')) {
      at = json_member(*at, step);
      return at.has_value();
    }
    const long wanted = std::strtol(std::string(step).c_str(), nullptr, 10);
    std::optional<std::string_view> item;
    long index = 0;
    if (json_kind(*at) == JsonKind::kArray) {
      for_each_part(*at, [&](std::string_view, std::string_view value) {
        if (index++ == wanted) item = value;
        return !item;
      });
    }
    at = item;
    return at.has_value();
  });
  return at;
}

bool json_equal(std::string_view a, std::string_view b) {
  const JsonKind kind = json_kind(a);
  if (kind != json_kind(b)) return false;
  a = trimmed(a), b = trimmed(b);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) return scalars_equal(a, b, kind);
  if (part_count(a) != part_count(b)) return false;
  if (kind == JsonKind::kObject) {
    bool is_equal = true;
    for_each_part(b, [&](std::string_view key, std::string_view value) {
      const auto other = json_member(a, key);
      return is_equal = other && json_equal(*other, value);
    });
    return is_equal;
  }
  std::vector<std::string_view> items;
  for_each_part(a, [&](std::string_view, std::string_view value) {
    items.push_back(value);
    return true;
  });
  bool is_equal = true;
  size_t index = 0;
  for_each_part(b, [&](std::string_view, std::string_view value) {
    return is_equal = json_equal(items[index++], value);
  });
  return is_equal;
}

bool json_contains(std::string_view json, std::string_view part) {
  const JsonKind kind = json_kind(json);
  if (kind != json_kind(part)) return false;
  json = trimmed(json), part = trimmed(part);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) {
    return scalars_equal(json, part, kind);
  }
  bool contains_all = true;
  for_each_part(part, [&](std::string_view key, std::string_view wanted) {
    bool is_found = false;
    if (kind == JsonKind::kObject) {
      const auto value = json_member(json, key);
      is_found = value && json_contains(*value, wanted);
    } else {
      for_each_part(json, [&](std::string_view, std::string_view value) {
        return !(is_found = json_contains(value, wanted));
      });
    }
    return contains_all = is_found;
  });
  return contains_all;
}

std::string json_plain_text(std::string_view json) {
  json = trimmed(json);
  if (!json.starts_with('"')) return std::string(json);
  if (json.find('\\') == std::string_view::npos) {
    return std::string(json.substr(1, json.size() - 2));
  }
  Arena arena;
  return std::string(read_json(json, arena).text_value());
}

std::string json_order(std::string_view json) {
  std::string text;
  append_order(text, json, 0);
  return text;
}

}  // namespace bunraku::store
