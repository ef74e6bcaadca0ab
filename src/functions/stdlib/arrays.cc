// The standard library's functions on arrays.
#include <algorithm>

#include <fmt/core.h>

#include "base/regex/regex.h"
#include "evaluation/comparison.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/character_set.h"
#include "functions/stdlib/families.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku::stdlib {

namespace {

Value concat(Call& call) {
  if (call.arguments.size() < 2) fail_count(call, "concat", "< 2");
  if (!call.arguments[0].is_array())
    call.fail(Issue::kWrongArgumentKind, {"concat(): Requires array to work with"});
  ArrayBuilder all(call.arena());
  for (const Value argument : call.arguments) {
    if (argument.is_array()) {
      all.push_all(argument.as_array());
    } else {
      all.push(argument);
    }
  }
  return all.finish();
}

bool is_nothing(Value value) {
  return value.is_undef() || (value.is_string() && value.as_string().empty());
}

int64_t count_characters(std::string_view text, const CharacterSet& set) {
  int64_t found = 0;
  for (size_t at = 0; at < text.size();) found += set.has(next_character(text, at));
  return found;
}

Value count(Call& call) {
  if (call.arguments.size() > 2) {
    call.fail(Issue::kWrongArgumentCount, {"count(): Wrong number of arguments given " +
                                           std::to_string(call.arguments.size()) + " for 1 or 2."});
  }
  const Value collection = call.arguments[0], item = call.argument(1);
  if (!collection.is_array() && !collection.is_hash()) {
    if (!collection.is_string()) fail_undefined_method(call, "count", collection);
    if (!item.is_truthy())
      call.fail(Issue::kWrongArgumentCount, {"wrong number of arguments (given 0, expected 1+)"});
    if (!item.is_string()) fail_implicit_conversion(call, item, "String");
    return Value::integer(count_characters(collection.as_string(), {call, item.as_string()}));
  }
  int64_t found = 0;
  if (collection.is_array()) {
    for (const Value element : collection.as_array()) {
      found += item.is_truthy() ? ruby_equal(element, item) : !is_nothing(element);
    }
  } else {
    for (const HashEntry& entry : collection.as_hash()) {
      found += !item.is_truthy() ||
               ruby_equal(Value::array(call.arena(), {entry.key, entry.value}), item);
    }
  }
  return Value::integer(found);
}

// The items of Ruby's Array() for a value.
std::span<const Value> items_of(Call& call, Value value) {
  if (value.is_array()) return value.as_array();
  if (value.is_undef()) return {};
  ArrayBuilder items(call.arena());
  if (value.is_hash()) {
    for (const HashEntry& entry : value.as_hash()) {
      items.push(Value::array(call.arena(), {entry.key, entry.value}));
    }
  } else {
    items.push(value);
  }
  return items.finish().as_array();
}

std::string without(std::string_view text, std::string_view part) {
  std::string kept;
  if (part.empty()) return std::string(text);
  for (size_t at = 0;;) {
    const size_t found = text.find(part, at);
    kept += text.substr(at, found == text.npos ? text.npos : found - at);
    if (found == text.npos) return kept;
    at = found + part.size();
  }
}

Value delete_items(Call& call) {
  if (call.arguments.size() != 2) {
    call.fail(Issue::kWrongArgumentCount, {"delete(): Wrong number of arguments given " +
                                           std::to_string(call.arguments.size()) + " for 2"});
  }
  Value collection = call.arguments[0];
  const std::span<const Value> items = items_of(call, call.arguments[1]);
  if (collection.is_array()) {
    ArrayBuilder kept(call.arena());
    const RubySet deleted(items);
    for (const Value element : collection.as_array()) {
      if (!deleted.has(element)) kept.push(element);
    }
    return kept.finish();
  }
  if (collection.is_hash()) {
    HashBuilder kept(call.arena());
    HashBuilder deleted(call.arena());
    for (const Value item : items) deleted.set(item, Value());
    for (const HashEntry& entry : collection.as_hash()) {
      if (deleted.find(entry.key) == nullptr) kept.set(entry.key, entry.value);
    }
    return kept.finish();
  }
  if (collection.is_string()) {
    std::string text(collection.as_string());
    for (const Value item : items) {
      if (!item.is_string()) {
        call.fail(Issue::kWrongArgumentKind,
                  {fmt::format("wrong argument type {} (expected Regexp)", ruby_noun(item))});
      }
      text = without(text, item.as_string());
    }
    return Value::string(call.arena(), text);
  }
  if (items.empty()) return collection;
  call.fail(
      Issue::kWrongArgumentKind,
      {"delete(): First argument must be an Array, String, or Hash. Given an argument of class " +
       class_of(collection) + "."});
}

Value delete_at(Call& call) {
  static const Regex& digits = *Regex::compile(R"(^\d+$)");
  if (call.arguments.size() < 2) fail_count(call, "delete_at", "2");
  if (!call.arguments[0].is_array())
    call.fail(Issue::kWrongArgumentKind, {"delete_at(): Requires array to work with"});
  const std::span<const Value> items = call.arguments[0].as_array();
  const Value given = call.arguments[1];
  if (given.is_string() && !digits.matches(given.as_string())) {
    call.fail(Issue::kWrongArgumentValue,
              {"delete_at(): You must provide non-negative numeric index"});
  }
  int64_t index = to_i(call, given);
  const int64_t size = static_cast<int64_t>(items.size());
  if (index > size - 1)
    call.fail(Issue::kWrongArgumentValue, {"delete_at(): Given index exceeds size of array given"});
  if (index < 0) index += size;
  ArrayBuilder kept(call.arena(), items.size());
  for (int64_t i = 0; i < size; ++i) {
    if (i != index) kept.push(items[static_cast<size_t>(i)]);
  }
  return kept.finish();
}

bool matches(const Regex& pattern, Value value) {
  return value.is_string() && pattern.matches(value.as_string());
}

Value delete_regex(Call& call) {
  if (call.arguments.size() != 2) {
    call.fail(Issue::kWrongArgumentCount, {"delete_regex(): Wrong number of arguments given " +
                                           std::to_string(call.arguments.size()) + " for 2"});
  }
  Value collection = call.arguments[0];
  try {
    for (const Value item : items_of(call, call.arguments[1])) {
      const Regex& pattern = *Regex::compile("\\b" + to_s(item) + "\\b");
      if (collection.is_array()) {
        ArrayBuilder kept(call.arena());
        for (const Value element : collection.as_array()) {
          if (!matches(pattern, element)) kept.push(element);
        }
        collection = kept.finish();
      } else if (collection.is_hash()) {
        HashBuilder kept(call.arena());
        for (const HashEntry& entry : collection.as_hash()) {
          if (!matches(pattern, entry.key)) kept.set(entry.key, entry.value);
        }
        collection = kept.finish();
      } else if (collection.is_string()) {
        fail_undefined_method(call, "reject!", collection);
      } else {
        call.fail(Issue::kWrongArgumentKind,
                  {"delete_regex(): First argument must be an Array, Hash, or String. Given an "
                   "argument of class " +
                   class_of(collection) + "."});
      }
    }
  } catch (const RegexError& error) {
    call.fail(Issue::kInvalidPattern, {error.what()});
  }
  return collection;
}

Value delete_undef_values(Call& call) {
  if (call.arguments.empty()) {
    call.fail(Issue::kWrongArgumentCount,
              {"delete_undef_values(): Wrong number of arguments given (0)"});
  }
  const Value collection = call.arguments[0];
  if (collection.is_array()) {
    ArrayBuilder kept(call.arena());
    for (const Value element : collection.as_array()) {
      if (!element.is_undef()) kept.push(element);
    }
    return kept.finish();
  }
  if (!collection.is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"delete_undef_values(): expected an array or hash, got " + to_s(collection) +
               " type  " + class_of(collection) + " "});
  }
  HashBuilder kept(call.arena());
  for (const HashEntry& entry : collection.as_hash()) {
    if (!entry.value.is_undef()) kept.set(entry.key, entry.value);
  }
  return kept.finish();
}

