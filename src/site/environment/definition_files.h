// The files that may define a name, by the rules of the reference's loaders.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ruby/worker/function.h"

namespace bunraku {

class Environment;
struct Module;

// The path of a name, without an extension: a/b for a::b.
std::string whole_path(std::string_view name);

// The file that may define a function or type written in the language: in a module, or in the
// environment when `module` is null. Names of the environment are not shortened: environment::f is
// functions/environment/f.pp, and f is functions/f.pp.
struct OwnFile {
  const Module* module;
  std::string path;  // relative to the module
  bool is_possible;
};
OwnFile own_file(const Environment& environment, std::string_view kind, std::string_view name);

// The directories of functions in Ruby. For the same name, the first takes precedence.
inline constexpr std::pair<std::string_view, RubyInterface> kFunctionDirectories[] = {
    {"lib/puppet/functions", RubyInterface::kCurrent},
    {"lib/puppet/parser/functions", RubyInterface::kLegacy}};

// The file in a module that declares the data type with Ruby code.
std::string ruby_type_file(std::string_view lower_case_name);

}  // namespace bunraku
