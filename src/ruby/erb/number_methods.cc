// Integers and floats.
#include <cmath>

#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

double to_double(const Object& object) {
  return object.is(Class::kFloat) ? object.number : static_cast<double>(object.integer);
}

void check_number(Interpreter& ruby, const Object& self, const Object& other) {
  if (other.is_numeric()) return;
  const std::string name(other.is_nil()              ? "nil"
                         : other.is(Class::kBoolean) ? (other.boolean ? "true" : "false")
                                                     : class_name(other));
  ruby.fail(name + " can't be coerced into " + std::string(class_name(self)));
}

[[noreturn]] void fail_large(Interpreter& ruby) {
  ruby.fail_with("an integer of more than 64 bits");
}

int64_t floor_divide(Interpreter& ruby, int64_t a, int64_t b) {
  if (b == 0) ruby.fail("divided by 0");
  if (b == -1) {
    if (a == INT64_MIN) fail_large(ruby);
    return -a;
  }
  const int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

int64_t modulo(Interpreter& ruby, int64_t a, int64_t b) {
  if (b == 0) ruby.fail("divided by 0");
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Object power(Interpreter& ruby, Object self, const Object& exponent) {
  if (self.is(Class::kFloat) || exponent.is(Class::kFloat)) {
    if (to_double(self) < 0) ruby.fail_with("a power of a negative number");
    return Object::of(std::pow(to_double(self), to_double(exponent)));
  }
  if (exponent.integer < 0) ruby.fail_with("a negative power");
  int64_t result = 1;
  const int64_t base = self.integer;
  for (int64_t i = 0; i < exponent.integer; ++i) {
    if (base == 0 || base == 1) return ruby.integer(base);
    if (__builtin_mul_overflow(result, base, &result)) fail_large(ruby);
    ruby.spend(1);
  }
  return ruby.integer(result);
}

template <char kOperation>
Object calculate(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object& other = arguments[0];
  check_number(ruby, self, other);
  if constexpr (kOperation == '^') return power(ruby, self, other);
  if (self.is(Class::kInteger) && other.is(Class::kInteger)) {
    const int64_t a = self.integer, b = other.integer;
    // NOLINTBEGIN(misc-const-correctness): what sets them depends on the operation.
    int64_t result = 0;
    bool overflows = false;
    // NOLINTEND(misc-const-correctness)
    if constexpr (kOperation == '+') overflows = __builtin_add_overflow(a, b, &result);
    if constexpr (kOperation == '-') overflows = __builtin_sub_overflow(a, b, &result);
    if constexpr (kOperation == '*') overflows = __builtin_mul_overflow(a, b, &result);
    if constexpr (kOperation == '/') result = floor_divide(ruby, a, b);
    if constexpr (kOperation == '%') result = modulo(ruby, a, b);
    if (overflows) fail_large(ruby);
    return ruby.integer(result);
  }
  const double a = to_double(self), b = to_double(other);
  if constexpr (kOperation == '+') return Object::of(a + b);
  if constexpr (kOperation == '-') return Object::of(a - b);
  if constexpr (kOperation == '*') return Object::of(a * b);
  if constexpr (kOperation == '/') return Object::of(a / b);
  if (b == 0) ruby.fail_with("the rest of a division by zero");
  return Object::of(modulo(a, b));
}

template <char kOperation>
Object calculate_bits(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kInteger)) ruby.fail_with("bits of such an object");
  const int64_t a = self.integer;
  int64_t b = arguments[0].integer;
  if constexpr (kOperation == '&') return ruby.integer(a & b);
  if constexpr (kOperation == '|') return ruby.integer(a | b);
  if constexpr (kOperation == '^') return ruby.integer(a ^ b);
  if (kOperation == '>') b = -b;
  if (b <= -64) return ruby.integer(a < 0 ? -1 : 0);
  if (b < 0) return ruby.integer(a >> -b);
  int64_t result = 0;
  if (b > 62 || __builtin_mul_overflow(a, int64_t{1} << b, &result)) {
    if (a != 0) fail_large(ruby);
  }
  return ruby.integer(result);
}

template <char kOperation, bool kOrEqual>
Object compare_order(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is_numeric() && (self.is(Class::kFloat) || arguments[0].is(Class::kFloat))) {
    const double a = to_double(self), b = to_double(arguments[0]);
    if (kOperation == '<') return ruby.boolean(kOrEqual ? a <= b : a < b);
    return ruby.boolean(kOrEqual ? a >= b : a > b);
  }
  const int order = ruby.compare(self, arguments[0]);
  if (kOrEqual && order == 0) return ruby.boolean(true);
  return ruby.boolean(kOperation == '<' ? order < 0 : order > 0);
}

Object negate(Interpreter& ruby, Object self, const Arguments&) {
  if (self.is(Class::kFloat)) return Object::of(-self.number);
  if (self.integer == INT64_MIN) fail_large(ruby);
  return ruby.integer(-self.integer);
}

