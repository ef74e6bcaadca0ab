// Resource types in the Puppet language: the files that `generate types` writes into an
// environment's directory .resource_types, so that compilations need no Ruby.
#pragma once

#include <string>

#include "resource_types/native_type.h"
#include "syntax/tree.h"

namespace bunraku {

// The text of the file for a type.
std::string generated_text(const NativeType& type);

// Reads such a file into `type`, without the name. Returns false when the program is not such a
// file.
bool read_generated(const Program& program, NativeType& type);

}  // namespace bunraku
