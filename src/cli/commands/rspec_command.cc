// `rspec`: runs unchanged rspec-puppet suites with this program's compiler.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/temporary_directory.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "site/environment/files.h"
#include "testing/catalog_requests.h"
#include "testing/rspec_files.h"

namespace bunraku {
namespace {

struct RspecOptions {
  bool writes = false;
  bool serves = false;
  bool has_directory = false;
};

// A line of standard input. Requests are long, and std::cin reads by characters.
class Line {
 public:
  Line() = default;
  ~Line() { std::free(data_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  // Returns false at the end of input.
  bool read() {
    size_ = getline(&data_, &capacity_, stdin);
    return size_ >= 0;
  }
  // The line without its end.
  std::string_view text() const {
    std::string_view text(data_, static_cast<size_t>(size_));
    if (text.ends_with('\n')) text.remove_suffix(1);
    return text;
  }

 private:
  char* data_ = nullptr;
  size_t capacity_ = 0;
  ssize_t size_ = 0;
};

// Makes the end of input the only end of this process, so that the directory is removed even when
// the requesting process was killed.
void wait_for_the_end_of_input() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
}

// Answers requests until the end of input.
int serve(const RspecOptions& served, Session& session) {
  std::optional<TemporaryDirectory> directory;
  if (served.has_directory) {
    wait_for_the_end_of_input();
    directory.emplace("bunraku-rspec");
    session.print(directory->path() + "\n");
    if (!session.flush()) return kExitFailure;
  }
  const CommonOptions& options = session.options();
  testing::CatalogRequests requests(options.ruby, options.limits);
  Line line;
  while (line.read()) {
    session.print(requests.answer(line.text()) + "\n");
    if (!session.flush()) return kExitFailure;
  }
  return kExitSuccess;
}

// The options file of rspec is ERB, so that its line works wherever this program is installed.
int write_options_file(Session& session) {
  const std::string path = ".rspec";
  constexpr std::string_view kLine = "--require <%= `bunraku rspec`.chomp %>";
  std::string text = is_file(path) ? read_file(path) : std::string();
  if (text.find("bunraku rspec") != std::string::npos) {
    session.print(fmt::format("{} names the adapter already\n", path));
    return kExitSuccess;
  }
  if (!text.empty() && !text.ends_with('\n')) text.push_back('\n');
  text.append(kLine);
  text.push_back('\n');
  write_file(path, text);
  session.print(fmt::format("{}: added {}\n", path, kLine));
  return kExitSuccess;
}

int run_rspec(const RspecOptions& options, Session& session) {
  if (options.serves) return serve(options, session);
  if (options.writes) return write_options_file(session);
  session.print(testing::rspec_files(target_of_link("/proc/self/exe")).adapter + "\n");
  return kExitSuccess;
}

}  // namespace

Command make_rspec_command() {
  auto options = std::make_shared<RspecOptions>();
  Command command("rspec", "Lets rspec-puppet compile with this program");
  command.details(
      "Prints the path of a Ruby file. When rspec loads it (--require), rspec-puppet's examples "
      "are compiled by one bunraku process in place of Puppet's own compiler; spec files, helpers "
      "and matchers stay as they are, and Puppet is still needed for them. Examples that define "
      "functions or stub Puppet's objects are compiled by Puppet, and the end of the run says how "
      "many.\n\n"
      "`bunraku test` runs the suites of a module or control repository on all processors.");
  command.flag("--write", "add the file to the options in .rspec of this directory",
               options->writes);
  command.flag(
      "--serve",
      "answer the file's requests: a JSON object a line on standard input, an answer a line",
      options->serves);
  command.flag("--directory",
               "first print the path of a directory that exists until the requests end",
               options->has_directory);
  command.ignores_repository();
  command.example("rspec --require \"$(bunraku rspec)\" spec/classes", "runs the specs of classes");
  command.example("bunraku rspec --write", "lets every later `rspec` here use the program");
  command.run([options](Session& session) { return run_rspec(*options, session); });
  return command;
}

}  // namespace bunraku
