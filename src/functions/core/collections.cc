// Functions on arrays, hashes and nested data.
#include "base/memory/data_names.h"
#include "base/regex/regex.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "functions/core/navigation.h"
#include "functions/core/random.h"
#include "functions/core/warnings.h"
#include "types/built_in_types.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku {

namespace {

Value keys(Call& call) {
  const HashObject& hash = call.arguments[0].as_hash();
  ArrayBuilder keys(call.arena(), hash.size);
  for (const HashEntry& entry : hash) keys.push(entry.key);
  return keys.finish();
}

Value values(Call& call) {
  const HashObject& hash = call.arguments[0].as_hash();
  ArrayBuilder values(call.arena(), hash.size);
  for (const HashEntry& entry : hash) values.push(entry.value);
  return values.finish();
}

Value length(Call& call) {
  const Value value = call.arguments[0];
  size_t size = 0;
  switch (value.kind()) {
    case ValueKind::kArray:
      size = value.as_array().size();
      break;
    case ValueKind::kHash:
      size = value.as_hash().size;
      break;
    case ValueKind::kBinary:
      size = value.as_binary().size();
      break;
    default:
      size = character_count(value.as_string());
  }
  return Value::integer(static_cast<int64_t>(size));
}

Value empty(Call& call) {
  Value value = call.arguments[0];
  if (value.is_sensitive()) value = value.as_sensitive();
  switch (value.kind()) {
    case ValueKind::kArray:
      return Value::boolean(value.as_array().empty());
    case ValueKind::kHash:
      return Value::boolean(value.as_hash().size == 0);
    case ValueKind::kBinary:
      return Value::boolean(value.as_binary().empty());
    case ValueKind::kString:
      return Value::boolean(value.as_string().empty());
    default:
      return Value::boolean(true);
  }
}

Value empty_number(Call& call) {
  warn_deprecated(call, {}, "Calling function empty() with Numeric value is deprecated.", true);
  return Value::boolean(false);
}

Value flatten(Call& call) {
  return Value::array(call.arena().copy(flattened(call.arena(), call.arguments)));
}

Value join(Call& call) {
  const std::string_view delimiter = call.arguments.size() > 1 ? call.arguments[1].as_string() : "";
  std::string text;
  append_joined(text, call.arguments[0], delimiter);
  return Value::string(call.arena(), text);
}

// --- navigation ---------------------------------------------------------------------------------

// An Error made as the reference makes it, without a check of its attributes' types.
Value error_value(Call& call, const NavigationError& error) {
  Arena& arena = call.arena();
  HashBuilder details(arena);
  details.set("walked_path", error.walked_path);
  details.set(error.type_key, Value::type(error.type));
  const Value filled = details.finish();
  const ObjectType& type = resolve_alias(types::kError)->as<ObjectType>();
  auto attributes = attributes_of(arena, type);
  Value* values = arena.make_array<Value>(attributes.size());
  for (size_t i = 0; i < attributes.size(); ++i) {
    const std::string_view name = attributes[i]->name;
    values[i] = name == "msg"          ? Value::string(arena, error.message)
                : name == "kind"       ? Value::string("SLICE_ERROR")
                : name == "details"    ? filled
                : name == "issue_code" ? Value::string(error.issue_code)
                                       : Value();
  }
  return Value::object(
      arena.make<ObjectInstance>(types::kError, std::span<const Value>(values, attributes.size())));
}

Value dig_into(Call& call) {
  Value found;
  NavigationError error;
  if (!dig(call.arena(), call.arguments[0], call.arguments.subspan(1), found, error)) {
    call.fail(Issue::kNavigationFailed, {error.message});
  }
  return found;
}

// The result of `get`. The default replaces an undef at the end of the path.
Value navigate(Call& call, Value data, std::string_view navigation, Value default_value) {
  if (data.is_undef()) return default_value;
  if (navigation.empty()) return data;
  Arena& arena = call.arena();
  const std::string text = "x." + std::string(navigation);
  Value path;
  if (!split_path(arena, arena.copy(text), path)) {
    call.fail(Issue::kNavigationFailed, {"Syntax error in dotted-navigation string"});
  }
  if (!data.is_array() && !data.is_hash()) {
    // The reference calls `dig`, which accepts collections only.
    static const Name kDig = "dig"_name;
    ArrayBuilder arguments(arena);
    arguments.push(data);
    arguments.push_all(path.as_array().subspan(1));
    return call.evaluator.call_function(kDig, arguments.finish().as_array(), nullptr, call.scope,
                                        call.place);
  }
  Value found;
  NavigationError error;
  if (!dig(arena, data, path.as_array().subspan(1), found, error)) {
    if (call.block == nullptr) call.fail(Issue::kNavigationFailed, {error.message});
    return yield(call, error_value(call, error));
  }
  return found.is_undef() ? default_value : found;
}

Value get(Call& call) {
  return navigate(call, call.arguments[0], call.arguments[1].as_string(), call.argument(2));
}

Value getvar(Call& call) {
  static const Regex& variable = *Regex::compile(R"(^((::)?(\w+::)*\w+)(.*)\z)");
  const std::string_view text = call.arguments[0].as_string();
  Captures match;
  if (!variable.search(text, 0, match))
    call.fail(Issue::kNavigationFailed,
              {"The given string does not start with a valid variable name"});
  std::string_view navigation = match.text(text, 4);
  if (!navigation.empty()) {
    if (navigation[0] != '.') {
      call.fail(Issue::kNavigationFailed,
                {"First character after var name in get string must be a '.' - got " +
                 std::string(navigation.substr(
                     0, character_length(static_cast<unsigned char>(navigation[0]))))});
    }
    navigation.remove_prefix(1);
  }
  const Value* value = call.evaluator.find_variable(data_name(match.text(text, 1)), call.scope);
  return value == nullptr ? call.argument(1) : navigate(call, *value, navigation, call.argument(1));
}

Value getvar_mismatch(Call& call) {
  call.fail(Issue::kNavigationFailed,
            {"'getvar' The given string does not start with a valid variable name"});
}

constexpr Overload kKeys[] = {{"(Hash $hsh)", keys}};
constexpr Overload kValues[] = {{"(Hash $hsh)", values}};
constexpr Overload kLength[] = {
    {"(Collection $arg)", length}, {"(String $arg)", length}, {"(Binary $arg)", length}};
constexpr Overload kSize[] = {{"(Variant[Collection, String, Binary] $arg)", length}};
constexpr Overload kEmpty[] = {{"(Collection $coll)", empty}, {"(Sensitive[String] $str)", empty},
                               {"(String $str)", empty},      {"(Numeric $num)", empty_number},
                               {"(Binary $bin)", empty},      {"(Undef $x)", empty}};
constexpr Overload kFlatten[] = {{"(Any *$args)", flatten}};
constexpr Overload kJoin[] = {{"(Array $arg, String $delimiter = default)", join}};
constexpr Overload kDig[] = {{"(Variant[Undef, Collection] $data, Any *$arg)", dig_into}};
constexpr Overload kGet[] = {
    {"(Any $value, String $dotted_string, Any $default_value = default, "
     "Optional[Callable[1, 1]] &$block)",
     get}};
constexpr Overload kGetvar[] = {
    {R"((Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, )"
     R"(Any $default_value = default, Optional[Callable[1, 1]] &$block))",
     getvar},
    {"(String $get_string, Any $default_value = default, Optional[Callable] &$block)",
     getvar_mismatch, true}};

constexpr NativeFunctionInfo kCollectionFunctions[] = {
    {"keys", kKeys, "The keys of a hash, in their order.", "keys({ 'a' => 1, 'b' => 2 })"},
    {"values", kValues, "The values of a hash, in their order.", "values({ 'a' => 1, 'b' => 2 })"},
    {"length", kLength,
     "How many elements a collection has, how many characters a string, how many bytes a Binary.",
     "length('héllo')"},
    {"size", kSize,
     "How many elements a collection has, how many characters a string, how many bytes a Binary; "
     "the same as `length`.",
     "size([1, 2, 3])"},
    {"empty", kEmpty,
     "Is there nothing in a collection, a string, a Sensitive string or a Binary? Undef is empty. "
     "A number never is, and asking it is deprecated.",
     "empty([])"},
    {"flatten", kFlatten,
     "One flat array of all arguments and of the arrays in them, however deep.",
     "flatten([1, [2, [3]]], 4)"},
    {"join", kJoin,
     "Joins the elements of an array to a string, with a delimiter between them. Arrays inside are "
     "joined too; undef is empty.",
     "join(['a', 'b', 'c'], ', ')"},
    {"dig", kDig,
     "Follows keys and indexes into nested data. The result is undef as soon as something on the "
     "way is missing.",
     "dig({ 'a' => [10, { 'b' => 20 }] }, 'a', 1, 'b')"},
    {"get", kGet,
     "Follows a path of keys and indexes, written with dots, into nested data. When nothing is "
     "there the result is a default, or undef. Keys with dots in them are quoted. A lambda gets "
     "the Error when the path leads into what is no collection.",
     "get({ 'a' => [10, { 'b' => 20 }] }, 'a.1.b', 'nothing')"},
    {"getvar", kGetvar,
     "The value of the variable with this name, or what a path behind it, written with dots, leads "
     "to in it. A variable that does not exist gives the default, or undef.",
     "$config = { 'port' => 80 }\ngetvar('config.port')"},
};

}  // namespace

std::span<const NativeFunctionInfo> collection_functions() {
  return kCollectionFunctions;
}

}  // namespace bunraku
