// The standard library's conversions between kinds of values.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/families.h"
#include "types/relations.h"
#include "values/bounds.h"
#include "values/flattened.h"
#include "values/ruby_number.h"

namespace bunraku::stdlib {

void fail_undefined_method(const Call& call, std::string_view method, Value receiver) {
  std::string shown = inspect(receiver);
  if (receiver.is_undef()) {
    shown += ":NilClass";
  } else if (receiver.is_boolean()) {
    shown += receiver.as_boolean() ? ":TrueClass" : ":FalseClass";
  } else if (!shown.starts_with('#')) {
    shown += ":" + class_of(receiver);
  }
  call.fail(Issue::kNoSuchMethod, {"undefined method `" + std::string(method) + "' for " + shown});
}

void fail_implicit_conversion(const Call& call, Value value, std::string_view wanted) {
  call.fail(Issue::kNoImplicitConversion,
            {fmt::format("no implicit conversion of {} into {}", ruby_noun(value), wanted)});
}

int64_t to_i(const Call& call, Value value) {
  switch (value.kind()) {
    case ValueKind::kInteger:
      return value.as_integer();
    case ValueKind::kFloat: {
      const double number = value.as_float();
      if (std::isnan(number)) call.fail(Issue::kNotFinite, {"NaN"});
      if (std::isinf(number)) call.fail(Issue::kNotFinite, {number > 0 ? "Infinity" : "-Infinity"});
      if (number >= 0x1p63) return kMaxInteger;
      if (number < -0x1p63) return kMinInteger;
      return static_cast<int64_t>(number);
    }
    case ValueKind::kString:
      return leading_integer(value.as_string());
    case ValueKind::kUndef:
      return 0;
    default:
      fail_undefined_method(call, "to_i", value);
  }
}

std::vector<Value> characters(std::string_view text) {
  std::vector<Value> all;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    next_character(text, at);
    all.push_back(Value::string(text.substr(begin, at - begin)));
  }
  return all;
}

Value joined(Arena& arena, std::span<const Value> texts) {
  std::string all;
  for (const Value text : texts) all += text.as_string();
  return Value::string(arena, all);
}

bool str2bool(const Call& call, Value value) {
  static const Regex& empty_line = *Regex::compile("^$");
  static const Regex& yes = *Regex::compile("(?i:^(1|t|y|true|yes)$)");
  static const Regex& no = *Regex::compile("(?i:^(0|f|n|false|no)$)");
  static const Regex& undefined = *Regex::compile("^(undef|undefined)$");
  if (value.is_boolean()) return value.as_boolean();
  if (!value.is_string())
    call.fail(Issue::kWrongArgumentKind, {"str2bool(): Requires string to work with"});
  const std::string_view text = value.as_string();
  if (text.empty() || empty_line.matches(text)) return false;
  if (yes.matches(text)) return true;
  if (no.matches(text) || undefined.matches(text)) return false;
  call.fail(Issue::kNotConvertible, {"str2bool(): Unknown type of boolean given"});
}

bool num2bool(const Call& call, Value value) {
  if (value.is_integer()) return value.as_integer() > 0;
  if (value.is_float()) return to_i(call, value) > 0;
  if (value.is_string()) {
    std::optional<double> number = ruby_float(value.as_string());
    if (!number) {
      call.fail(Issue::kNotConvertible,
                {"num2bool(): '" + std::string(value.as_string()) +
                 "' does not look like a number: " + invalid_float_message(value.as_string())});
    }
    return to_i(call, Value::floating(*number)) > 0;
  }
  return leading_integer(to_s(value)) > 0;
}

