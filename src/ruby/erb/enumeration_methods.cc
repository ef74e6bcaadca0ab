// Iteration over arrays, and over hashes and ranges as the arrays that Enumerable makes of them.
#include <algorithm>

#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

std::span<Object> items(Interpreter& ruby, const Object& self) {
  return ruby.items(*self.array);
}

bool holds(Interpreter& ruby, const BlockNode& block, const Object& item) {
  return ruby.yield(block, item).is_true();
}

// The block may change the array, so its size and items are read again for each element.
template <typename Visit>
void walk(Interpreter& ruby, const Object& self, Visit visit) {
  for (size_t i = 0; i < items(ruby, self).size(); ++i) {
    if (!visit(Object(self.array->items[i]), i)) return;
  }
}

// --- walking ------------------------------------------------------------------------------------

Object each(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk(ruby, self, [&](const Object& item, size_t) {
    ruby.yield(*arguments.block, item);
    return true;
  });
  return self;
}

Object each_index(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk(ruby, self, [&](const Object&, size_t at) {
    ruby.yield(*arguments.block, ruby.integer(static_cast<int64_t>(at)));
    return true;
  });
  return self;
}

Object reverse_each(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (size_t i = items(ruby, self).size(); i-- > 0;) {
    if (i < items(ruby, self).size()) ruby.yield(*arguments.block, items(ruby, self)[i]);
  }
  return self;
}

int64_t first_index(Interpreter& ruby, const Arguments& arguments) {
  if (arguments.size() == 0 || arguments[0].is_nil()) return 0;
  return ruby.integer_of(arguments[0]);
}

// The block gets two arguments: the element and its index.
Object each_with_index(Interpreter& ruby, Object self, const Arguments& arguments) {
  int64_t first = first_index(ruby, arguments);
  walk(ruby, self, [&](const Object& item, size_t at) {
    const Object both[] = {item, ruby.integer(first + static_cast<int64_t>(at))};
    ruby.yield(*arguments.block, both);
    return true;
  });
  return self;
}

Object map_with_index(Interpreter& ruby, Object self, const Arguments& arguments) {
  int64_t first = first_index(ruby, arguments);
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t at) {
    const Object both[] = {item, ruby.integer(first + static_cast<int64_t>(at))};
    ruby.push(*result, ruby.yield(*arguments.block, both));
    return true;
  });
  return Object::of(result);
}

// The block gets one argument: the pair of element and index.
Object map_of_pairs(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t at) {
    const Object both = ruby.pair(item, ruby.integer(static_cast<int64_t>(at)));
    ruby.push(*result, ruby.yield(*arguments.block, both));
    return true;
  });
  return Object::of(result);
}

Object each_with_object(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object both[] = {item, arguments[0]};
    ruby.yield(*arguments.block, both);
    return true;
  });
  return arguments[0];
}

template <class Visit>
void walk_slices(Interpreter& ruby, Object self, const Arguments& arguments, Visit visit) {
  const int64_t size = ruby.integer_of(arguments[0]);
  if (size <= 0) ruby.fail("invalid slice size");
  auto step = static_cast<size_t>(size);
  for (size_t i = 0; i < items(ruby, self).size(); i += step) {
    const std::span<Object> rest = items(ruby, self).subspan(i);
    visit(ruby.array(rest.first(std::min(step, rest.size()))));
  }
}

Object each_slice(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk_slices(ruby, self, arguments,
              [&](const Object& slice) { ruby.yield(*arguments.block, slice); });
  return self;
}

Object slices(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk_slices(ruby, self, arguments, [&](const Object& slice) { ruby.push(*result, slice); });
  return Object::of(result);
}

Object map_of_slices(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk_slices(ruby, self, arguments, [&](const Object& slice) {
    ruby.push(*result, ruby.yield(*arguments.block, slice));
  });
  return Object::of(result);
}

Object each_cons(Interpreter& ruby, Object self, const Arguments& arguments) {
  const int64_t size = ruby.integer_of(arguments[0]);
  if (size <= 0) ruby.fail("invalid size");
  auto count = static_cast<size_t>(size);
  for (size_t i = 0; i + count <= items(ruby, self).size(); ++i) {
    ruby.yield(*arguments.block, ruby.array(items(ruby, self).subspan(i, count)));
  }
  return self;
}

// --- choosing -----------------------------------------------------------------------------------

Object map(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array(items(ruby, self).size());
  walk(ruby, self, [&](const Object& item, size_t) {
    ruby.push(*result, ruby.yield(*arguments.block, item));
    return true;
  });
  return Object::of(result);
}

