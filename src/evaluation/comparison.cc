#include "evaluation/comparison.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text/ascii.h"
#include "values/sem_ver.h"
#include "values/shared_parts.h"
#include "values/time_arithmetic.h"
#include "values/type.h"

namespace bunraku {

namespace {

int compare_ignoring_case(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    auto x = static_cast<unsigned char>(to_lower(a[i]));
    auto y = static_cast<unsigned char>(to_lower(b[i]));
    if (x != y) return x < y ? -1 : 1;
  }
  if (a.size() == b.size()) return 0;
  return a.size() < b.size() ? -1 : 1;
}

template <typename T>
int three_way(T a, T b) {
  return a < b ? -1 : (a > b ? 1 : 0);
}

// Exact for integers of any size.
std::optional<int> compare_integer_to_float(int64_t a, double b) {
  if (std::isnan(b)) return std::nullopt;
  if (b >= 9223372036854775808.0) return -1;
  if (b < -9223372036854775808.0) return 1;
  auto whole = static_cast<int64_t>(b);
  if (a != whole) return three_way(a, whole);
  return three_way(0.0, b - static_cast<double>(whole));
}

std::optional<int> compare_to_time(Value left, Value right) {
  int order = compare_times(left, right);
  if (order == 2) return std::nullopt;
  return order;
}

}  // namespace

std::optional<int> compare_numbers(Value a, Value b) {
  if (a.is_integer() && b.is_integer()) return three_way(a.as_integer(), b.as_integer());
  if (a.is_integer()) return compare_integer_to_float(a.as_integer(), b.as_float());
  if (b.is_integer()) {
    std::optional<int> order = compare_integer_to_float(b.as_integer(), a.as_float());
    if (order) order = -*order;
    return order;
  }
  if (std::isnan(a.as_float()) || std::isnan(b.as_float())) return std::nullopt;
  return three_way(a.as_float(), b.as_float());
}

std::optional<int> compare_coerced(Value number, Value time) {
  const double left =
      number.is_integer() ? static_cast<double>(number.as_integer()) : number.as_float();
  return compare_numbers(Value::floating(left), Value::floating(seconds_of(time)));
}

std::optional<int> compare(Value left, Value right, std::string_view& reason) {
  reason = {};
  switch (left.kind()) {
    case ValueKind::kString:
      if (right.is_string()) return compare_ignoring_case(left.as_string(), right.as_string());
      reason = "A String is not comparable to a non String";
      return std::nullopt;
    case ValueKind::kInteger:
    case ValueKind::kFloat:
      if (right.is_numeric()) return compare_numbers(left, right);
      if (is_time(right)) return compare_coerced(left, right);
      // A version is a Numeric in the reference too, but has no order with others.
      if (right.is(ValueKind::kSemVer)) return std::nullopt;
      reason = "A Numeric is not comparable to non Numeric";
      return std::nullopt;
    case ValueKind::kTimespan:
      if (right.is(ValueKind::kTimespan) || right.is_numeric()) return compare_to_time(left, right);
      reason = "Timespans are only comparable to Timespans, Integers, and Floats";
      return std::nullopt;
    case ValueKind::kTimestamp:
      if (right.is(ValueKind::kTimestamp) || right.is_numeric()) {
        return compare_to_time(left, right);
      }
      reason = "Timestamps are only comparable to Timestamps, Integers, and Floats";
      return std::nullopt;
    case ValueKind::kSemVer:
      if (right.is(ValueKind::kSemVer)) {
        return bunraku::compare(left.as_sem_ver(), right.as_sem_ver());
      }
      reason = "Versions not comparable to non Versions";
      return std::nullopt;
    case ValueKind::kDefault:
      if (right.is_default()) return 0;
      reason = "Symbol not comparable to non Symbol";
      return std::nullopt;
    default:
      reason = "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable";
      return std::nullopt;
  }
}

namespace {

class RubyEquality {
 public:
  bool same(Value a, Value b) {
    if (a.is_numeric() && b.is_numeric()) return compare_numbers(a, b) == 0;
    if ((is_time(a) && b.is_numeric()) || (a.is_numeric() && is_time(b))) {
      return compare_times(a, b) == 0;
    }
    if (a.kind() != b.kind()) return false;
    if (!a.is_array() && !a.is_hash()) return identical(a, b);
    const NestingGuard guard(nesting_, "a value");
    const SharedParts<bool>::Pair pair{part_identity(a), part_identity(b)};
    if (same_.find(nesting_, pair) != nullptr) return true;
    if (!(a.is_array() ? same_items(a.as_array(), b.as_array())
                       : same_entries(a.as_hash(), b.as_hash()))) {
      return false;
    }
    same_.remember(nesting_, pair, true);
    return true;
  }

 private:
  bool same_items(std::span<const Value> a, std::span<const Value> b) {
    return std::ranges::equal(a, b, [this](Value x, Value y) { return same(x, y); });
  }

  bool same_entries(const HashObject& a, const HashObject& b) {
    if (a.size != b.size) return false;
    return std::ranges::all_of(a, [&](const HashEntry& entry) {
      const Value* other = b.find(entry.key);
      return other != nullptr && same(entry.value, *other);
    });
  }

  Nesting nesting_;
  SharedParts<bool> same_;
};

}  // namespace

bool ruby_equal(Value a, Value b) {
  return RubyEquality().same(a, b);
}

