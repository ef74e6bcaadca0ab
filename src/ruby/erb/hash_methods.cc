// Hashes: their entries and their own iteration. The other methods are Enumerable's.
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

// Counts an iteration over a hash, during which the hash may not grow.
class Walk {
 public:
  explicit Walk(HashTable& table) : table_(table) { ++table.walks; }
  ~Walk() { --table_.walks; }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

 private:
  HashTable& table_;
};

template <typename Visit>
void walk(Interpreter& ruby, const Object& self, Visit visit) {
  HashTable& table = ruby.load(*self.hash);
  const Walk guard(table);
  for (uint32_t i = 0; i < table.used; ++i) {
    if (!table.entries[i].is_removed) visit(TableEntry(table.entries[i]));
  }
}

Object yield_both(Interpreter& ruby, const BlockNode& block, const TableEntry& entry) {
  const Object both[] = {entry.key, entry.value};
  return ruby.yield(block, both);
}

// --- entries ------------------------------------------------------------------------------------

Object element(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (const Object* found = ruby.find(*self.hash, arguments[0])) return *found;
  // Ruby code may have set the key as a symbol, which arrived here as a string.
  if (arguments[0].is(Class::kSymbol) &&
      ruby.find(*self.hash, ruby.borrowed(arguments[0].string->text)) != nullptr) {
    ruby.fail_with("a symbol for a key");
  }
  return self.hash->otherwise;
}

Object set_element(Interpreter& ruby, Object self, const Arguments& arguments) {
  ruby.set(*self.hash, arguments[0], arguments[1]);
  return arguments[1];
}

Object fetch(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (const Object* found = ruby.find(*self.hash, arguments[0])) return *found;
  if (arguments.block != nullptr) return ruby.yield(*arguments.block, arguments[0]);
  if (arguments.size() > 1) return arguments[1];
  std::string key;
  ruby.append_inspect(key, arguments[0]);
  ruby.fail("key not found: " + key);
}

Object has_key(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(ruby.find(*self.hash, arguments[0]) != nullptr);
}

Object has_value(Interpreter& ruby, Object self, const Arguments& arguments) {
  bool result = false;
  walk(ruby, self,
       [&](const TableEntry& entry) { result = result || ruby.equal(entry.value, arguments[0]); });
  return ruby.boolean(result);
}

Object key_of(Interpreter& ruby, Object self, const Arguments& arguments) {
  Object result;
  bool is_found = false;
  walk(ruby, self, [&](const TableEntry& entry) {
    if (is_found || !ruby.equal(entry.value, arguments[0])) return;
    result = entry.key;
    is_found = true;
  });
  return result;
}

Object values_at(Interpreter& ruby, Object self, const Arguments& arguments) {
  ArrayObject* result = ruby.new_array();
  for (const Object& key : arguments.values) {
    ruby.push(*result, element(ruby, self, {std::span(&key, 1), nullptr}));
  }
  return Object::of(result);
}

Object keys(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* result = ruby.new_array(self.hash->size);
  walk(ruby, self, [&](const TableEntry& entry) { ruby.push(*result, entry.key); });
  ruby.spend(result->size);
  return Object::of(result);
}

Object values(Interpreter& ruby, Object self, const Arguments&) {
  ArrayObject* result = ruby.new_array(self.hash->size);
  walk(ruby, self, [&](const TableEntry& entry) { ruby.push(*result, entry.value); });
  ruby.spend(result->size);
  return Object::of(result);
}

Object remove(Interpreter& ruby, Object self, const Arguments& arguments) {
  const Object* found = ruby.find(ruby.load(*self.hash), arguments[0]);
  if (found == nullptr) return ruby.nil();
  Object value = *found;
  ruby.erase(*self.hash, arguments[0]);
  return value;
}

// --- walks --------------------------------------------------------------------------------------

Object each(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk(ruby, self, [&](const TableEntry& entry) {
    ruby.yield(*arguments.block, ruby.pair(entry.key, entry.value));
  });
  return self;
}

Object each_key(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk(ruby, self, [&](const TableEntry& entry) { ruby.yield(*arguments.block, entry.key); });
  return self;
}

Object each_value(Interpreter& ruby, Object self, const Arguments& arguments) {
  walk(ruby, self, [&](const TableEntry& entry) { ruby.yield(*arguments.block, entry.value); });
  return self;
}