Object map_here(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (size_t i = 0; i < items(ruby, self).size(); ++i) {
    const Object value = ruby.yield(*arguments.block, items(ruby, self)[i]);
    if (i < items(ruby, self).size()) self.array->items[i] = value;
  }
  return self;
}

Object flat_map(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object value = ruby.yield(*arguments.block, item);
    if (!value.is(Class::kArray)) {
      ruby.push(*result, value);
    } else {
      for (const Object& part : items(ruby, value)) ruby.push(*result, part);
    }
    return true;
  });
  return Object::of(result);
}

Object filter_map(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object value = ruby.yield(*arguments.block, item);
    if (value.is_true()) ruby.push(*result, value);
    return true;
  });
  return Object::of(result);
}

template <bool kWanted>
Object select(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t) {
    if (holds(ruby, *arguments.block, item) == kWanted) ruby.push(*result, item);
    return true;
  });
  return Object::of(result);
}

// Removes from the array itself the elements that the block rejects.
template <bool kWanted, bool kNilWhenSame>
Object keep(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object kept = select<kWanted>(ruby, self, arguments);
  const bool is_same = kept.array->size == self.array->size;
  items(ruby, self);
  self.array->size = 0;
  for (const Object& item : items(ruby, kept)) ruby.push(*self.array, item);
  return kNilWhenSame && is_same ? ruby.nil() : self;
}

Object find(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object found;
  walk(ruby, self, [&](const Object& item, size_t) {
    if (!holds(ruby, *arguments.block, item)) return true;
    found = item;
    return false;
  });
  return found;
}

Object find_index(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object found;
  if (arguments.size() == 0 && arguments.block == nullptr)
    ruby.fail_with("'index' without a block");
  walk(ruby, self, [&](const Object& item, size_t at) {
    const bool is_it = arguments.size() == 1 ? ruby.equal(item, arguments[0])
                                             : holds(ruby, *arguments.block, item);
    if (!is_it) return true;
    found = ruby.integer(static_cast<int64_t>(at));
    return false;
  });
  return found;
}

Object partition(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* yes = ruby.new_array();
  ArrayObject* no = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t) {
    ruby.push(holds(ruby, *arguments.block, item) ? *yes : *no, item);
    return true;
  });
  return ruby.pair(Object::of(yes), Object::of(no));
}

Object group_by(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* groups = ruby.new_hash();
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object key = ruby.yield(*arguments.block, item);
    const Object* group = ruby.find(*groups, key);
    if (group == nullptr) {
      ruby.set(*groups, key, ruby.array(std::span(&item, 1)));
    } else {
      ruby.push(*group->array, item);
    }
    return true;
  });
  return Object::of(groups);
}

Object tally(Interpreter& ruby, Object self, const Arguments&) {
  HashTable* counts = ruby.new_hash();
  for (const Object& item : items(ruby, self)) {
    const Object* count = ruby.find(*counts, item);
    ruby.set(*counts, item, ruby.integer(count != nullptr ? count->integer + 1 : 1));
  }
  return Object::of(counts);
}

template <bool kWhile>
Object take_while(Interpreter& ruby, Object self, const Arguments& arguments) {
  size_t count = 0;
  walk(ruby, self, [&](const Object& item, size_t) {
    if (!holds(ruby, *arguments.block, item)) return false;
    ++count;
    return true;
  });
  const std::span<Object> all = items(ruby, self);
  count = std::min(count, all.size());
  return ruby.array(kWhile ? all.first(count) : all.subspan(count));
}

Object unique(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* seen = ruby.new_hash();
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object key = arguments.block != nullptr ? ruby.yield(*arguments.block, item) : item;
    if (ruby.find(*seen, key) != nullptr) return true;
    ruby.set(*seen, key, ruby.boolean(true));
    ruby.push(*result, item);
    return true;
  });
  return Object::of(result);
}

Object unique_here(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object kept = unique(ruby, self, arguments);
  if (kept.array->size == self.array->size) return ruby.nil();
  items(ruby, self);
  self.array->size = 0;
  for (const Object& item : items(ruby, kept)) ruby.push(*self.array, item);
  return self;
}

// --- questions ----------------------------------------------------------------------------------

bool satisfies(Interpreter& ruby, const Arguments& arguments, const Object& item) {
  if (arguments.size() == 1) return ruby.case_equal(arguments[0], item);
  return arguments.block != nullptr ? holds(ruby, *arguments.block, item) : item.is_true();
}

