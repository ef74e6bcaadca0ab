// Resource types in the language: the files that `generate types` writes into an environment's
// directory .resource_types, for those who run no Ruby when they compile.
#pragma once

#include <string>

#include "resource_types/native_type.h"
#include "syntax/tree.h"

namespace bunraku {

// The text of the file for a type.
std::string generated_text(const NativeType& type);

// Reads such a file: `type` gets all but its name. False when the program is no such file.
bool read_generated(const Program& program, NativeType& type);

}  // namespace bunraku
