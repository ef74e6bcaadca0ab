// The files below a directory, as a File resource with `recurse` takes them.
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
  double max_files = 0;              // 0: 1,000, and more with a warning; negative: no limit
  std::vector<std::string> ignored;  // shell patterns of names
};

// Paths relative to `directory`: "." itself, then level by level, each directory's files in the
// order of their names. Throws EvaluationError for more files than allowed and a loop of links.
std::vector<std::string> list_file_set(const std::string& directory, const FileSetOptions& options,
                                       LogSink* log);

// Ruby's File.fnmatch? of a name: * and ? match no dot at the beginning, [ takes ! and ^.
bool matches_name(const std::string& pattern, const std::string& name);

}  // namespace bunraku
