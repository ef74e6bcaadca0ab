// Arrays: their elements, and methods that change them. Iteration is in enumeration_methods.cc.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ruby/erb/interpreter.h"
#include "ruby/erb/slices.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

std::span<Object> items(Interpreter& ruby, const Object& self) {
  return ruby.items(*self.array);
}

// --- elements -----------------------------------------------------------------------------------

Object element(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> all = items(ruby, self);
  if (arguments.size() == 1 && !arguments[0].is(Class::kRange)) {
    int64_t at = ruby.integer_of(arguments[0]);
    if (at < 0) at += static_cast<int64_t>(all.size());
    if (at < 0 || at >= static_cast<int64_t>(all.size())) return ruby.nil();
    return all[static_cast<size_t>(at)];
  }
  std::optional<Slice> slice = slice_of(ruby, arguments, all.size());
  return slice ? ruby.array(all.subspan(slice->begin, slice->size)) : ruby.nil();
}

// For `at` and `dig`, which take no Range.
Object element_at(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kRange)) ruby.fail_with("an element at a Range");
  return element(ruby, self, arguments);
}

Object set_element(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kRange)) ruby.fail_with("a change of a Range of elements");
  ArrayObject& array = *self.array;
  auto size = static_cast<int64_t>(ruby.items(array).size());
  int64_t at = ruby.integer_of(arguments[0]);
  if (at < -size) {
    ruby.fail("index " + std::to_string(at) + " too small for array; minimum: -" +
              std::to_string(size));
  }
  if (at < 0) at += size;
  if (at > 10'000'000) ruby.fail_with("so large an Array");
  if (at >= size) ruby.resize(array, static_cast<size_t>(at) + 1);
  return ruby.items(array)[static_cast<size_t>(at)] = arguments[1];
}

Object first(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> all = items(ruby, self);
  if (arguments.size() == 0) return all.empty() ? ruby.nil() : all.front();
  const int64_t count = ruby.integer_of(arguments[0]);
  if (count < 0) ruby.fail("negative array size (or size too big)");
  return ruby.array(all.first(std::min(static_cast<size_t>(count), all.size())));
}

Object last(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> all = items(ruby, self);
  if (arguments.size() == 0) return all.empty() ? ruby.nil() : all.back();
  const int64_t count = ruby.integer_of(arguments[0]);
  if (count < 0) ruby.fail("negative array size (or size too big)");
  return ruby.array(all.last(std::min(static_cast<size_t>(count), all.size())));
}

Object drop(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> all = items(ruby, self);
  const int64_t count = ruby.integer_of(arguments[0]);
  if (count < 0) ruby.fail("attempt to drop negative size");
  return ruby.array(all.subspan(std::min(static_cast<size_t>(count), all.size())));
}

Object fetch(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> all = items(ruby, self);
  const int64_t wanted = ruby.integer_of(arguments[0]);
  auto size = static_cast<int64_t>(all.size());
  const int64_t at = wanted < 0 ? wanted + size : wanted;
  if (at >= 0 && at < size) return all[static_cast<size_t>(at)];
  if (arguments.block != nullptr) return ruby.yield(*arguments.block, arguments[0]);
  if (arguments.size() > 1) return arguments[1];
  ruby.fail("index " + std::to_string(wanted) +
            " outside of array bounds: " + std::to_string(-size) + "..." + std::to_string(size));
}

Object dig(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object at = self;
  for (const Object& key : arguments.values) {
    if (at.is_nil()) return at;
    if (at.is(Class::kArray)) {
      at = element_at(ruby, at, {std::span(&key, 1), nullptr});
    } else if (at.is(Class::kHash)) {
      const Object* found = ruby.find(*at.hash, key);
      if (found == nullptr && !at.hash->otherwise.is_nil()) ruby.fail_with("'dig' of such a Hash");
      at = found != nullptr ? *found : ruby.nil();
    } else {
      ruby.fail(std::string(class_name(at)) + " does not have #dig method");
    }
  }
  return at;
}

Object values_at(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  for (const Object& at : arguments.values) {
    if (!at.is(Class::kInteger)) ruby.fail_with("'values_at' in this form");
    ruby.push(*result, element(ruby, self, {std::span(&at, 1), nullptr}));
  }
  return Object::of(result);
}

// --- new arrays ---------------------------------------------------------------------------------

void append_flattened(Interpreter& ruby, ArrayObject& to, const Object& from, int64_t levels,
                      int depth) {
  if (depth > 1000) ruby.fail_with("objects or code nested so deeply");
  for (const Object& item : items(ruby, from)) {
    if (item.is(Class::kArray) && levels != 0) {
      append_flattened(ruby, to, item, levels - 1, depth + 1);
    } else {
      ruby.spend(1);
      ruby.push(to, item);
    }
  }
}

