// Functions that sort, group and find elements.
#include <vector>

#include "base/regex/regex.h"
#include "conversion/ruby_string.h"
#include "evaluation/comparison.h"
#include "functions/core/comparison.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"

namespace bunraku {

namespace {

// --- sort ---------------------------------------------------------------------------------------

Value sort_array(Call& call) {
  const std::span<Value> items = call.arena().copy(call.arguments[0].as_array());
  const Value leaving = sort_values(call, items);
  return leaving.is_control() ? leaving : Value::array(items);
}

Value characters(Call& call, std::string_view text) {
  ArrayBuilder all(call.arena(), text.size());
  walk(call, "", Value::string(text), [&](Value character) {
    all.push(character);
    return true;
  });
  return all.finish();
}

Value joined(Call& call, std::span<const Value> texts) {
  size_t size = 0;
  for (const Value text : texts) size += text.as_string().size();
  char* to = static_cast<char*>(call.arena().allocate(size, 1));
  char* start = to;
  for (const Value text : texts)
    to = std::copy(text.as_string().begin(), text.as_string().end(), to);
  return Value::string({start, size});
}

Value sort_string(Call& call) {
  const Value all = characters(call, call.arguments[0].as_string());
  const std::span<Value> items = call.arena().copy(all.as_array());
  const Value leaving = sort_values(call, items);
  return leaving.is_control() ? leaving : joined(call, items);
}

// --- unique -------------------------------------------------------------------------------------

// The first element of each kind, compared by itself or by the lambda's result for it.
Value unique_of(Call& call, Value source) {
  ArrayBuilder kept(call.arena());
  HashBuilder seen(call.arena());
  Loop loop(loop_of_value_catches_break(source));
  walk(call, "unique", source, [&](Value element) {
    const Value key = call.block == nullptr ? element : yield(call, element);
    if (!loop.goes_on(key)) return false;
    if (seen.find(key) == nullptr) {
      seen.set(key, Value());
      kept.push(element);
    }
    return true;
  });
  return loop.is_leaving() ? loop.leaving() : kept.finish();
}

Value unique_elements(Call& call) {
  Value source = call.arguments[0];
  // Nothing to compare, so the lambda is not called.
  if (source.is_array() && source.as_array().size() < 2) return source;
  return unique_of(call, source);
}

Value unique_string(Call& call) {
  const Value all = characters(call, call.arguments[0].as_string());
  const Value kept = all.as_array().size() < 2 ? all : unique_of(call, all);
  return kept.is_control() ? kept : joined(call, kept.as_array());
}

// Groups of elements in the order of their first appearance.
class Groups {
 public:
  explicit Groups(Arena& arena) : arena_(arena), numbers_(arena) {}

  size_t number_of(Value key) {
    if (const Value* known = numbers_.find(key)) return static_cast<size_t>(known->as_integer());
    numbers_.set(key, Value::integer(static_cast<int64_t>(keys_.size())));
    keys_.push_back(key);
    return keys_.size() - 1;
  }
  void add(Value key, Value element) {
    const size_t number = number_of(key);
    if (number == groups_.size()) groups_.emplace_back(arena_);
    groups_[number].push(element);
  }
  std::span<const Value> keys() const { return keys_; }
  std::vector<ArrayBuilder>& groups() { return groups_; }

