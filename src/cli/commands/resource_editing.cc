#include "cli/commands/resource_editing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/terminal_program.h"
#include "cli/commands/commands.h"
#include "cli/frame/program.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

constexpr std::string_view kSuffix = ".pp";  // for the editor's syntax highlighting
constexpr int kNotExecutable = 126;  // the shell's status for a program that it cannot start
constexpr int kNotFound = 127;

constexpr std::array kSignals = {SIGHUP, SIGINT, SIGTERM};

// The file for the signal handler, which can read nothing else.
std::array<char, PATH_MAX> file_to_remove = {};

void remove_and_end(int signal) {
  unlink(file_to_remove.data());
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// A file in this directory, accessible to the user only. It is removed by the destructor, and when
// a signal ends the program.
class EditedFile {
 public:
  EditedFile() {
    const std::string pattern = absolute_path(fmt::format("bunraku-resource-XXXXXX{}", kSuffix));
    if (pattern.size() >= file_to_remove.size()) fail(pattern, ENAMETOOLONG);
    std::ranges::copy(pattern, file_to_remove.begin());
    file_to_remove[pattern.size()] = '\0';
    const int descriptor = mkstemps(file_to_remove.data(), static_cast<int>(kSuffix.size()));
    if (descriptor < 0) fail(std::string(parent_directory(pattern)), errno);
    close(descriptor);
    path_ = file_to_remove.data();
    for (const int signal : kSignals) {
      if (std::signal(signal, remove_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
  }
  ~EditedFile() {
    unlink(path_.c_str());
    for (const int signal : kSignals) {
      if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
  }
  EditedFile(const EditedFile&) = delete;
  EditedFile& operator=(const EditedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] static void fail(const std::string& path, int error) {
    throw FileError(FileErrorKind::kOther, path, std::strerror(error));
  }

  std::string path_;
};

std::string editor_of_user() {
  const char* editor = std::getenv("EDITOR");
  return editor == nullptr || *editor == '\0' ? "vi" : editor;
}

// Runs the editor and returns its failure; empty on success. A shell parses EDITOR, which may have
// options and quotes.
std::string problem_of_editing(const std::string& editor, const std::string& path) {
  const ProcessEnd end = run_on_terminal({"/bin/sh", "-c", editor + " \"$1\"", editor, path});
  if (end.signal != 0) return fmt::format("was ended by signal {}", end.signal);
  if (end.status == kNotFound || end.status == kNotExecutable) return "cannot be started";
  return end.status == 0 ? "" : fmt::format("ended with exit status {}", end.status);
}

// Runs `apply --verbose FILE` with the common options of this command line.
int apply_file(const std::string& path, Session& session) {
  CommonOptions options = session.options();
  options.unknown_settings.clear();  // they have been reported already
  options.log.level = std::min(options.log.level, LogLevel::kInfo);
  Session applying(session.commands(), options);
  const Command apply = make_apply_command();
  apply.arguments().front().store(path);
  const int exit_code = run_command(apply, applying);
  return applying.flush() ? exit_code : kExitFailure;
}

}  // namespace

int edit_and_apply(const std::string& code, Session& session) {
  const EditedFile file;
  write_file(file.path(), code, kSecretFile);
  session.flush();
  const std::string editor = editor_of_user();
  const std::string problem = problem_of_editing(editor, file.path());
  if (!problem.empty()) {
    return session.fail(ErrorKind::kError,
                        fmt::format("The editor '{}' {}; nothing was applied", editor, problem));
  }
  return apply_file(file.path(), session);
}

}  // namespace bunraku