Value delete_values(Call& call) {
  if (call.arguments.size() != 2) {
    call.fail(Issue::kWrongArgumentCount, {"delete_values(): Wrong number of arguments given (" +
                                           std::to_string(call.arguments.size()) + " of 2)"});
  }
  if (!call.arguments[0].is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"delete_values(): First argument must be a Hash. Given an argument of class " +
               class_of(call.arguments[0]) + "."});
  }
  HashBuilder kept(call.arena());
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    if (!ruby_equal(call.arguments[1], entry.value)) kept.set(entry.key, entry.value);
  }
  return kept.finish();
}

// --- sets ---------------------------------------------------------------------------------------

// A hash set of values.
class ValueSet {
 public:
  explicit ValueSet(Arena& arena) : table_(arena) {}
  ValueSet(Arena& arena, std::span<const Value> items) : table_(arena, items.size()) {
    for (const Value item : items) table_.set(item, Value());
  }
  bool has(Value value) { return table_.find(value) != nullptr; }
  // Returns false when the value was in the set already.
  bool add(Value value) {
    if (has(value)) return false;
    table_.set(value, Value());
    return true;
  }

 private:
  HashBuilder table_;
};

Value difference(Call& call) {
  if (call.arguments.size() != 2) fail_count(call, "difference", "2");
  if (!call.arguments[0].is_array() || !call.arguments[1].is_array()) {
    call.fail(Issue::kWrongArgumentKind, {"difference(): Requires 2 arrays"});
  }
  ValueSet removed(call.arena(), call.arguments[1].as_array());
  ArrayBuilder kept(call.arena());
  for (const Value item : call.arguments[0].as_array()) {
    if (!removed.has(item)) kept.push(item);
  }
  return kept.finish();
}

