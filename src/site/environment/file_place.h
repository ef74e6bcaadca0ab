// The place of a file among the modules of an environment.
#pragma once

#include <string>

#include "validation/validate.h"

namespace bunraku {

class Environment;

// Finds the place along the module path. A module that is the current repository is known by its
// own name, whatever its directory is called. The path is absolute.
ModuleLocation place_among_modules(const Environment& environment, const std::string& path);

}  // namespace bunraku
