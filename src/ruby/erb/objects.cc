// Making and changing objects.
#include <algorithm>

#include <fmt/core.h>

#include "base/regex/regex.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

// --- making -------------------------------------------------------------------------------------

Object Interpreter::borrowed(std::string_view text) {
  return Object::of(arena_.make<StringObject>(text));
}

Object Interpreter::symbol(std::string_view text) {
  Object object(Class::kSymbol);
  object.string = arena_.make<StringObject>(text);
  return object;
}

ArrayObject* Interpreter::new_array(size_t capacity) {
  auto* array = arena_.make<ArrayObject>();
  if (capacity > 0) {
    array->items = arena_.make_array<Object>(capacity);
    array->capacity = capacity;
  }
  return array;
}

Object Interpreter::array(std::span<const Object> items) {
  spend(items.size());
  ArrayObject* array = new_array(items.size());
  // NOLINTNEXTLINE(modernize-use-ranges): the array has been made with this capacity.
  std::uninitialized_copy(items.begin(), items.end(), array->items);
  array->size = items.size();
  return Object::of(array);
}

Object Interpreter::pair(const Object& first, const Object& second) {
  ArrayObject* array = new_array(2);
  array->items[0] = first;
  array->items[1] = second;
  array->size = 2;
  return Object::of(array);
}

HashTable* Interpreter::new_hash() {
  return arena_.make<HashTable>();
}

Object Interpreter::constant(Class which) const {
  Object object(Class::kClass);
  object.named = which;
  return object;
}

// --- values of the language ---------------------------------------------------------------------

Object Interpreter::bring_over(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kUndef:
      return nil();
    case ValueKind::kDefault:
      return symbol("default");
    case ValueKind::kBoolean:
      return boolean(value.as_boolean());
    case ValueKind::kInteger:
      return integer(value.as_integer());
    case ValueKind::kFloat:
      return Object::of(value.as_float());
    case ValueKind::kString: {
      Object object = borrowed(value.as_string());
      object.string->is_fixed = true;
      return object;
    }
    case ValueKind::kArray: {
      const std::span<const Value> from = value.as_array();
      // Some empty arrays have no address.
      // NOLINTNEXTLINE(misc-const-correctness): it is written to through `known`.
      Object fresh;
      Object& known = from.data() == nullptr ? fresh : brought_[from.data()];
      if (known.is(Class::kArray) && known.array->source_size == from.size()) return known;
      ArrayObject* array = new_array();
      array->size = from.size();
      array->source = array->origin = from.data();
      array->source_size = from.size();
      return known = Object::of(array);
    }
    case ValueKind::kHash: {
      Object& known = brought_[&value.as_hash()];
      if (known.is(Class::kHash)) return known;
      HashTable* table = new_hash();
      table->size = value.as_hash().size;
      table->source = table->origin = &value.as_hash();
      if (scope_.memory().symbol_keyed.contains(table->origin)) load_symbols(*table);
      return known = Object::of(table);
    }
    case ValueKind::kRegexp:
      // In templates its text is that of a value of the language, not of Ruby's Regexp.
      if (is_in_function()) return regexp_of(value.as_regexp());
      [[fallthrough]];
    default: {
      Object object(scope_.is_context(value) ? Class::kContext : Class::kForeign);
      object.foreign = arena_.make<Value>(value);
      return object;
    }
  }
}

Object Interpreter::regexp_of(std::string_view source) {
  auto* regexp = arena_.make<RegexpObject>(source, std::string_view(), nullptr);
  try {
    regexp->regex = compile_regex(source, {});
  } catch (const RegexError& error) {
    fail(error.what());
  }
  Object object(Class::kRegexp);
  object.regexp = regexp;
  return object;
}

// Loads a hash with symbols for keys: all its keys are symbols, as send_variables() allows no
// mixture.
void Interpreter::load_symbols(HashTable& table) {
  const HashObject& source = *table.source;
  table.source = nullptr;
  table.size = 0;
  for (const HashEntry& entry : source) {
    set(table, symbol(entry.key.as_string()), bring_over(entry.value));
  }
}

// The value of an object as an argument of a function, in the arena of the compilation.
Value Interpreter::to_value(const Object& object) {
  values_.clear();
  return value_of(object);
}