Value intersection(Call& call) {
  if (call.arguments.size() != 2) fail_count(call, "intersection", "2");
  if (!call.arguments[0].is_array() || !call.arguments[1].is_array()) {
    call.fail(Issue::kWrongArgumentKind,
              {"intersection(): Requires 2 arrays, got " + class_of(call.arguments[0]) + " and " +
               class_of(call.arguments[1])});
  }
  ValueSet wanted(call.arena(), call.arguments[1].as_array());
  ValueSet seen(call.arena());
  ArrayBuilder kept(call.arena());
  for (const Value item : call.arguments[0].as_array()) {
    if (wanted.has(item) && seen.add(item)) kept.push(item);
  }
  return kept.finish();
}

Value set_union(Call& call) {
  if (call.arguments.size() < 2) fail_count(call, "union", "< 2");
  ValueSet seen(call.arena());
  ArrayBuilder all(call.arena());
  for (const Value argument : call.arguments) {
    if (!argument.is_array())
      call.fail(Issue::kWrongArgumentKind, {"union(): Every parameter must be an array"});
    for (const Value item : argument.as_array()) {
      if (seen.add(item)) all.push(item);
    }
  }
  return all.finish();
}

Value member(Call& call) {
  if (call.arguments.size() < 2) fail_count(call, "member", "2");
  if (!call.arguments[0].is_array())
    call.fail(Issue::kWrongArgumentKind, {"member(): Requires array to work with"});
  Value item = call.arguments[1];
  if (!item.is_string() && !item.is_integer() && !item.is_array()) {
    call.fail(Issue::kWrongArgumentKind,
              {"member(): Item to search for must be a string, fixnum, or array"});
  }
  const std::span<const Value> wanted = item.is_array() ? item.as_array() : std::span(&item, 1);
  if (wanted.empty())
    call.fail(Issue::kWrongArgumentValue,
              {"member(): You must provide item to search for within array given"});
  ValueSet present(call.arena(), call.arguments[0].as_array());
  for (const Value value : wanted) {
    if (!present.has(value)) return Value::boolean(false);
  }
  return Value::boolean(true);
}

// --- by pattern ---------------------------------------------------------------------------------

const Regex& pattern_of(Call& call, Value value) {
  if (!value.is_string()) fail_implicit_conversion(call, value, "String");
  try {
    return *Regex::compile(value.as_string());
  } catch (const RegexError& error) {
    call.fail(Issue::kInvalidPattern, {error.what()});
  }
}

