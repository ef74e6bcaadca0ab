// fileserver.conf: directories whose files agents may request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class LogSink;

struct MountEntry {
  std::string name;
  std::string directory;  // as written; empty for the mounts of modules
};

// Returns whether the path has a pattern for the machine's name (%h, %H, %d). Its existence cannot
// be checked before the pattern is replaced.
bool has_pattern(std::string_view directory);

// Parses the file. Directories that do not exist are left out. This and other oddities are logged;
// `log` may be null. Throws EvaluationError for a malformed line and a mount without a directory.
std::vector<MountEntry> parse_mounts_file(std::string_view text, const std::string& file,
                                          LogSink* log);

}  // namespace bunraku