namespace {

// Returns whether both have the same content in the same order. Unchanged parts of `now` are the
// parts of `before` themselves, so comparing the outermost level suffices.
bool is_unchanged(Value now, Value before) {
  const auto is_same = [](Value a, Value b) {
    if (a.kind() != b.kind()) return false;
    if (a.is_array()) {
      return a.as_array().size() == b.as_array().size() &&
             (a.as_array().empty() || a.as_array().data() == b.as_array().data());
    }
    if (a.is_hash())
      return &a.as_hash() == &b.as_hash() || (a.as_hash().size | b.as_hash().size) == 0;
    return bunraku::identical(a, b);
  };
  if (now.is_array()) return std::ranges::equal(now.as_array(), before.as_array(), is_same);
  const HashObject& left = now.as_hash();
  const HashObject& right = before.as_hash();
  if (left.size != right.size) return false;
  const HashEntry* other = right.begin();
  for (const HashEntry& entry : left) {
    if (!is_same(entry.key, other->key) || !is_same(entry.value, other->value)) return false;
    ++other;
  }
  return true;
}

}  // namespace

// The value of an object. An unchanged array or hash of the manifest is the manifest's own value.
Value Interpreter::value_of(const Object& object) {
  const DepthGuard guard(*this, kMostNested);
  Arena& to = scope_.arena();
  switch (object.type) {
    case Class::kNil:
      return Value();
    case Class::kBoolean:
      return Value::boolean(object.boolean);
    case Class::kInteger:
      return Value::integer(object.integer);
    case Class::kFloat:
      return Value::floating(object.number);
    case Class::kString:
      return Value::string(to, object.string->text);
    case Class::kArray: {
      ArrayObject& array = *object.array;
      if (array.source != nullptr) return Value::array({array.source, array.source_size});
      if (const auto known = values_.find(&array); known != values_.end()) {
        // Empty arrays cannot be told apart.
        if (array.size == 0) fail_with("an empty array at two places");
        return known->second;
      }
      const std::span<Object> from = items(array);
      spend(from.size());
      ArrayBuilder builder(to, from.size());
      for (const Object& item : from) builder.push(value_of(item));
      Value value = builder.finish();
      if (array.origin != nullptr) {
        const Value before = Value::array({array.origin, array.source_size});
        if (is_unchanged(value, before)) value = before;
      }
      values_.emplace(&array, value);
      return value;
    }
    case Class::kHash: {
      HashTable& table = *object.hash;
      if (table.source != nullptr) return Value::hash(table.source);
      if (const auto known = values_.find(&table); known != values_.end()) return known->second;
      spend(table.used);
      HashBuilder builder(to, table.size);
      for (uint32_t i = 0; i < table.used; ++i) {
        const TableEntry& entry = table.entries[i];
        if (!entry.is_removed) builder.set(value_of(entry.key), value_of(entry.value));
      }
      Value value = builder.finish();
      if (table.origin != nullptr && is_unchanged(value, Value::hash(table.origin))) {
        value = Value::hash(table.origin);
      }
      values_.emplace(&table, value);
      return value;
    }
    case Class::kForeign:
    case Class::kContext:
      return *object.foreign;
    case Class::kRegexp:
      if (!is_in_function() || !object.regexp->options.empty()) {
        fail_with("a Regexp as a value of the language");
      }
      return Value::regexp(to.copy(object.regexp->source));
    default:
      fail_with("a " + std::string(class_name(object)) + " as a value of the language");
  }
}

// --- strings ------------------------------------------------------------------------------------

void Interpreter::set_text(Object object, std::string_view text) {
  StringObject& string = *object.string;
  if (string.is_fixed) fail_with("a change of a text of the manifest");
  string.text = arena_.copy(text);
  string.buffer = nullptr;
}

void Interpreter::append_text(StringObject& string, std::string_view text) {
  if (string.is_fixed) fail_with("a change of a text of the manifest");
  const size_t size = string.text.size() + text.size();
  if (string.buffer == nullptr || size > string.capacity) {
    check_size(size);
    const size_t capacity = size * 2 + 32;
    char* buffer = arena_.make_array<char>(capacity);
    std::ranges::copy(string.text, buffer);
    string.buffer = buffer;
    string.capacity = capacity;
  }
  std::ranges::copy(text, string.buffer + string.text.size());
  string.text = {string.buffer, size};
}

