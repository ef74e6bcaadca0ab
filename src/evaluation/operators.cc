// Operators on numbers, times and collections, and comparisons.

#include <cmath>

#include <fmt/format.h>

#include "base/text/number_text.h"
#include "evaluation/comparison.h"
#include "evaluation/evaluation.h"
#include "evaluation/numeric.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/sem_ver.h"
#include "values/time_arithmetic.h"
#include "values/uri.h"

namespace bunraku {

Value Evaluation::evaluate_arithmetic(const ArithmeticExpression& expression) {
  Value left = evaluate(*expression.left);
  if (left.is_control()) return left;
  Value right = evaluate(*expression.right);
  if (right.is_control()) return right;
  if (left.is_integer() && right.is_integer()) {
    // The fast path for the most frequent operations of loops, without the stack frame of the rest.
    int64_t result;
    const int64_t a = left.as_integer(), b = right.as_integer();
    const Operator op = expression.op;
    const bool is_done = (op == Operator::kAdd && !__builtin_add_overflow(a, b, &result)) ||
                         (op == Operator::kSubtract && !__builtin_sub_overflow(a, b, &result)) ||
                         (op == Operator::kMultiply && !__builtin_mul_overflow(a, b, &result));
    return is_done ? Value::integer(result) : calculate_integers(a, b, expression);
  }
  return calculate(left, right, expression);
}

namespace {

// The distance of a shift: the integer part, or the maximum.
int64_t shift_count(double count) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (count >= kTwoTo63) return kMaxInteger;
  return count <= -kTwoTo63 ? kMinInteger : static_cast<int64_t>(count);
}

}  // namespace

Value Evaluation::calculate(Value left, Value right, const ArithmeticExpression& expression) {
  const Operator op = expression.op;
  const bool is_mergeable = left.is(ValueKind::kUri) || left.is(ValueKind::kBinary);
  if (is_mergeable && op == Operator::kAdd) return add_to_collection(left, right, expression);
  const bool is_collection = left.is_array() || left.is_hash();
  if (is_collection) {
    if (op == Operator::kAdd) return add_to_collection(left, right, expression);
    if (op == Operator::kSubtract) return remove_from_collection(arena(), left, right);
    if (op == Operator::kLeftShift) {
      if (left.is_hash()) {
        fail(Issue::kOperatorNotApplicable, *expression.left, {"<<", with_article(label(left))});
      }
      return caches().growing_array.append(arena(), left.as_array(), {&right, 1});
    }
  }
  left = coerce_numeric(left, *expression.left);
  right = coerce_numeric(right, *expression.right);
  if (op == Operator::kModulo && (left.is_float() || right.is_float())) {
    if (left.is_float()) {
      fail(Issue::kOperatorNotApplicable, *expression.left, {"%", with_article(label(left))});
    }
    fail(Issue::kOperatorNotApplicableWhen, *expression.left,
         {"%", with_article(label(left)), with_article(label(right))});
  }
  if (left.is(ValueKind::kSemVer) || right.is(ValueKind::kSemVer)) {
    fail_on_version(left, right, expression);
  }
  if (is_time(left) || is_time(right)) return calculate_time(left, right, expression);
  if (left.is_integer() && right.is_integer()) {
    return calculate_integers(left.as_integer(), right.as_integer(), expression);
  }
  if (left.is_integer() && (op == Operator::kLeftShift || op == Operator::kRightShift)) {
    // The shift distance is the integer part.
    if (std::isnan(right.as_float())) fail_at(expression, Issue::kNotFinite, {"NaN"});
    return calculate_integers(left.as_integer(), shift_count(right.as_float()), expression);
  }
  const double a = left.is_float() ? left.as_float() : static_cast<double>(left.as_integer());
  const double b = right.is_float() ? right.as_float() : static_cast<double>(right.as_integer());
  return calculate_floats(a, b, expression);
}

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

int64_t floor_divide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

int64_t floor_modulo(int64_t a, int64_t b) {
  const int64_t rest = a % b;
  return (rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest;
}

// A number outside of the range, for messages: "+0x8000000000000000".
std::string signed_hexadecimal(Wide value) {
  const bool is_negative = value < 0;
  const UnsignedWide magnitude =
      is_negative ? -static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
  uint64_t high = static_cast<uint64_t>(magnitude >> 64);
  uint64_t low = static_cast<uint64_t>(magnitude);
  std::string_view sign = is_negative ? "-" : "+";
  return high != 0 ? fmt::format("{}0x{:x}{:016x}", sign, high, low)
                   : fmt::format("{}0x{:x}", sign, low);
}

// The same for value << count, which may be very long.
std::string shifted_hexadecimal(int64_t value, uint64_t count) {
  std::string text = signed_hexadecimal(static_cast<Wide>(value) * (1 << (count % 4)));
  text.append(count / 4, '0');
  return text;
}

}  // namespace

