#include "fleet/unused.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "site/environment/files.h"
#include "site/environment/module_names.h"
#include "site/lookup/data_files.h"
#include "syntax/tree.h"

namespace bunraku {
namespace {

constexpr std::string_view kModules = "puppet:///modules/";

bool is_data_file(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json") ||
         path.ends_with(".eyaml");
}

// The line that starts with the key; 0 when it is written in another form.
uint32_t line_of_key(std::string_view text, std::string_view key) {
  uint32_t line = 1;
  while (!text.empty()) {
    std::string_view rest = text;
    const bool is_quoted = rest.starts_with('"') || rest.starts_with('\'');
    if (is_quoted) rest.remove_prefix(1);
    if (rest.starts_with(key)) {
      rest.remove_prefix(key.size());
      if (is_quoted && !rest.empty()) rest.remove_prefix(1);
      if (rest.starts_with(':')) return line;
    }
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    ++line;
  }
  return 0;
}

class Search {
 public:
  Search(const Environment& environment, const std::vector<Read>& reads, const UsedThings& used)
      : environment_(environment), used_(used) {
    for (const Read& read : reads) {
      if (read.answer.empty()) continue;
      if (read.kind == ReadKind::kFile) files_.insert(read.subject);
      if (read.kind == ReadKind::kSearch) found_files_.insert(join_path(read.answer, read.subject));
      if (read.kind == ReadKind::kIsFile && read.answer == "1") found_files_.insert(read.subject);
      if (read.kind == ReadKind::kYamlKey || read.kind == ReadKind::kJsonKey) {
        keys_[read.subject].insert(read.key);
      }
    }
    for (const Read& read : reads) {
      const bool is_key = read.kind == ReadKind::kYamlKey || read.kind == ReadKind::kJsonKey;
      if (is_key) keys_.try_emplace(read.subject);
    }
  }

  std::vector<UnusedThing> run() {
    const std::string& directory = environment_.directory();
    for (const Module& module : environment_.modules()) {
      if (is_path_below(module.path, directory)) search_module(module);
    }
    search_code(directory);
    search_ruby_functions(directory);
    search_data();
    std::ranges::sort(found_, [](const UnusedThing& a, const UnusedThing& b) {
      return std::tie(a.kind, a.name, a.file, a.line) < std::tie(b.kind, b.name, b.file, b.line);
    });
    return std::move(found_);
  }

 private:
  void search_module(const Module& module) {
    search_manifests(join_path(module.path, "manifests"), Links::kEntered);
    search_code(module.path);
    search_ruby_functions(module.path);
    search_ruby_types(module.path);
    const std::string name(module.name.text());
    for (const auto& [part, kind] : {std::pair("templates", "template"), {"files", "file"}}) {
      const std::string directory = join_path(module.path, part);
      for (const std::string& path : list_files_below(directory)) {
        const std::string file = join_path(directory, path);
        if (files_.contains(file)) continue;
        if (kind == std::string_view("file") && used_.has_source(name, path)) continue;
        found_.push_back({kind, fmt::format("{}/{}", name, path), file, 0});
      }
    }
  }

  // Searches the functions and types of a module or of the environment.
  void search_code(const std::string& root) {
    for (const std::string_view part : {"functions", "types"}) {
      search_manifests(join_path(root, part), Links::kSkipped);
    }
  }

  void search_manifests(const std::string& directory, Links links) {
    for (const std::string& path : list_files_below(directory, links)) {
      if (path.ends_with(".pp")) search_manifest(join_path(directory, path));
    }
  }

  // A Ruby function is loaded only when it is called, from manifests or from Ruby.
  void search_ruby_functions(const std::string& root) {
    for (const std::string_view part : {"lib/puppet/functions", "lib/puppet/parser/functions"}) {
      const std::string directory = join_path(root, part);
      for (const std::string& path : list_files_below(directory, Links::kSkipped)) {
        const std::string file = join_path(directory, path);
        if (!path.ends_with(".rb") || found_files_.contains(file)) continue;
        found_.push_back({"function", name_of_ruby_file(path), file, 0});
      }
    }
  }

  void search_ruby_types(const std::string& root) {
    const std::string directory = join_path(root, "lib/puppet/type");
    for (const std::string& path : list_files_below(directory)) {
      if (!path.ends_with(".rb") || path.find('/') != std::string::npos) continue;
      const std::string name = name_of_ruby_file(path);
      if (!used_.has_type(name)) {
        found_.push_back({"resource type", name, join_path(directory, path), 0});
      }
    }
  }

