// Finds the repository and reads its files.
#include "site/settings/repository.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "site/settings/puppetfile.h"

namespace bunraku {
namespace {

bool is_control_repository(const std::string& directory) {
  constexpr std::array<std::string_view, 3> kMarks = {"environment.conf", "Puppetfile",
                                                      kRepositoryConfName};
  return std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return is_file(join_path(directory, mark)); });
}

constexpr std::array<std::string_view, 3> kModuleDirectories = {"site-modules", "site", "modules"};

// Returns whether a directory without a Puppetfile or configuration has the usual layout.
bool looks_like_control_repository(const std::string& directory) {
  return is_directory(join_path(directory, "manifests")) &&
         std::ranges::any_of(kModuleDirectories, [&](std::string_view name) {
           return is_directory(join_path(directory, name));
         });
}

// "ntp" for "puppetlabs-ntp"; empty when metadata.json names no module. Other mistakes of the file
// are reported where modules are read.
std::string module_of(const std::string& directory) {
  const std::string path = join_path(directory, "metadata.json");
  if (!is_file(path)) return {};
  try {
    Arena arena;
    const DataNode document = read_json(read_file(path), arena);
    const DataNode* name = document.find("name");
    if (name == nullptr || !name->is(DataKind::kString)) return {};
    const std::string_view full = name->text_value();
    const size_t separator = full.find_first_of("-/");
    return std::string(separator == full.npos ? full : full.substr(separator + 1));
  } catch (const DataError&) {
    return {};
  } catch (const FileError&) {
    return {};
  }
}

std::string environment_name(const Repository& repository) {
  if (const std::string* name = repository.conf.find("environment")) return *name;
  const std::string_view parent = parent_directory(repository.directory);
  const std::string_view name = file_name_of(repository.directory);
  if (file_name_of(parent) == "environments" && is_environment_name(name)) {
    return std::string(name);
  }
  return "production";
}

std::string parent_of(const std::string& directory) {
  return directory == "/" ? std::string() : std::string(parent_directory(directory));
}

}  // namespace

std::vector<std::string> puppetfile_modules(const std::string& directory) {
  std::vector<std::string> names;
  std::string text;
  try {
    text = read_file(join_path(directory, "Puppetfile"));
  } catch (const FileError&) {
    return names;
  }
  static const Regex* const kModule =
      Regex::compile(R"(^[ \t]*mod[ \t(]+['"](?:\w+[-/])?(\w+)['"])");
  Captures captures;
  for (size_t at = 0; kModule->search(text, at, captures); at = captures.end()) {
    names.emplace_back(captures.text(text, 1));
  }
  return names;
}

std::optional<Repository> find_repository(const std::string& directory) {
  for (std::string at = directory; !at.empty(); at = parent_of(at)) {
    if (is_control_repository(at)) return open_repository(at);
  }
  for (std::string at = directory; !at.empty(); at = parent_of(at)) {
    if (!module_of(at).empty() || looks_like_control_repository(at)) return open_repository(at);
  }
  return std::nullopt;
}

Repository open_repository(const std::string& directory) {
  Repository repository;
  repository.directory = directory;
  repository.conf = read_repository_conf(directory);
  repository.has_environment_conf = is_file(join_path(directory, "environment.conf"));
  const bool may_be_module =
      !repository.has_environment_conf && !is_file(join_path(directory, "Puppetfile"));
  if (may_be_module) repository.module = module_of(directory);
  repository.environment = environment_name(repository);
  constexpr std::array<std::string_view, 1> kModule = {"spec/fixtures/modules"};
  const std::span<const std::string_view> usual =
      repository.module.empty() ? std::span<const std::string_view>(kModuleDirectories) : kModule;
  std::vector<std::string> paths;
  for (const std::string_view name : usual) paths.push_back(join_path(directory, name));
  if (const std::string name = puppetfile_moduledir(directory); !name.empty()) {
    paths.push_back(join_path(directory, name));
  }
  for (std::string& path : paths) {
    const bool is_known =
        std::ranges::find(repository.modulepath, path) != repository.modulepath.end();
    if (!is_known && is_directory(path)) repository.modulepath.push_back(std::move(path));
  }
  return repository;
}

bool is_environment_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_word_character);
}

}  // namespace bunraku
