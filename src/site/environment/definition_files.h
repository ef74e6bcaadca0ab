// Which files hold the definitions of names, by the rules of the reference's loaders.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ruby/worker/function.h"

namespace bunraku {

class Environment;
struct Module;

// The path of a name without a suffix: a::b is a/b.
std::string whole_path(std::string_view name);

// Where a function or type written in the language would stand: a file of a module, or of the
// environment when `module` is null. Names of the environment are not shortened: environment::f is
// functions/environment/f.pp, and f is functions/f.pp.
struct OwnFile {
  const Module* module;
  std::string path;  // relative to the module
  bool is_possible;
};
OwnFile own_file(const Environment& environment, std::string_view kind, std::string_view name);

// Where functions in Ruby stand; of one name, the first goes before the second.
inline constexpr std::pair<std::string_view, RubyInterface> kFunctionDirectories[] = {
    {"lib/puppet/functions", RubyInterface::kCurrent},
    {"lib/puppet/parser/functions", RubyInterface::kLegacy}};

// The file of a module that declares the data type with Ruby code.
std::string ruby_type_file(std::string_view lower_case_name);

}  // namespace bunraku
