// fileserver.conf: directories that agents may have files of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class LogSink;

struct MountEntry {
  std::string name;
  std::string directory;  // as it is written; empty for the mounts of modules
};

// Does a name of the machine belong into it (%h, %H, %d)? Whether there is such a directory is not
// known before.
bool has_pattern(std::string_view directory);

// Directories that are none are left out. That and what else is odd is reported to the log, which
// may be null. Throws EvaluationError for a line that cannot be read and a mount without a
// directory.
std::vector<MountEntry> parse_mounts_file(std::string_view text, const std::string& file,
                                          LogSink* log);

}  // namespace bunraku
