// A module: a directory on the module path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/strictness.h"
#include "base/memory/name.h"
#include "site/settings/settings.h"

namespace bunraku {

class KeptTexts;

struct Module {
  Name name;
  std::string path;
  std::string forge_name;  // "puppetlabs/ntp"; empty without metadata
  std::string version;
  std::string data_provider;       // the deprecated data provider setting; usually empty
  std::vector<Name> dependencies;  // the short names of the dependencies in metadata.json
};

// Returns whether a directory of this name may be a module.
bool is_module_name(std::string_view name);

// Reads the module's metadata.json, if it has one. Mistakes are added to `problems`. Returns false
// when the module is ignored because of them. `texts`, which may be null, keeps what is used of
// files without mistakes.
bool read_metadata(Module& module, Strictness strict, KeptTexts* texts,
                   std::vector<SettingsProblem>& problems);

}  // namespace bunraku