 private:
  Arena& arena_;
  HashBuilder numbers_;
  std::vector<Value> keys_;
  std::vector<ArrayBuilder> groups_;
};

// The result for a hash: a hash of arrays of keys and arrays of equal values.
Value unique_hash(Call& call) {
  Arena& arena = call.arena();
  Groups keys(arena), values(arena);
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    Value kind = call.block == nullptr ? entry.value : yield(call, entry.value);
    if (kind.is_control()) return kind;
    keys.add(kind, entry.key);
    values.add(kind, entry.value);
  }
  HashBuilder result(arena, keys.groups().size());
  for (size_t i = 0; i < keys.groups().size(); ++i) {
    ArrayBuilder distinct(arena);
    HashBuilder seen(arena);
    const Value all = values.groups()[i].finish();
    for (const Value value : all.as_array()) {
      if (seen.find(value) != nullptr) continue;
      seen.set(value, Value());
      distinct.push(value);
    }
    result.set(keys.groups()[i].finish(), distinct.finish());
  }
  return result.finish();
}

// --- group_by and partition ---------------------------------------------------------------------

// Returns whether the lambda requires two arguments; otherwise it gets one.
bool wants_two(const Block& block) {
  size_t required = 0;
  for (const SignatureParameter& parameter : block.signature().parameters) {
    required += !parameter.has_default && !parameter.captures_rest;
  }
  return required == 2;
}

// Calls the lambda with each element of an array (or index and element) or entry of a hash (or key
// and value), and then `visit(element, result)`. Returns a control value when a lambda was left by
// one.
template <typename Visit>
Value classify(Call& call, Visit&& visit) {
  const Value source = call.arguments[0];
  const bool takes_two = wants_two(*call.block);
  if (source.is_array()) {
    int64_t index = 0;
    for (const Value element : source.as_array()) {
      Value result =
          takes_two ? yield(call, Value::integer(index++), element) : yield(call, element);
      if (result.is_control()) return result;
      visit(element, result);
    }
    return Value();
  }
  for (const HashEntry& entry : source.as_hash()) {
    const Value both = pair(call.arena(), entry.key, entry.value);
    Value result = takes_two ? yield(call, entry.key, entry.value) : yield(call, both);
    if (result.is_control()) return result;
    visit(both, result);
  }
  return Value();
}

Value group_by(Call& call) {
  Groups groups(call.arena());
  Value leaving = classify(call, [&](Value element, Value key) { groups.add(key, element); });
  if (leaving.is_control()) return leaving;
  HashBuilder result(call.arena(), groups.keys().size());
  for (size_t i = 0; i < groups.keys().size(); ++i) {
    result.set(groups.keys()[i], groups.groups()[i].finish());
  }
  return result.finish();
}

Value partition(Call& call) {
  ArrayBuilder accepted(call.arena()), rejected(call.arena());
  Value leaving = classify(call, [&](Value element, Value result) {
    (result.is_truthy() ? accepted : rejected).push(element);
  });
  if (leaving.is_control()) return leaving;
  return pair(call.arena(), accepted.finish(), rejected.finish());
}

// --- index --------------------------------------------------------------------------------------

Value index_in_hash(Call& call) {
  const bool takes_two = call.block->parameter_count() >= 2;
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    Value result = takes_two ? yield(call, entry.key, entry.value) : yield(call, entry.value);
    if (result.is_control()) return result;
    if (result.is_truthy()) return entry.key;
  }
  return Value();
}

Value index_by_block(Call& call) {
  const Value source = call.arguments[0];
  bool takes_two = call.block->parameter_count() >= 2;
  int64_t index = 0;
  bool found = false;
  Loop loop(loop_of_value_catches_break(source));
  walk(call, "index", source, [&](Value element) {
    const Value result =
        takes_two ? yield(call, Value::integer(index), element) : yield(call, element);
    if (!loop.goes_on(result)) return false;
    found = result.is_truthy();
    if (!found) ++index;
    return !found;
  });
  if (loop.is_leaving()) return loop.leaving();
  return found ? Value::integer(index) : Value();
}

Value index_in_string(Call& call) {
  const std::string_view text = call.arguments[0].as_string();
  size_t offset;
  if (call.arguments[1].is_string()) {
    offset = text.find(call.arguments[1].as_string());
    if (offset == text.npos) return Value();
  } else {
    Captures match;
    if (!Regex::compile_at_run_time(call.arguments[1].as_regexp())->search(text, 0, match))
      return Value();
    offset = match.begin();
  }
  return Value::integer(static_cast<int64_t>(character_count(text.substr(0, offset))));
}

