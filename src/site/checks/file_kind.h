// What kind of file each file of a repository is, and which files a repository has.
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
  kData,  // of Hiera: YAML or JSON below a directory of data
  kHieraConfig,
  kMetadata,
  kPuppetfile,
  kEnvironmentConf,
  kRepositoryConf,  // bunraku.toml
  kOther            // nothing is known of it
};
constexpr size_t kFileKinds = 9;  // without kOther
// "manifest", "EPP template"...; with `count` other than 1 the plural.
std::string_view name_of(FileKind kind, size_t count);

// By its path alone. What YAML and JSON files are depends on `data_directories`, the absolute paths
// of directories that hold data; `path` is absolute too.
FileKind kind_of(std::string_view path, const std::vector<std::string>& data_directories);

struct FoundFile {
  std::string path;  // as it was reached from the path that was asked for
  FileKind kind;
};

// The files of a kind that is known below the directory, in the order of their paths. Hidden
// directories, modules that are installed for tests (spec/fixtures) and the directories of package
// managers (vendor, node_modules, pkg) are left out, and what `ignored` names: patterns of the
// shell, of a name or of a path relative to `root`. Links to directories are followed; no directory
// is entered twice. What cannot be listed is left out.
std::vector<FoundFile> find_files(const std::string& directory, const std::string& root,
                                  const std::vector<std::string>& ignored);

}  // namespace bunraku::checks