Object flatten(Interpreter& ruby, Object self, const Arguments& arguments) {
  int64_t levels = -1;
  if (arguments.size() == 1 && !arguments[0].is_nil()) levels = ruby.integer_of(arguments[0]);
  ArrayObject* result = ruby.new_array();
  append_flattened(ruby, *result, self, levels, 0);
  return Object::of(result);
}

Object compact(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* result = ruby.new_array();
  for (const Object& item : items(ruby, self)) {
    if (!item.is_nil()) ruby.push(*result, item);
  }
  return Object::of(result);
}

Object reverse(Interpreter& ruby, Object self, const Arguments&) {
  Object result = ruby.array(items(ruby, self));
  std::ranges::reverse(items(ruby, result));
  return result;
}

Object rotate(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object result = ruby.array(items(ruby, self));
  const std::span<Object> all = items(ruby, result);
  int64_t count = arguments.size() == 1 ? ruby.integer_of(arguments[0]) : 1;
  if (all.empty()) return result;
  auto size = static_cast<int64_t>(all.size());
  count = ((count % size) + size) % size;
  std::ranges::rotate(all, all.begin() + count);
  return result;
}

// The elements of `self` that are in `other`, or those that are not; without duplicates if `once`.
Object chosen(Interpreter& ruby, const Object& self, const Object& other, bool wants_common,
              bool once) {
  HashTable* there = ruby.new_hash();
  for (const Object& item : ruby.items(ruby.array_of(other))) {
    ruby.set(*there, item, ruby.boolean(true));
  }
  HashTable* seen = ruby.new_hash();
  ArrayObject* result = ruby.new_array();
  for (const Object& item : items(ruby, self)) {
    if ((ruby.find(*there, item) != nullptr) != wants_common) continue;
    if (once) {
      if (ruby.find(*seen, item) != nullptr) continue;
      ruby.set(*seen, item, ruby.boolean(true));
    }
    ruby.push(*result, item);
  }
  return Object::of(result);
}

Object plus(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> more = ruby.items(ruby.array_of(arguments[0]));
  Object result = ruby.array(items(ruby, self));
  for (const Object& item : more) ruby.push(*result.array, item);
  return result;
}

Object unite(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object all = plus(ruby, self, arguments);
  return chosen(ruby, all, all, true, true);
}

void append_joined(Interpreter& ruby, std::string& text, const Object& self,
                   std::string_view separator, int depth) {
  if (depth > 1000) ruby.fail_with("objects or code nested so deeply");
  bool is_first = true;
  for (const Object& item : items(ruby, self)) {
    ruby.spend(1);
    if (!is_first) text += separator;
    is_first = false;
    if (item.is(Class::kArray)) {
      append_joined(ruby, text, item, separator, depth + 1);
    } else {
      ruby.append_to_s(text, item);
    }
    ruby.check_size(text.size());
  }
}

Object join(Interpreter& ruby, Object self, const Arguments& arguments) {
  const bool has_separator = arguments.size() == 1 && !arguments[0].is_nil();
  if (has_separator && self.array->size == 0 && !arguments[0].is(Class::kString)) {
    ruby.fail_with("such a separator");  // which is not looked at
  }
  const std::string_view separator = has_separator ? ruby.text_of(arguments[0]) : "";
  std::string text;
  append_joined(ruby, text, self, separator, 0);
  return ruby.string(text);
}

Object repeat(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments[0].is(Class::kString)) return join(ruby, self, arguments);
  const int64_t count = ruby.integer_of(arguments[0]);
  if (count < 0) ruby.fail("argument must be non-negative");
  ArrayObject* result = ruby.new_array();
  for (int64_t i = 0; i < count && self.array->size > 0; ++i) {
    ruby.spend(self.array->size);
    for (const Object& item : items(ruby, self)) ruby.push(*result, item);
  }
  return Object::of(result);
}

Object transpose(Interpreter& ruby, Object self, const Arguments&) {
  const std::span<Object> rows = items(ruby, self);
  ArrayObject* result = ruby.new_array();
  if (rows.empty()) return Object::of(result);
  const size_t width = ruby.items(ruby.array_of(rows[0])).size();
  for (const Object& row : rows) {
    const size_t size = ruby.items(ruby.array_of(row)).size();
    if (size != width) {
      ruby.fail("element size differs (" + std::to_string(size) + " should be " +
                std::to_string(width) + ")");
    }
  }
  for (size_t i = 0; i < width; ++i) {
    ArrayObject* column = ruby.new_array(rows.size());
    for (const Object& row : rows) ruby.push(*column, ruby.items(*row.array)[i]);
    ruby.spend(rows.size());
    ruby.push(*result, Object::of(column));
  }
  return Object::of(result);
}

