#include "cli/frame/profile_option.h"

#include <fmt/core.h>

#include <cstdio>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/profile.h"

namespace bunraku {

void take_profile_option(Command& command, std::string& file) {
  command.option(
      "--profile FILE",
      "write where the time went to FILE, for viewers of Chrome's traces, and a table to "
      "standard error",
      file);
}

int run_with_profile(const std::string& file, const std::function<int()>& task) {
  if (file.empty()) return task();
  constexpr size_t kRows = 10;
  const Profile profile;
  const int answer = task();
  write_file(file, profile.trace(), kSecretCacheFile);
  fmt::print(stderr, "{}", profile.table(kRows));
  return answer;
}

}  // namespace bunraku