  static std::string name_of_ruby_file(std::string_view path) {
    path.remove_suffix(std::string_view(".rb").size());
    return qualified_name(path);
  }

  // Functions and types are loaded when they are used, but a file of classes and defined types may
  // be loaded because of another definition in it.
  void search_manifest(const std::string& path) {
    const bool is_read = files_.contains(path);
    ParsedFilePointer file;
    try {
      file = environment_.parse(path);
    } catch (const EvaluationError&) {
      return;
    }
    for (const Expression* definition : file->program->definitions) {
      const auto add = [&](std::string_view kind, Name name) {
        found_.push_back({std::string(kind), downcase(name.text()), path,
                          file->program->position(*definition).line});
      };
      if (const auto* source = definition->try_as<HostClassDefinition>()) {
        if (!used_.has_class(downcase(source->name.text()))) add("class", source->name);
      } else if (const auto* type = definition->try_as<ResourceTypeDefinition>()) {
        if (!used_.has_type(downcase(type->name.text()))) add("defined type", type->name);
      } else if (const auto* function = definition->try_as<FunctionDefinition>()) {
        if (!is_read) add("function", function->name);
      } else if (const auto* alias = definition->try_as<TypeAlias>()) {
        if (!is_read) add("type", alias->name);
      }
    }
  }

  // A directory with a data file that was read is treated as a data directory, and its other files
  // are listed.
  void search_data() {
    const std::string& directory = environment_.directory();
    std::set<std::string> directories;
    for (const auto& [path, keys] : keys_) {
      if (is_path_below(path, directory)) directories.insert(std::string(parent_directory(path)));
    }
    std::set<std::string> files;
    for (const std::string& root : directories) {
      for (const std::string& path : list_files_below(root)) {
        if (is_data_file(path)) files.insert(join_path(root, path));
      }
    }
    for (const std::string& path : files) search_data_file(path);
  }

  void search_data_file(const std::string& path) {
    const auto read = keys_.find(path);
    if (read == keys_.end() && !files_.contains(path)) {
      found_.push_back({"data file", path.substr(environment_.directory().size() + 1), path, 0});
      return;
    }
    if (read == keys_.end()) return;
    DataFiles reader;
    const auto file =
        reader.get(path, path.ends_with(".json") ? DataFormat::kJson : DataFormat::kYaml);
    if (!file->data.is_hash()) return;
    std::string text;
    try {
      text = read_file(path);
    } catch (const FileError&) {
      return;
    }
    for (const HashEntry& entry : file->data.as_hash()) {
      if (!entry.key.is_string()) continue;
      const std::string key(entry.key.as_string());
      if (key == "lookup_options" || read->second.contains(key)) continue;
      found_.push_back({"key", key, path, line_of_key(text, key)});
    }
  }

  const Environment& environment_;
  const UsedThings& used_;
  std::set<std::string> files_;        // files that were read
  std::set<std::string> found_files_;  // existing files that were searched for
  std::map<std::string, std::set<std::string>> keys_;
  std::vector<UnusedThing> found_;
};

}  // namespace

void UsedThings::add(const CatalogDocument& catalog) {
  for (const DocumentResource& resource : catalog.resources) {
    if (resource.type == "Class") {
      classes_.insert(downcase(resource.title));
    } else {
      types_.insert(downcase(resource.type));
    }
    if (const DocumentParameter* source = resource.find("source")) add_sources(source->value);
  }
}

void UsedThings::add_sources(const DataNode& value) {
  if (value.is(DataKind::kArray)) {
    for (const DataNode& item : value.items()) {
      if (item.is(DataKind::kString)) add_sources(item);
    }
  } else if (value.is(DataKind::kString) && value.text_value().starts_with(kModules)) {
    std::string_view path = value.text_value().substr(kModules.size());
    while (path.ends_with('/')) path.remove_suffix(1);
    sources_.insert(std::string(path));
  }
}

bool UsedThings::has_source(const std::string& module, const std::string& path) const {
  for (std::string at = module + "/" + path;; at.resize(at.rfind('/'))) {
    if (sources_.contains(at)) return true;
    if (at.rfind('/') == std::string::npos) return false;
  }
}

std::vector<UnusedThing> find_unused(const Environment& environment, const std::vector<Read>& reads,
                                     const UsedThings& used) {
  return Search(environment, reads, used).run();
}

}  // namespace bunraku
