// The standard library's functions on hashes and nested data.
#include "base/regex/regex.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/iteration_support.h"
#include "functions/core/warnings.h"
#include "functions/stdlib/checks.h"
#include "functions/stdlib/families.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku::stdlib {

namespace {

Value merge_hashes(Call& call) {
  HashBuilder merged(call.arena());
  for (const Value argument : call.arguments) {
    if (argument.is_hash()) merged.set_all(argument.as_hash());
  }
  return merged.finish();
}

// The lambda gets the result so far, which must be a complete value each time.
template <size_t kArguments>
Value merge_with_lambda(Call& call) {
  if (call.arguments.size() != 1) {
    call.fail(Issue::kWrongArgumentCount,
              {"wrong number of arguments (given " + std::to_string(call.arguments.size()) +
               ", expected 1)"});
  }
  const Value source = call.arguments[0];
  Value merged = HashBuilder(call.arena()).finish();
  auto add = [&](Value result) {
    if (!result.is_hash()) return;
    HashBuilder builder(call.arena(), merged.as_hash().size + result.as_hash().size);
    builder.set_all(merged.as_hash());
    builder.set_all(result.as_hash());
    merged = builder.finish();
  };
  Loop loop(true);
  // NOLINTNEXTLINE(misc-const-correctness): counted where the block takes one argument.
  int64_t index = 0;
  walk(call, "merge", source, [&](Value element) {
    Value result;
    if constexpr (kArguments == 2) {
      result = yield(call, merged, element);
    } else {
      const Value first = source.is_hash() ? element.as_array()[0] : Value::integer(index++);
      const Value second = source.is_hash() ? element.as_array()[1] : element;
      const Value arguments[] = {merged, first, second};
      result = call.block->call(arguments);
    }
    if (!loop.goes_on(result)) return false;
    add(result);
    return true;
  });
  return loop.is_leaving() ? loop.leaving() : merged;
}

Value deep_merged(Arena& arena, const HashObject& a, const HashObject& b, Nesting& nesting) {
  const NestingGuard guard(nesting, "A hash");
  HashBuilder merged(arena, a.size + b.size);
  merged.set_all(a);
  for (const HashEntry& entry : b) {
    const Value* old = a.find(entry.key);
    const bool both = old != nullptr && old->is_hash() && entry.value.is_hash();
    merged.set(entry.key, both ? deep_merged(arena, old->as_hash(), entry.value.as_hash(), nesting)
                               : entry.value);
  }
  return merged.finish();
}

Value deep_merge(Call& call) {
  if (call.arguments.size() < 2) {
    call.fail(Issue::kWrongArgumentCount,
              {"deep_merge(): wrong number of arguments (" + std::to_string(call.arguments.size()) +
               "; must be at least 2)"});
  }
  Value result = HashBuilder(call.arena()).finish();
  for (const Value argument : call.arguments) {
    if (argument.is_string() && argument.as_string().empty()) continue;
    if (!argument.is_hash()) {
      call.fail(Issue::kWrongArgumentKind, {"deep_merge: unexpected argument type " +
                                            class_of(argument) + ", only expects hash arguments"});
    }
    Nesting nesting;
    result = deep_merged(call.arena(), result.as_hash(), argument.as_hash(), nesting);
  }
  return result;
}

Value has_key(Call& call) {
  if (call.arguments.size() != 2) {
    call.fail(Issue::kWrongArgumentCount, {"has_key(): wrong number of arguments (" +
                                           std::to_string(call.arguments.size()) + "; must be 2)"});
  }
  if (!call.arguments[0].is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"has_key(): expects the first argument to be a hash, got " +
               inspect(call.arguments[0]) + " which is of type " + class_of(call.arguments[0])});
  }
  return Value::boolean(call.arguments[0].as_hash().find(call.arguments[1]) != nullptr);
}

Value hash_from_array(Call& call) {
  if (call.arguments.empty()) fail_count(call, "hash", "1");
  if (!call.arguments[0].is_array())
    call.fail(Issue::kWrongArgumentKind, {"hash(): Requires array to work with"});
  const std::span<const Value> flat = flattened(call.arena(), call.arguments[0].as_array());
  HashBuilder result(call.arena());
  if (flat.size() == 1 && flat[0].is_hash()) return flat[0];
  if (flat.size() % 2 != 0)
    call.fail(Issue::kWrongArgumentValue, {"hash(): Unable to compute hash from array given"});
  for (size_t i = 0; i < flat.size(); i += 2) result.set(flat[i], flat[i + 1]);
  return result.finish();
}

Value join_keys_to_values(Call& call) {
  if (call.arguments.size() != 2) {
    call.fail(Issue::kWrongArgumentCount,
              {"join_keys_to_values(): Takes exactly two arguments, but " +
               std::to_string(call.arguments.size()) + " given."});
  }
  if (!call.arguments[0].is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"join_keys_to_values(): The first argument must be a hash, but a " +
               class_of(call.arguments[0]) + " was given."});
  }
  if (!call.arguments[1].is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"join_keys_to_values(): The second argument must be a string, but a " +
               class_of(call.arguments[1]) + " was given."});
  }
  std::string_view separator = call.arguments[1].as_string();
  ArrayBuilder lines(call.arena());
  auto add = [&](const std::string& key, Value value) {
    lines.push(Value::string(call.arena(), key + std::string(separator) + to_s(value)));
  };
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    const std::string key = to_s(entry.key);
    if (entry.value.is_array()) {
      for (const Value value : entry.value.as_array()) add(key, value);
    } else if (entry.value.is_string() && entry.value.as_string() == "undef") {
      lines.push(Value::string(call.arena(), key));
    } else {
      add(key, entry.value);
    }
  }
  return lines.finish();
}

