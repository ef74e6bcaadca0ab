// Values of the application phase, their display in messages and their written forms.
#include "apply/reports/datum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/formats/json.h"
#include "base/formats/yaml_writer.h"
#include "base/text/base64.h"
#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr int64_t kNanoseconds = 1'000'000'000;
constexpr std::string_view kSensitiveText = "Sensitive [value redacted]";
constexpr std::string_view kTypePrefix = "Pcore::";
constexpr std::string_view kTypeSuffix = "Type";
constexpr std::array<std::string_view, 6> kScalarTypes = {"SemVer",    "SemVerRange", "Timespan",
                                                          "Timestamp", "Type",        "URI"};

struct SplitTime {
  std::tm fields;
  int64_t fraction;
};

SplitTime split(int64_t nanoseconds) {
  SplitTime time = {};
  std::time_t seconds = nanoseconds / kNanoseconds;
  time.fraction = nanoseconds % kNanoseconds;
  if (time.fraction < 0) {
    time.fraction += kNanoseconds;
    --seconds;
  }
  gmtime_r(&seconds, &time.fields);
  return time;
}

void put_digits(char* end, int64_t number, int count) {
  for (; count > 0; --count, number /= 10) *--end = static_cast<char>('0' + number % 10);
}

// "2026-11-22T20:22:13.540828813"
std::string time_text(int64_t nanoseconds, char separator) {
  const SplitTime time = split(nanoseconds);
  const std::tm& fields = time.fields;
  std::string text = "0000-00-00 00:00:00.000000000";
  char* const begin = text.data();
  put_digits(begin + 4, fields.tm_year + 1900, 4);
  put_digits(begin + 7, fields.tm_mon + 1, 2);
  put_digits(begin + 10, fields.tm_mday, 2);
  begin[10] = separator;
  put_digits(begin + 13, fields.tm_hour, 2);
  put_digits(begin + 16, fields.tm_min, 2);
  put_digits(begin + 19, fields.tm_sec, 2);
  put_digits(begin + 29, time.fraction, 9);
  return text;
}

// Parses the exact format of yaml_time, the most frequent one in state files; -1 for other text.
int64_t parse_usual_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00 00:00:00.000000000 +00:00";
  if (text.size() != kForm.size() || !text.ends_with(" +00:00")) return -1;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !is_digit : text[i] != kForm[i]) return -1;
  }
  const auto number = [&](size_t begin, size_t end) {
    int64_t value = 0;
    for (; begin < end; ++begin) value = value * 10 + (text[begin] - '0');
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(static_cast<unsigned>(number(5, 7))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 10)))};
  const int64_t hour = number(11, 13), minute = number(14, 16), second = number(17, 19);
  constexpr int64_t kFirstYear = 1970, kLastYear = 2261;
  if (number(0, 4) < kFirstYear || number(0, 4) > kLastYear || !day.ok() || hour > 23 ||
      minute > 59 || second > 59) {
    return -1;
  }
  const int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * kNanoseconds + number(20, 29);
}

std::string_view string_member(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kString) ? found->text_value()
                                                          : std::string_view();
}

}  // namespace

Datum Datum::boolean(bool value) {
  Datum datum(DatumKind::kBoolean);
  datum.number_.integer = value ? 1 : 0;
  return datum;
}

Datum Datum::integer(int64_t value) {
  Datum datum(DatumKind::kInteger);
  datum.number_.integer = value;
  return datum;
}

Datum Datum::number(double value) {
  Datum datum(DatumKind::kFloat);
  datum.number_.floating = value;
  return datum;
}

Datum Datum::of_text(DatumKind kind, std::string_view text) {
  Datum datum(kind);
  datum.text_ = text;
  return datum;
}

Datum Datum::string(std::string_view text) {
  return of_text(DatumKind::kString, text);
}

Datum Datum::symbol(std::string_view name) {
  return of_text(DatumKind::kSymbol, name);
}

Datum Datum::binary(std::string_view bytes) {
  return of_text(DatumKind::kBinary, bytes);
}

Datum Datum::time(int64_t nanoseconds) {
  Datum datum(DatumKind::kTime);
  datum.number_.integer = nanoseconds;
  return datum;
}

Datum Datum::array(List items) {
  Datum datum(DatumKind::kArray);
  datum.items_ = std::make_shared<const List>(std::move(items));
  return datum;
}

Datum Datum::hash(Entries entries) {
  Datum datum(DatumKind::kHash);
  datum.entries_ = std::make_shared<const Entries>(std::move(entries));
  return datum;
}

