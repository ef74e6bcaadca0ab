// Functions that forward to another one in newer versions of the module. Since version 9, most
// functions have a name in the module's namespace: the files of the older names warn and call the
// new function; `deprecation` has an additional parameter. Later, the functions that write JSON,
// YAML and TOML handle Sensitive values.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/evaluator.h"
#include "functions/core/registry.h"
#include "functions/stdlib/checks.h"
#include "functions/stdlib/families.h"
#include "values/bounds.h"

namespace bunraku::stdlib {

namespace {

constexpr std::string_view kNames[] = {
    "batch_escape",
    "ensure_packages",
    "fqdn_rand_string",
    "fqdn_rotate",
    "has_interface_with",
    "has_ip_address",
    "has_ip_network",
    "merge",
    "os_version_gte",
    "parsehocon",
    "powershell_escape",
    "seeded_rand",
    "shell_escape",
    "seeded_rand_string",
    "to_json",
    "to_json_pretty",
    "to_python",
    "to_ruby",
    "to_toml",
    "to_yaml",
    "type_of",
    "validate_domain_name",
    "validate_email_address",
};
constexpr size_t kRenamed = std::size(kNames);

Value call_own(Call& call, std::string_view name) {
  return call.evaluator.call_function(Name("stdlib::" + std::string(name)), call.arguments, nullptr,
                                      call.scope, call.place);
}

template <size_t index>
Value call_renamed(Call& call) {
  const std::string_view name = kNames[index];
  deprecation(call, name,
              "This function is deprecated, please use stdlib::" + std::string(name) + " instead.",
              Deprecation::kAlwaysWarned);
  return call_own(call, name);
}

// --- Sensitive values within data ---------------------------------------------------------------

// Copies a value and replaces each Sensitive by its content. Collections are copied, so that none
// is shared.
Value unwrapped(Arena& arena, Value value, bool& is_sensitive, Nesting& nesting) {
  const NestingGuard guard(nesting, "A value");
  if (value.is_sensitive()) {
    is_sensitive = true;
    return unwrapped(arena, value.as_sensitive(), is_sensitive, nesting);
  }
  if (value.is_array()) {
    ArrayBuilder items(arena, value.as_array().size());
    for (const Value item : value.as_array()) {
      items.push(unwrapped(arena, item, is_sensitive, nesting));
    }
    return items.finish();
  }
  if (!value.is_hash()) return value;
  HashBuilder entries(arena, value.as_hash().size);
  for (const HashEntry& entry : value.as_hash()) {
    Value key = entry.key;
    if (key.is_sensitive()) {
      is_sensitive = true;
      key = key.as_sensitive();
    }
    entries.set(key, unwrapped(arena, entry.value, is_sensitive, nesting));
  }
  return entries.finish();
}

// Since version 9.5 of the module, the text of data with a Sensitive part is Sensitive itself.
template <const char* kName>
Value rewrapped(Call& call) {
  std::vector<Value> arguments(call.arguments.begin(), call.arguments.end());
  bool is_sensitive = false;
  Nesting nesting;
  arguments[0] = unwrapped(call.arena(), arguments[0], is_sensitive, nesting);
  Call plain{call.evaluator, call.scope, arguments, nullptr, call.place};
  const Value text = find_stdlib_function(Name(kName))->call(plain);
  return is_sensitive ? Value::sensitive(call.arena(), text) : text;
}

constexpr char kJson[] = "stdlib::to_json";
constexpr char kJsonPretty[] = "stdlib::to_json_pretty";
constexpr char kYaml[] = "stdlib::to_yaml";
constexpr char kToml[] = "stdlib::to_toml";
constexpr Overload kRewrappedJson[] = {{"(Any $data)", rewrapped<kJson>}};
constexpr Overload kRewrappedJsonPretty[] = {
    {"(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = default, Struct[{indent => "
     "Optional[String], space => Optional[String], space_before => Optional[String], object_nl => "
     "Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting "
     "=> Optional[Integer[-1, default]]}] $opts = default)",
     rewrapped<kJsonPretty>}};
constexpr Overload kRewrappedYaml[] = {{"(Any $data, Hash $options = default)", rewrapped<kYaml>}};
constexpr Overload kRewrappedToml[] = {
    {"(Hash $data) >> Variant[String, Sensitive[String]]", rewrapped<kToml>}};

// The function in the module's namespace warns instead.
Value time(Call& call) {
  return call_own(call, "time");
}

Value deprecation_function(Call& call) {
  const bool by_setting = call.arguments.size() < 3 || call.arguments[2].as_boolean();
  deprecation(call, call.arguments[0].as_string(), std::string(call.arguments[1].as_string()),
              by_setting ? Deprecation::kBySetting : Deprecation::kAlwaysWarned);
  return Value();
}

template <size_t... index>
constexpr std::array<Overload, kRenamed> make_overloads(std::index_sequence<index...>) {
  return {Overload{"(Any *$args)", call_renamed<index>}...};
}
constexpr std::array<Overload, kRenamed> kOverloads =
    make_overloads(std::make_index_sequence<kRenamed>());
constexpr Overload kTime[] = {{"(Any *$args)", time}};
constexpr Overload kDeprecation[] = {
    {"(String $key, String $message, Boolean $use_strict_setting = default)",
     deprecation_function}};

template <size_t... index>
constexpr std::array<NativeFunctionInfo, kRenamed + 6> make_functions(
    std::index_sequence<index...>) {
  return {NativeFunctionInfo{kNames[index], std::span(&kOverloads[index], 1),
                             "The older name of a function of the module's own.", ""}...,
          NativeFunctionInfo{"time", kTime, "The older name of stdlib::time.", ""},
          NativeFunctionInfo{"deprecation", kDeprecation,
                             "Warns that something is deprecated, once for a key.", ""},
          NativeFunctionInfo{kJson, kRewrappedJson, "A value as JSON, on one line.", ""},
          NativeFunctionInfo{kJsonPretty, kRewrappedJsonPretty, "A value as JSON.", ""},
          NativeFunctionInfo{kYaml, kRewrappedYaml, "A value as YAML.", ""},
          NativeFunctionInfo{kToml, kRewrappedToml, "A hash as TOML.", ""}};
}
constexpr std::array<NativeFunctionInfo, kRenamed + 6> kShimFunctions =
    make_functions(std::make_index_sequence<kRenamed>());

}  // namespace

std::span<const NativeFunctionInfo> shim_functions() {
  return kShimFunctions;
}

}  // namespace bunraku::stdlib
