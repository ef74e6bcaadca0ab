// The tree as text, byte for byte like the output of the reference's `parser dump`. (The
// reference's dumper fails on parameters that capture the rest of the arguments; this one does
// not.)
#pragma once

#include <string>

#include "syntax/tree.h"

namespace bunraku {

enum class DumpFormat : uint8_t {
  kOld,   // nested lists with indentation
  kPn,    // Puppet Extended S-Expression Notation
  kJson,  // the same as JSON
};

// `is_pretty` spreads PN and JSON over several lines; the old format has only one layout.
std::string dump(const Program& program, DumpFormat format, bool is_pretty = false);

}  // namespace bunraku