int64_t satisfying(Interpreter& ruby, const Object& self, const Arguments& arguments,
                   int64_t enough) {
  int64_t count = 0;
  walk(ruby, self, [&](const Object& item, size_t) {
    count += satisfies(ruby, arguments, item);
    return count < enough;
  });
  return count;
}

Object any(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(satisfying(ruby, self, arguments, 1) > 0);
}

Object none(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(satisfying(ruby, self, arguments, 1) == 0);
}

Object one(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(satisfying(ruby, self, arguments, 2) == 1);
}

Object all(Interpreter& ruby, Object self, const Arguments& arguments) {
  bool result = true;
  walk(ruby, self,
       [&](const Object& item, size_t) { return result = satisfies(ruby, arguments, item); });
  return ruby.boolean(result);
}

Object count(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.size() == 0 && arguments.block == nullptr) {
    return ruby.integer(static_cast<int64_t>(self.array->size));
  }
  int64_t result = 0;
  walk(ruby, self, [&](const Object& item, size_t) {
    result += arguments.size() == 1 ? ruby.equal(item, arguments[0])
                                    : holds(ruby, *arguments.block, item);
    return true;
  });
  return ruby.integer(result);
}

Object includes(Interpreter& ruby, Object self, const Arguments& arguments) {
  bool result = false;
  walk(ruby, self, [&](const Object& item, size_t) {
    result = ruby.equal(item, arguments[0]);
    return !result;
  });
  return ruby.boolean(result);
}

// Enumerable#grep and grep_v: the elements that the pattern matches, or those that it does not.
template <bool kMatching>
Object grep(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t) {
    if (ruby.case_equal(arguments[0], item) != kMatching) return true;
    ruby.push(*result, arguments.block != nullptr ? ruby.yield(*arguments.block, item) : item);
    return true;
  });
  return Object::of(result);
}

// --- folding ------------------------------------------------------------------------------------

Object inject(Interpreter& ruby, Object self, const Arguments& arguments) {
  std::span<const Object> values = arguments.values;
  const MethodSet* operation = nullptr;
  if (arguments.block == nullptr) {
    if (values.empty() || !values.back().is(Class::kSymbol))
      ruby.fail_with("'inject' in this form");
    operation = find_methods(values.back().string->text);
    if (operation == nullptr) ruby.fail_with("'inject' with such a method");
    values = values.first(values.size() - 1);
  }
  if (values.size() > 1) ruby.fail_with("'inject' in this form");
  bool has_memo = values.size() == 1;
  Object memo = has_memo ? values[0] : ruby.nil();
  walk(ruby, self, [&](const Object& item, size_t) {
    if (!has_memo) {
      memo = item;
      has_memo = true;
    } else if (operation != nullptr) {
      memo = ruby.send(memo, *operation, {std::span(&item, 1), nullptr});
    } else {
      const Object both[] = {memo, item};
      memo = ruby.yield(*arguments.block, both);
    }
    return true;
  });
  return memo;
}

Object sum(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object total = arguments.size() == 1 ? arguments[0] : ruby.integer(0);
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object value = arguments.block != nullptr ? ruby.yield(*arguments.block, item) : item;
    // Ruby compensates for rounding errors when it adds floats.
    if (value.is(Class::kFloat) || total.is(Class::kFloat)) ruby.fail_with("the sum of floats");
    total = ruby.send(total, "+", value);
    return true;
  });
  return total;
}

// The minimum or maximum by the order of the elements, by the block's values (`by`), or by the
// block.
template <int kSign, bool kBy>
Object extreme(Interpreter& ruby, Object self, const Arguments& arguments) {
  bool has_best = false;
  Object best, best_key;
  walk(ruby, self, [&](const Object& item, size_t) {
    const Object key = kBy ? ruby.yield(*arguments.block, item) : item;
    bool is_better = !has_best;
    if (has_best && !kBy && arguments.block != nullptr) {
      const Object both[] = {item, best};
      is_better = ruby.compare(ruby.yield(*arguments.block, both), ruby.integer(0)) * kSign > 0;
    } else if (has_best) {
      is_better = ruby.compare(key, best_key) * kSign > 0;
    }
    if (is_better) {
      best = item;
      best_key = key;
      has_best = true;
    }
    return true;
  });
  return best;
}

// --- sorting ------------------------------------------------------------------------------------