// --- paths into data ----------------------------------------------------------------------------

Value follow(Call& call, Value data, std::span<const Value> path, Value default_value) {
  for (const Value key : path) {
    if (data.is_hash()) {
      const Value* value = data.as_hash().find(key);
      if (value == nullptr || value->is_undef()) return default_value;
      data = *value;
    } else if (data.is_array()) {
      static const Regex& integer = *Regex::compile(R"(\A\s*[-+]?\d+\s*\z)");
      const bool is_number =
          key.is_numeric() || (key.is_string() && integer.matches(key.as_string()));
      if (!is_number) return default_value;
      int64_t index = to_i(call, key);
      const int64_t size = static_cast<int64_t>(data.as_array().size());
      if (index < 0) index += size;
      if (index < 0 || index >= size) return default_value;
      data = data.as_array()[static_cast<size_t>(index)];
      if (data.is_undef()) return default_value;
    } else {
      return default_value;
    }
  }
  return data;
}

Value dig44(Call& call) {
  if (call.arguments.size() < 2) {
    call.fail(Issue::kWrongArgumentCount,
              {"dig44(): Wrong number of arguments given (" +
               std::to_string(call.arguments.size()) + " for at least 2)"});
  }
  const Value data = call.arguments[0], path = call.arguments[1];
  if (!data.is_hash() && !data.is_array()) {
    call.fail(Issue::kWrongArgumentKind,
              {"dig44(): first argument must be a hash or an array, given " + class_of(data)});
  }
  if (!path.is_array()) {
    call.fail(Issue::kWrongArgumentKind,
              {"dig44(): second argument must be an array, given " + class_of(path)});
  }
  return follow(call, data, path.as_array(), call.argument(2));
}

Value try_get_value(Call& call) {
  static const Regex& digits = *Regex::compile(R"(^\d+$)");
  warn_in_scope(
      call, "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead.");
  const Value data = call.arguments[0];
  const Value path = call.argument(1).is_truthy() ? call.argument(1) : Value::string("");
  const Value default_value = call.argument(2);
  if ((!data.is_hash() && !data.is_array()) || (path.is_string() && path.as_string().empty())) {
    return default_value.is_truthy() ? default_value : data;
  }
  if (!path.is_string()) fail_undefined_method(call, "split", path);
  const std::string_view separator =
      call.argument(3).is_string() ? call.argument(3).as_string() : "/";
  ArrayBuilder keys(call.arena());
  for (const std::string_view key : ruby_split(path.as_string(), separator)) {
    keys.push(digits.matches(key) ? Value::integer(leading_integer(key)) : Value::string(key));
  }
  warn_in_scope(call,
                "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use "
                "dig44() for backwards compatibility or use the new version.");
  warn_of_autoloader(call, "dig44");
  return follow(call, data, keys.finish().as_array(), default_value);
}

constexpr Overload kMerge[] = {
    {"(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args) >> Hash[Scalar, Any]", merge_hashes},
    {"(Iterable *$args, Callable[3, 3] &$block) >> Hash", merge_with_lambda<3>},
    {"(Iterable *$args, Callable[2, 2] &$block) >> Hash", merge_with_lambda<2>}};
constexpr Overload kDeepMerge[] = {{"(Any *$arguments)", deep_merge}};
constexpr Overload kHasKey[] = {{"(Any *$arguments)", has_key}};
constexpr Overload kHash[] = {{"(Any *$arguments)", hash_from_array}};
constexpr Overload kJoinKeysToValues[] = {{"(Any *$arguments)", join_keys_to_values}};
constexpr Overload kDig44[] = {{"(Any $data, Any *$arguments)", dig44}};
constexpr Overload kTryGetValue[] = {{"(Any $data, Any *$arguments)", try_get_value}};

constexpr NativeFunctionInfo kHashFunctions[] = {
    {"merge", kMerge,
     "Merges hashes, of which later ones win; or builds one from what a lambda gives "
     "for each element.",
     "merge({ 'a' => 1 }, { 'b' => 2 })"},
    {"stdlib::merge", kMerge,
     "Merges hashes, of which later ones win; or builds one from what a lambda "
     "gives for each element.",
     "stdlib::merge({ 'a' => 1 }, { 'b' => 2 })"},
    {"deep_merge", kDeepMerge, "Merges hashes, of which later ones win, with the hashes in them.",
     "deep_merge({ 'a' => { 'b' => 1 } }, { 'a' => { 'c' => 2 } })", true},
    {"has_key", kHasKey, "Has a hash this key?", "has_key({ 'a' => 1 }, 'a')", true},
    {"hash", kHash, "A hash from an array of keys and values in turn.", "hash(['a', 1, 'b', 2])",
     true},
    {"join_keys_to_values", kJoinKeysToValues,
     "An array of each key of a hash with its value, or each "
     "of its values, joined by a separator.",
     "join_keys_to_values({ 'a' => 1 }, ' is ')", true},
    {"dig44", kDig44, "Follows a path of keys and indexes into nested data; else a default.",
     "dig44({ 'a' => [1, 2] }, ['a', 1])", true},
    {"try_get_value", kTryGetValue,
     "Follows a path of keys and indexes, written with slashes, into "
     "nested data; else a default.",
     "try_get_value({ 'a' => [1, 2] }, 'a/1')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> hash_functions() {
  return kHashFunctions;
}

}  // namespace bunraku::stdlib