void Interpreter::fail_conversion(const Object& object, std::string_view wanted) {
  std::string_view noun = class_name(object);
  if (object.is_nil()) noun = "nil";
  if (object.is(Class::kBoolean)) noun = object.boolean ? "true" : "false";
  fail(fmt::format("no implicit conversion of {} into {}", noun, wanted));
}

std::string_view Interpreter::text_of(const Object& object) {
  if (object.is(Class::kString)) return object.string->text;
  fail_conversion(object, "String");
}

int64_t Interpreter::integer_of(const Object& object) {
  if (object.is(Class::kInteger)) return object.integer;
  if (object.is_nil()) fail("no implicit conversion from nil to integer");
  if (object.is(Class::kFloat)) fail_with("a Float in place of an Integer");
  fail_conversion(object, "Integer");
}

// --- arrays -------------------------------------------------------------------------------------

void Interpreter::load_items(ArrayObject& array) {
  const Value* source = array.source;
  array.source = nullptr;
  spend(array.size);
  array.items = arena_.make_array<Object>(array.size);
  array.capacity = array.size;
  for (size_t i = 0; i < array.size; ++i) new (&array.items[i]) Object(bring_over(source[i]));
}

std::span<Object> Interpreter::items(ArrayObject& array) {
  if (array.source != nullptr) load_items(array);
  return {array.items, array.size};
}

void Interpreter::push(ArrayObject& array, const Object& item) {
  items(array);
  if (array.size == array.capacity) {
    const size_t capacity = array.capacity == 0 ? 4 : array.capacity * 2;
    spend(capacity);
    Object* grown = arena_.make_array<Object>(capacity);
    std::uninitialized_copy(array.items, array.items + array.size, grown);
    array.items = grown;
    array.capacity = capacity;
  }
  new (&array.items[array.size++]) Object(item);
}

void Interpreter::resize(ArrayObject& array, size_t size) {
  items(array);
  while (array.size < size) push(array, nil());
  array.size = size;
}

ArrayObject& Interpreter::array_of(const Object& object) {
  if (object.is(Class::kArray)) return *object.array;
  fail_conversion(object, "Array");
}

ArrayObject& Interpreter::to_array(const Object& object) {
  if (object.is(Class::kArray)) return *object.array;
  ArrayObject* result = new_array();
  if (object.is(Class::kHash)) {
    const HashTable& table = load(*object.hash);
    spend(table.used);
    for (uint32_t i = 0; i < table.used; ++i) {
      const TableEntry& entry = table.entries[i];
      if (!entry.is_removed) push(*result, pair(entry.key, entry.value));
    }
    return *result;
  }
  if (!object.is(Class::kRange)) fail_with("such an object in place of an Array");
  const RangeObject& range = *object.range;
  if (range.first.is(Class::kInteger) && range.last.is(Class::kInteger)) {
    const int64_t last = range.last.integer;
    for (int64_t i = range.first.integer; range.is_exclusive ? i < last : i <= last; ++i) {
      spend(1);
      push(*result, integer(i));
      if (i == INT64_MAX) break;
    }
    return *result;
  }
  // 'a'..'e'
  const bool letters = range.first.is(Class::kString) && range.first.string->text.size() == 1 &&
                       range.last.string->text.size() == 1;
  if (!letters) fail_with("the elements of such a range");
  const char last = range.last.string->text[0];
  for (char c = range.first.string->text[0]; range.is_exclusive ? c < last : c <= last; ++c) {
    push(*result, string(std::string_view(&c, 1)));
    if (c == 127) break;
  }
  return *result;
}

// --- frozen objects -----------------------------------------------------------------------------

void Interpreter::freeze(const Object& object) {
  if (object.is(Class::kArray)) object.array->is_frozen = true;
  if (object.is(Class::kHash)) object.hash->is_frozen = true;
  if (object.is(Class::kString)) object.string->is_fixed = true;
}

void Interpreter::freeze_all(const Object& object) {
  const DepthGuard guard(*this, kMostNested);
  spend(1);
  freeze(object);
  if (object.is(Class::kArray)) {
    for (const Object& item : items(*object.array)) freeze_all(item);
  } else if (object.is(Class::kHash)) {
    const HashTable& table = load(*object.hash);
    for (uint32_t i = 0; i < table.used; ++i) freeze_all(table.entries[i].value);
  }
}