Value index_of_value(Call& call) {
  const Value source = call.arguments[0], wanted = call.arguments[1];
  if (source.is_hash()) {
    for (const HashEntry& entry : source.as_hash()) {
      if (ruby_equal(entry.value, wanted)) return entry.key;
    }
    return Value();
  }
  int64_t index = 0;
  bool found = false;
  walk(call, "index", source, [&](Value element) {
    found = ruby_equal(element, wanted);
    if (!found) ++index;
    return !found;
  });
  return found ? Value::integer(index) : Value();
}

constexpr Overload kSort[] = {
    {"(String $string_value, Optional[Callable[2, 2]] &$block)", sort_string},
    {"(Array $array_value, Optional[Callable[2, 2]] &$block)", sort_array}};
constexpr Overload kUnique[] = {
    {"(String $string, Optional[Callable[String]] &$block)", unique_string},
    {"(Hash $hash, Optional[Callable[Any]] &$block)", unique_hash},
    {"(Array $array, Optional[Callable[Any]] &$block)", unique_elements},
    {"(Iterable $iterable, Optional[Callable[Any]] &$block)", unique_elements}};
constexpr Overload kGroupBy[] = {
    {"(Collection $collection, Callable[1, 1] &$block) >> Hash", group_by},
    {"(Array $array, Callable[2, 2] &$block) >> Hash", group_by},
    {"(Collection $collection, Callable[2, 2] &$block) >> Hash", group_by}};
constexpr Overload kPartition[] = {
    {"(Collection $collection, Callable[1, 1] &$block) >> Tuple[Array, Array]", partition},
    {"(Array $array, Callable[2, 2] &$block) >> Tuple[Array, Array]", partition},
    {"(Collection $collection, Callable[2, 2] &$block) >> Tuple[Array, Array]", partition}};
constexpr Overload kIndex[] = {{"(Hash[Any, Any] $hash, Callable[2, 2] &$block)", index_in_hash},
                               {"(Hash[Any, Any] $hash, Callable[1, 1] &$block)", index_in_hash},
                               {"(Iterable $enumerable, Callable[2, 2] &$block)", index_by_block},
                               {"(Iterable $enumerable, Callable[1, 1] &$block)", index_by_block},
                               {"(String $str, Variant[String, Regexp] $match)", index_in_string},
                               {"(Iterable $enumerable, Any $match)", index_of_value}};

constexpr NativeFunctionInfo kGroupingFunctions[] = {
    {"sort", kSort,
     "Sorts an array, or the characters of a string. Elements must be comparable with each other: "
     "numbers, or text, which is ordered by its bytes. A lambda may compare instead and gives a "
     "negative number, zero or a positive one.",
     "sort([3, 1, 2]) |$a, $b| { compare($b, $a) }"},
    {"unique", kUnique,
     "Drops what was there before: from an array, any sequence, or the characters of a string. "
     "With a lambda, elements are the same when it gives the same for them. A hash becomes one "
     "from the keys to the values that are the same.",
     "unique(['a', 'b', 'A']) |$text| { $text.downcase }"},
    {"group_by", kGroupBy,
     "Sorts elements into groups: a hash from what a lambda gives to an array of the elements for "
     "which it gave that.",
     "group_by(['a', 'bb', 'c']) |$text| { $text.length }"},
    {"partition", kPartition,
     "Splits a collection in two arrays: the elements for which a lambda gives something true, and "
     "the others.",
     "partition([1, 2, 3]) |$number| { $number > 1 }"},
    {"index", kIndex,
     "Where the first element is that equals a value or for which a lambda gives something true: "
     "the index, or the key of a hash; undef when there is none. In a string it looks for text or "
     "a regular expression.",
     "index(['a', 'b', 'c'], 'c')"},
};

}  // namespace

std::span<const NativeFunctionInfo> grouping_functions() {
  return kGroupingFunctions;
}

}  // namespace bunraku
