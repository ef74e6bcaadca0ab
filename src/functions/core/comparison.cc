#include "functions/core/comparison.h"

#include <cmath>
#include <vector>

#include "base/text/ruby_text.h"
#include "conversion/ruby_string.h"
#include "evaluation/comparison.h"
#include "evaluation/evaluator.h"
#include "functions/core/iteration_support.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"
#include "values/conversion_error.h"
#include "values/sem_ver.h"
#include "values/time_arithmetic.h"

namespace bunraku {

namespace {

int sign(auto a, auto b) {
  return (a > b) - (a < b);
}

std::optional<int> order_values(Value a, Value b, Nesting& nesting);

std::optional<int> order_arrays(std::span<const Value> a, std::span<const Value> b,
                                Nesting& nesting) {
  const NestingGuard guard(nesting, "An array");
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    std::optional<int> order = order_values(a[i], b[i], nesting);
    if (order != 0) return order;
  }
  return sign(a.size(), b.size());
}

std::optional<int> order_values(Value a, Value b, Nesting& nesting) {
  if (a.is_numeric() && b.is_numeric()) return compare_numbers(a, b);
  if (a.is_numeric() && is_time(b)) return compare_coerced(a, b);
  // The first operand is a number in Ruby too, so Ruby tries to convert the version to a Float.
  if (a.is_numeric() && b.is(ValueKind::kSemVer)) {
    fail_conversion(Issue::kNotConvertible, {"can't convert SemanticPuppet::Version into Float"});
  }
  if (is_time(a) && (is_time(b) || b.is_numeric())) {
    int order = compare_times(a, b);
    if (order == 2) return std::nullopt;
    return order;
  }
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case ValueKind::kString:
      return ruby_compare(a.as_string(), b.as_string());
    case ValueKind::kArray:
      return order_arrays(a.as_array(), b.as_array(), nesting);
    case ValueKind::kSemVer:
      return compare(a.as_sem_ver(), b.as_sem_ver());
    default:
      if (identical(a, b)) return 0;
      return std::nullopt;
  }
}

// A merge sort like that of the C library, which Ruby's sort uses: it sorts the left half first.
// `compare` returns no value to stop the sort.
template <typename Compare>
class MergeSort {
 public:
  MergeSort(Arena& arena, std::span<Value> items, Compare compare)
      : items_(items), scratch_(arena.make_array<Value>(items.size())), compare_(compare) {}

  void run() { sort(0, items_.size()); }

 private:
  bool sort(size_t begin, size_t count) {
    if (count <= 1) return true;
    const size_t left = count / 2;
    return sort(begin, left) && sort(begin + left, count - left) && merge(begin, left, count);
  }

  bool merge(size_t begin, size_t left, size_t count) {
    size_t a = begin, a_end = begin + left, b = a_end, b_end = begin + count, to = 0;
    while (a < a_end && b < b_end) {
      const std::optional<int> order = compare_(items_[a], items_[b]);
      if (!order) return false;
      scratch_[to++] = *order <= 0 ? items_[a++] : items_[b++];
    }
    while (a < a_end) scratch_[to++] = items_[a++];
    for (size_t i = 0; i < to; ++i) items_[begin + i] = scratch_[i];
    return true;
  }

  std::span<Value> items_;
  Value* scratch_;
  Compare compare_;
};

// Returns whether Ruby stores the value in a machine word.
bool is_immediate(Value value) {
  constexpr int64_t kMostSmall = (int64_t{1} << 62) - 1;
  if (value.is_integer()) {
    return value.as_integer() <= kMostSmall && value.as_integer() >= -kMostSmall - 1;
  }
  return value.is_undef() || value.is_boolean() || value.is_float() || value.is_default();
}

// Ruby shows small values by their text, others by their class.
std::string comparison_failure(Value a, Value b) {
  std::string message = "comparison of " + std::string(ruby_class_name(a)) + " with ";
  if (is_immediate(b)) {
    append_ruby_inspect(message, b);
  } else {
    message += ruby_class_name(b);
  }
  return message + " failed";
}

}  // namespace

std::optional<int> ruby_order(Value a, Value b) {
  Nesting nesting;
  return order_values(a, b, nesting);
}

int ruby_order_or_fail(const Call& call, Value a, Value b) {
  std::optional<int> order = ruby_order(a, b);
  if (!order) call.fail(Issue::kNotComparable, {comparison_failure(a, b)});
  return *order;
}

int order_from_result(const Call& call, Value result, Value a, Value b) {
  if (result.is_integer()) return sign(result.as_integer(), int64_t{0});
  if (result.is_float()) return sign(result.as_float(), 0.0);
  if (is_time(result)) return compare_times(result, Value::integer(0));
  if (result.is_undef()) call.fail(Issue::kNotComparable, {comparison_failure(a, b)});
  if (result.is_string() || result.is_default() || result.is(ValueKind::kSemVer)) {
    call.fail(Issue::kNoSuchMethod, {comparison_failure(result, Value::integer(0))});
  }
  if (result.is_hash())
    call.fail(Issue::kNoImplicitConversion, {"no implicit conversion of Integer into Hash"});
  std::string message = "undefined method `>' for ";
  append_ruby_inspect(message, result);
  call.fail(Issue::kNoSuchMethod, {message + ":" + std::string(ruby_class_name(result))});
}

Value sort_values(Call& call, std::span<Value> items) {
  Value leaving;
  const auto compare = [&](Value a, Value b) -> std::optional<int> {
    if (call.block == nullptr) return ruby_order_or_fail(call, a, b);
    const Value result = yield(call, a, b);
    if (!result.is_control()) return order_from_result(call, result, a, b);
    leaving = result;
    return std::nullopt;
  };
  MergeSort(call.arena(), items, compare).run();
  return leaving;
}

void sort_values(Arena& arena, std::span<Value> items, void (*fail)(std::string message)) {
  const auto compare = [&](Value a, Value b) {
    const std::optional<int> order = ruby_order(a, b);
    if (!order) fail(comparison_failure(a, b));
    return order;
  };
  MergeSort(arena, items, compare).run();
}

}  // namespace bunraku
