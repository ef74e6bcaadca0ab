// `test`: runs the rspec-puppet suites of a module or control repository, on all processors.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/process.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "site/environment/environment_settings.h"
#include "site/environment/files.h"
#include "testing/rspec_files.h"

namespace bunraku {
namespace {

constexpr int kExitUnavailable = 69;  // RSpec or Puppet is missing

struct TestOptions {
  std::vector<std::string> directories;
  std::vector<std::string> only;
  std::vector<std::string> arguments;
  int64_t jobs = 0;
  bool with_reference = false;
};

struct Suite {
  std::string name;
  std::string directory;
};

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool has_suite(const std::string& directory) {
  return is_directory(join_path(directory, "spec"));
}

// The suites of the directory itself, and of modules in its usual directories of modules.
std::vector<Suite> suites_of(const std::string& given) {
  const std::string directory = absolute_path(given);
  std::vector<Suite> found;
  if (has_suite(directory)) found.push_back({base_name(directory), directory});
  for (const char* holder : {"site-modules", "site", "modules", "dist"}) {
    const std::string modules = join_path(directory, holder);
    if (!is_directory(modules)) continue;
    for (const DirectoryEntry& entry : list_directory(modules)) {
      const std::string module = join_path(modules, entry.name);
      if (entry.is_directory && has_suite(module)) found.push_back({entry.name, module});
    }
  }
  return found;
}

std::string request_of(const TestOptions& options, const std::vector<Suite>& suites,
                       const std::string& adapter, std::string_view format) {
  std::string text;
  JsonWriter json(text);
  const auto list = [&json](std::string_view name, const std::vector<std::string>& texts) {
    json.key(name);
    json.begin_array();
    for (const std::string& item : texts) json.string(item);
    json.end_array();
  };
  json.begin_object();
  if (!options.with_reference) json.member("adapter", std::string_view(adapter));
  json.key("suites");
  json.begin_array();
  for (const Suite& suite : suites) {
    json.begin_object();
    json.member("name", std::string_view(suite.name));
    json.member("directory", std::string_view(suite.directory));
    json.end_object();
  }
  json.end_array();
  list("patterns", options.only);
  list("arguments", options.arguments);
  const int64_t processors = std::max(1U, std::thread::hardware_concurrency());
  json.member("jobs", options.jobs > 0 ? options.jobs : processors);
  json.member("format", format);
  json.end_object();
  return text;
}

int run_tests(const TestOptions& options, Session& session) {
  std::vector<Suite> suites;
  const std::vector<std::string> here = {"."};
  for (const std::string& directory : options.directories.empty() ? here : options.directories) {
    if (!is_directory(directory)) {
      return session.fail(ErrorKind::kUsage, fmt::format("There is no directory {}", directory));
    }
    for (Suite& suite : suites_of(directory)) suites.push_back(std::move(suite));
  }
  if (suites.empty()) {
    return session.fail(ErrorKind::kError,
                        "There is no suite: neither here nor in modules below there is a directory "
                        "'spec'");
  }
  const testing::RspecFiles files = testing::rspec_files(target_of_link("/proc/self/exe"));
  const std::string& ruby = session.options().ruby.program;
  if (find_program(ruby).empty()) {
    session.fail(ErrorKind::kError, fmt::format("There is no program {}", ruby));
    return kExitUnavailable;
  }
  ProcessCall call;
  call.start.words = {ruby, "-rset", files.runner};
  call.input = request_of(options, suites, files.adapter, session.format_or("text"));
  call.errors = ErrorOutput::kShown;
  call.time_limit = kNoTimeLimit;  // suites may take any time
  const ProcessResult result = run_process(call);
  session.print(result.output);
  if (result.outcome != ProcessOutcome::kEnded) {
    return session.fail(ErrorKind::kError, fmt::format("{}: {}", ruby, result.reason));
  }
  return result.end.shell_status();
}

}  // namespace

Command make_test_command() {
  auto options = std::make_shared<TestOptions>();
  Command command("test", "Runs the rspec-puppet suites of modules on all processors");
  command.argument("[DIRECTORIES...]",
                   "modules, or repositories with modules in site-modules, site, modules or dist; "
                   "the working directory when left out",
                   options->directories);
  command.details(
      "Runs unchanged suites of rspec-puppet with catalogs that this program compiles (see "
      "`bunraku rspec --help`). RSpec, rspec-puppet, Puppet and what the suites' helpers require "
      "must be installed for Ruby; modules that specs need are where the suites look for them, "
      "usually in spec/fixtures/modules.\n\n"
      "Spec files are shared among processes; failures, counts and the coverage of resources are "
      "those of all of them together. Directories of acceptance tests are left out.\n\n"
      "Exit codes: 0 when all examples passed, 1 when one failed or coverage is less than the "
      "suite demands, 69 when RSpec or Puppet is not installed.");
  command.option("--only TEXT", "only spec files whose path contains TEXT; may be repeated",
                 options->only);
  command.option("--jobs N",
                 "processes at the same time; as many as there are processors when left out",
                 options->jobs);
  command.option("--rspec OPTION", "an option for rspec, such as --tag=fast; may be repeated",
                 options->arguments);
  command.flag("--reference", "let Puppet's own compiler compile, to compare",
               options->with_reference);
  command.formats({"text", "json"});
  command.ignores_repository();
  command.example("bunraku test", "the suite of the module that is the working directory");
  command.example("bunraku test ~/control-repo --only spec/classes",
                  "specs of classes of all its modules");
  command.run([options](Session& session) { return run_tests(*options, session); });
  return command;
}

}  // namespace bunraku
