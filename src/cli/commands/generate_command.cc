#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/text/ruby_text.h"
#include "catalog/compiler/generated_types.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "site/environment/files.h"
#include "types/ruby_value_text.h"

namespace bunraku {

using compilation::Compilation;

namespace {

struct TypeFile {
  std::string name;
  std::string path;
};

// The files of all modules that define resource types; of several for one type, the first is used.
std::vector<TypeFile> type_files(const Environment& environment) {
  std::vector<TypeFile> files;
  std::set<std::string> seen;
  for (const Module& module : environment.modules()) {
    const std::string directory = join_path(module.path, "lib/puppet/type");
    if (!is_directory(directory)) continue;
    for (const DirectoryEntry& entry : list_directory(directory)) {
      if (entry.is_directory || !entry.name.ends_with(".rb")) continue;
      std::string name = entry.name.substr(0, entry.name.size() - 3);
      if (seen.insert(name).second) {
        files.push_back({std::move(name), join_path(directory, entry.name)});
      }
    }
  }
  return files;
}

void log_at(LogLevel level, Session& session, std::string message) {
  LogRecord record;
  record.level = level;
  record.message = std::move(message);
  session.log().log(record);
}

void notice(Session& session, std::string message) {
  log_at(LogLevel::kNotice, session, std::move(message));
}

void log_error(Session& session, std::string message) {
  log_at(LogLevel::kErr, session, std::move(message));
}

void remove_stale(const std::string& directory, const std::vector<TypeFile>& files,
                  Session& session) {
  if (!is_directory(directory)) return;
  std::string removed;
  for (const DirectoryEntry& entry : list_directory(directory)) {
    const bool is_wanted = std::ranges::any_of(
        files, [&](const TypeFile& file) { return file.name + ".pp" == entry.name; });
    if (is_wanted || entry.is_directory || !entry.name.ends_with(".pp")) continue;
    std::filesystem::remove(join_path(directory, entry.name));
    if (!removed.empty()) removed += ", ";
    append_ruby_inspect(removed, std::string_view(entry.name));
  }
  if (removed.empty()) return;
  notice(session, fmt::format("Removed output '[{}]' for non existing inputs", removed));
}

int generate(Session& session, bool is_forced) {
  CompilationRequest request;
  request.code = "";
  NodeCompilation node(session, request);
  Compilation& compilation = node.compilation;
  const Environment& environment = compilation.environment();
  if (environment.directory().empty()) {
    return session.fail(
        ErrorKind::kError,
        fmt::format("The environment '{}' has no directory to write to", environment.name()));
  }
  const std::string directory = join_path(environment.directory(), ".resource_types");
  const std::vector<TypeFile> files = type_files(environment);
  remove_stale(directory, files, session);
  if (files.empty()) {
    notice(session, "No custom types were found.");
    return kExitSuccess;
  }
  notice(session, "Generating Puppet resource types.");
  bool is_up_to_date = true;
  int exit_code = kExitSuccess;
  compilation.compiler().begin();
  for (const TypeFile& file : files) {
    const std::string output = fmt::format("{}/{}.pp", directory, file.name);
    if (!is_forced && is_file(output) &&
        file_stamp(file.path).modified <= file_stamp(output).modified) {
      continue;
    }
    is_up_to_date = false;
    try {
      const NativeType* type =
          compilation.compiler().ruby_types().load(Name(file.name), file.path, Place());
      if (type->title_parser != nullptr) {
        // The file could not represent code that changes parts of titles.
        exit_code = kExitFailure;
        std::error_code ignored;
        std::filesystem::remove(output, ignored);
        log_error(session, file.path + ": title patterns that use procs are not supported.");
        continue;
      }
      std::filesystem::create_directories(directory);
      write_file(output, generated_text(*type));
      notice(session, fmt::format("Generating '{}' using 'pcore' format.", output));
    } catch (const EvaluationError& error) {
      exit_code = kExitFailure;
      log_error(session, fmt::format("Failed to load custom type '{}' from '{}': {}", file.name,
                                     file.path, error.diagnostic().message()));
    }
  }
  if (is_up_to_date) {
    notice(session, "No files were generated because all inputs were up-to-date.");
  }
  return exit_code;
}

}  // namespace

Command make_generate_types_command() {
  Command command("generate types", "Writes what is known of resource types in Ruby");
  command.details(
      "Writes a file for each resource type that a module of the environment has in Ruby into the "
      "environment's directory .resource_types, so that compilations need no Ruby for them.");
  command.formats({"pcore"});
  command.takes(OptionGroup::kEnvironment);
  auto is_forced = std::make_shared<bool>(false);
  command.flag("--force", "write also what is up to date", *is_forced);
  command.example("bunraku generate types --environment production",
                  "writes what has changed since the last time");
  command.run([is_forced](Session& session) {
    int exit_code = kExitFailure;
    auto task = [&] { exit_code = generate(session, *is_forced); };
    run_on_large_stack(task);
    return exit_code;
  });
  return command;
}

}  // namespace bunraku
