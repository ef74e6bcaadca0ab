// Checks out a revision of a repository, or links to a directory.
#include "compilation/environment_version.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/system/file_system.h"
#include "functions/core/command.h"

namespace bunraku::compilation {
namespace {

void run(std::vector<std::string> words, const std::string& directory, std::string_view what) {
  words.insert(words.begin(), "/usr/bin/env");
  CommandResult result =
      run_command(words, directory, {std::chrono::minutes(10), ErrorStream::kIntoOutput, {}});
  if (!result.ended_because.empty()) {
    throw FileError(FileErrorKind::kOther, std::string(what), "it " + result.ended_because);
  }
  if (result.started && result.status == 0) return;
  std::string& output = result.output;
  while (!output.empty() && output.back() == '\n') output.pop_back();
  throw FileError(FileErrorKind::kOther, std::string(what), output);
}

}  // namespace

std::string revision_id(const std::string& name, const std::string& repository) {
  const CommandResult result =
      run_command({"/usr/bin/env", "git", "rev-parse", "--verify", "--quiet", name}, repository,
                  {std::chrono::minutes(1), ErrorStream::kIntoOutput, {}});
  if (!result.started || result.status != 0) return {};
  return result.output.substr(0, result.output.find('\n'));
}

EnvironmentVersion::EnvironmentVersion(const std::string& name, const std::string& environment,
                                       const std::string& repository)
    : name_(name), environment_(environment), temporary_("bunraku") {
  if (is_directory(name)) {
    std::filesystem::create_directory_symlink(absolute_path(name), directory());
    return;
  }
  const std::string archive = join_path(temporary_.path(), "archive.tar");
  run({"git", "archive", "--format=tar", "--output=" + archive, name}, repository,
      fmt::format("{} is neither a directory nor a revision", name));
  create_directory(directory());
  run({"tar", "-xf", archive}, directory(), archive);
  unlink(archive.c_str());
}

std::string EnvironmentVersion::directory() const {
  return join_path(temporary_.path(), environment_);
}

}  // namespace bunraku::compilation