Datum Datum::strings(const std::vector<std::string>& texts) {
  List items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back(string(text));
  return array(std::move(items));
}

Datum Datum::sensitive(Datum value) {
  Datum datum(DatumKind::kSensitive);
  datum.items_ = std::make_shared<const List>(List{std::move(value)});
  return datum;
}

Datum Datum::from(const DataNode& node) {
  const Datum datum = nested(node);
  return datum.is_sensitive() ? datum.items().front() : datum;
}

Datum Datum::nested(const DataNode& node) {
  switch (node.kind()) {
    case DataKind::kNull:
      return {};
    case DataKind::kBoolean:
      return boolean(node.boolean_value());
    case DataKind::kInteger:
      return integer(node.integer_value());
    case DataKind::kFloat:
      return number(node.float_value());
    case DataKind::kBigInteger:
      return string(node.text_value());
    case DataKind::kString:
      return node.is_byte_string() ? binary(node.text_value()) : string(node.text_value());
    case DataKind::kRegexp:
      return string(node.text_value());
    case DataKind::kSymbol:
      return symbol(node.text_value());
    case DataKind::kArray: {
      List items;
      items.reserve(node.items().size());
      for (const DataNode& item : node.items()) items.push_back(nested(item));
      return array(std::move(items));
    }
    case DataKind::kHash:
      break;
  }
  const std::string_view type = string_member(node, "__ptype");
  return type.empty() ? hash_of(node) : rich(type, node);
}

Datum Datum::hash_of(const DataNode& node) {
  Entries entries;
  entries.reserve(node.entries().size());
  for (const DataEntry& entry : node.entries()) {
    entries.emplace_back(nested(entry.key), nested(entry.value));
  }
  return hash(std::move(entries));
}

Datum Datum::rich(std::string_view type, const DataNode& node) {
  const DataNode* inner = node.find("__pvalue");
  const std::string_view text = string_member(node, "__pvalue");
  if (type == "Sensitive") return sensitive(inner == nullptr ? Datum() : nested(*inner));
  if (type == "Binary") return binary(decode_base64_leniently(text));
  if (type == "Default") return symbol("default");
  if (type == "Regexp") return of_text(DatumKind::kRegexp, text);
  if (std::ranges::find(kScalarTypes, type) != kScalarTypes.end()) {
    return of_text(DatumKind::kScalar, text);
  }
  // A type without parameters, such as Pcore::StringType.
  if (type.starts_with(kTypePrefix) && type.ends_with(kTypeSuffix) && node.entries().size() == 1) {
    type.remove_prefix(kTypePrefix.size());
    type.remove_suffix(kTypeSuffix.size());
    return of_text(DatumKind::kScalar, type);
  }
  if (type != "Hash" || inner == nullptr || !inner->is(DataKind::kArray)) return hash_of(node);

  // Alternating keys and values, the form for hashes with keys that are not strings.
  Entries entries;
  entries.reserve(inner->items().size() / 2);
  for (size_t i = 0; i + 1 < inner->items().size(); i += 2) {
    entries.emplace_back(nested(inner->items()[i]), nested(inner->items()[i + 1]));
  }
  return hash(std::move(entries));
}

bool Datum::is_true() const {
  if (is_null()) return false;
  if (is_boolean()) return boolean_value();
  return !is_symbol("false");
}

const Datum::List& Datum::items() const {
  static const List kNone;
  return items_ == nullptr ? kNone : *items_;
}

const Datum::Entries& Datum::entries() const {
  static const Entries kNone;
  return entries_ == nullptr ? kNone : *entries_;
}

const Datum* Datum::find(std::string_view key) const {
  for (const auto& [name, value] : entries()) {
    if (name.text() == key) return &value;
  }
  return nullptr;
}

std::string Datum::to_text() const {
  switch (kind_) {
    case DatumKind::kNull:
      return {};
    case DatumKind::kBoolean:
      return boolean_value() ? "true" : "false";
    case DatumKind::kInteger:
      return std::to_string(integer_value());
    case DatumKind::kFloat:
      return float_text(float_value());
    case DatumKind::kString:
    case DatumKind::kSymbol:
    case DatumKind::kBinary:
    case DatumKind::kScalar:
      return text_;
    case DatumKind::kRegexp:
      return "(?-mix:" + text_ + ")";
    case DatumKind::kTime: {
      const SplitTime time = split(time_value());
      char buffer[32];
      std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M:%S +0000", &time.fields);
      return buffer;
    }
    case DatumKind::kArray:
    case DatumKind::kHash: {
      std::string text;
      inspect(text);
      return text;
    }
    case DatumKind::kSensitive:
      return std::string(kSensitiveText);
  }
  return {};
}

