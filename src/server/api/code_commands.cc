// Runs the commands of versioned code.
#include "server/api/code_commands.h"

#include <fmt/format.h>

#include "base/system/process.h"
#include "server/api/call.h"
#include "server/shared.h"

namespace bunraku::server {

std::string run_code_command(const std::string& command,
                             const std::vector<std::string>& arguments) {
  ProcessCall call;
  for (size_t begin = 0; begin < command.size();) {
    const size_t end = std::min(command.find(' ', begin), command.size());
    if (end > begin) call.start.words.push_back(command.substr(begin, end - begin));
    begin = end + 1;
  }
  call.start.words.insert(call.start.words.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process(call);
  if (result.outcome != ProcessOutcome::kEnded) {
    throw ApiError(500, fmt::format("'{}' failed: {}", command, result.reason));
  }
  if (result.end.shell_status() != 0) {
    throw ApiError(500, fmt::format("'{}' failed with status {}: {}", command,
                                    result.end.shell_status(), result.errors));
  }
  return std::move(result.output);
}

std::optional<std::string> code_id_of(const Call& call, const std::string& environment) {
  const std::string& command = call.site.configuration.code_id_command;
  if (command.empty()) return std::nullopt;
  std::string id = run_code_command(command, {environment});
  while (id.ends_with('\n') || id.ends_with('\r')) id.pop_back();
  return id;
}

}  // namespace bunraku::server
