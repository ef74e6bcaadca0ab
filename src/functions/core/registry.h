// The built-in functions, and those of the standard library module that are native.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

// All built-in functions, sorted by name. They live as long as the process.
std::span<const NativeFunctionInfo* const> builtin_functions();

// Returns null when there is no such function. Safe from any thread, without locks.
const NativeFunctionInfo* find_builtin_function_info(std::string_view name);
const Function* find_builtin_function(Name name);

// The functions of the module puppetlabs-stdlib that are native, sorted by name.
std::span<const NativeFunctionInfo* const> stdlib_functions();

// Returns null when there is no such function. The caller knows that the module is on the module
// path.
const NativeFunctionInfo* find_stdlib_function_info(std::string_view name);
const Function* find_stdlib_function(Name name);
// As above, but returns the function only when the module's own file at `path` is a version that
// the native function reproduces. A file is read once for as long as it does not change.
const Function* find_stdlib_function(Name name, const std::string& path);
// The native functions of other modules, by their full names; otherwise as for the standard
// library.
std::span<const NativeFunctionInfo* const> module_functions();
const Function* find_module_function(Name name);
const Function* find_module_function(Name name, const std::string& path);

}  // namespace bunraku
