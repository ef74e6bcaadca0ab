// Functions on numbers, and functions that order values.
#include <algorithm>
#include <cmath>

#include "base/regex/regex.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/comparison.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "functions/core/warnings.h"
#include "types/ruby_value_text.h"
#include "values/ruby_number.h"
#include "values/sem_ver.h"
#include "values/time_arithmetic.h"

namespace bunraku {

namespace {

Value to_integer(Call& call, double whole) {
  if (std::isnan(whole)) call.fail(Issue::kNotFinite, {"NaN"});
  if (std::isinf(whole)) call.fail(Issue::kNotFinite, {whole > 0 ? "Infinity" : "-Infinity"});
  if (whole >= 0x1p63 || whole < -0x1p63) {
    call.fail(Issue::kNumberOutOfRange, {"the result is outside the range of Integer"});
  }
  return Value::integer(static_cast<int64_t>(whole));
}

Value abs_number(Call& call) {
  const Value number = call.arguments[0];
  if (number.is_float()) return Value::floating(std::fabs(number.as_float()));
  if (number.as_integer() == kMinInteger)
    call.fail(Issue::kNumberOutOfRange, {"the result is outside the range of Integer"});
  return Value::integer(std::abs(number.as_integer()));
}

Value abs_text(Call& call) {
  warn_deprecated(
      call, "abs_function_numeric_coerce_string",
      "The abs() function's auto conversion of String to Numeric is deprecated - change "
      "to convert input before calling");
  static const Regex& decimal = *Regex::compile(R"(^-?(?:\d+)(?:\.\d+){1}$)");
  static const Regex& integer = *Regex::compile(R"(^-?\d+$)");
  const std::string_view text = call.arguments[0].as_string();
  if (decimal.matches(text)) return Value::floating(std::fabs(leading_float(text)));
  if (integer.matches(text)) return Value::integer(std::abs(leading_integer(text)));
  call.fail(Issue::kNotConvertible,
            {"abs(): Requires float or integer to work with - was given non decimal string"});
}

Value ceiling_number(Call& call) {
  const Value number = call.arguments[0];
  return number.is_integer() ? number : to_integer(call, std::ceil(number.as_float()));
}

Value floor_number(Call& call) {
  const Value number = call.arguments[0];
  return number.is_integer() ? number : to_integer(call, std::floor(number.as_float()));
}

double float_of_text(Call& call, std::string_view function) {
  const std::string name(function);
  warn_deprecated(call, name + "_function_numeric_coerce_string",
                  "The " + name +
                      "() function's auto conversion of String to Float is deprecated - "
                      "change to convert input before calling");
  std::optional<double> number = ruby_float(call.arguments[0].as_string());
  if (!number)
    call.fail(Issue::kNotConvertible,
              {name + "(): cannot convert given value to a floating point value."});
  return *number;
}

Value ceiling_text(Call& call) {
  return to_integer(call, std::ceil(float_of_text(call, "ceiling")));
}
Value floor_text(Call& call) {
  return to_integer(call, std::floor(float_of_text(call, "floor")));
}

Value round(Call& call) {
  Value number = call.arguments[0];
  if (number.is_integer()) {
    // The reference adds a half to integers too, by which large ones lose their last digits.
    if (std::abs(number.as_integer()) < (int64_t{1} << 52)) return number;
    const double shifted = static_cast<double>(number.as_integer());
    return to_integer(call, std::trunc(number.as_integer() > 0 ? shifted + 0.5 : shifted - 0.5));
  }
  const double value = number.as_float();
  return to_integer(call, std::trunc(value > 0 ? value + 0.5 : value - 0.5));
}

// --- min and max --------------------------------------------------------------------------------

enum class Extreme : int8_t { kMin = -1, kMax = 1 };

std::string_view name_of(Extreme which) {
  return which == Extreme::kMax ? "max" : "min";
}

bool looks_numeric(std::string_view text) {
  static const Regex& numeric = *Regex::compile(R"(\A-?\d+([._eE]\d+)?\z)");
  return numeric.matches(text);
}

// Orders two texts: as numbers when both look like numbers.
int order_texts(Call& call, Extreme which, std::string_view a, std::string_view b, bool converted) {
  const std::string function(name_of(which));
  if (looks_numeric(a) && looks_numeric(b)) {
    warn_deprecated(call, function + "_function_numeric_coerce_string",
                    "The " + function +
                        "() function's auto conversion of String to Numeric is "
                        "deprecated - change to convert input before calling, or use lambda");
    const double x = leading_float(a), y = leading_float(b);
    return (x > y) - (x < y);
  }
  if (converted) {
    warn_deprecated(call, function + "_function_string_coerce_any",
                    "The " + function +
                        "() function's auto conversion of Any to String is "
                        "deprecated - change to convert input before calling, or use lambda");
  }
  return ruby_compare(a, b);
}

std::string ruby_text(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

// Strings of the language are compared without conversion and copy.
int order_any(Call& call, Extreme which, Value a, Value b) {
  if (a.is_string() && b.is_string()) {
    return order_texts(call, which, a.as_string(), b.as_string(), true);
  }
  return order_texts(call, which, ruby_text(a), ruby_text(b), true);
}

// Versions and times are compared by their own order when all values are of one kind.
bool is_ordered_kind(ValueKind kind) {
  return kind == ValueKind::kSemVer || kind == ValueKind::kTimespan ||
         kind == ValueKind::kTimestamp;
}

bool have_own_order(std::span<const Value> values) {
  if (std::ranges::all_of(values, [](Value v) { return v.is_numeric(); })) return true;
  const ValueKind kind = values[0].kind();
  return is_ordered_kind(kind) &&
         std::ranges::all_of(values, [=](Value v) { return v.kind() == kind; });
}

template <Extreme kWhich>
Value extreme(Call& call, std::span<const Value> values) {
  if (call.block == nullptr && values.empty()) {
    call.fail(Issue::kWrongArgumentCount,
              {std::string(name_of(kWhich)) + "(): Wrong number of arguments need at least one"});
  }
  if (values.empty()) return Value();
  const bool has_own_order = have_own_order(values);
  const bool all_texts = std::ranges::all_of(values, [](Value v) { return v.is_string(); });
  Value best = values[0];
  for (const Value value : values.subspan(1)) {
    int order;
    if (call.block != nullptr) {
      Value result = yield(call, value, best);
      if (result.is_control()) return result;
      order = order_from_result(call, result, value, best);
    } else if (has_own_order) {
      order = ruby_order_or_fail(call, value, best);
    } else if (all_texts) {
      order = order_texts(call, kWhich, value.as_string(), best.as_string(), false);
    } else {
      order = order_any(call, kWhich, value, best);
    }
    if (order * static_cast<int>(kWhich) > 0) best = value;
  }
  return best;
}

template <Extreme kWhich>
Value extreme_of_arguments(Call& call) {
  return extreme<kWhich>(call, call.arguments);
}
template <Extreme kWhich>
Value extreme_of_array(Call& call) {
  return extreme<kWhich>(call, call.arguments[0].as_array());
}

// --- compare ------------------------------------------------------------------------------------

Value compare_values(Call& call) {
  std::optional<int> order = ruby_order(call.arguments[0], call.arguments[1]);
  return order ? Value::integer(*order) : Value();
}

Value compare_strings(Call& call) {
  const std::string_view a = call.arguments[0].as_string(), b = call.arguments[1].as_string();
  const bool ignore_case = call.arguments.size() < 3 || call.arguments[2].as_boolean();
  return Value::integer(ignore_case ? ruby_casecmp(a, b) : ruby_compare(a, b));
}

Value compare_number_with_time(Call& call) {
  const int order = compare_times(call.arguments[1], call.arguments[0]);
  return order == 2 ? Value() : Value::integer(-order);
}

std::string types_of(Call& call) {
  return "Got " + label(call.arguments[0]) + " and " + label(call.arguments[1]);
}

Value compare_mismatch(Call& call) {
  const std::span<const Value> arguments = call.arguments;
  if (arguments.size() > 2) {
    if (!arguments[0].is_string() || !arguments[1].is_string()) {
      call.fail(Issue::kWrongArgumentKind,
                {"'compare' compare(): The third argument (ignore case) can only be used when "
                 "comparing strings"});
    }
    if (arguments.size() > 3) {
      call.fail(Issue::kWrongArgumentCount,
                {"'compare' compare(): Accepts at most 3 arguments, got " +
                 std::to_string(arguments.size())});
    }
    call.fail(Issue::kWrongArgumentKind,
              {"'compare' compare(): The third argument (ignore case) must be a Boolean. Got " +
               label(arguments[2])});
  }
  call.fail(Issue::kWrongArgumentKind,
            {"'compare' compare(): Can only compare values of the same type (or for "
             "Timestamp/Timespan also against Numeric). " +
             types_of(call)});
}

Value compare_not_comparable(Call& call) {
  call.fail(Issue::kWrongArgumentKind,
            {"'compare' compare(): Non comparable type. Only values of the types Numeric, String, "
             "Semver, Timestamp and Timestamp can be compared. " +
             types_of(call)});
}

constexpr Overload kAbs[] = {{"(Numeric $val)", abs_number}, {"(String $val)", abs_text}};
constexpr Overload kCeiling[] = {{"(Numeric $val)", ceiling_number},
                                 {"(String $val)", ceiling_text}};
constexpr Overload kFloor[] = {{"(Numeric $val)", floor_number}, {"(String $val)", floor_text}};
constexpr Overload kRound[] = {{"(Numeric $val)", round}};

template <Extreme kWhich>
constexpr Overload kExtremes[] = {
    {"(Numeric *$values)", extreme_of_arguments<kWhich>},
    {"(String *$values)", extreme_of_arguments<kWhich>},
    {"(Array[Numeric] $values, Optional[Callable[2, 2]] &$block)", extreme_of_array<kWhich>},
    {"(Array[String] $values, Optional[Callable[2, 2]] &$block)", extreme_of_array<kWhich>},
    {"(Array $values, Optional[Callable[2, 2]] &$block)", extreme_of_array<kWhich>},
    {"(Any *$values, Callable[2, 2] &$block)", extreme_of_arguments<kWhich>},
    {"(Any *$values)", extreme_of_arguments<kWhich>}};

constexpr Overload kCompare[] = {
    {"(Numeric $a, Numeric $b)", compare_values},
    {"(String $a, String $b, Boolean $ignore_case = default)", compare_strings},
    {"(SemVer $a, SemVer $b)", compare_values},
    {"(Numeric $a, Variant[Timespan, Timestamp] $b)", compare_number_with_time},
    {"(Timestamp $a, Variant[Timestamp, Numeric] $b)", compare_values},
    {"(Timespan $a, Variant[Timespan, Numeric] $b)", compare_values},
    {"(Comparable $a, Comparable $b, Any *$ignore_case)", compare_mismatch, true},
    {"(Any $a, Any $b, Any *$ignore_case)", compare_not_comparable, true}};

constexpr NativeFunctionInfo kNumberFunctions[] = {
    {"abs", kAbs,
     "The magnitude of a number, without its sign. Text that holds a decimal number is taken too, "
     "with a deprecation.",
     "abs(-4.5)"},
    {"ceiling", kCeiling,
     "The least integer that is not less than a number. Text that holds a number is taken too, "
     "with a deprecation.",
     "ceiling(3.1)"},
    {"floor", kFloor,
     "The greatest integer that is not greater than a number. Text that holds a number is taken "
     "too, with a deprecation.",
     "floor(-3.1)"},
    {"round", kRound, "The integer nearest to a number; halves go away from zero.", "round(2.5)"},
    {"min", kExtremes<Extreme::kMin>,
     "The least of the arguments, or of the elements of an array. Numbers are ordered by value, "
     "text by its bytes; a lambda may compare instead and gives a negative number, zero or a "
     "positive one.",
     "min(5, 1, 3)"},
    {"max", kExtremes<Extreme::kMax>,
     "The greatest of the arguments, or of the elements of an array. Numbers are ordered by value, "
     "text by its bytes; a lambda may compare instead and gives a negative number, zero or a "
     "positive one.",
     "max(['apple', 'fig']) |$a, $b| { compare($a.length, $b.length) }"},
    {"compare", kCompare,
     "Orders two values: -1 when the first comes first, 1 when the second does, else 0. Takes two "
     "numbers, texts (without regard to case unless a third argument is false), versions, or "
     "times, which also compare with a number of seconds.",
     "compare('Apple', 'banana')", false,
     "TimeComparable = Variant[Numeric, Timespan, Timestamp]\n"
     "Comparable = Variant[String, SemVer, TimeComparable]"},
};

}  // namespace

std::span<const NativeFunctionInfo> number_functions() {
  return kNumberFunctions;
}

}  // namespace bunraku
