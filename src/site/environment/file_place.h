// Where a file stands among the modules of an environment.
#pragma once

#include <string>

#include "validation/validate.h"

namespace bunraku {

class Environment;

// By the module path; of a module that is worked in by its own name, whatever its directory is
// called. The path is absolute.
ModuleLocation place_among_modules(const Environment& environment, const std::string& path);

}  // namespace bunraku
