// The kinds of files in a repository, and the search for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::checks {

enum class FileKind : uint8_t {
  kManifest,
  kEpp,
  kErb,
  kData,  // Hiera data: YAML or JSON below a directory of data
  kHieraConfig,
  kMetadata,
  kPuppetfile,
  kEnvironmentConf,
  kRepositoryConf,  // bunraku.toml
  kOther            // an unknown kind
};
constexpr size_t kFileKinds = 9;  // without kOther
// "manifest", "EPP template"...; the plural if `count` is not 1.
std::string_view name_of(FileKind kind, size_t count);

// The kind of a file by its path. For YAML and JSON it depends on `data_directories`, the absolute
// paths of directories with data; `path` is absolute too.
FileKind kind_of(std::string_view path, const std::vector<std::string>& data_directories);

struct FoundFile {
  std::string path;  // starts with the path that was searched
  FileKind kind;
};

// Finds the files of known kinds below the directory, sorted by path. Left out are hidden
// directories, modules installed for tests (spec/fixtures), directories of package managers
// (vendor, node_modules, pkg), directories that cannot be listed, and the shell patterns in
// `ignored`, which match names or paths relative to `root`. Links to directories are followed; no
// directory is entered twice.
std::vector<FoundFile> find_files(const std::string& directory, const std::string& root,
                                  const std::vector<std::string>& ignored);

}  // namespace bunraku::checks
