#include "conversion/ruby_format.h"
#include "types/ruby_value_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"

using namespace bunraku;

namespace {

std::string format(std::string_view text, std::vector<Value> values) {
  try {
    return ruby_format(text, values);
  } catch (const EvaluationError& error) {
    return std::string("error: ") + error.what();
  }
}

std::string scan(std::string_view text, std::string_view format) {
  Arena arena;
  return ruby_inspect(ruby_scanf(arena, text, format));
}

}  // namespace

TEST_CASE("format: integers, with two's complement of negative ones") {
  CHECK(format("%d|%5d|%-5d|%05d|%+d|% d",
               {Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4),
                Value::integer(5), Value::integer(6)}) == "1|    2|3    |00004|+5| 6");
  CHECK(format("%x", {Value::integer(-255)}) == "..f01");
  CHECK(format("%#010x", {Value::integer(-255)}) == "0x..ffff01");
  CHECK(format("%+x", {Value::integer(-255)}) == "-ff");
  CHECK(format("%o", {Value::integer(-9)}) == "..767");
  CHECK(format("%b", {Value::integer(-5)}) == "..1011");
  CHECK(format("%#o", {Value::integer(8)}) == "010");
  CHECK(format("%.0d", {Value::integer(0)}).empty());
  CHECK(format("%d", {Value::floating(1e30)}) == "1000000000000000019884624838656");
  CHECK(format("%d", {Value::string("0b11")}) == "3");
  CHECK(format("%x", {Value::integer(INT64_MIN)}) == "..f8000000000000000");
}

TEST_CASE("format: floating-point numbers") {
  CHECK(format("%.3f", {Value::integer(9007199254740993)}) == "9007199254740993.000");
  CHECK(format("%e %G", {Value::floating(0.0), Value::floating(1e10)}) == "0.000000e+00 1E+10");
  CHECK(format("%#g", {Value::floating(999999.5)}) == "1.00000e+06");
  CHECK(format("%a", {Value::floating(5e-324)}) == "0x1p-1074");
  CHECK(format("%.0a", {Value::floating(1.9)}) == "0x1p+1");
  CHECK(format("%5.1f|", {Value::floating(-1.0 / 0.0)}) == " -Inf|");
}

TEST_CASE("format: arguments by position and name") {
  CHECK(format("%2$s %1$s", {Value::string("a"), Value::string("b")}) == "b a");
  CHECK(format("%*d|%-*d", {Value::integer(4), Value::integer(1), Value::integer(3),
                            Value::integer(2)}) == "   1|2  ");
  Arena arena;
  HashBuilder hash(arena);
  hash.set("a", Value::integer(1));
  CHECK(format("%<a>03d %{a}x", {hash.finish()}) == "001 1x");
}

TEST_CASE("format: what goes wrong") {
  CHECK(format("%d", {Value::string("abc")}) == "error: invalid value for Integer(): \"abc\"");
  CHECK(format("%d", {Value()}) == "error: can't convert nil into Integer");
  CHECK(format("%s", {}) == "error: too few arguments");
  CHECK(format("%z", {Value()}) == "error: malformed format string - %z");
  CHECK(format("a%", {}) == "error: incomplete format specifier; use %% (double %) instead");
  CHECK(format("%1$s %s", {Value::string("a")}) == "error: unnumbered(1) mixed with numbered");
  CHECK(format("%99999999999d", {Value::integer(1)}) == "error: width too big");
}

TEST_CASE("scanf reads as far as text and format agree") {
  CHECK(scan("12 abc 3.5", "%d %s %f") == "[12, \"abc\", 3.5]");
  CHECK(scan("0x1f 077 10", "%x %o %i") == "[31, 63, 10]");
  CHECK(scan("12345", "%2d%3d") == "[12, 345]");
  CHECK(scan("5 6", "%*d%d") == "[6]");
  CHECK(scan("abc123", "%[a-c]%d") == "[\"abc\", 123]");
  CHECK(scan("12;34", "%d,%d") == "[12]");
  CHECK(scan("5%", "%d%%") == "[5]");
}

TEST_CASE("inspect escapes as Ruby does") {
  CHECK(ruby_inspect(Value::string("a\n\"#{x} é\x01")) == "\"a\\n\\\"\\#{x} é\\u0001\"");
  Arena arena;
  CHECK(ruby_inspect(Value::array(arena, {Value(), Value::default_value(), Value::floating(1)})) ==
        "[nil, :default, 1.0]");
}