void Evaluation::fail_overflow(std::string hexadecimal, const Expression& at) {
  const std::string_view bound = hexadecimal.front() == '-' ? "min" : "max";
  fail(Issue::kNumericOverflow, at,
       {with_upper_case_article(label(at)), std::string(bound), std::move(hexadecimal)});
}

Value Evaluation::calculate_integers(int64_t a, int64_t b, const ArithmeticExpression& expression) {
  int64_t result;
  switch (expression.op) {
    case Operator::kAdd:
      if (__builtin_add_overflow(a, b, &result)) {
        fail_overflow(signed_hexadecimal(static_cast<Wide>(a) + b), expression);
      }
      return Value::integer(result);
    case Operator::kSubtract:
      if (__builtin_sub_overflow(a, b, &result)) {
        fail_overflow(signed_hexadecimal(static_cast<Wide>(a) - b), expression);
      }
      return Value::integer(result);
    case Operator::kMultiply:
      if (__builtin_mul_overflow(a, b, &result)) {
        fail_overflow(signed_hexadecimal(static_cast<Wide>(a) * b), expression);
      }
      return Value::integer(result);
    case Operator::kDivide:
      if (b == 0) fail(Issue::kDivByZero, *expression.right);
      if (b == -1) {
        if (a == kMinInteger) fail_overflow(signed_hexadecimal(-static_cast<Wide>(a)), expression);
        return Value::integer(-a);
      }
      return Value::integer(floor_divide(a, b));
    case Operator::kModulo:
      if (b == 0) fail(Issue::kDivByZero, *expression.right);
      return Value::integer(b == -1 ? 0 : floor_modulo(a, b));
    case Operator::kLeftShift:
    case Operator::kRightShift: {
      const bool is_left = (expression.op == Operator::kLeftShift) == (b >= 0);
      const uint64_t count = b < 0 ? -static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
      if (!is_left) return Value::integer(count >= 63 ? (a < 0 ? -1 : 0) : a >> count);
      if (a == 0) return Value::integer(0);
      if (count < 64) {
        const Wide shifted = static_cast<Wide>(a) * (static_cast<Wide>(1) << count);
        if (shifted >= kMinInteger && shifted <= kMaxInteger) {
          return Value::integer(static_cast<int64_t>(shifted));
        }
      }
      constexpr uint64_t kLongestShown = 1 << 20;
      if (count > kLongestShown)
        fail_at(expression, Issue::kNumberOutOfRange, {"shift width too big"});
      fail_overflow(shifted_hexadecimal(a, count), expression);
    }
    default:
      // Validation rejects any other operator.
      fail_unexpected(expression);
  }
}

Value Evaluation::calculate_floats(double a, double b, const ArithmeticExpression& expression) {
  double result = 0;
  switch (expression.op) {
    case Operator::kAdd:
      result = a + b;
      break;
    case Operator::kSubtract:
      result = a - b;
      break;
    case Operator::kMultiply:
      result = a * b;
      break;
    case Operator::kDivide:
      result = a / b;
      break;
    default:
      fail(Issue::kOperatorNotApplicable, *expression.left,
           {std::string(text_of(expression.op)), "a Float"});
  }
  if (std::isinf(result)) {
    fail(Issue::kResultIsInfinity, *expression.left, {std::string(text_of(expression.op))});
  }
  return Value::floating(result);
}

Value Evaluation::calculate_time(Value left, Value right, const ArithmeticExpression& expression) {
  TimeResult result{TimeOutcome::kNotApplicable, Value()};
  switch (expression.op) {
    case Operator::kAdd:
      result = calculate_times(TimeOperator::kAdd, left, right);
      break;
    case Operator::kSubtract:
      result = calculate_times(TimeOperator::kSubtract, left, right);
      break;
    case Operator::kMultiply:
      result = calculate_times(TimeOperator::kMultiply, left, right);
      break;
    case Operator::kDivide:
      result = calculate_times(TimeOperator::kDivide, left, right);
      break;
    case Operator::kModulo:
      result = calculate_times(TimeOperator::kModulo, left, right);
      break;
    default:
      if (!is_time(left)) result.outcome = TimeOutcome::kNotApplicableWhen;
      break;
  }
  const std::string op(text_of(expression.op));
  switch (result.outcome) {
    case TimeOutcome::kValue:
      if (result.value.is_float() && std::isinf(result.value.as_float())) {
        fail(Issue::kResultIsInfinity, *expression.left, {op});
      }
      return result.value;
    case TimeOutcome::kNotApplicable:
      fail(Issue::kOperatorNotApplicable, *expression.left, {op, with_article(label(left))});
    case TimeOutcome::kNotApplicableWhen:
      fail(Issue::kOperatorNotApplicableWhen, *expression.left,
           {op, with_article(label(left)), with_article(label(right))});
    case TimeOutcome::kDivisionByZero:
      fail(Issue::kDivByZero, *expression.right);
  }
  __builtin_unreachable();
}

