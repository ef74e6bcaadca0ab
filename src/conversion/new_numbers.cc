#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/utf8.h"
#include "conversion/new_function.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_error.h"
#include "values/conversion_error.h"
#include "values/ruby_number.h"
#include "values/time_arithmetic.h"
#include "values/timespan.h"

namespace bunraku {

namespace {

// --- from numbers, times and booleans -----------------------------------------------------------

Value to_value(const BigInteger& number) {
  if (!number.fits_int64()) {
    fail_conversion(
        Issue::kNumberOutOfRange,
        {fmt::format("The number {} is beyond the 64 bits of an Integer", number.text())});
  }
  return Value::integer(number.to_int64());
}

Value truncated(double number) {
  if (std::isnan(number)) fail_conversion(Issue::kNotFinite, {"NaN"});
  if (std::isinf(number))
    fail_conversion(Issue::kNotFinite, {number < 0 ? "-Infinity" : "Infinity"});
  return to_value(BigInteger::truncated(number));
}

Value absolute(Value number) {
  if (number.is_float()) return Value::floating(std::fabs(number.as_float()));
  if (!number.is_integer() || number.as_integer() >= 0) return number;
  BigInteger magnitude(number.as_integer());
  magnitude.negate();
  return to_value(magnitude);
}

Value absolute_if(Value number, Value wanted) {
  return wanted.is_boolean() && wanted.as_boolean() ? absolute(number) : number;
}

// Returns "- 5" without the blanks; empty when no blanks follow a sign.
std::string without_blanks_after_sign(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return {};
  size_t at = 1;
  while (at < text.size()) {
    size_t next = at;
    if (!is_blank(next_character(text, next))) break;
    at = next;
  }
  if (at == 1) return {};
  return std::string(text.substr(0, 1)) + std::string(text.substr(at));
}

Value member(const NewCall& call, std::string_view name) {
  const Value* found = call.argument(0).as_hash().find(name);
  return found ? *found : Value();
}

// --- Integer ------------------------------------------------------------------------------------

Value integer_of_text(std::string_view text, int base) {
  auto number = ruby_integer(text, base);
  if (!number) number = ruby_integer(without_blanks_after_sign(text), base);
  if (!number) {
    fail_conversion(Issue::kNotConvertible,
                    {"invalid value for Integer(): " + ruby_inspect(Value::string(text))});
  }
  return to_value(*number);
}

Value integer_of(Value from, Value radix) {
  switch (from.kind()) {
    case ValueKind::kInteger:
      return from;
    case ValueKind::kFloat:
      return truncated(from.as_float());
    case ValueKind::kBoolean:
      return Value::integer(from.as_boolean());
    case ValueKind::kString:
      return integer_of_text(from.as_string(),
                             radix.is_integer() ? static_cast<int>(radix.as_integer()) : 0);
    default:
      return Value::integer(whole_seconds_of(from));
  }
}

Value integer_from_arguments(const NewCall& call) {
  return absolute_if(integer_of(call.argument(0), call.argument(1)), call.argument(2));
}

Value integer_from_hash(const NewCall& call) {
  return absolute_if(integer_of(member(call, "from"), member(call, "radix")), member(call, "abs"));
}

void check_radix(Value radix) {
  if (!radix.is_integer()) return;
  int64_t base = radix.as_integer();
  if (base == 2 || base == 8 || base == 10 || base == 16) return;
  fail_conversion(Issue::kNotConvertible,
                  {fmt::format("Illegal radix: {}, expected 2, 8, 10, 16, or default", base)});
}

Value refuse_integer(const NewCall& call) {
  check_radix(call.argument(1));
  fail_not_convertible(call, "Integer");
}

Value refuse_integer_hash(const NewCall& call) {
  const NewSignatures* signatures = find_new_signatures(types::kInteger);
  if (const Value* from = call.argument(0).as_hash().find("from")) {
    if (!is_instance(signatures->local_type("Convertible"), *from)) {
      fail_not_convertible({call.arena, call.function, call.type, {from, 1}, call.resolver},
                           "Integer");
    }
  }
  check_radix(member(call, "radix"));
  assert_instance_of("Integer.new", signatures->local_type("NamedArgs"), call.argument(0));
  fail_not_convertible(call, "Integer");
}

// --- Float --------------------------------------------------------------------------------------

bool has_binary_prefix(std::string_view text) {
  return text.size() > 1 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
}

Value float_of_text(std::string_view text) {
  if (has_binary_prefix(text)) {
    if (auto number = ruby_integer(text)) return Value::floating(number->to_double());
  }
  auto number = ruby_float(text);
  if (!number) number = ruby_float(without_blanks_after_sign(text));
  if (!number) fail_conversion(Issue::kNotConvertible, {invalid_float_message(text)});
  return Value::floating(*number);
}

Value float_of(Value from) {
  switch (from.kind()) {
    case ValueKind::kFloat:
      return from;
    case ValueKind::kInteger:
      return Value::floating(static_cast<double>(from.as_integer()));
    case ValueKind::kBoolean:
      return Value::floating(from.as_boolean() ? 1.0 : 0.0);
    case ValueKind::kString:
      return float_of_text(from.as_string());
    default:
      return Value::floating(seconds_of(from));
  }
}

Value float_from_arguments(const NewCall& call) {
  return absolute_if(float_of(call.argument(0)), call.argument(1));
}
Value float_from_hash(const NewCall& call) {
  return absolute_if(float_of(member(call, "from")), member(call, "abs"));
}
Value refuse_float(const NewCall& call) {
  fail_not_convertible(call, "Float");
}

// --- Numeric ------------------------------------------------------------------------------------

// Parses blanks, a sign, blanks, then a number in the language's syntax; undef for other text.
Value number_of_text(std::string_view text) {
  auto strip = [](std::string_view from) {
    for (size_t at = 0; at < from.size();) {
      if (!is_blank(next_character(from, at))) break;
      from.remove_prefix(at);
      at = 0;
    }
    return from;
  };
  text = strip(text);
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text = strip(text.substr(1));
  }
  if (has_binary_prefix(text) || text.empty() || text[0] < '0' || text[0] > '9') return Value();
  const bool is_hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  if (!is_hexadecimal && text.find_first_of(".eE") != std::string_view::npos) {
    auto number = ruby_float(text);
    if (!number || !std::isfinite(*number)) return Value();
    return Value::floating(negative ? -*number : *number);
  }
  auto number = ruby_integer(text);
  if (!number) return Value();
  if (negative) number->negate();
  return to_value(*number);
}

Value number_of(Value from) {
  switch (from.kind()) {
    case ValueKind::kInteger:
    case ValueKind::kFloat:
      return from;
    case ValueKind::kBoolean:
      return Value::integer(from.as_boolean());
    case ValueKind::kString:
      if (has_binary_prefix(from.as_string())) return integer_of_text(from.as_string(), 0);
      return number_of_text(from.as_string());
    default:
      return Value::floating(seconds_of(from));
  }
}

Value number_from_arguments(const NewCall& call) {
  return absolute_if(number_of(call.argument(0)), call.argument(1));
}
Value number_from_hash(const NewCall& call) {
  return absolute_if(number_of(member(call, "from")), member(call, "abs"));
}
Value refuse_number(const NewCall& call) {
  fail_not_convertible(call, "Numeric");
}

// --- Boolean ------------------------------------------------------------------------------------

Value boolean_from_arguments(const NewCall& call) {
  Value from = call.argument(0);
  switch (from.kind()) {
    case ValueKind::kFloat:
      return Value::boolean(from.as_float() != 0.0);
    case ValueKind::kInteger:
      return Value::boolean(from.as_integer() != 0);
    case ValueKind::kString: {
      const std::string text = downcase(from.as_string());
      return Value::boolean(text != "false" && text != "no" && text != "n");
    }
    default:
      return from;
  }
}
Value refuse_boolean(const NewCall& call) {
  fail_not_convertible(call, "Boolean");
}

}  // namespace

NewImplementation number_implementation(NewForm form) {
  switch (form) {
    case NewForm::kIntegerFromArguments:
      return integer_from_arguments;
    case NewForm::kIntegerFromHash:
      return integer_from_hash;
    case NewForm::kRefuseIntegerHash:
      return refuse_integer_hash;
    case NewForm::kRefuseInteger:
      return refuse_integer;
    case NewForm::kFloatFromArguments:
      return float_from_arguments;
    case NewForm::kFloatFromHash:
      return float_from_hash;
    case NewForm::kRefuseFloat:
      return refuse_float;
    case NewForm::kNumberFromArguments:
      return number_from_arguments;
    case NewForm::kNumberFromHash:
      return number_from_hash;
    case NewForm::kRefuseNumber:
      return refuse_number;
    case NewForm::kBooleanFromArguments:
      return boolean_from_arguments;
    case NewForm::kRefuseBoolean:
      return refuse_boolean;
    default:
      return nullptr;
  }
}

}  // namespace bunraku