// Ruby's sort uses the C library's, which is a merge sort: equal elements keep their order, and an
// inconsistent order does no harm.
template <typename T, typename Order>
void merge_sort(std::span<T> all, std::vector<T>& space, const Order& order) {
  if (all.size() < 2) return;
  const std::span<T> left = all.first(all.size() / 2), right = all.subspan(all.size() / 2);
  merge_sort(left, space, order);
  merge_sort(right, space, order);
  space.clear();
  size_t i = 0, j = 0;
  while (i < left.size() && j < right.size()) {
    space.push_back(order(left[i], right[j]) <= 0 ? left[i++] : right[j++]);
  }
  while (i < left.size()) space.push_back(left[i++]);
  std::copy(space.begin(), space.end(), all.begin());
}

Object sort(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object result = ruby.array(items(ruby, self));
  const std::span<Object> from = items(ruby, result);
  std::vector<Object> all(from.begin(), from.end()), space;
  merge_sort(std::span(all), space, [&](const Object& a, const Object& b) {
    if (arguments.block == nullptr) return ruby.compare(a, b);
    const Object both[] = {a, b};
    const Object order = ruby.yield(*arguments.block, both);
    if (!order.is_numeric()) {
      // Ruby's message names the two elements that have no order.
      ruby.fail_with("'sort' with such a block");
    }
    return ruby.compare(order, ruby.integer(0));
  });
  std::ranges::copy(all, from.begin());
  return result;
}

Object sort_by(Interpreter& ruby, Object self, const Arguments& arguments) {
  struct Keyed {
    Object key;
    Object item;
  };
  std::vector<Keyed> all, space;
  walk(ruby, self, [&](const Object& item, size_t) {
    all.push_back({ruby.yield(*arguments.block, item), item});
    return true;
  });
  merge_sort(std::span(all), space,
             [&](const Keyed& a, const Keyed& b) { return ruby.compare(a.key, b.key); });
  ArrayObject* result = ruby.new_array(all.size());
  for (const Keyed& keyed : all) ruby.push(*result, keyed.item);
  return Object::of(result);
}

template <Object (*kSort)(Interpreter&, Object, const Arguments&)>
Object sort_here(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object sorted = kSort(ruby, self, arguments);
  std::ranges::copy(items(ruby, sorted), items(ruby, self).begin());
  return self;
}

// --- other shapes -------------------------------------------------------------------------------

Object zip(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (const Object& other : arguments.values) {
    if (!other.is(Class::kArray)) ruby.fail_with("'zip' with such an object");
  }
  ArrayObject* result = ruby.new_array();
  walk(ruby, self, [&](const Object& item, size_t at) {
    ArrayObject* row = ruby.new_array(arguments.size() + 1);
    ruby.push(*row, item);
    for (const Object& other : arguments.values) {
      const std::span<Object> all = items(ruby, other);
      ruby.push(*row, at < all.size() ? all[at] : ruby.nil());
    }
    ruby.spend(row->size);
    ruby.push(*result, Object::of(row));
    return true;
  });
  return Object::of(result);
}

Object to_hash(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* table = ruby.new_hash();
  walk(ruby, self, [&](const Object& item, size_t at) {
    const Object entry = arguments.block != nullptr ? ruby.yield(*arguments.block, item) : item;
    if (!entry.is(Class::kArray) || entry.array->size != 2) {
      ruby.fail("wrong element type " + std::string(class_name(entry)) + " at " +
                std::to_string(at) + " (expected array)");
    }
    const std::span<Object> both = items(ruby, entry);
    ruby.set(*table, both[0], both[1]);
    return true;
  });
  return Object::of(table);
}