// Ruby matches the entries of a hash, which are never text, but rejects them by their keys.
template <bool kKeepsMatches>
Value select_entries(Call& call, const Regex& pattern) {
  if (kKeepsMatches) return Value::array({});
  HashBuilder kept(call.arena());
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    if (!matches(pattern, entry.key)) kept.set(entry.key, entry.value);
  }
  return kept.finish();
}

template <bool kKeepsMatches>
Value select(Call& call) {
  constexpr std::string_view kName = kKeepsMatches ? "grep" : "reject";
  if (call.arguments.size() != 2) {
    call.fail(Issue::kWrongArgumentCount,
              {std::string(kName) + "(): Wrong number of arguments given " +
               std::to_string(call.arguments.size()) + " for 2"});
  }
  const Regex& pattern = pattern_of(call, call.arguments[1]);
  if (call.arguments[0].is_hash()) return select_entries<kKeepsMatches>(call, pattern);
  if (!call.arguments[0].is_array()) fail_undefined_method(call, kName, call.arguments[0]);
  ArrayBuilder kept(call.arena());
  for (const Value item : call.arguments[0].as_array()) {
    if (matches(pattern, item) == kKeepsMatches) kept.push(item);
  }
  return kept.finish();
}

// --- prefix and suffix --------------------------------------------------------------------------

template <bool kIsPrefix>
Value affix(Call& call) {
  constexpr std::string_view kName = kIsPrefix ? "prefix" : "suffix";
  const std::string name(kName);
  if (call.arguments.empty()) fail_count(call, name, "1");
  const Value items = call.arguments[0];
  if (!items.is_array() && !items.is_hash()) {
    call.fail(
        Issue::kWrongArgumentKind,
        {name + "(): expected first argument to be an Array or a Hash, got " + inspect(items)});
  }
  std::string_view part;
  if (call.argument(1).is_truthy()) {
    if (!call.argument(1).is_string()) {
      call.fail(Issue::kWrongArgumentKind,
                {name + "(): expected second argument to be a String, got " +
                 inspect(call.arguments[1])});
    }
    part = call.arguments[1].as_string();
  }
  auto changed = [&](Value value) {
    const std::string text = to_s(value);
    return Value::string(call.arena(),
                         kIsPrefix ? std::string(part) + text : text + std::string(part));
  };
  if (items.is_array()) {
    ArrayBuilder result(call.arena(), items.as_array().size());
    for (const Value item : items.as_array()) result.push(changed(item));
    return result.finish();
  }
  HashBuilder result(call.arena(), items.as_hash().size);
  for (const HashEntry& entry : items.as_hash()) result.set(changed(entry.key), entry.value);
  return result.finish();
}

Value reverse(Call& call) {
  if (call.arguments.empty()) fail_count(call, "reverse", "1");
  const Value value = call.arguments[0];
  if (!value.is_array() && !value.is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"reverse(): Requires either array or string to work with"});
  }
  std::vector<Value> items =
      value.is_string() ? characters(value.as_string())
                        : std::vector<Value>(value.as_array().begin(), value.as_array().end());
  std::vector<Value> reversed(items.rbegin(), items.rend());
  return value.is_string() ? joined(call.arena(), reversed)
                           : Value::array(call.arena().copy(std::span<const Value>(reversed)));
}

Value zip(Call& call) {
  if (call.arguments.size() < 2) fail_count(call, "zip", "2");
  if (!call.arguments[0].is_array() || !call.arguments[1].is_array()) {
    call.fail(Issue::kWrongArgumentKind, {"zip(): Requires array to work with"});
  }
  const bool flat = call.argument(2).is_truthy() && str2bool(call, call.arguments[2]);
  const std::span<const Value> second = call.arguments[1].as_array();
  ArrayBuilder pairs(call.arena());
  size_t index = 0;
  for (const Value item : call.arguments[0].as_array()) {
    const Value other = index < second.size() ? second[index] : Value();
    ++index;
    pairs.push(Value::array(call.arena(), {item, other}));
  }
  Value result = pairs.finish();
  if (!flat) return result;
  return Value::array(flattened(call.arena(), result.as_array()));
}