template <bool kWanted>
Object select(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* result = ruby.new_hash();
  walk(ruby, self, [&](const TableEntry& entry) {
    if (yield_both(ruby, *arguments.block, entry).is_true() == kWanted) {
      ruby.set(*result, entry.key, entry.value);
    }
  });
  return Object::of(result);
}

template <bool kWanted, bool kNilWhenSame>
Object keep(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable& table = ruby.load(*self.hash);
  const uint32_t before = table.size;
  walk(ruby, self, [&](const TableEntry& entry) {
    if (yield_both(ruby, *arguments.block, entry).is_true() != kWanted)
      ruby.erase(table, entry.key);
  });
  return kNilWhenSame && before == table.size ? ruby.nil() : self;
}

template <bool kAll>
Object partly(Interpreter& ruby, Object self, const Arguments& arguments) {
  bool result = kAll;
  walk(ruby, self, [&](const TableEntry& entry) {
    if (result != kAll) return;
    // A block with one parameter gets the pair.
    const bool holds = arguments.block == nullptr ||
                       ruby.yield(*arguments.block, ruby.pair(entry.key, entry.value)).is_true();
    if (holds != kAll) result = !kAll;
  });
  return ruby.boolean(result);
}

// --- new hashes ---------------------------------------------------------------------------------

void add_all(Interpreter& ruby, HashTable& to, const Object& from, const BlockNode* block) {
  walk(ruby, from, [&](const TableEntry& entry) {
    const Object* old = block != nullptr ? ruby.find(to, entry.key) : nullptr;
    if (old == nullptr) return ruby.set(to, entry.key, entry.value);
    const Object three[] = {entry.key, *old, entry.value};
    ruby.set(to, entry.key, ruby.yield(*block, three));
  });
}

Object copy(Interpreter& ruby, Object self, const Arguments&) {
  HashTable* result = ruby.new_hash();
  result->otherwise = self.hash->otherwise;
  add_all(ruby, *result, self, nullptr);
  return Object::of(result);
}

Object merge_here(Interpreter& ruby, Object self, const Arguments& arguments) {
  for (const Object& other : arguments.values) {
    ruby.hash_of(other);
    if (!ruby.same(other, self)) add_all(ruby, *self.hash, other, arguments.block);
  }
  return self;
}

Object merge(Interpreter& ruby, Object self, const Arguments& arguments) {
  return merge_here(ruby, copy(ruby, self, arguments), arguments);
}

Object invert(Interpreter& ruby, Object self, const Arguments&) {
  HashTable* result = ruby.new_hash();
  walk(ruby, self, [&](const TableEntry& entry) { ruby.set(*result, entry.value, entry.key); });
  return Object::of(result);
}

Object compact(Interpreter& ruby, Object self, const Arguments&) {
  HashTable* result = ruby.new_hash();
  walk(ruby, self, [&](const TableEntry& entry) {
    if (!entry.value.is_nil()) ruby.set(*result, entry.key, entry.value);
  });
  return Object::of(result);
}

Object transform_values(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* result = ruby.new_hash();
  walk(ruby, self, [&](const TableEntry& entry) {
    ruby.set(*result, entry.key, ruby.yield(*arguments.block, entry.value));
  });
  return Object::of(result);
}

Object transform_keys(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* result = ruby.new_hash();
  walk(ruby, self, [&](const TableEntry& entry) {
    ruby.set(*result, ruby.yield(*arguments.block, entry.key), entry.value);
  });
  return Object::of(result);
}

template <bool kWanted>
Object part(Interpreter& ruby, Object self, const Arguments& arguments) {
  HashTable* result = ruby.new_hash();
  if (kWanted) {
    for (const Object& key : arguments.values) {
      if (const Object* found = ruby.find(*self.hash, key)) ruby.set(*result, key, *found);
    }
    return Object::of(result);
  }
  add_all(ruby, *result, self, nullptr);
  for (const Object& key : arguments.values) ruby.erase(*result, key);
  return Object::of(result);
}

Object size(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.integer(static_cast<int64_t>(self.hash->size));
}

Object itself(Interpreter&, Object self, const Arguments&) {
  return self;
}

