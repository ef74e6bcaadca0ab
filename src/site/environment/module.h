// A module: a directory on the module path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/strictness.h"
#include "base/memory/name.h"
#include "site/settings/settings.h"

namespace bunraku {

struct Module {
  Name name;
  std::string path;
  std::string forge_name;  // "puppetlabs/ntp"; empty without metadata
  std::string version;
  std::string data_provider;       // where data are, in the way of old; mostly empty
  std::vector<Name> dependencies;  // the short names of those that metadata.json asks for
};

// A directory of this name may hold a module.
bool is_module_name(std::string_view name);

// Reads the module's metadata.json, where it has one. What is wrong there is reported in
// `problems`. False when the module does not count because of it.
bool read_metadata(Module& module, Strictness strict, std::vector<SettingsProblem>& problems);

}  // namespace bunraku
