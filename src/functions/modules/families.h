// Functions of common modules other than the standard library, natively; each family is a table in
// the file of its module.
#pragma once

#include <span>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku::modules {

std::span<const NativeFunctionInfo> apache_functions();
std::span<const NativeFunctionInfo> database_functions();  // mysql, postgresql

// The module's own Ruby code for a function NAME::function with the same arguments: for the few
// values that are left to it. Throws EvaluationError, also when there is no Ruby.
Value call_own_ruby(Call& call, std::string_view function);

// Is the file with this SHA-256 (hexadecimal digits) one that the native function was made after?
bool is_known_source(std::string_view function, std::string_view digest);

}  // namespace bunraku::modules