std::string Datum::regexp_literal() const {
  std::string literal = "/";
  bool is_escaped = false;
  for (const char c : text_) {
    if (c == '/' && !is_escaped) literal += '\\';
    is_escaped = c == '\\' && !is_escaped;
    literal += c;
  }
  return literal + '/';
}

std::string Datum::inspected() const {
  std::string text;
  inspect(text);
  return text;
}

void Datum::inspect(std::string& to) const {
  bool is_first = true;
  const auto separate = [&] {
    if (!std::exchange(is_first, false)) to += ", ";
  };
  switch (kind_) {
    case DatumKind::kNull:
      to += "nil";
      return;
    case DatumKind::kString:
    case DatumKind::kBinary:
      append_ruby_inspect(to, text_);
      return;
    case DatumKind::kSymbol:
      to += ':' + text_;
      return;
    case DatumKind::kRegexp:
      to += regexp_literal();
      return;
    case DatumKind::kArray:
      to += '[';
      for (const Datum& item : items()) {
        separate();
        item.inspect(to);
      }
      to += ']';
      return;
    case DatumKind::kHash:
      to += '{';
      for (const auto& [key, value] : entries()) {
        separate();
        key.inspect(to);
        to += "=>";
        value.inspect(to);
      }
      to += '}';
      return;
    case DatumKind::kSensitive:
      to += fmt::format("#<{}>", kSensitiveText);
      return;
    default:
      to += to_text();
  }
}

std::string Datum::to_display() const {
  std::string text;
  if (kind_ == DatumKind::kFloat) {
    text = fmt::format("{:f}", float_value());
  } else if (is_sensitive()) {
    text = kSensitiveText;
  } else if (kind_ == DatumKind::kRegexp) {
    text = text_;
  } else if (!is_null()) {
    display(text, 0);
  }
  return text;
}

void Datum::display(std::string& to, size_t indent) const {
  switch (kind_) {
    case DatumKind::kNull:
      to += "undef";
      return;
    case DatumKind::kSymbol:
      if (text_ == "default" || text_ == "undef") {
        to += text_;
        return;
      }
      [[fallthrough]];
    case DatumKind::kString:
    case DatumKind::kTime:
      append_quoted(to, to_text());
      return;
    case DatumKind::kBinary:
      append_quoted(to, is_valid_utf8(text_) ? text_ : encode_base64(text_));
      return;
    case DatumKind::kArray: {
      to += '[';
      bool is_first = true;
      bool was_nested = false;
      for (const Datum& item : items()) {
        if (!is_first) to += ',';
        // A nested list starts on a new line, and so does the item after it.
        const bool is_nested = item.is_array() || item.is_hash();
        if (is_nested || was_nested) {
          to += '\n' + std::string(indent + 2, ' ');
        } else if (!is_first) {
          to += ' ';
        }
        item.display(to, indent + 2);
        is_first = false;
        was_nested = is_nested;
      }
      to += ']';
      return;
    }
    case DatumKind::kHash: {
      to += "{\n";
      bool is_first = true;
      for (const auto& [key, value] : entries()) {
        if (!is_first) to += ",\n";
        to += std::string(indent + 2, ' ');
        key.display(to, indent + 2);
        to += " => ";
        value.display(to, indent + 2);
        is_first = false;
      }
      to += '\n' + std::string(indent, ' ') + '}';
      return;
    }
    default:
      inspect(to);
  }
}

bool operator==(const Datum& a, const Datum& b) {
  if (a.kind_ != b.kind_) return false;
  switch (a.kind_) {
    case DatumKind::kNull:
      return true;
    case DatumKind::kFloat:
      return a.float_value() == b.float_value();
    case DatumKind::kString:
    case DatumKind::kSymbol:
    case DatumKind::kBinary:
    case DatumKind::kRegexp:
    case DatumKind::kScalar:
      return a.text_ == b.text_;
    case DatumKind::kArray:
    case DatumKind::kSensitive:
      return a.items() == b.items();
    case DatumKind::kHash:
      return a.entries() == b.entries();
    default:
      return a.integer_value() == b.integer_value();
  }
}