namespace {

// The message of a time that is to be combined with a version; empty for operators that it does not
// have.
std::string_view refusal_of_version(Operator op, Value time) {
  const bool is_span = time.is(ValueKind::kTimespan);
  switch (op) {
    case Operator::kAdd:
      return is_span ? "A Version cannot be added to a Timespan"
                     : "A Version cannot be added to a Timestamp";
    case Operator::kSubtract:
      return is_span ? "A Version cannot be subtracted from a Timespan"
                     : "A Version cannot be subtracted from a Timestamp";
    case Operator::kMultiply:
      return is_span ? "A Timestamp cannot be multiplied by a Version" : "";
    case Operator::kDivide:
      return is_span ? "A Timespan cannot be divided by a Version" : "";
    case Operator::kModulo:
      return is_span ? "Can not do modulus on a Timespan using a a Version" : "";
    default:
      return "";
  }
}

}  // namespace

void Evaluation::fail_on_version(Value left, Value right, const ArithmeticExpression& expression) {
  const Operator op = expression.op;
  const bool is_shift = op == Operator::kLeftShift || op == Operator::kRightShift;
  // The time performs the operation, if it can, on either side.
  const bool is_turned =
      is_time(right) &&
      (op == Operator::kAdd || (op == Operator::kMultiply && right.is(ValueKind::kTimespan)));
  if (is_time(left) || is_turned) {
    const std::string_view refusal = refusal_of_version(op, is_turned ? right : left);
    if (!refusal.empty()) fail_at(expression, Issue::kNoSuchMethod, {std::string(refusal)});
  } else if (is_time(right) && !(op == Operator::kSubtract && right.is(ValueKind::kTimespan))) {
    fail(Issue::kOperatorNotApplicableWhen, *expression.left,
         {std::string(text_of(op)), with_article(label(left)), with_article(label(right))});
  }
  const bool is_zero = right.is_integer() && right.as_integer() == 0;
  if (op == Operator::kModulo && is_zero) fail(Issue::kDivByZero, *expression.right);
  if (left.is(ValueKind::kSemVer) || is_time(left) || is_shift) {
    fail(Issue::kOperatorNotApplicable, *expression.left,
         {std::string(text_of(expression.op)), with_article(label(left))});
  }
  fail_at(expression, Issue::kNotConvertible, {"can't convert SemanticPuppet::Version into Float"});
}

Value Evaluation::evaluate_unary_minus(const UnaryMinusExpression& expression) {
  Value value = evaluate(*expression.expression);
  if (value.is_control()) return value;
  value = coerce_numeric(value, expression);
  if (value.is_float()) return Value::floating(-value.as_float());
  if (value.is(ValueKind::kSemVer)) {
    fail_at(expression, Issue::kNotConvertible,
            {"can't convert SemanticPuppet::Version into Float"});
  }
  if (is_time(value)) {
    const TimeResult result = negate_time(value);
    if (result.outcome == TimeOutcome::kValue) return result.value;
    fail_at(expression, Issue::kNoSuchMethod,
            {"undefined method `-@' for " + ruby_text(value) + ":" +
             std::string(ruby_class_name(value))});
  }
  if (value.as_integer() == kMinInteger) {
    fail_overflow(signed_hexadecimal(-static_cast<Wide>(kMinInteger)), expression);
  }
  return Value::integer(-value.as_integer());
}

Value Evaluation::coerce_numeric(Value value, const Expression& at) {
  // In the reference versions are Numeric too, although without any arithmetic.
  if (value.is_numeric() || is_time(value) || value.is(ValueKind::kSemVer)) return value;
  std::optional<Value> number;
  if (value.is_string()) number = to_number(value.as_string());
  if (!number) fail(Issue::kNotNumeric, at, {ruby_text(value)});
  evaluator_.report(Issue::kNumericCoercion, evaluator_.settings().strict, place(at),
                    {std::string(value.as_string()), ruby_text(*number)});
  return *number;
}

// --- collections ---------------------------------------------------------------------------------