// All rows with an item of each array; the last array's items change fastest.
Object product(Interpreter& ruby, Object self, const Arguments& arguments) {
  std::vector<std::span<Object>> factors = {items(ruby, self)};
  for (const Object& other : arguments.values) factors.push_back(ruby.items(ruby.array_of(other)));
  ArrayObject* result = ruby.new_array();
  const auto is_empty = [](std::span<Object> factor) { return factor.empty(); };
  if (std::ranges::any_of(factors, is_empty)) return Object::of(result);
  std::vector<size_t> at(factors.size());
  for (;;) {
    ArrayObject* row = ruby.new_array(factors.size());
    for (size_t i = 0; i < factors.size(); ++i) ruby.push(*row, factors[i][at[i]]);
    ruby.spend(factors.size());
    ruby.push(*result, Object::of(row));
    size_t moved = factors.size();
    while (moved > 0 && ++at[moved - 1] == factors[moved - 1].size()) at[--moved] = 0;
    if (moved == 0) return Object::of(result);
  }
}

// --- changes ------------------------------------------------------------------------------------

Object push(Interpreter& ruby, Object self, const Arguments& arguments) {
  ruby.spend(1);
  for (const Object& item : arguments.values) ruby.push(*self.array, item);
  return self;
}

Object pop(Interpreter& ruby, Object self, const Arguments&) {
  const std::span<Object> all = items(ruby, self);
  if (all.empty()) return ruby.nil();
  Object item = all.back();
  --self.array->size;
  return item;
}

Object shift(Interpreter& ruby, Object self, const Arguments&) {
  const std::span<Object> all = items(ruby, self);
  if (all.empty()) return ruby.nil();
  Object item = all.front();
  ++self.array->items;
  --self.array->size;
  --self.array->capacity;
  return item;
}

Object insert_at_start(Interpreter& ruby, Object self, const Arguments& arguments) {
  std::vector<Object> all(arguments.values.begin(), arguments.values.end());
  const std::span<Object> old = items(ruby, self);
  ruby.spend(old.size());
  all.insert(all.end(), old.begin(), old.end());
  self.array->size = 0;
  for (const Object& item : all) ruby.push(*self.array, item);
  return self;
}

Object insert(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> old = items(ruby, self);
  if (!arguments[0].is(Class::kInteger)) ruby.fail_with("'insert' in this form");
  const int64_t at = arguments[0].integer;
  // Beyond its end an array grows; a negative place counts from the end.
  if (at < 0 || at > static_cast<int64_t>(old.size())) ruby.fail_with("'insert' at such a place");
  ruby.spend(old.size());
  std::vector<Object> all(old.begin(), old.end());
  all.insert(all.begin() + at, arguments.values.begin() + 1, arguments.values.end());
  self.array->size = 0;
  for (const Object& item : all) ruby.push(*self.array, item);
  return self;
}

Object concat(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (const Object& argument : arguments.values) {
    const std::span<Object> more = ruby.items(ruby.array_of(argument));
    ruby.spend(more.size());
    const std::vector<Object> copy(more.begin(), more.end());
    for (const Object& item : copy) ruby.push(*self.array, item);
  }
  return self;
}

void replace_all(Interpreter& ruby, Object self, const Object& with) {
  const std::span<Object> from = items(ruby, with);
  const std::vector<Object> copy(from.begin(), from.end());
  items(ruby, self);
  self.array->size = 0;
  for (const Object& item : copy) ruby.push(*self.array, item);
}

// A method whose name ends in `!`: it returns nil when nothing has changed.
template <Object (*kChange)(Interpreter&, Object, const Arguments&)>
Object change(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object result = kChange(ruby, self, arguments);
  if (result.array->size == self.array->size) return ruby.nil();
  replace_all(ruby, self, result);
  return self;
}

Object delete_equal(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object deleted;
  bool is_found = false;
  size_t kept = 0;
  const std::span<Object> all = items(ruby, self);
  for (const Object& item : all) {
    if (ruby.equal(item, arguments[0])) {
      deleted = item;
      is_found = true;
    } else {
      all[kept++] = item;
    }
  }
  self.array->size = kept;
  return is_found ? deleted : ruby.nil();
}

Object delete_at(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::span<Object> all = items(ruby, self);
  int64_t at = ruby.integer_of(arguments[0]);
  if (at < 0) at += static_cast<int64_t>(all.size());
  if (at < 0 || at >= static_cast<int64_t>(all.size())) return ruby.nil();
  Object deleted = all[static_cast<size_t>(at)];
  std::copy(all.begin() + at + 1, all.end(), all.begin() + at);
  --self.array->size;
  return deleted;
}

// --- Array() and more ---------------------------------------------------------------------------