// --- hashes -------------------------------------------------------------------------------------

HashTable& Interpreter::hash_of(const Object& object) {
  if (object.is(Class::kHash)) return *object.hash;
  fail_conversion(object, "Hash");
}

HashTable& Interpreter::load(HashTable& table) {
  if (table.source == nullptr) return table;
  const HashObject& source = *table.source;
  table.source = nullptr;
  table.size = 0;
  for (const HashEntry& entry : source) set(table, bring_over(entry.key), bring_over(entry.value));
  return table;
}

uint32_t* Interpreter::find_slot(HashTable& table, const Object& key, uint32_t hash) {
  for (uint32_t at = hash & table.index_mask;; at = (at + 1) & table.index_mask) {
    const uint32_t number = table.index[at];
    if (number == 0) return &table.index[at];
    const TableEntry& entry = table.entries[number - 1];
    if (!entry.is_removed && entry.hash == hash && identical(entry.key, key)) {
      return &table.index[at];
    }
  }
}

void Interpreter::index_all(HashTable& table) {
  uint32_t size = 16;
  while (size < table.capacity * 2) size *= 2;
  table.index = arena_.make_array<uint32_t>(size);
  std::memset(table.index, 0, size * sizeof(uint32_t));
  table.index_mask = size - 1;
  for (uint32_t i = 0; i < table.used; ++i) {
    if (table.entries[i].is_removed) continue;
    uint32_t at = table.entries[i].hash & table.index_mask;
    while (table.index[at] != 0) at = (at + 1) & table.index_mask;
    table.index[at] = i + 1;
  }
}

const Object* Interpreter::find(HashTable& table, const Object& key) {
  if (table.source != nullptr) {
    // Most code reads a few keys of many, so a plain key is looked up without loading the hash.
    const bool is_plain = key.is(Class::kString) || key.is(Class::kInteger);
    if (is_plain) {
      const Value* found = table.source->find(
          key.is(Class::kString) ? Value::string(key.string->text) : Value::integer(key.integer));
      return found == nullptr ? nullptr : arena_.make<Object>(bring_over(*found));
    }
    load(table);
  }
  if (table.size == 0) return nullptr;
  const uint32_t hash = hash_code(key);
  uint32_t* slot = find_slot(table, key, hash);
  return *slot == 0 ? nullptr : &table.entries[*slot - 1].value;
}

void Interpreter::set(HashTable& table, const Object& key, const Object& value) {
  load(table);
  const uint32_t hash = hash_code(key);
  if (table.index != nullptr) {
    uint32_t* slot = find_slot(table, key, hash);
    if (*slot != 0) {
      table.entries[*slot - 1].value = value;
      return;
    }
  }
  if (table.walks > 0) fail("can't add a new key into hash during iteration");
  if (table.index == nullptr || table.used == table.capacity) {
    const uint32_t capacity = table.capacity == 0 ? 8 : table.capacity * 2;
    spend(capacity);
    auto* grown = arena_.make_array<TableEntry>(capacity);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table.used; ++i) {
      if (!table.entries[i].is_removed) new (&grown[kept++]) TableEntry(table.entries[i]);
    }
    table.entries = grown;
    table.used = kept;
    table.capacity = capacity;
    index_all(table);
  }
  Object kept_key = key;
  if (key.is(Class::kString) && !key.string->is_fixed) {
    kept_key = string(key.string->text);
    kept_key.string->is_fixed = true;
  }
  new (&table.entries[table.used++]) TableEntry{kept_key, value, hash, false};
  ++table.size;
  *find_slot(table, key, hash) = table.used;
}

bool Interpreter::erase(HashTable& table, const Object& key) {
  load(table);
  if (table.size == 0) return false;
  uint32_t* slot = find_slot(table, key, hash_code(key));
  if (*slot == 0) return false;
  table.entries[*slot - 1].is_removed = true;
  --table.size;
  return true;
}

void Interpreter::clear(HashTable& table) {
  load(table);
  for (uint32_t i = 0; i < table.used; ++i) table.entries[i].is_removed = true;
  table.size = 0;
}

}  // namespace bunraku::erb
