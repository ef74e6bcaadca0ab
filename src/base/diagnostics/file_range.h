// Ranges in files that are not Puppet code: data, configuration, templates and Ruby code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// The file's text as a source; it has null text when the file cannot be read (its places are still
// valid).
SourcePointer source_of_file(const std::string& path);

// The range at a line (1-based; 0: the whole file) and column (1-based; 0: the whole line) of a
// source that may be shorter.
Range range_at(SourcePointer source, uint32_t line, uint32_t column = 0);
// The same in a file. An empty path means no place.
Range range_in_file(const std::string& path, uint32_t line, uint32_t column = 0);

}  // namespace bunraku
