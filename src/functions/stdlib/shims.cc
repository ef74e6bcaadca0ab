// Since version 9 of the module, most functions have a name of the module's own. The files under
// their older names tell so and call the other one.
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
    "fqdn_rand_string",
    "fqdn_rotate",
    "has_interface_with",
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
constexpr size_t kCount = std::size(kNames);

Value call_renamed(Call& call, std::string_view name) {
  const std::string renamed = "stdlib::" + std::string(name);
  deprecation(call, name, "This function is deprecated, please use " + renamed + " instead.",
              Deprecation::kAlwaysTold);
  return call.evaluator.call_function(Name(renamed), call.arguments, nullptr, call.scope,
                                      call.place);
}

template <size_t index>
Value call_shim(Call& call) {
  return call_renamed(call, kNames[index]);
}

template <size_t... index>
constexpr std::array<Overload, kCount> make_overloads(std::index_sequence<index...>) {
  return {Overload{"(Any *$args)", call_shim<index>}...};
}
constexpr std::array<Overload, kCount> kOverloads =
    make_overloads(std::make_index_sequence<kCount>());

template <size_t... index>
constexpr std::array<NativeFunctionInfo, kCount> make_functions(std::index_sequence<index...>) {
  return {NativeFunctionInfo{kNames[index], std::span(&kOverloads[index], 1),
                             "The older name of a function of the module's own.", ""}...};
}
constexpr std::array<NativeFunctionInfo, kCount> kFunctions =
    make_functions(std::make_index_sequence<kCount>());

}  // namespace

std::span<const NativeFunctionInfo> shim_functions() {
  return kFunctions;
}

}  // namespace bunraku::stdlib
