// The module's own files that the file of a function requires, read while it is parsed.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ruby/erb/tree.h"

namespace bunraku::erb {

struct RequiredFile {
  std::string path;
  std::string text;
};

// What they define, by its whole name: `Puppet::Icinga2::Utils.parse`. The texts of names are in
// the arena of the function's file.
struct RequiredFiles {
  std::vector<RequiredFile> files;
  std::unordered_set<std::string_view> method_names;
  std::vector<const DefineNode*> methods;
  std::unordered_map<std::string_view, const Node*> constants;
  // The methods that the function's file itself calls.
  std::vector<std::string_view> entries;
};

}  // namespace bunraku::erb
