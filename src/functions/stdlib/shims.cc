// Since version 9 of the module, most functions have a name of the module's own. The files under
// their older names tell so and call the other one. `deprecation`, which tells it, has a parameter
// more.
#include <array>
#include <string>
#include <utility>

#include "evaluation/evaluator.h"
#include "functions/stdlib/checks.h"
#include "functions/stdlib/families.h"

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
              Deprecation::kAlwaysTold);
  return call_own(call, name);
}

// The function of the module's own name warns in its place.
Value time(Call& call) {
  return call_own(call, "time");
}

Value deprecation_function(Call& call) {
  const bool by_setting = call.arguments.size() < 3 || call.arguments[2].as_boolean();
  deprecation(call, call.arguments[0].as_string(), std::string(call.arguments[1].as_string()),
              by_setting ? Deprecation::kBySetting : Deprecation::kAlwaysTold);
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
constexpr std::array<NativeFunctionInfo, kRenamed + 2> make_functions(
    std::index_sequence<index...>) {
  return {NativeFunctionInfo{kNames[index], std::span(&kOverloads[index], 1),
                             "The older name of a function of the module's own.", ""}...,
          NativeFunctionInfo{"time", kTime, "The older name of stdlib::time.", ""},
          NativeFunctionInfo{"deprecation", kDeprecation,
                             "Warns that something is deprecated, once for a key.", ""}};
}
constexpr std::array<NativeFunctionInfo, kRenamed + 2> kFunctions =
    make_functions(std::make_index_sequence<kRenamed>());

}  // namespace

std::span<const NativeFunctionInfo> shim_functions() {
  return kFunctions;
}

}  // namespace bunraku::stdlib
