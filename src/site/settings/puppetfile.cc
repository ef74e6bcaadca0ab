// Finds lines of a Puppetfile without running it.
#include "site/settings/puppetfile.h"

#include "base/regex/regex.h"
#include "base/system/file_system.h"

namespace bunraku {

std::string puppetfile_moduledir(const std::string& directory) {
  const std::string path = join_path(directory, "Puppetfile");
  if (!is_file(path)) return {};
  const std::string text = read_file(path);
  static const Regex* const kDirectory =
      Regex::compile(R"(^[ \t]*moduledir[ \t(]+['"]([^'"]+)['"])");
  Captures captures;
  return kDirectory->search(text, 0, captures) ? std::string(captures.text(text, 1)) : "";
}

}  // namespace bunraku