namespace {

// The number of a value's parts that enter its hash; divided among the items of a container, so
// that the order of a hash's entries does not matter.
constexpr size_t kHashedParts = 256;

// The items that enter the hash.
template <typename Items>
std::span<const typename Items::value_type> hashed_items(Items items, size_t budget) {
  return items.first(std::min(items.size(), budget));
}

size_t share_of(size_t budget, size_t items) {
  return items == 0 ? 0 : (budget - 1) / items;
}

// Returns whether the parts that ruby_hash() reads contain a time.
bool holds_time(Value value, size_t budget) {
  if (is_time(value)) return true;
  if (budget == 0 || (!value.is_array() && !value.is_hash())) return false;
  if (value.is_array()) {
    const std::span<const Value> items = hashed_items(value.as_array(), budget);
    return std::ranges::any_of(items, [share = share_of(budget, items.size())](Value item) {
      return holds_time(item, share);
    });
  }
  const HashObject& entries = value.as_hash();
  return entries.size <= budget && std::ranges::any_of(entries, [&](const HashEntry& entry) {
           return holds_time(entry.value, share_of(budget, entries.size));
         });
}

// Consistent with ruby_equal() for all values but times.
uint32_t ruby_hash(Value value, size_t budget) {
  const auto joined = [](uint32_t hash, uint32_t part) { return (hash ^ part) * 0x9e3779b1u + 1; };
  if (value.is_integer()) {
    return hash_of(Value::floating(static_cast<double>(value.as_integer())));
  }
  if (value.is_array()) {
    const std::span<const Value> items = hashed_items(value.as_array(), budget);
    auto hash = static_cast<uint32_t>(value.as_array().size());
    for (const Value item : items) {
      hash = joined(hash, ruby_hash(item, share_of(budget, items.size())));
    }
    return hash;
  }
  if (value.is_hash()) {
    const HashObject& entries = value.as_hash();
    uint32_t hash = entries.size;
    if (entries.size > budget) return hash;
    // A sum, because the order does not matter.
    for (const HashEntry& entry : entries) {
      hash += joined(hash_of(entry.key), ruby_hash(entry.value, share_of(budget, entries.size)));
    }
    return hash;
  }
  return hash_of(value);
}

}  // namespace

RubySet::RubySet(std::span<const Value> values) : values_(values) {
  for (const Value value : values) {
    has_times_ |= holds_time(value, kHashedParts);
    by_hash_[ruby_hash(value, kHashedParts)].push_back(value);
  }
}

bool RubySet::has(Value value) const {
  const auto is_same = [value](Value other) { return ruby_equal(value, other); };
  if (has_times_ || holds_time(value, kHashedParts)) return std::ranges::any_of(values_, is_same);
  const auto found = by_hash_.find(ruby_hash(value, kHashedParts));
  return found != by_hash_.end() && std::ranges::any_of(found->second, is_same);
}

std::span<const Value> as_items(Arena& arena, Value right) {
  if (right.is_array()) return right.as_array();
  ArrayBuilder items(arena, right.is_hash() ? right.as_hash().size : 1);
  if (right.is_hash()) {
    for (const HashEntry& entry : right.as_hash()) {
      items.push(Value::array(arena, {entry.key, entry.value}));
    }
  } else {
    items.push(right);
  }
  return items.finish().as_array();
}

Value remove_from_collection(Arena& arena, Value left, Value right) {
  if (left.is_hash()) {
    HashBuilder removed(arena);
    if (right.is_array()) {
      for (const Value key : right.as_array()) removed.set(key, Value());
    } else if (right.is_hash()) {
      for (const HashEntry& entry : right.as_hash()) removed.set(entry.key, Value());
    } else {
      removed.set(right, Value());
    }
    HashBuilder rest(arena, left.as_hash().size);
    for (const HashEntry& entry : left.as_hash()) {
      if (removed.find(entry.key) == nullptr) rest.set(entry.key, entry.value);
    }
    return rest.finish();
  }
  const std::span<const Value> unwanted = as_items(arena, right);
  ArrayBuilder rest(arena, left.as_array().size());
  // For few items, a linear search is faster than building a table.
  constexpr size_t kFewItems = 8;
  if (unwanted.size() <= kFewItems) {
    for (const Value item : left.as_array()) {
      const bool is_unwanted =
          std::ranges::any_of(unwanted, [item](Value other) { return ruby_equal(item, other); });
      if (!is_unwanted) rest.push(item);
    }
    return rest.finish();
  }
  const RubySet set(unwanted);
  for (const Value item : left.as_array()) {
    if (!set.has(item)) rest.push(item);
  }
  return rest.finish();
}

std::string add_pairs(HashBuilder& builder, std::span<const Value> items) {
  bool are_pairs = !items.empty();
  for (const Value item : items) are_pairs = are_pairs && item.is_array();
  if (!are_pairs) {
    if (items.size() == 1 && items[0].is_hash()) {
      builder.set_all(items[0].as_hash());
      return {};
    }
    if (items.size() % 2 != 0) return "odd number of arguments for Hash";
    for (size_t i = 0; i < items.size(); i += 2) builder.set(items[i], items[i + 1]);
    return {};
  }
  for (const Value item : items) {
    const std::span<const Value> pair = item.as_array();
    if (pair.empty() || pair.size() > 2) {
      return "invalid number of elements (" + std::to_string(pair.size()) + " for 1..2)";
    }
    builder.set(pair[0], pair.size() == 2 ? pair[1] : Value());
  }
  return {};
}

}  // namespace bunraku