Object absolute(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (self.is(Class::kFloat)) return Object::of(std::fabs(self.number));
  return self.integer < 0 ? negate(ruby, self, arguments) : self;
}

Object to_integer(Interpreter& ruby, double value) {
  if (std::isnan(value) || std::isinf(value)) ruby.fail(float_text(value));
  if (std::fabs(value) >= 9.2e18) fail_large(ruby);
  return ruby.integer(static_cast<int64_t>(value));
}

template <double (*kRound)(double)>
Object rounded(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (self.is(Class::kInteger)) {
    const bool keeps =
        arguments.size() == 0 || (arguments[0].is(Class::kInteger) && arguments[0].integer >= 0);
    if (!keeps) ruby.fail_with("the rounding of an Integer in this form");
    return self;
  }
  if (arguments.size() == 0) return to_integer(ruby, kRound(self.number));
  ruby.fail_with("the rounding of a Float in this form");
}

// Float#round(digits): half away from zero, of the exact number and not of its decimal text.
Object round_float(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.size() == 0 || self.is(Class::kInteger)) {
    return rounded<std::round>(ruby, self, arguments);
  }
  if (!arguments[0].is(Class::kInteger)) ruby.fail_with("the rounding of a Float in this form");
  const int64_t digits = arguments[0].integer;
  const double value = self.number;
  if (digits == 0) return to_integer(ruby, std::round(value));
  int exponent = 0;
  std::frexp(value, &exponent);
  if (digits < 0 || digits > 14 || std::isnan(value) || std::isinf(value) || value == 0) {
    ruby.fail_with("the rounding of a Float in this form");
  }
  // The number has no digits beyond these, or is rounded to zero.
  if (digits >= 17 - (exponent > 0 ? exponent / 4 : exponent / 3 - 1)) return self;
  if (digits < -(exponent > 0 ? exponent / 3 + 1 : exponent / 4)) return Object::of(0.0);
  const double scale = std::pow(10.0, static_cast<double>(digits));
  double scaled = std::round(value * scale);
  if (value > 0) {
    if ((scaled + 0.5) / scale <= value) scaled += 1;
  } else {
    if ((scaled - 0.5) / scale >= value) scaled -= 1;
  }
  return Object::of(scaled / scale);
}

Object number_text(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.size() == 0) return ruby.string(ruby.to_s(self));
  const int64_t base = ruby.integer_of(arguments[0]);
  if (base < 2 || base > 36) ruby.fail("invalid radix " + std::to_string(base));
  const bool is_negative = self.integer < 0;
  uint64_t rest =
      is_negative ? 0 - static_cast<uint64_t>(self.integer) : static_cast<uint64_t>(self.integer);
  std::string digits;
  do {
    digits.insert(digits.begin(),
                  "0123456789abcdefghijklmnopqrstuvwxyz"[rest % static_cast<uint64_t>(base)]);
    rest /= static_cast<uint64_t>(base);
  } while (rest != 0);
  return ruby.string((is_negative ? "-" : "") + digits);
}

Object times(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (int64_t i = 0; i < self.integer; ++i) ruby.yield(*arguments.block, ruby.integer(i));
  return self;
}

template <int kStep>
Object count_to(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kInteger)) ruby.fail_with("counting to such an object");
  const int64_t last = arguments[0].integer;
  for (int64_t i = self.integer; kStep > 0 ? i <= last : i >= last; i += kStep) {
    ruby.yield(*arguments.block, ruby.integer(i));
    if (i == last) break;
  }
  return self;
}

template <int kStep>
Object neighbour(Interpreter& ruby, Object self, const Arguments&) {
  int64_t result = 0;
  if (__builtin_add_overflow(self.integer, int64_t{kStep}, &result)) fail_large(ruby);
  return ruby.integer(result);
}

Object character(Interpreter& ruby, Object self, const Arguments&) {
  if (self.integer < 0 || self.integer > 0x7f) ruby.fail_with("the character of such a number");
  // The text has the encoding of ASCII, which shows when a control character is inspected.
  const char c = static_cast<char>(self.integer);
  if (has_byte_escape(c)) ruby.fail_with("such a control character");
  return ruby.string(std::string_view(&c, 1));
}

Object is_between(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(ruby.compare(self, arguments[0]) >= 0 &&
                      ruby.compare(self, arguments[1]) <= 0);
}

Object clamp(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is_nil() || arguments[1].is_nil()) ruby.fail_with("'clamp' without a bound");
  if (ruby.compare(arguments[0], arguments[1]) > 0) {
    ruby.fail("min argument must be smaller than max argument");
  }
  if (ruby.compare(self, arguments[0]) < 0) return arguments[0];
  return ruby.compare(self, arguments[1]) > 0 ? arguments[1] : self;
}