Object kernel_array(Interpreter& ruby, Object, const Arguments& arguments) {
  const Object& from = arguments[0];
  if (from.is_nil()) return ruby.array({});
  if (from.is(Class::kArray) || from.is(Class::kHash) || from.is(Class::kRange)) {
    return Object::of(&ruby.to_array(from));
  }
  if (from.is(Class::kForeign) || from.is(Class::kMatch))
    ruby.fail_with("'Array' of such an object");
  return ruby.array(std::span(&from, 1));
}

Object size(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.integer(static_cast<int64_t>(self.array->size));
}

Object copy(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.array(items(ruby, self));
}

Object itself(Interpreter&, Object self, const Arguments&) {
  return self;
}

constexpr Method kArrayMethods[] = {
    {Class::kTemplate, "Array", 1, 1, kNever, kernel_array},
    {Class::kArray, "[]", 1, 2, kNever, element},
    {Class::kArray, "slice", 1, 2, kNever, element},
    {Class::kArray, "at", 1, 1, kNever, element_at},
    {Class::kArray, "[]=", 2, 2, kNever, set_element},
    {Class::kArray, "last", 0, 1, kNever, last},
    {Class::kEnumerable, "first", 0, 1, kNever, first},
    {Class::kEnumerable, "take", 1, 1, kNever, first},
    {Class::kEnumerable, "drop", 1, 1, kNever, drop},
    {Class::kArray, "fetch", 1, 2, kMay, fetch},
    {Class::kArray, "dig", 1, kAnyCount, kNever, dig},
    {Class::kHash, "dig", 1, kAnyCount, kNever, dig},
    {Class::kArray, "values_at", 0, kAnyCount, kNever, values_at},
    {Class::kArray, "length", 0, 0, kNever, size},
    {Class::kArray, "size", 0, 0, kNever, size},
    {Class::kArray, "empty?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(self.array->size == 0);
     }},
    {Class::kEnumerable, "to_a", 0, 0, kNever, itself},
    {Class::kEnumerable, "entries", 0, 0, kNever, copy},
    {Class::kArray, "to_ary", 0, 0, kNever, itself},
    {Class::kArray, "dup", 0, 0, kNever, copy},
    {Class::kArray, "clone", 0, 0, kNever, copy},

    {Class::kArray, "flatten", 0, 1, kNever, flatten},
    {Class::kArray, "flatten!", 0, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       const bool has_arrays = std::ranges::any_of(
           items(ruby, self), [](const Object& item) { return item.is(Class::kArray); });
       const Object flat = flatten(ruby, self, arguments);
       if (!has_arrays) return ruby.nil();
       replace_all(ruby, self, flat);
       return self;
     }},
    {Class::kArray, "compact", 0, 0, kNever, compact},
    {Class::kArray, "compact!", 0, 0, kNever, change<compact>},
    {Class::kArray, "reverse", 0, 0, kNever, reverse},
    {Class::kArray, "rotate", 0, 1, kNever, rotate},
    {Class::kArray, "+", 1, 1, kNever, plus},
    {Class::kArray, "-", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return chosen(ruby, self, arguments[0], false, false);
     }},
    {Class::kArray, "difference", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return chosen(ruby, self, arguments[0], false, false);
     }},
    {Class::kArray, "&", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return chosen(ruby, self, arguments[0], true, true);
     }},
    {Class::kArray, "intersection", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return chosen(ruby, self, arguments[0], true, true);
     }},
    {Class::kArray, "|", 1, 1, kNever, unite},
    {Class::kArray, "union", 1, 1, kNever, unite},
    {Class::kArray, "*", 1, 1, kNever, repeat},
    {Class::kArray, "join", 0, 1, kNever, join},
    {Class::kArray, "transpose", 0, 0, kNever, transpose},
    {Class::kArray, "product", 0, kAnyCount, kNever, product},

    {Class::kArray, "<<", 1, 1, kNever, push},
    {Class::kArray, "push", 0, kAnyCount, kNever, push},
    {Class::kArray, "append", 0, kAnyCount, kNever, push},
    {Class::kArray, "pop", 0, 0, kNever, pop},
    {Class::kArray, "shift", 0, 0, kNever, shift},
    {Class::kArray, "unshift", 0, kAnyCount, kNever, insert_at_start},
    {Class::kArray, "prepend", 0, kAnyCount, kNever, insert_at_start},
    {Class::kArray, "insert", 1, kAnyCount, kNever, insert},
    {Class::kArray, "concat", 0, kAnyCount, kNever, concat},
    {Class::kArray, "delete", 1, 1, kNever, delete_equal},
    {Class::kArray, "delete_at", 1, 1, kNever, delete_at},
    {Class::kArray, "clear", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       ruby.resize(*self.array, 0);
       return self;
     }},
};

}  // namespace

std::span<const Method> array_methods() {
  return kArrayMethods;
}

}  // namespace bunraku::erb
