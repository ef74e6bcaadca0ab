// Runs the command that compares files.
#include "apply/providers/file/difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "apply/transaction/execution.h"
#include "base/text/utf8.h"

namespace bunraku::apply {

std::string file_difference(const RunOptions& options, const std::string& old_path,
                            const std::string& new_path) {
  ExecutionRequest request;
  request.words.push_back(options.diff_command);
  std::string_view rest = options.diff_arguments;
  while (!rest.empty()) {
    const size_t space = std::min(rest.find(' '), rest.size());
    if (space > 0) request.words.emplace_back(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  request.words.push_back(old_path);
  request.words.push_back(new_path);
  std::string output = run_command(request).output;
  if (is_valid_utf8(output)) return output;
  return fmt::format("Binary files {} and {} differ", old_path, new_path);
}

}  // namespace bunraku::apply
