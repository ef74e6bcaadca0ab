// Looks for files of facts.
#include "cli/frame/node_facts.h"

#include <fmt/core.h>


#include "base/diagnostics/diagnostic.h"
#include "base/system/file_system.h"
#include "cli/frame/session.h"
#include "site/environment/files.h"

namespace bunraku {

using compilation::Document;

namespace {

// "NODE.yaml", "NODE.yml" or "NODE.json" in the directory. No name of a node leads out of it.
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
  return std::nullopt;
}

void fail_without_facts(const Session& session, const std::string& node) {
  Diagnostic diagnostic = make_diagnostic(
      Issue::kInvalidNodeList, Range{}, {"No facts available for target node: " + node});
  std::vector<std::string>& notes = diagnostic.notes;
  const std::string& given = session.options().facts;
  if (!given.empty()) {
    notes.push_back(fmt::format("{} has no {}.yaml, .yml or .json", given, node));
  } else if (const Repository* repository = session.repository()) {
    notes.push_back(fmt::format("there is no facts/{}.yaml, .yml or .json in {}", node,
                                repository->directory));
  }
  notes.push_back(
      "facts of a node: --facts FILE, --facts DIR (a file named after each node), or facts/ in the "
      "repository; on the node, `facter --json` or `bunraku facts show` prints them");
  const bool keeps_facts = given.empty() && session.repository() != nullptr;
  notes.push_back(fmt::format(
      "to try it with the facts of a common system: `bunraku facts sample debian-12 --node {0} > "
      "{1}{0}.json`; --no-facts compiles without any",
      node, keeps_facts ? "facts/" : ""));
  throw EvaluationError(std::move(diagnostic), ErrorKind::kError);
}

}  // namespace bunraku
