// The tree as text: byte for byte what the reference's `parser dump` prints of it. (Where the
// reference's dumper fails, on parameters that take the rest of the arguments, ours does not.)
#pragma once

#include <string>

#include "syntax/tree.h"

namespace bunraku {

enum class DumpFormat : uint8_t {
  kOld,   // nested lists with indentation
  kPn,    // Puppet Extended S-Expression Notation
  kJson,  // the same as JSON
};

// `is_pretty` spreads PN and JSON over lines; the old format has one layout only.
std::string dump(const Program& program, DumpFormat format, bool is_pretty = false);

}  // namespace bunraku