namespace {

Value str2bool_function(Call& call) {
  if (call.arguments.empty()) fail_count(call, "str2bool", "1");
  return Value::boolean(str2bool(call, call.arguments[0]));
}

Value num2bool_function(Call& call) {
  if (call.arguments.size() != 1) fail_count(call, "num2bool", "1");
  return Value::boolean(num2bool(call, call.arguments[0]));
}

Value bool2num(Call& call) {
  if (call.arguments.empty()) fail_count(call, "bool2num", "1");
  return Value::integer(str2bool(call, call.arguments[0]));
}

Value bool2str(Call& call) {
  if (call.arguments.size() != 1 && call.arguments.size() != 3) fail_count(call, "bool2str", "3");
  const Value yes = call.argument(1).is_truthy() ? call.argument(1) : Value::string("true");
  const Value no = call.argument(2).is_truthy() ? call.argument(2) : Value::string("false");
  if (!call.arguments[0].is_boolean())
    call.fail(Issue::kWrongArgumentKind, {"bool2str(): Requires a boolean to work with"});
  if (!yes.is_string() || !no.is_string()) {
    call.fail(Issue::kNotConvertible, {"bool2str(): Requires strings to convert to"});
  }
  return call.arguments[0].as_boolean() ? yes : no;
}

Value any2bool(Call& call) {
  if (call.arguments.empty()) fail_count(call, "any2bool", "1");
  Value value = call.arguments[0];
  if (value.is_boolean()) return value;
  if (value.is_undef()) return Value::boolean(false);
  if (value.is_numeric()) return Value::boolean(num2bool(call, value));
  if (!value.is_string()) return Value::boolean(true);
  const bool is_number = ruby_float(value.as_string()).has_value();
  return Value::boolean(is_number ? num2bool(call, value) : str2bool(call, value));
}

Value any2array(Call& call) {
  const std::span<const Value> arguments = call.arguments;
  if (arguments.size() != 1) return Value::array(arguments);
  Value value = arguments[0];
  if (value.is_array()) return value;
  if (value.is_string() && value.as_string().empty()) return Value::array({});
  if (!value.is_hash()) return Value::array(arguments);
  ArrayBuilder flat(call.arena(), value.as_hash().size * 2);
  for (const HashEntry& entry : value.as_hash()) {
    flat.push(entry.key);
    flat.push(entry.value);
  }
  return flat.finish();
}

Value clamp(Call& call) {
  static const Regex& digits = *Regex::compile(R"(^\d+$)");
  const std::span<const Value> values = flattened(call.arena(), call.arguments);
  if (values.size() != 3)
    call.fail(Issue::kWrongArgumentCount,
              {"clamp(): Wrong number of arguments, need three to clamp"});
  int64_t numbers[3];
  for (const Value value : values) {
    if (value.is_string() && !digits.matches(value.as_string())) {
      call.fail(Issue::kNotConvertible, {"clamp(): Required explicit numeric (" +
                                         std::string(value.as_string()) + ":String)"});
    }
    if (value.is_hash())
      call.fail(Issue::kWrongArgumentKind,
                {"clamp(): The Hash type is not allowed (" + to_s(value) + ")"});
  }
  for (size_t i = 0; i < 3; ++i) numbers[i] = to_i(call, values[i]);
  std::ranges::sort(numbers);
  return Value::integer(numbers[1]);
}

// Converts decimal digits of any length to another base, by repeated division.
std::string digits_in_base(std::string_view decimal, uint32_t radix) {
  std::vector<uint8_t> rest;
  for (const char digit : decimal) rest.push_back(static_cast<uint8_t>(digit - '0'));
  std::string text;
  do {
    uint32_t remainder = 0;
    for (uint8_t& digit : rest) {
      const uint32_t part = remainder * 10 + digit;
      digit = static_cast<uint8_t>(part / radix);
      remainder = part % radix;
    }
    text += "0123456789abcdefghijklmnopqrstuvwxyz"[remainder];
    rest.erase(rest.begin(), std::ranges::find_if(rest, [](uint8_t digit) { return digit != 0; }));
  } while (!rest.empty());
  std::ranges::reverse(text);
  return text;
}

// The text of Ruby's to_i result.
std::string decimal_of(const Call& call, Value number) {
  if (!number.is_string()) return std::to_string(to_i(call, number));
  const std::string_view text = number.as_string();
  constexpr size_t kMostDigits = 10'000;
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (end > kMostDigits)
    call.fail(Issue::kNumberOutOfRange, {"convert_base(): The number is too long"});
  return std::string(text.substr(0, end));
}

Value convert_base(Call& call) {
  static const Regex& digits = *Regex::compile("^[0-9]+$");
  const Value number = call.arguments[0], base = call.arguments[1];
  if (!number.is_integer() && !number.is_string()) {
    call.fail(Issue::kNotConvertible,
              {"convert_base(): First argument must be either a string or an integer"});
  }
  if (!base.is_integer() && !base.is_string()) {
    call.fail(Issue::kNotConvertible,
              {"convert_base(): Second argument must be either a string or an integer"});
  }
  for (const Value value : call.arguments) {
    if (value.is_string() && !digits.matches(value.as_string())) {
      call.fail(
          Issue::kNotConvertible,
          {"convert_base(): First argument must be an integer or a string corresponding to an "
           "integer in base 10"});
    }
  }
  const int64_t radix = to_i(call, base);
  if (radix < 2 || radix > 36) {
    call.fail(Issue::kNotConvertible,
              {"convert_base(): base must be at least 2 and must not be greater than 36"});
  }
  const std::string decimal = decimal_of(call, number);
  const bool is_negative = decimal.starts_with('-');
  const std::string text =
      digits_in_base(std::string_view(decimal).substr(is_negative), static_cast<uint32_t>(radix));
  return Value::string(call.arena(), is_negative ? "-" + text : text);
}

Value to_bytes(Call& call) {
  static const Regex& quantity = *Regex::compile(R"(([0-9.e+-]*)\s*([^bB]?))");
  if (call.arguments.size() != 1) fail_count(call, "to_bytes", "1");
  Value value = call.arguments[0];
  if (value.is_numeric()) return value;
  if (!value.is_string()) fail_implicit_conversion(call, value, "String");
  const std::string_view text = value.as_string();
  Captures match;
  quantity.search(text, 0, match);
  double number = leading_float(match.text(text, 1));
  const std::string_view prefix = match.text(text, 2);
  constexpr std::string_view kPrefixes = "kMGTPE";
  if (!prefix.empty()) {
    const size_t power = prefix.size() == 1 ? kPrefixes.find(prefix[0]) : kPrefixes.npos;
    if (power == kPrefixes.npos) {
      call.fail(Issue::kNotConvertible, {"to_bytes(): Unknown prefix " + std::string(prefix)});
    }
    number *= std::pow(1024.0, static_cast<double>(power + 1));
  }
  return Value::integer(to_i(call, Value::floating(number)));
}

Value base64(Call& call) {
  const std::span<const Value> arguments = call.arguments;
  if (arguments.size() < 2) {
    call.fail(Issue::kWrongArgumentCount, {"base64(): Wrong number of arguments (" +
                                           std::to_string(arguments.size()) + "; must be >= 2)"});
  }
  const std::string_view action = arguments[0].is_string() ? arguments[0].as_string() : "";
  if (action != "encode" && action != "decode") {
    call.fail(Issue::kWrongArgumentKind,
              {"base64(): the first argument must be one of 'encode' or 'decode'"});
  }
  if (!arguments[1].is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"base64(): the second argument must be a string to base64"});
  }
  std::string_view method = "default";
  if (arguments.size() > 2) method = arguments[2].is_string() ? arguments[2].as_string() : "";
  if (method != "default" && method != "strict" && method != "urlsafe") {
    call.fail(Issue::kWrongArgumentKind,
              {"base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'"});
  }
  std::string text(arguments[1].as_string());
  if (action == "encode") {
    return Value::string(call.arena(), method == "default"  ? encode_base64_lines(text)
                                       : method == "strict" ? encode_base64(text)
                                                            : encode_base64_url(text));
  }
  if (method == "default") {
    return Value::byte_string(call.arena().copy(decode_base64_leniently(text)));
  }
  if (method == "urlsafe") {
    std::ranges::replace(text, '-', '+');
    std::ranges::replace(text, '_', '/');
    if (text.find('=') == text.npos) text.resize((text.size() + 3) / 4 * 4, '=');
  }
  std::optional<std::string> decoded = decode_base64(text);
  if (!decoded) call.fail(Issue::kInvalidEncoding, {"invalid base64"});
  return Value::byte_string(call.arena().copy(*decoded));
}

