// The families of the native standard library; each is a table in a file of its name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"
#include "types/ruby_value_text.h"

namespace bunraku::stdlib {

std::span<const NativeFunctionInfo> array_functions();
std::span<const NativeFunctionInfo> hash_functions();
std::span<const NativeFunctionInfo> choice_functions();  // pick, range, values_at...
std::span<const NativeFunctionInfo> conversion_functions();
std::span<const NativeFunctionInfo> data_functions();   // to_json, loadyaml...
std::span<const NativeFunctionInfo> check_functions();  // is_*, type_of...
std::span<const NativeFunctionInfo> network_functions();
std::span<const NativeFunctionInfo> newer_functions();  // functions added after version 8
std::span<const NativeFunctionInfo> path_functions();
std::span<const NativeFunctionInfo> resource_functions();
std::span<const NativeFunctionInfo> secret_functions();  // pw_hash, seeded_rand...
// Older names that only call newer functions. Not part of the others: they are used only for files
// with known digests.
std::span<const NativeFunctionInfo> shim_functions();
// Functions that older versions of the module define in other ways. Not part of the others either:
// older_digests.inc has the number of the version for each file.
constexpr size_t kOlderVersions = 4;
std::span<const NativeFunctionInfo> older_functions(size_t version);
std::span<const NativeFunctionInfo> text_functions();
std::span<const NativeFunctionInfo> validation_functions();

// Ruby's to_s, inspect and class of a value, for the module's messages.
inline std::string to_s(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}
inline std::string inspect(Value value) {
  return ruby_inspect(value);
}
inline std::string class_of(Value value) {
  return std::string(ruby_class_name(value));
}

// "name(): Wrong number of arguments given (1 for 2)", the wording of most of the module's
// functions.
[[noreturn]] inline void fail_count(const Call& call, std::string_view name,
                                    std::string_view wanted) {
  call.fail(Issue::kWrongArgumentCount,
            {std::string(name) + "(): Wrong number of arguments given (" +
             std::to_string(call.arguments.size()) + " for " + std::string(wanted) + ")"});
}

// "undefined method `x' for 1:Integer"
[[noreturn]] void fail_undefined_method(const Call& call, std::string_view method, Value receiver);
// "no implicit conversion of Integer into String"
[[noreturn]] void fail_implicit_conversion(const Call& call, Value value, std::string_view wanted);

// Ruby's to_i of a value; fails when the value has no such method.
int64_t to_i(const Call& call, Value value);

// The characters of a text as strings.
std::vector<Value> characters(std::string_view text);
Value joined(Arena& arena, std::span<const Value> texts);

// str2bool and num2bool, which other functions of the module use.
bool str2bool(const Call& call, Value value);
bool num2bool(const Call& call, Value value);

}  // namespace bunraku::stdlib