Value Evaluation::add_to_collection(Value left, Value right,
                                    const ArithmeticExpression& expression) {
  switch (left.kind()) {
    case ValueKind::kArray:
      return caches().growing_array.append(arena(), left.as_array(), as_items(arena(), right));
    case ValueKind::kHash: {
      if (!right.is_hash() && !right.is_array()) {
        fail_at(expression, Issue::kCannotAppend, {"Can only append Array or Hash to a Hash"});
      }
      if (right.is_array()) {
        HashBuilder pairs(arena(), right.as_array().size());
        std::string mistake = add_pairs(pairs, right.as_array());
        if (!mistake.empty())
          fail_at(expression, Issue::kNoImplicitConversion, {std::move(mistake)});
        right = pairs.finish();
      }
      return caches().growing_hash.merge(arena(), left.as_hash(), right.as_hash());
    }
    case ValueKind::kUri: {
      if (!right.is_string() && !right.is(ValueKind::kUri)) {
        fail_at(expression, Issue::kCannotAppend,
                {"An URI can only be merged with an URI or String"});
      }
      const Uri& reference =
          right.is_string() ? *parse_uri(arena(), right.as_string()) : right.as_uri();
      return Value::uri(merge(arena(), left.as_uri(), reference));
    }
    default: {
      if (!right.is(ValueKind::kBinary)) {
        fail_at(expression, Issue::kCannotAppend, {"Can only append Binary to a Binary"});
      }
      check_length(left.as_binary().size() + right.as_binary().size());
      std::string bytes(left.as_binary());
      bytes += right.as_binary();
      return Value::binary(arena().copy(bytes));
    }
  }
}

// --- comparison ----------------------------------------------------------------------------------

namespace {

// Returns whether the types are equal; those that are written differently but have the same
// instances are too.
bool equal_types(const Type* a, const Type* b) {
  return same_type(a, b) || (is_assignable(b, a) && is_assignable(a, b));
}

bool compare_types(const Type* left, Operator op, Value right) {
  if (!right.is_type() || is_given_reference(right.as_type())) {
    // In the reference, a bare Optional matches everything, even values that are not types.
    const auto* optional = left->try_as<OptionalType>();
    const bool takes_all = optional != nullptr && optional->contained == nullptr;
    return op == Operator::kNotEqual ||
           (takes_all && (op == Operator::kGreater || op == Operator::kGreaterOrEqual));
  }
  const Type* other = right.as_type();
  switch (op) {
    case Operator::kEqual:
      return equal_types(left, other);
    case Operator::kNotEqual:
      return !equal_types(left, other);
    case Operator::kLess:
      return is_assignable(other, left) && !equal_types(left, other);
    case Operator::kLessOrEqual:
      return is_assignable(other, left);
    case Operator::kGreater:
      return is_assignable(left, other) && !equal_types(left, other);
    default:
      return is_assignable(left, other);
  }
}

}  // namespace

namespace {

template <typename Number>
bool holds(Operator op, Number left, Number right) {
  switch (op) {
    case Operator::kEqual:
      return left == right;
    case Operator::kNotEqual:
      return left != right;
    case Operator::kLess:
      return left < right;
    case Operator::kLessOrEqual:
      return left <= right;
    case Operator::kGreater:
      return left > right;
    default:
      return left >= right;
  }
}

}  // namespace

Value Evaluation::evaluate_comparison(const ComparisonExpression& expression) {
  Value left = evaluate(*expression.left);
  if (left.is_control()) return left;
  Value right = evaluate(*expression.right);
  if (right.is_control()) return right;
  if (left.is_integer() && right.is_integer()) {
    return Value::boolean(holds(expression.op, left.as_integer(), right.as_integer()));
  }
  return compare_values(left, right, expression);
}

Value Evaluation::compare_values(Value left, Value right, const ComparisonExpression& expression) {
  const Operator op = expression.op;
  const bool is_type = left.is_type() && !is_given_reference(left.as_type());
  if (is_type) {
    try {
      return Value::boolean(compare_types(left.as_type(), op, right));
    } catch (const EvaluationError& error) {
      if (!info(error.diagnostic().issue).is_raised) throw;
      fail(Issue::kComparisonNotPossible, expression,
           {label(left), std::string(text_of(op)), label(right), error.what()});
    }
  }
  if (op == Operator::kEqual) return Value::boolean(equal(left, right));
  if (op == Operator::kNotEqual) return Value::boolean(!equal(left, right));
  std::string_view reason;
  std::optional<int> order = compare(left, right, reason);
  if (!order) {
    if (reason.empty() && right.is(ValueKind::kSemVer)) {
      fail_at(expression, Issue::kNotConvertible,
              {"can't convert SemanticPuppet::Version into Float"});
    }
    if (reason.empty()) {
      fail_at(expression, Issue::kNoSuchMethod,
              {"undefined method `" + std::string(text_of(op)) + "' for nil:NilClass"});
    }
    fail(Issue::kComparisonNotPossible, expression,
         {label(left), std::string(text_of(op)), label(right), std::string(reason)});
  }
  return Value::boolean(holds(op, *order, 0));
}

}  // namespace bunraku