Object divide_with_rest(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kInteger)) ruby.fail_with("'divmod' of such an object");
  return ruby.pair(ruby.integer(floor_divide(ruby, self.integer, arguments[0].integer)),
                   ruby.integer(modulo(ruby, self.integer, arguments[0].integer)));
}

// Entries for both classes of numbers.
#define BOTH(...)                   \
  {Class::kInteger, __VA_ARGS__}, { \
    Class::kFloat, __VA_ARGS__      \
  }

constexpr Method kNumberMethods[] = {
    BOTH("+", 1, 1, kNever, calculate<'+'>),
    BOTH("-", 1, 1, kNever, calculate<'-'>),
    BOTH("*", 1, 1, kNever, calculate<'*'>),
    BOTH("/", 1, 1, kNever, calculate<'/'>),
    BOTH("%", 1, 1, kNever, calculate<'%'>),
    BOTH("modulo", 1, 1, kNever, calculate<'%'>),
    BOTH("**", 1, 1, kNever, calculate<'^'>),
    BOTH("<", 1, 1, kNever, compare_order<'<', false>),
    BOTH("<=", 1, 1, kNever, compare_order<'<', true>),
    BOTH(">", 1, 1, kNever, compare_order<'>', false>),
    BOTH(">=", 1, 1, kNever, compare_order<'>', true>),
    BOTH("between?", 2, 2, kNever, is_between),
    BOTH("clamp", 2, 2, kNever, clamp),
    BOTH("-@", 0, 0, kNever, negate),
    BOTH("abs", 0, 0, kNever, absolute),
    BOTH("floor", 0, 1, kNever, rounded<std::floor>),
    BOTH("ceil", 0, 1, kNever, rounded<std::ceil>),
    BOTH("truncate", 0, 1, kNever, rounded<std::trunc>),
    BOTH("round", 0, 1, kNever, round_float),
    BOTH("to_i", 0, 0, kNever, rounded<std::trunc>),
    BOTH("to_int", 0, 0, kNever, rounded<std::trunc>),
    BOTH("to_f", 0, 0, kNever,
         [](Interpreter&, Object self, const Arguments&) { return Object::of(to_double(self)); }),
    BOTH("zero?", 0, 0, kNever,
         [](Interpreter& ruby, Object self, const Arguments&) {
           return ruby.boolean(to_double(self) == 0);
         }),
    BOTH("positive?", 0, 0, kNever,
         [](Interpreter& ruby, Object self, const Arguments&) {
           return ruby.boolean(to_double(self) > 0);
         }),
    BOTH("negative?", 0, 0, kNever,
         [](Interpreter& ruby, Object self, const Arguments&) {
           return ruby.boolean(to_double(self) < 0);
         }),
    BOTH("integer?", 0, 0, kNever,
         [](Interpreter& ruby, Object self, const Arguments&) {
           return ruby.boolean(self.is(Class::kInteger));
         }),
    BOTH("fdiv", 1, 1, kNever,
         [](Interpreter& ruby, Object self, const Arguments& arguments) {
           check_number(ruby, self, arguments[0]);
           return Object::of(to_double(self) / to_double(arguments[0]));
         }),
    {Class::kFloat, "nan?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(std::isnan(self.number));
     }},
    {Class::kInteger, "to_s", 0, 1, kNever, number_text},
    {Class::kInteger, "even?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(self.integer % 2 == 0);
     }},
    {Class::kInteger, "odd?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(self.integer % 2 != 0);
     }},
    {Class::kInteger, "times", 0, 0, kMust, times},
    {Class::kInteger, "upto", 1, 1, kMust, count_to<1>},
    {Class::kInteger, "downto", 1, 1, kMust, count_to<-1>},
    {Class::kInteger, "succ", 0, 0, kNever, neighbour<1>},
    {Class::kInteger, "next", 0, 0, kNever, neighbour<1>},
    {Class::kInteger, "pred", 0, 0, kNever, neighbour<-1>},
    {Class::kInteger, "chr", 0, 0, kNever, character},
    {Class::kInteger, "div", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       if (!arguments[0].is(Class::kInteger)) ruby.fail_with("'div' of such an object");
       return ruby.integer(floor_divide(ruby, self.integer, arguments[0].integer));
     }},
    {Class::kInteger, "divmod", 1, 1, kNever, divide_with_rest},
    {Class::kInteger, "&", 1, 1, kNever, calculate_bits<'&'>},
    {Class::kInteger, "|", 1, 1, kNever, calculate_bits<'|'>},
    {Class::kInteger, "^", 1, 1, kNever, calculate_bits<'^'>},
    {Class::kInteger, "<<", 1, 1, kNever, calculate_bits<'<'>},
    {Class::kInteger, ">>", 1, 1, kNever, calculate_bits<'>'>},
};
#undef BOTH

}  // namespace

std::span<const Method> number_methods() {
  return kNumberMethods;
}

}  // namespace bunraku::erb
