#include "ruby/erb/slices.h"

#include <algorithm>

namespace bunraku::erb {

namespace {

std::optional<Slice> slice(int64_t begin, int64_t size, int64_t length) {
  if (begin < 0) begin += length;
  if (begin < 0 || begin > length || size < 0) return std::nullopt;
  size = std::min(size, length - begin);
  return Slice{static_cast<size_t>(begin), static_cast<size_t>(size)};
}

}  // namespace

std::optional<Slice> slice_of(Interpreter& ruby, const Arguments& arguments, size_t length) {
  auto count = static_cast<int64_t>(length);
  if (arguments.size() == 2) {
    return slice(ruby.integer_of(arguments[0]), ruby.integer_of(arguments[1]), count);
  }
  if (!arguments[0].is(Class::kRange)) {
    ruby.integer_of(arguments[0]);
    ruby.fail_with("such a part");
  }
  const RangeObject& range = *arguments[0].range;
  int64_t begin = ruby.integer_of(range.first);
  if (begin < 0) begin += count;
  int64_t end = range.last.is_nil() ? count : ruby.integer_of(range.last);
  if (end < 0) end += count;
  if (!range.is_exclusive && !range.last.is_nil()) ++end;
  if (begin < 0) return std::nullopt;
  return slice(begin, std::max<int64_t>(end - begin, 0), count);
}

}  // namespace bunraku::erb
