// `fleet impact`
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/text/counts.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "fleet/impact.h"

namespace bunraku {
namespace {

struct FleetImpactOptions {
  std::vector<std::string> files;
  std::string cache;
  std::string node;
  bool is_changed_only = false;
};

constexpr size_t kShownNames = 8;

// Files that affect the same nodes.
struct FileGroup {
  std::vector<const FileImpact*> files;
};

std::vector<FileGroup> groups_of(const std::vector<FileImpact>& impacts) {
  std::vector<FileGroup> groups;
  for (const FileImpact& impact : impacts) {
    const auto same = std::ranges::find_if(groups, [&](const FileGroup& group) {
      return std::ranges::equal(group.files.front()->nodes, impact.nodes);
    });
    (same == groups.end() ? groups.emplace_back() : *same).files.push_back(&impact);
  }
  return groups;
}

// The path relative to the working directory.
std::string short_path(const std::string& path) {
  return path_from(absolute_path("."), path);
}

// "key a of /x/data/common.yaml" without the file, which is printed above.
std::string short_read(const std::string& read, const std::string& path) {
  if (read == "file " + path) return "content";
  const std::string file = " of " + path;
  return read.ends_with(file) ? read.substr(0, read.size() - file.size()) : read;
}

// Prints a line for all reads with the same nodes.
void print_file(const FileImpact& impact, Session& session) {
  session.print(
      fmt::format("{}: {}\n", short_path(impact.path), counted(impact.nodes.size(), "node")));
  std::map<std::vector<std::string>, std::vector<std::string>> by_nodes;
  for (const auto& [read, nodes] : impact.by_read) {
    by_nodes[nodes].push_back(short_read(read, impact.path));
  }
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> groups(
      by_nodes.begin(), by_nodes.end());
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const auto& group) { return group.first.size(); });
  for (const auto& [nodes, reads] : groups) {
    session.print(
        fmt::format("  {}: {}\n", names_text(reads, kShownNames), names_text(nodes, kShownNames)));
  }
}

void print_group(const FileGroup& group, Session& session) {
  const FileImpact& first = *group.files.front();
  if (group.files.size() == 1) return print_file(first, session);
  std::vector<std::string> paths;
  for (const FileImpact* file : group.files) paths.push_back(short_path(file->path));
  const std::vector<std::string> nodes(first.nodes.begin(), first.nodes.end());
  session.print(
      fmt::format("{}: {}\n", counted(paths.size(), "file"), counted(nodes.size(), "node")));
  session.print(fmt::format("  files: {}\n", names_text(paths, kShownNames)));
  if (!nodes.empty()) session.print(fmt::format("  nodes: {}\n", names_text(nodes, kShownNames)));
}

// Prints files that affect the same nodes together.
void print_text(const std::vector<FileImpact>& impacts, Session& session) {
  std::set<std::string> reached;
  for (const FileImpact& impact : impacts) reached.insert(impact.nodes.begin(), impact.nodes.end());
  for (const FileGroup& group : groups_of(impacts)) print_group(group, session);
  if (impacts.size() > 1) {
    session.print(fmt::format("{} reach {}\n", counted(impacts.size(), "file"),
                              counted(reached.size(), "node")));
  }
}

void print_json(const std::vector<FileImpact>& impacts, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  const auto names = [&](std::string_view key, const auto& all) {
    json.key(key);
    json.begin_array();
    for (const std::string& name : all) json.string(name);
    json.end_array();
  };
  json.begin_object();
  json.key("files");
  json.begin_array();
  for (const FileImpact& impact : impacts) {
    json.begin_object();
    json.member("file", impact.path);
    names("nodes", impact.nodes);
    json.key("reads");
    json.begin_array();
    for (const auto& [read, nodes] : impact.by_read) {
      json.begin_object();
      json.member("read", read);
      names("nodes", nodes);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  session.print(text + "\n");
}

int print_reads(const NodeCache& cache, const FleetImpactOptions& options, Session& session) {
  const auto node = cache.nodes().find(options.node);
  if (node == cache.nodes().end()) {
    return session.fail(ErrorKind::kError,
                        fmt::format("{} holds no answer for {}", options.cache, options.node));
  }
  const std::vector<std::string> reads = reads_of(cache, node->second);
  if (session.format_or("text") == "text") {
    for (const std::string& read : reads) session.print(read + "\n");
    return kExitSuccess;
  }
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("node", options.node);
  json.key("reads");
  json.begin_array();
  for (const std::string& read : reads) json.string(read);
  json.end_array();
  json.end_object();
  session.print(text + "\n");
  return kExitSuccess;
}

int print_impact(const FleetImpactOptions& options, Session& session) {
  if (options.cache.empty()) {
    session.require_environment();
    throw UsageError(
        "--cache DIR is missing: the directory that `bunraku fleet compile --cache DIR` has "
        "filled");
  }
  if (options.files.empty() == options.node.empty()) {
    throw UsageError("name files, or with --node a node whose reads are to be shown");
  }
  // The key does not matter, because only recorded reads are used.
  const NodeCache cache(options.cache, "", CacheUse::kRead);
  if (cache.nodes().empty()) {
    return session.fail(ErrorKind::kError, fmt::format("{} holds no answers; `fleet compile "
                                                       "--cache` fills it",
                                                       options.cache));
  }
  if (!options.node.empty()) return print_reads(cache, options, session);
  std::vector<FileImpact> impacts;
  for (const std::string& file : options.files) {
    impacts.push_back(impact_of(cache, absolute_path(file), options.is_changed_only));
  }
  if (session.format_or("text") == "json") {
    print_json(impacts, session);
  } else {
    print_text(impacts, session);
  }
  return kExitSuccess;
}

}  // namespace

Command make_fleet_impact_command() {
  auto options = std::make_shared<FleetImpactOptions>();
  Command command("fleet impact", "The nodes that a changed file can reach, and by what they read");
  command.argument("[FILES...]", "files that have changed, will change, are new or are gone",
                   options->files);
  command.option("--cache DIR", "the directory of `fleet compile --cache`", options->cache);
  command.option("--node NAME", "show all that the answer of this node was made of", options->node);
  command.flag("--changed", "only what would be read differently now", options->is_changed_only);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.details(
      "Looks at what the compilations of the fleet have read: files, keys of data files, names in "
      "directories, and where something was looked for and not found; with --node also facts and "
      "the queries of collectors.");
  command.example("bunraku fleet impact data/common.yaml --cache .fleet",
                  "which nodes read which keys of the file");
  command.example("git diff --name-only | xargs bunraku fleet impact --changed --cache .fleet",
                  "the nodes that a change of the working tree reaches");
  command.example("bunraku fleet impact --node web01.example.com --cache .fleet",
                  "what the answer of a node was made of");
  command.run([options](Session& session) { return print_impact(*options, session); });
  return command;
}

}  // namespace bunraku