void write_yaml(YamlWriter& yaml, const Datum& datum) {
  switch (datum.kind()) {
    case DatumKind::kNull:
      return yaml.null();
    case DatumKind::kBoolean:
      return yaml.boolean(datum.boolean_value());
    case DatumKind::kInteger:
      return yaml.integer(datum.integer_value());
    case DatumKind::kFloat:
      return yaml.number(datum.float_value());
    case DatumKind::kString:
      return yaml.string(datum.text());
    case DatumKind::kSymbol:
      return yaml.symbol(datum.text());
    case DatumKind::kBinary:
      return yaml.string(datum.text());
    case DatumKind::kRegexp:
      return yaml.string(datum.regexp_literal());
    case DatumKind::kScalar:
      return yaml.string(datum.text());
    case DatumKind::kTime:
      return yaml.plain(yaml_time(datum.time_value()));
    case DatumKind::kArray:
      yaml.begin_sequence();
      for (const Datum& item : datum.items()) write_yaml(yaml, item);
      return yaml.end_sequence();
    case DatumKind::kHash:
      yaml.begin_mapping();
      for (const auto& [key, value] : datum.entries()) {
        write_yaml(yaml, key);
        write_yaml(yaml, value);
      }
      return yaml.end_mapping();
    case DatumKind::kSensitive:
      return yaml.string(kSensitiveText);
  }
}

void write_json(JsonWriter& json, const Datum& datum) {
  switch (datum.kind()) {
    case DatumKind::kNull:
      return json.null();
    case DatumKind::kBoolean:
      return json.boolean(datum.boolean_value());
    case DatumKind::kInteger:
      return json.integer(datum.integer_value());
    case DatumKind::kFloat:
      return json.number(datum.float_value());
    case DatumKind::kString:
    case DatumKind::kSymbol:
      return json.string(replace_invalid_utf8(datum.text()));
    case DatumKind::kRegexp:
      return json.string(replace_invalid_utf8(datum.regexp_literal()));
    case DatumKind::kScalar:
      return json.string(replace_invalid_utf8(datum.text()));
    case DatumKind::kBinary:
      return json.string(encode_base64(datum.text()));
    case DatumKind::kTime:
      return json.string(iso_time(datum.time_value()));
    case DatumKind::kArray:
      json.begin_array();
      for (const Datum& item : datum.items()) write_json(json, item);
      return json.end_array();
    case DatumKind::kHash:
      json.begin_object();
      for (const auto& [key, value] : datum.entries()) {
        json.key(replace_invalid_utf8(key.to_text()));
        write_json(json, value);
      }
      return json.end_object();
    case DatumKind::kSensitive:
      return json.string(kSensitiveText);
  }
}

std::string iso_time(int64_t nanoseconds) {
  return time_text(nanoseconds, 'T') + "+00:00";
}

std::string yaml_time(int64_t nanoseconds) {
  return time_text(nanoseconds, ' ') + " +00:00";
}

int64_t parse_time(std::string_view text) {
  if (const int64_t usual = parse_usual_time(text); usual >= 0) return usual;
  const std::string copy(text);
  std::tm fields = {};
  const char* rest = strptime(copy.c_str(), "%Y-%m-%d", &fields);
  if (rest == nullptr || (*rest != ' ' && *rest != 'T')) return -1;
  rest = strptime(rest + 1, "%H:%M:%S", &fields);
  if (rest == nullptr) return -1;
  int64_t fraction = 0;
  if (*rest == '.') {
    int64_t unit = kNanoseconds / 10;
    for (++rest; *rest >= '0' && *rest <= '9'; ++rest, unit /= 10) fraction += (*rest - '0') * unit;
  }
  while (*rest == ' ') ++rest;
  int64_t offset = 0;
  if (*rest == '+' || *rest == '-') {
    int hours = 0, minutes = 0;
    if (std::sscanf(rest + 1, "%2d:%2d", &hours, &minutes) < 1) return -1;
    offset = (hours * 60 + minutes) * 60 * (*rest == '-' ? -1 : 1);
  }
  const int64_t seconds = timegm(&fields) - offset;
  int64_t time = 0;
  // Nanoseconds in 64 bits end in the year 2262.
  const bool is_far = __builtin_mul_overflow(seconds, kNanoseconds, &time) ||
                      __builtin_add_overflow(time, fraction, &time);
  return is_far ? -1 : time;
}

int64_t now_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * kNanoseconds + now.tv_nsec;
}

}  // namespace bunraku::apply