Object to_h(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (arguments.block == nullptr) return self;
  HashTable* table = ruby.new_hash();
  walk(ruby, self, [&](const TableEntry& entry) {
    const Object both = yield_both(ruby, *arguments.block, entry);
    if (!both.is(Class::kArray) || both.array->size != 2)
      ruby.fail_with("'to_h' with such a block");
    const std::span<Object> pair = ruby.items(*both.array);
    ruby.set(*table, pair[0], pair[1]);
  });
  return Object::of(table);
}

Object kernel_hash(Interpreter& ruby, Object, const Arguments& arguments) {
  const Object& from = arguments[0];
  if (from.is(Class::kHash)) return from;
  if (!from.is_nil() && !(from.is(Class::kArray) && ruby.items(*from.array).empty())) {
    ruby.fail_with("'Hash' of such an object");
  }
  return Object::of(ruby.new_hash());
}

constexpr Method kHashMethods[] = {
    {Class::kTemplate, "Hash", 1, 1, kNever, kernel_hash},
    {Class::kHash, "[]", 1, 1, kNever, element},
    {Class::kHash, "[]=", 2, 2, kNever, set_element},
    {Class::kHash, "store", 2, 2, kNever, set_element},
    {Class::kHash, "fetch", 1, 2, kMay, fetch},
    {Class::kHash, "key?", 1, 1, kNever, has_key},
    {Class::kHash, "has_key?", 1, 1, kNever, has_key},
    {Class::kHash, "include?", 1, 1, kNever, has_key},
    {Class::kHash, "member?", 1, 1, kNever, has_key},
    {Class::kHash, "value?", 1, 1, kNever, has_value},
    {Class::kHash, "has_value?", 1, 1, kNever, has_value},
    {Class::kHash, "key", 1, 1, kNever, key_of},
    {Class::kHash, "values_at", 0, kAnyCount, kNever, values_at},
    {Class::kHash, "keys", 0, 0, kNever, keys},
    {Class::kHash, "values", 0, 0, kNever, values},
    {Class::kHash, "delete", 1, 1, kNever, remove},
    {Class::kHash, "length", 0, 0, kNever, size},
    {Class::kHash, "size", 0, 0, kNever, size},
    {Class::kHash, "empty?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(self.hash->size == 0);
     }},
    {Class::kHash, "each", 0, 0, kMust, each},
    {Class::kHash, "each_pair", 0, 0, kMust, each},
    {Class::kHash, "each_key", 0, 0, kMust, each_key},
    {Class::kHash, "each_value", 0, 0, kMust, each_value},
    {Class::kHash, "select", 0, 0, kMust, select<true>},
    {Class::kHash, "filter", 0, 0, kMust, select<true>},
    {Class::kHash, "reject", 0, 0, kMust, select<false>},
    {Class::kHash, "select!", 0, 0, kMust, keep<true, true>},
    {Class::kHash, "keep_if", 0, 0, kMust, keep<true, false>},
    {Class::kHash, "reject!", 0, 0, kMust, keep<false, true>},
    {Class::kHash, "delete_if", 0, 0, kMust, keep<false, false>},
    {Class::kHash, "any?", 0, 0, kMay,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return partly<false>(ruby, self, arguments);
     }},
    {Class::kHash, "all?", 0, 0, kMust, partly<true>},
    {Class::kHash, "merge", 0, kAnyCount, kMay, merge},
    {Class::kHash, "merge!", 0, kAnyCount, kMay, merge_here},
    {Class::kHash, "update", 0, kAnyCount, kMay, merge_here},
    {Class::kHash, "invert", 0, 0, kNever, invert},
    {Class::kHash, "compact", 0, 0, kNever, compact},
    {Class::kHash, "transform_values", 0, 0, kMust, transform_values},
    {Class::kHash, "transform_keys", 0, 0, kMust, transform_keys},
    {Class::kHash, "slice", 0, kAnyCount, kNever, part<true>},
    {Class::kHash, "except", 0, kAnyCount, kNever, part<false>},
    {Class::kHash, "to_h", 0, 0, kMay, to_h},
    {Class::kHash, "to_hash", 0, 0, kNever, itself},
    {Class::kHash, "dup", 0, 0, kNever, copy},
    {Class::kHash, "clone", 0, 0, kNever, copy},
    {Class::kHash, "clear", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       ruby.clear(*self.hash);
       return self;
     }},
};

}  // namespace

std::span<const Method> hash_methods() {
  return kHashMethods;
}

}  // namespace bunraku::erb