constexpr Method kEnumerationMethods[] = {
    {Class::kArray, "each", 0, 0, kMust, each},
    {Class::kArray, "each_index", 0, 0, kMust, each_index},
    {Class::kEnumerable, "reverse_each", 0, 0, kMust, reverse_each},
    {Class::kEnumerable, "each_entry", 0, 0, kMust, each},
    {Class::kEnumerable, "each_with_index", 0, 0, kMust, each_with_index},
    {Class::kEnumerable, "each.with_index", 0, 1, kMust, each_with_index},
    {Class::kEnumerable, "map.with_index", 0, 1, kMust, map_with_index},
    {Class::kEnumerable, "collect.with_index", 0, 1, kMust, map_with_index},
    {Class::kEnumerable, "each_with_index.map", 0, 0, kMust, map_of_pairs},
    {Class::kEnumerable, "each_with_index.collect", 0, 0, kMust, map_of_pairs},
    {Class::kEnumerable, "each_with_object", 1, 1, kMust, each_with_object},
    {Class::kEnumerable, "each_slice", 1, 1, kMust, each_slice},
    {Class::kEnumerable, "each_slice.to_a", 1, 1, kNever, slices},
    {Class::kEnumerable, "each_slice.map", 1, 1, kMust, map_of_slices},
    {Class::kEnumerable, "each_slice.collect", 1, 1, kMust, map_of_slices},
    {Class::kEnumerable, "each_cons", 1, 1, kMust, each_cons},

    {Class::kEnumerable, "map", 0, 0, kMust, map},
    {Class::kArray, "map!", 0, 0, kMust, map_here},
    {Class::kArray, "collect!", 0, 0, kMust, map_here},
    {Class::kEnumerable, "map.each_with_index", 0, 0, kMust, map_with_index},
    {Class::kEnumerable, "collect.each_with_index", 0, 0, kMust, map_with_index},
    {Class::kEnumerable, "collect", 0, 0, kMust, map},
    {Class::kEnumerable, "flat_map", 0, 0, kMust, flat_map},
    {Class::kEnumerable, "collect_concat", 0, 0, kMust, flat_map},
    {Class::kEnumerable, "filter_map", 0, 0, kMust, filter_map},
    {Class::kEnumerable, "select", 0, 0, kMust, select<true>},
    {Class::kEnumerable, "filter", 0, 0, kMust, select<true>},
    {Class::kEnumerable, "find_all", 0, 0, kMust, select<true>},
    {Class::kEnumerable, "reject", 0, 0, kMust, select<false>},
    {Class::kArray, "select!", 0, 0, kMust, keep<true, true>},
    {Class::kArray, "keep_if", 0, 0, kMust, keep<true, false>},
    {Class::kArray, "reject!", 0, 0, kMust, keep<false, true>},
    {Class::kArray, "delete_if", 0, 0, kMust, keep<false, false>},
    {Class::kEnumerable, "find", 0, 0, kMust, find},
    {Class::kEnumerable, "detect", 0, 0, kMust, find},
    {Class::kEnumerable, "find_index", 0, 1, kMay, find_index},
    {Class::kArray, "index", 0, 1, kMay, find_index},
    {Class::kEnumerable, "partition", 0, 0, kMust, partition},
    {Class::kEnumerable, "group_by", 0, 0, kMust, group_by},
    {Class::kEnumerable, "tally", 0, 0, kNever, tally},
    {Class::kEnumerable, "take_while", 0, 0, kMust, take_while<true>},
    {Class::kEnumerable, "drop_while", 0, 0, kMust, take_while<false>},
    {Class::kEnumerable, "uniq", 0, 0, kMay, unique},
    {Class::kArray, "uniq!", 0, 0, kMay, unique_here},

    {Class::kEnumerable, "any?", 0, 1, kMay, any},
    {Class::kEnumerable, "none?", 0, 1, kMay, none},
    {Class::kEnumerable, "one?", 0, 1, kMay, one},
    {Class::kEnumerable, "all?", 0, 1, kMay, all},
    {Class::kEnumerable, "count", 0, 1, kMay, count},
    {Class::kArray, "include?", 1, 1, kNever, includes},
    {Class::kArray, "member?", 1, 1, kNever, includes},

    {Class::kEnumerable, "inject", 0, 2, kMay, inject},
    {Class::kEnumerable, "reduce", 0, 2, kMay, inject},
    {Class::kEnumerable, "sum", 0, 1, kMay, sum},
    {Class::kEnumerable, "min", 0, 0, kMay, extreme<-1, false>},
    {Class::kEnumerable, "max", 0, 0, kMay, extreme<1, false>},
    {Class::kEnumerable, "min_by", 0, 0, kMust, extreme<-1, true>},
    {Class::kEnumerable, "max_by", 0, 0, kMust, extreme<1, true>},

    {Class::kEnumerable, "minmax", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.pair(extreme<-1, false>(ruby, self, arguments),
                        extreme<1, false>(ruby, self, arguments));
     }},
    {Class::kEnumerable, "grep", 1, 1, kMay, grep<true>},
    {Class::kEnumerable, "grep_v", 1, 1, kMay, grep<false>},

    {Class::kEnumerable, "sort", 0, 0, kMay, sort},
    {Class::kEnumerable, "sort_by", 0, 0, kMust, sort_by},
    {Class::kArray, "sort!", 0, 0, kMay, sort_here<sort>},
    {Class::kArray, "sort_by!", 0, 0, kMust, sort_here<sort_by>},
    {Class::kEnumerable, "zip", 1, kAnyCount, kNever, zip},
    {Class::kEnumerable, "to_h", 0, 0, kMay, to_hash},
};

}  // namespace

std::span<const Method> enumeration_methods() {
  return kEnumerationMethods;
}

}  // namespace bunraku::erb