Value type_of(Call& call) {
  return Value::type(infer_detailed(call.arena(), call.arguments[0]));
}

Value is_a(Call& call) {
  return Value::boolean(is_instance(call.arguments[1].as_type(), call.arguments[0]));
}

constexpr Overload kStr2bool[] = {{"(Any *$arguments)", str2bool_function}};
constexpr Overload kNum2bool[] = {{"(Any *$arguments)", num2bool_function}};
constexpr Overload kBool2num[] = {{"(Any *$arguments)", bool2num}};
constexpr Overload kBool2str[] = {{"(Any *$arguments)", bool2str}};
constexpr Overload kAny2bool[] = {{"(Any *$arguments)", any2bool}};
constexpr Overload kAny2array[] = {{"(Any *$arguments)", any2array}};
constexpr Overload kClamp[] = {{"(Any $value, Any *$others)", clamp}};
constexpr Overload kConvertBase[] = {{"(Any $number, Any $base)", convert_base}};
constexpr Overload kToBytes[] = {{"(Any *$arguments)", to_bytes}};
constexpr Overload kBase64[] = {{"(Any *$arguments)", base64}};
constexpr Overload kTypeOf[] = {{"(Any $value)", type_of}};
constexpr Overload kIsA[] = {{"(Any $value, Type $type)", is_a}};