constexpr Overload kConcat[] = {{"(Any *$arguments)", concat}};
constexpr Overload kCount[] = {{"(Any $collection, Any *$item)", count}};
constexpr Overload kDelete[] = {{"(Any *$arguments)", delete_items}};
constexpr Overload kDeleteAt[] = {{"(Any *$arguments)", delete_at}};
constexpr Overload kDeleteRegex[] = {{"(Any *$arguments)", delete_regex}};
constexpr Overload kDeleteUndefValues[] = {{"(Any *$arguments)", delete_undef_values}};
constexpr Overload kDeleteValues[] = {{"(Any *$arguments)", delete_values}};
constexpr Overload kDifference[] = {{"(Any *$arguments)", difference}};
constexpr Overload kIntersection[] = {{"(Any *$arguments)", intersection}};
constexpr Overload kUnion[] = {{"(Any *$arguments)", set_union}};
constexpr Overload kMember[] = {{"(Any *$arguments)", member}};
constexpr Overload kGrep[] = {{"(Any *$arguments)", select<true>}};
constexpr Overload kReject[] = {{"(Any *$arguments)", select<false>}};
constexpr Overload kPrefix[] = {{"(Any *$arguments)", affix<true>}};
constexpr Overload kSuffix[] = {{"(Any *$arguments)", affix<false>}};
constexpr Overload kReverse[] = {{"(Any *$arguments)", reverse}};
constexpr Overload kZip[] = {{"(Any *$arguments)", zip}};

constexpr NativeFunctionInfo kArrayFunctions[] = {
    {"concat", kConcat, "Appends arrays and single values to an array.", "concat([1], [2, 3], 4)",
     true},
    {"count", kCount,
     "How many elements equal a value; without one, how many are neither undef nor "
     "empty text.",
     "count([1, 2, 1], 1)", true},
    {"delete", kDelete, "Removes values from an array, keys from a hash, or parts from text.",
     "delete(['a', 'b', 'a'], 'a')", true},
    {"delete_at", kDeleteAt, "Removes the element at an index from an array.",
     "delete_at(['a', 'b'], 0)", true},
    {"delete_regex", kDeleteRegex,
     "Removes what a regular expression matches as whole words from an "
     "array, or from a hash by its keys.",
     "delete_regex(['abf', 'ab'], 'ab')", true},
    {"delete_undef_values", kDeleteUndefValues, "Removes what is undef from an array or hash.",
     "delete_undef_values({ 'a' => undef, 'b' => 1 })", true},
    {"delete_values", kDeleteValues, "Removes the entries with a value from a hash.",
     "delete_values({ 'a' => 1, 'b' => 2 }, 1)", true},
    {"difference", kDifference, "The elements of an array that are not in another.",
     "difference([1, 2, 3], [2])", true},
    {"intersection", kIntersection, "The elements that are in both of two arrays, each once.",
     "intersection([1, 2, 3], [2, 3, 4])", true},
    {"union", kUnion, "The elements that are in any of several arrays, each once.",
     "union([1, 2], [2, 3])", true},
    {"member", kMember, "Is a value, or are all of several, in an array?", "member([1, 2], 2)",
     true},
    {"grep", kGrep, "The texts of an array that match a regular expression.",
     "grep(['aaa', 'bbb'], 'a')", true},
    {"reject", kReject, "The elements of an array that do not match a regular expression.",
     "reject(['aaa', 'bbb'], 'a')", true},
    {"prefix", kPrefix, "Puts text before each element of an array or each key of a hash.",
     "prefix(['a', 'b'], 'p')", true},
    {"suffix", kSuffix, "Puts text behind each element of an array or each key of a hash.",
     "suffix(['a', 'b'], 's')", true},
    {"reverse", kReverse, "An array or text from its end to its start.", "reverse([1, 2, 3])",
     true},
    {"zip", kZip, "Pairs the elements of two arrays; flat when a third argument is true.",
     "zip([1, 2], [3, 4])", true},
};

}  // namespace

std::span<const NativeFunctionInfo> array_functions() {
  return kArrayFunctions;
}

}  // namespace bunraku::stdlib
