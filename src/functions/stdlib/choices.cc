// The standard library's functions that choose values or make ranges of them.
#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/families.h"
#include "functions/stdlib/ruby_succ.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku::stdlib {

namespace {

bool is_nothing(Value value) {
  return value.is_undef() || (value.is_string() && value.as_string().empty());
}

Value pick(Call& call) {
  for (Value argument : call.arguments) {
    if (!is_nothing(argument)) return argument;
  }
  call.fail(Issue::kWrongArgumentValue, {"pick(): must receive at least one non empty value"});
}

Value pick_default(Call& call) {
  if (call.arguments.empty())
    call.fail(Issue::kWrongArgumentCount, {"Must receive at least one argument."});
  for (Value argument : call.arguments.first(call.arguments.size() - 1)) {
    if (!is_nothing(argument)) return argument;
  }
  return call.arguments.back();
}

// --- range --------------------------------------------------------------------------------------

constexpr size_t kLargestRange = 1'000'000;

struct RangeRequest {
  Value start, stop;
  int64_t step = 1;
  bool is_exclusive = false;
};

RangeRequest range_of_text(Call& call, Value value) {
  static const Regex& written = *Regex::compile(R"(^(\w+)(\.\.\.?|\-)(\w+)$)");
  static const Regex& something = *Regex::compile("^.+$");
  if (!value.is_string()) fail_undefined_method(call, "match", value);
  const std::string_view text = value.as_string();
  Captures match;
  if (!written.search(text, 0, match)) {
    if (something.matches(text)) {
      call.fail(Issue::kWrongArgumentValue,
                {"range(): Unable to compute range from the value: " + std::string(text)});
    }
    call.fail(Issue::kWrongArgumentValue, {"range(): Unknown range format: " + std::string(text)});
  }
  return {Value::string(match.text(text, 1)), Value::string(match.text(text, 3)), 1,
          match.text(text, 2) == "..."};
}

Value integers(Call& call, const RangeRequest& range) {
  ArrayBuilder all(call.arena());
  const int64_t start = to_i(call, range.start), stop = to_i(call, range.stop);
  for (int64_t value = start; range.is_exclusive ? value < stop : value <= stop;) {
    if (all.size() == kLargestRange) break;
    all.push(Value::integer(value));
    if (__builtin_add_overflow(value, range.step, &value)) break;
  }
  return all.finish();
}

Value texts(Call& call, const RangeRequest& range) {
  ArrayBuilder all(call.arena());
  int64_t number = 0;
  ruby_upto(to_s(range.start), to_s(range.stop), range.is_exclusive, [&](const std::string& text) {
    if (number++ % range.step == 0) all.push(Value::string(call.arena(), text));
    return all.size() < kLargestRange;
  });
  return all.finish();
}

Value range(Call& call) {
  static const Regex& digits = *Regex::compile(R"(^\d+$)");
  if (call.arguments.empty())
    call.fail(Issue::kWrongArgumentCount, {"range(): Wrong number of arguments given (0 for 1)"});
  RangeRequest request;
  if (call.arguments.size() == 1) {
    request = range_of_text(call, call.arguments[0]);
  } else {
    request.start = call.arguments[0];
    request.stop = call.arguments[1];
    if (!call.argument(2).is_undef()) request.step = std::abs(to_i(call, call.arguments[2]));
    if (request.step == 0) {
      call.fail(Issue::kWrongArgumentKind,
                {"range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)"});
    }
  }
  return digits.matches(to_s(request.start)) ? integers(call, request) : texts(call, request);
}

// --- values_at ----------------------------------------------------------------------------------

Value values_at(Call& call) {
  static const Regex& stretch = *Regex::compile(R"(^(\d+)(\.\.\.?|\-)(\d+)$)");
  static const Regex& digits = *Regex::compile(R"(^\d+$)");
  if (call.arguments.size() < 2) fail_count(call, "values_at", "2");
  if (!call.arguments[0].is_array())
    call.fail(Issue::kWrongArgumentKind, {"values_at(): Requires array to work with"});
  std::span<const Value> items = call.arguments[0].as_array();
  const std::span<const Value> indexes = flattened(call.arena(), call.arguments.subspan(1, 1));
  if (indexes.empty()) {
    call.fail(Issue::kWrongArgumentValue,
              {"values_at(): You must provide at least one positive index to collect"});
  }
  const int64_t last = static_cast<int64_t>(items.size()) - 1;
  ArrayBuilder found(call.arena());
  auto take = [&](int64_t index) {
    const Value item = items[static_cast<size_t>(index)];
    if (!item.is_undef()) found.push(item);
  };
  for (const Value value : indexes) {
    const std::string text = to_s(value);
    Captures match;
    if (stretch.search(text, 0, match)) {
      const int64_t start = leading_integer(match.text(text, 1));
      int64_t stop = leading_integer(match.text(text, 3));
      if (start > stop) {
        call.fail(
            Issue::kWrongArgumentValue,
            {"values_at(): Stop index in given indices range is smaller than the start index"});
      }
      if (stop > last)
        call.fail(Issue::kWrongArgumentValue,
                  {"values_at(): Stop index in given indices range exceeds array size"});
      if (match.text(text, 2) == "...") --stop;
      for (int64_t i = start; i <= stop; ++i) take(i);
      continue;
    }
    if (!digits.matches(text))
      call.fail(Issue::kWrongArgumentValue, {"values_at(): Unknown format of given index"});
    const int64_t index = leading_integer(text);
    if (index > last)
      call.fail(Issue::kWrongArgumentValue, {"values_at(): Given index exceeds array size"});
    take(index);
  }
  return found.finish();
}

constexpr Overload kPick[] = {{"(Any *$arguments)", pick}};
constexpr Overload kPickDefault[] = {{"(Any *$arguments)", pick_default}};
constexpr Overload kRange[] = {{"(Any *$arguments)", range}};
constexpr Overload kValuesAt[] = {{"(Any *$arguments)", values_at}};

constexpr NativeFunctionInfo kChoiceFunctions[] = {
    {"pick", kPick,
     "The first argument that is neither undef nor empty text; an error when there is "
     "none.",
     "pick(undef, '', 'a value')", true},
    {"pick_default", kPickDefault,
     "The first argument that is neither undef nor empty text, else the "
     "last one.",
     "pick_default(undef, 'a value')", true},
    {"range", kRange, "An array of the numbers or texts from a first to a last, with a step.",
     "range('a', 'e', 2)", true},
    {"values_at", kValuesAt,
     "The elements of an array at indexes, or stretches of them such as "
     "`1-3`.",
     "values_at(['a', 'b', 'c', 'd'], ['0', '2-3'])", true},
};

}  // namespace

std::span<const NativeFunctionInfo> choice_functions() {
  return kChoiceFunctions;
}

}  // namespace bunraku::stdlib