constexpr NativeFunctionInfo kConversionFunctions[] = {
    {"str2bool", kStr2bool,
     "A boolean for text that says true or false: 1, t, y, true, yes; 0, f, n, "
     "false, no, empty.",
     "str2bool('yes')", true},
    {"num2bool", kNum2bool, "Is a number, or text with one, greater than zero?", "num2bool('1')",
     true},
    {"bool2num", kBool2num, "1 for what is true and 0 for what is false.", "bool2num(true)", true},
    {"bool2str", kBool2str, "Text for a boolean: `true` or `false`, or the two that are given.",
     "bool2str(true, 'yes', 'no')", true},
    {"any2bool", kAny2bool,
     "A boolean for any value: numbers above zero, text that says so, and "
     "everything else that is there are true.",
     "any2bool('yes')", true},
    {"any2array", kAny2array,
     "An array of whatever is given: arrays stay, a hash becomes keys and "
     "values in turn.",
     "any2array({ 'a' => 1 })", true},
    {"clamp", kClamp, "The middle one of three numbers, and so one kept within two bounds.",
     "clamp('24', [575, 187])", true},
    {"convert_base", kConvertBase, "A number written in another base.", "convert_base(255, 16)",
     true},
    {"to_bytes", kToBytes, "The number of bytes that text such as `4 kB` stands for.",
     "to_bytes('4 kB')", true},
    {"base64", kBase64,
     "Encodes text as base64 or decodes it; the third argument is `default`, "
     "`strict` or `urlsafe`.",
     "base64('encode', 'hello', 'strict')", true},
    {"type_of", kTypeOf, "The detailed type of a value.", "type_of([1, 'a'])"},
    {"stdlib::type_of", kTypeOf, "The detailed type of a value.", "stdlib::type_of([1, 'a'])"},
    {"is_a", kIsA, "Is a value of a type?", "is_a(1, Integer)"},
};

}  // namespace

std::span<const NativeFunctionInfo> conversion_functions() {
  return kConversionFunctions;
}

}  // namespace bunraku::stdlib
