// Functions that look up data.
#include "evaluation/evaluator.h"
#include "evaluation/missing_key.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "functions/core/warnings.h"

namespace bunraku {

namespace {

const Value* find_in(Value hash, std::span<const std::string_view> names) {
  if (!hash.is_hash()) return nullptr;
  for (const std::string_view name : names) {
    if (const Value* value = hash.as_hash().find(name)) return value;
  }
  return nullptr;
}

// A look-up in an environment without data: only the hashes and the default of the call are used.
Value look_up_nothing(Call& call, const LookupRequest& request) {
  if (const Value* value = find_in(request.override_hash, request.names)) return *value;
  if (const Value* value = find_in(request.default_values_hash, request.names)) return *value;
  if (request.has_default) return request.default_value;
  if (request.block != nullptr) return yield(call, Value::string(request.names[0]));
  throw EvaluationError(missing_key(request), ErrorKind::kLookup);
}

Value look_up(Call& call, const LookupRequest& request) {
  DataHost* data = call.evaluator.host().data;
  return data == nullptr ? look_up_nothing(call, request) : data->lookup(call.scope, request);
}

std::span<const std::string_view> names_of(Call& call, Value names) {
  const std::span<const Value> given =
      names.is_array() ? names.as_array() : call.arena().copy(std::span<const Value>(&names, 1));
  auto* texts = call.arena().make_array<std::string_view>(given.size());
  for (size_t i = 0; i < given.size(); ++i) texts[i] = given[i].as_string();
  return {texts, given.size()};
}

LookupRequest request_for(Call& call, Value names) {
  LookupRequest request;
  request.names = names_of(call, names);
  request.names_are_array = names.is_array();
  request.value_type = nullptr;
  request.block = call.block;
  request.place = call.place;
  return request;
}

Value lookup_with_arguments(Call& call) {
  LookupRequest request = request_for(call, call.arguments[0]);
  if (call.argument(1).is_type()) request.value_type = call.argument(1).as_type();
  request.merge = call.argument(2);
  request.has_default = call.arguments.size() > 3;
  request.default_value = call.argument(3);
  return look_up(call, request);
}

Value option(const HashObject& options, std::string_view name) {
  const Value* value = options.find(name);
  return value == nullptr ? Value() : *value;
}

Value lookup_with_options(Call& call, Value names, const HashObject& options) {
  LookupRequest request = request_for(call, names);
  const Value type = option(options, "value_type");
  if (type.is_type()) request.value_type = type.as_type();
  request.merge = option(options, "merge");
  request.has_default = options.find("default_value") != nullptr;
  request.default_value = option(options, "default_value");
  request.override_hash = option(options, "override");
  request.default_values_hash = option(options, "default_values_hash");
  return look_up(call, request);
}

Value lookup_by_options(Call& call) {
  const HashObject& options = call.arguments[0].as_hash();
  return lookup_with_options(call, option(options, "name"), options);
}

Value lookup_by_name_and_options(Call& call) {
  return lookup_with_options(call, call.arguments[0], call.arguments[1].as_hash());
}

// --- the hiera functions ------------------------------------------------------------------------

enum class HieraCall : uint8_t { kFirst, kArray, kHash, kInclude };

constexpr std::string_view kHieraNames[] = {"hiera", "hiera_array", "hiera_hash", "hiera_include"};
constexpr std::string_view kHieraMerges[] = {"first", "unique", "hash", "unique"};

template <HieraCall kCall>
Value hiera_lookup(Call& call, Value key, bool has_default, Value default_value, Value override) {
  const std::string name(kHieraNames[static_cast<size_t>(kCall)]);
  if (call.evaluator.settings().strict != Strictness::kOff) {
    warn_deprecated(call, name,
                    "The function '" + name +
                        "' is deprecated in favor of using 'lookup'. See "
                        "https://puppet.com/docs/puppet/7.23/deprecated_language.html");
  }
  LookupRequest request = request_for(call, key);
  request.merge = Value::string(kHieraMerges[static_cast<size_t>(kCall)]);
  request.is_hiera_call = true;
  request.location_overrides = override;
  request.has_default = has_default;
  request.default_value = default_value;
  Value found = look_up(call, request);
  if (kCall != HieraCall::kInclude || found.is_control()) return found;

  if (found.is_undef()) call.fail(Issue::kMissingDataItem, {std::string(key.as_string())});
  const bool is_empty = (found.is_array() && found.as_array().empty()) ||
                        (found.is_string() && found.as_string().empty()) ||
                        (found.is_hash() && found.as_hash().size == 0);
  if (is_empty) return Value();
  static const Name kIncludeName = "include"_name;
  return call.evaluator.call_function(kIncludeName, {&found, 1}, nullptr, call.scope, call.place);
}

// The variant with arguments after the key: a default, used when no lambda replaces it.
template <HieraCall kCall>
Value hiera_with_default(Call& call) {
  return hiera_lookup<kCall>(call, call.arguments[0], call.arguments.size() > 1, call.argument(1),
                             call.argument(2));
}
template <HieraCall kCall>
Value hiera_with_block(Call& call) {
  return hiera_lookup<kCall>(call, call.arguments[0], false, Value(), call.argument(1));
}
template <HieraCall kCall>
Value hiera_splat(Call& call) {
  const std::span<const Value> arguments = call.arguments[0].as_array();
  return hiera_lookup<kCall>(call, arguments[0], arguments.size() > 1,
                             arguments.size() > 1 ? arguments[1] : Value(),
                             arguments.size() > 2 ? arguments[2] : Value());
}

// --- data providers -----------------------------------------------------------------------------

enum class Provider : uint8_t { kYamlData, kJsonData, kHoconData, kEyamlLookupKey };
constexpr std::string_view kProviders[] = {"yaml_data", "json_data", "hocon_data",
                                           "eyaml_lookup_key"};

// A data provider called by code. The maker of the context holds the data.
template <Provider kProvider>
Value provider(Call& call) {
  NativeObject* const context = call.arguments.back().as_object().native;
  const std::string_view name = kProviders[static_cast<size_t>(kProvider)];
  if (context == nullptr)
    call.fail(Issue::kDataFunctionMisused, {std::string(name) + " needs the context of a look-up"});
  return context->call_method(name, call);
}

template <Provider kProvider>
Value provider_without_path(Call& call) {
  call.fail(Issue::kDataFunctionMisused,
            {"'" + std::string(kProviders[static_cast<size_t>(kProvider)]) +
             "' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in "
             "hiera.yaml when using this data_hash function"});
}

constexpr Overload kLookup[] = {
    {"(NameType $name, ValueType $value_type = default, MergeType $merge = default)",
     lookup_with_arguments},
    {"(NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, "
     "DefaultValueType $default_value)",
     lookup_with_arguments},
    {"(NameType $name, ValueType $value_type = default, MergeType $merge = default, BlockType "
     "&$block)",
     lookup_with_arguments},
    {"(OptionsWithName $options_hash, Optional[BlockType] &$block)", lookup_by_options},
    {"(Variant[String, Array[String]] $name, OptionsWithoutName $options_hash, Optional[BlockType] "
     "&$block)",
     lookup_by_name_and_options}};
constexpr std::string_view kLookupTypes =
    "NameType = Variant[String, Array[String]]\n"
    "ValueType = Type\n"
    "DefaultValueType = Any\n"
    "MergeType = Variant[String[1], Hash[String, Scalar]]\n"
    "BlockType = Callable[NameType]\n"
    "OptionsWithName = Struct[{name => NameType, value_type => Optional[ValueType], default_value "
    "=> DefaultValueType, override => Optional[Hash[String, Any]], default_values_hash => "
    "Optional[Hash[String, Any]], merge => Optional[MergeType]}]\n"
    "OptionsWithoutName = Struct[{value_type => Optional[ValueType], default_value => "
    "DefaultValueType, override => Optional[Hash[String, Any]], default_values_hash => "
    "Optional[Hash[String, Any]], merge => Optional[MergeType]}]";

#define HIERA_WAYS(kind)                                                                     \
  {                                                                                          \
    {"(Tuple[String, Any, Any, 1, 3] $args)", hiera_splat<kind>},                            \
        {"(String $key)", hiera_with_default<kind>},                                         \
        {"(String $key, Any $default, Any $override = default)", hiera_with_default<kind>},  \
        {"(String $key, Callable[1, 1] &$default_block)", hiera_with_block<kind>}, {         \
      "(String $key, Any $override, Callable[1, 1] &$default_block)", hiera_with_block<kind> \
    }                                                                                        \
  }
constexpr Overload kHiera[] = HIERA_WAYS(HieraCall::kFirst);
constexpr Overload kHieraArray[] = HIERA_WAYS(HieraCall::kArray);
constexpr Overload kHieraHash[] = HIERA_WAYS(HieraCall::kHash);
constexpr Overload kHieraInclude[] = HIERA_WAYS(HieraCall::kInclude);
#undef HIERA_WAYS

#define DATA_HASH(kind)                                                                           \
  {                                                                                               \
    {"(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)", provider<kind>}, { \
      "(Hash $options, Puppet::LookupContext $context)", provider_without_path<kind>, true        \
    }                                                                                             \
  }
constexpr Overload kYamlData[] = DATA_HASH(Provider::kYamlData);
constexpr Overload kJsonData[] = DATA_HASH(Provider::kJsonData);
constexpr Overload kHoconData[] = DATA_HASH(Provider::kHoconData);
#undef DATA_HASH
constexpr Overload kEyamlLookupKey[] = {
    {"(String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context)",
     provider<Provider::kEyamlLookupKey>}};

constexpr std::string_view kHieraExample = "hiera('no::such::key', 'a default')";
constexpr NativeFunctionInfo kDataFunctions[] = {
    {"lookup", kLookup,
     "The value that the data of global layer, environment and modules have for a name, or for the "
     "first of several names. It must be of the type when one is given. How the values of several "
     "levels come together is the merge behaviour: `first`, `unique`, `hash` or `deep`. When "
     "nothing is found the result is the default, or what a lambda gives for the name; without "
     "these it is an error.",
     "lookup('no::such::key', { 'default_value' => 'a default' })", false, kLookupTypes},
    {"hiera", kHiera,
     "The first value that the data have for a name, else the default. Deprecated: use `lookup`.",
     kHieraExample},
    {"hiera_array", kHieraArray,
     "All values that the data have for a name, as one flat array without duplicates. Deprecated: "
     "use `lookup` with the merge behaviour `unique`.",
     "hiera_array('no::such::key', [])"},
    {"hiera_hash", kHieraHash,
     "The hashes that the data have for a name, merged. Deprecated: use `lookup` with the merge "
     "behaviour `hash`.",
     "hiera_hash('no::such::key', {})"},
    {"hiera_include", kHieraInclude,
     "Includes the classes that the data name, as an array without duplicates. Deprecated: use "
     "`lookup` and `include`.",
     "hiera_include('no::such::key', [])"},
    {"yaml_data", kYamlData,
     "Gives the data of a YAML file to the hierarchy that names it in "
     "hiera.yaml as its `data_hash`.",
     kHieraExample},
    {"json_data", kJsonData,
     "Gives the data of a JSON file to the hierarchy that names it in "
     "hiera.yaml as its `data_hash`.",
     kHieraExample},
    {"hocon_data", kHoconData,
     "Gives the data of a HOCON file to the hierarchy that names it in "
     "hiera.yaml as its `data_hash`.",
     kHieraExample},
    {"eyaml_lookup_key", kEyamlLookupKey,
     "Gives data of a YAML file with encrypted values to the "
     "hierarchy that names it in hiera.yaml as its `lookup_key`.",
     kHieraExample},
};

}  // namespace

std::span<const NativeFunctionInfo> data_functions() {
  return kDataFunctions;
}

}  // namespace bunraku
