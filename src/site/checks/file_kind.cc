// Walks a repository and sorts its files by kind.
#include "site/checks/file_kind.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "base/formats/yaml.h"
#include "base/memory/arena.h"
#include "base/system/directory_walk.h"
#include "base/system/file_system.h"

namespace bunraku::checks {
namespace {

struct KindNames {
  std::string_view one;
  std::string_view many;
};
constexpr std::array<KindNames, kFileKinds + 1> kNames = {{
    {"manifest", "manifests"},
    {"EPP template", "EPP templates"},
    {"ERB template", "ERB templates"},
    {"data file", "data files"},
    {"hiera.yaml", "hiera.yaml"},
    {"metadata.json", "metadata.json"},
    {"Puppetfile", "Puppetfiles"},
    {"environment.conf", "environment.conf"},
    {"bunraku.toml", "bunraku.toml"},
    {"other file", "other files"},
}};

bool is_left_out(std::string_view name) {
  return name.starts_with('.') || name == "vendor" || name == "node_modules" || name == "pkg";
}

// The directories of data that the hiera.yaml in `directory` names, each up to the first
// interpolation in a path.
std::vector<std::string> data_directories(const std::string& directory) {
  std::vector<std::string> directories = {join_path(directory, "data"),
                                          join_path(directory, "hieradata")};
  try {
    Arena arena;
    const std::string path = join_path(directory, "hiera.yaml");
    const std::string text = read_file(path);
    const DataNode config = read_yaml(text, {.file = path, .times_as_text = true}, arena);
    const auto add = [&](const DataNode* holder) {
      const DataNode* datadir = holder == nullptr ? nullptr : holder->find("datadir");
      if (datadir == nullptr || !datadir->is(DataKind::kString)) return;
      std::string_view name = datadir->text_value();
      name = name.substr(0, name.find("%{"));
      while (name.ends_with('/')) name.remove_suffix(1);
      // A directory of data that is the whole repository does not identify data files.
      if (!name.empty() && name != "." && !name.starts_with("..")) {
        directories.push_back(join_path(directory, name));
      }
    };
    add(config.find("defaults"));
    if (const DataNode* levels = config.find("hierarchy");
        levels != nullptr && levels->is(DataKind::kArray)) {
      for (const DataNode& level : levels->items()) add(&level);
    }
  } catch (const FileError&) {
    // Checks of the hiera.yaml itself report that it cannot be read.
  } catch (const DataError&) {
  }
  return directories;
}

class Walk {
 public:
  std::vector<FoundFile> found;

  Walk(std::string root, const std::vector<std::string>& ignored)
      : root_(std::move(root)), ignored_(ignored) {}

  // Reads the configurations above the directory, up to the root, which may name directories of
  // data, and then visits the directory.
  void begin(const std::string& directory) {
    std::string at = absolute_path(directory);
    while (is_path_below(at, root_)) {
      at = parent_directory(at);
      std::ranges::copy(data_directories(at), std::back_inserter(data_));
    }
    walk_directories({&directory, 1}, Links::kEntered,
                     [&](const std::string& path, std::vector<DirectoryEntry>& entries) {
                       visit(path, entries, path == directory);
                     });
  }

 private:
  void visit(const std::string& directory, std::vector<DirectoryEntry>& entries, bool is_first) {
    const std::string absolute = absolute_path(directory);
    if (is_first ||
        std::ranges::find(entries, "hiera.yaml", &DirectoryEntry::name) != entries.end()) {
      std::ranges::copy(data_directories(absolute), std::back_inserter(data_));
    }
    const bool is_spec = file_name_of(absolute) == "spec";
    std::erase_if(entries, [&](const DirectoryEntry& entry) {
      const bool is_fixtures = is_spec && entry.name == "fixtures";
      return (entry.is_directory && (is_fixtures || is_left_out(entry.name))) ||
             is_ignored(entry.name, join_path(absolute, entry.name));
    });
    for (const DirectoryEntry& entry : entries) {
      if (!entry.is_directory) add(directory, absolute, entry.name);
    }
  }

  void add(const std::string& directory, const std::string& absolute, const std::string& name) {
    const FileKind kind = kind_of(join_path(absolute, name), data_);
    if (kind == FileKind::kOther) return;
    std::string path = join_path(directory, name);
    if (is_file(path)) found.push_back({std::move(path), kind});
  }

  bool is_ignored(const std::string& name, const std::string& path) const {
    const std::string relative = is_path_below(path, root_) ? path.substr(root_.size() + 1) : path;
    return std::ranges::any_of(ignored_, [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0 ||
             ::fnmatch(pattern.c_str(), relative.c_str(), 0) == 0;
    });
  }

  std::string root_;
  const std::vector<std::string>& ignored_;
  std::vector<std::string> data_;
};

}  // namespace

std::string_view name_of(FileKind kind, size_t count) {
  const KindNames& names = kNames[static_cast<size_t>(kind)];
  return count == 1 ? names.one : names.many;
}

FileKind kind_of(std::string_view path, const std::vector<std::string>& data_directories) {
  const std::string_view name = file_name_of(path);
  if (name.ends_with(".pp")) return FileKind::kManifest;
  if (name.ends_with(".epp")) return FileKind::kEpp;
  if (name.ends_with(".erb")) return FileKind::kErb;
  if (name == "hiera.yaml") return FileKind::kHieraConfig;
  if (name == "metadata.json") return FileKind::kMetadata;
  if (name == "Puppetfile") return FileKind::kPuppetfile;
  if (name == "environment.conf") return FileKind::kEnvironmentConf;
  if (name == "bunraku.toml") return FileKind::kRepositoryConf;
  const bool may_be_data = name.ends_with(".yaml") || name.ends_with(".yml") ||
                           name.ends_with(".eyaml") || name.ends_with(".json");
  const bool is_data = may_be_data && std::ranges::any_of(data_directories, [&](const auto& data) {
                         return is_path_below(path, data);
                       });
  return is_data ? FileKind::kData : FileKind::kOther;
}

std::vector<FoundFile> find_files(const std::string& directory, const std::string& root,
                                  const std::vector<std::string>& ignored) {
  Walk walk(root, ignored);
  walk.begin(directory);
  if (directory == ".") {
    for (FoundFile& file : walk.found) file.path.erase(0, std::string_view("./").size());
  }
  std::ranges::sort(walk.found, {}, &FoundFile::path);
  return std::move(walk.found);
}

}  // namespace bunraku::checks
