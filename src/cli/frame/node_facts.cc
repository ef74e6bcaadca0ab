// Finds files of facts.
#include "cli/frame/node_facts.h"

#include <fmt/core.h>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_reader.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/safe_name.h"
#include "cli/frame/session.h"
#include "cli/frame/stored_facts.h"
#include "site/environment/environment_settings.h"
#include "site/environment/files.h"

namespace bunraku {

using compilation::Document;

namespace {

// "NODE.yaml", "NODE.yml" or "NODE.json" in the directory. Names that lead out of it are refused.
std::optional<std::string> file_of_node(const std::string& directory, const std::string& node) {
  if (node.empty() || node.find('/') != node.npos) return std::nullopt;
  for (const std::string_view ending : {".yaml", ".yml", ".json"}) {
    std::string path = join_path(directory, node + std::string(ending));
    if (is_file(path)) return path;
  }
  return std::nullopt;
}

Document read_document(const std::string& path) {
  return Document{read_environment_file(path), path};
}

}  // namespace

std::vector<std::string> repository_facts(const Session& session) {
  const Repository* repository = session.repository();
  if (repository == nullptr) return {};
  std::vector<std::string> directories;
  for (const std::string& path : repository->conf.facts) {
    if (is_directory(path)) directories.push_back(path);
  }
  std::string usual = join_path(repository->directory, "facts");
  if (directories.empty() && is_directory(usual)) directories.push_back(std::move(usual));
  return directories;
}

std::optional<Document> find_facts(const Session& session, const Settings& settings,
                                   const std::string& node) {
  const CommonOptions& options = session.options();
  if (options.has_no_facts) return std::nullopt;
  if (!options.facts.empty()) {
    if (!is_directory(options.facts)) return read_document(options.facts);
    if (const auto path = file_of_node(options.facts, node)) return read_document(*path);
    fail_without_facts(session, node);
  }
  std::vector<std::string> directories = repository_facts(session);
  directories.push_back(join_path(settings.text("yamldir"), "facts"));
  directories.push_back(join_path(settings.text("server_datadir"), "facts"));
  for (const std::string& directory : directories) {
    if (const auto path = file_of_node(directory, node)) return read_document(*path);
  }
  if (std::optional<std::string> facts = stored_facts(options.store, settings, node)) {
    return Document{std::move(*facts), "the facts that the store has of " + node};
  }
  return std::nullopt;
}

std::string directory_for_facts(const Session& session, const std::string& directory) {
  if (!directory.empty()) return directory;
  const std::vector<std::string> known = repository_facts(session);
  if (!known.empty()) return known.front();
  if (session.repository() != nullptr) return join_path(session.repository()->directory, "facts");
  throw UsageError("no repository was found here; --into DIR says where facts go");
}

std::string save_facts(const std::string& directory, const std::string& node, std::string_view json,
                       const std::function<bool(std::string_view)>& may_replace) {
  const auto refuse = [&](const std::string& path) {
    throw UsageError(fmt::format(
        "{} has facts of {} already; remove it, or choose another directory with --into DIR", path,
        node));
  };
  for (const std::string_view ending : {".yaml", ".yml"}) {
    const std::string other = join_path(directory, safe_file_name(node, ending));
    if (exists(other)) refuse(other);
  }
  const std::string path = join_path(directory, safe_file_name(node, ".json"));
  const std::optional<std::string> text = read_file_if_exists(path);
  if (text && !may_replace(*text)) refuse(path);
  create_directory(directory);
  write_file(path, json, kSecretCacheFile);
  return path;
}

void check_environment_exists(const Settings& settings) {
  open_environment(settings, true);
}

void fail_without_facts(const Session& session, const std::string& node) {
  Diagnostic diagnostic = make_diagnostic(Issue::kInvalidNodeList, Range{},
                                          {"No facts available for target node: " + node});
  std::vector<std::string>& notes = diagnostic.notes;
  const std::string& given = session.options().facts;
  if (!given.empty()) {
    notes.push_back(fmt::format("{} has no {}.yaml, .yml or .json", given, node));
  } else if (const Repository* repository = session.repository()) {
    notes.push_back(
        fmt::format("there is no facts/{}.yaml, .yml or .json in {}", node, repository->directory));
  }
  notes.push_back(
      "facts of a node: --facts FILE, --facts DIR (a file named after each node), or facts/ in the "
      "repository; `bunraku facts fetch` brings them from a store or a server; on the node, "
      "`facter --json` or `bunraku facts show` prints them");
  const bool keeps_facts = given.empty() && session.repository() != nullptr;
  notes.push_back(fmt::format(
      "to try it with the facts of a common system: `bunraku facts sample debian-12 --node {0} "
      "{1}`; --no-facts compiles without any",
      node, keeps_facts ? "--save" : fmt::format("> {}.json", node)));
  throw EvaluationError(std::move(diagnostic), ErrorKind::kError);
}

}  // namespace bunraku
