// The files below a directory for a File resource with `recurse`.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace bunraku {

class LogSink;

struct FileSetOptions {
  bool follows_links = false;
  double recursion_limit = std::numeric_limits<double>::infinity();  // levels
  double max_files = 0;              // 0: 1,000, with a warning beyond; negative: no limit
  std::vector<std::string> ignored;  // shell patterns of names
};

// Returns paths relative to `directory`: "." itself, then level by level, the files of each
// directory sorted by name. Throws EvaluationError for too many files and for a loop of links.
std::vector<std::string> list_file_set(const std::string& directory, const FileSetOptions& options,
                                       LogSink* log);

// Ruby's File.fnmatch? for a name: * and ? do not match a leading dot; [ accepts ! and ^.
bool matches_name(const std::string& pattern, const std::string& name);

}  // namespace bunraku
