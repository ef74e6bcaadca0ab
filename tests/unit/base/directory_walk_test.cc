#include "base/system/directory_walk.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/system/temporary_directory.h"

using namespace bunraku;

namespace {

// The paths that are visited, relative to the directory.
std::vector<std::string> visited(const std::string& directory, Links links,
                                 const std::vector<std::string>& roots,
                                 std::string_view left_out = {}) {
  std::vector<std::string> paths;
  std::vector<std::string> absolute;
  for (const std::string& root : roots) absolute.push_back(join_path(directory, root));
  walk_directories(
      absolute, links, [&](const std::string& path, std::vector<DirectoryEntry>& entries) {
        paths.push_back(path.substr(directory.size() + 1));
        std::erase_if(entries, [&](const DirectoryEntry& entry) { return entry.name == left_out; });
      });
  return paths;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("directory walk: level by level, each directory once, links last") {
  const TemporaryDirectory directory("walk");
  const auto link = [&](const std::string& target, const std::string& path) {
    std::filesystem::create_symlink(target, join_path(directory.path(), path));
  };
  create_directory(join_path(directory.path(), "a/deep/deeper"));
  create_directory(join_path(directory.path(), "a/z"));
  create_directory(join_path(directory.path(), "other/below"));
  write_file(join_path(directory.path(), "a/file"), "");
  link("..", "a/again");
  link("../other", "a/linked");
  link("../../other/below", "a/deep/below");
  link("nowhere", "a/broken");
  link("z", "a/y");
  CHECK(visited(directory.path(), Links::kSkipped, {"a"}) ==
        Paths{"a", "a/deep", "a/z", "a/deep/deeper"});
  CHECK(visited(directory.path(), Links::kEntered, {"a"}) ==
        Paths{"a", "a/deep", "a/z", "a/deep/deeper", "a/again", "a/linked", "a/deep/below"});
  CHECK(visited(directory.path(), Links::kEntered, {"a", "a/deep", "a", "other"}, "deeper") ==
        Paths{"a", "a/deep", "other", "a/z", "other/below", "a/again"});
}

TEST_CASE("directory walk: roots may be links, and what cannot be listed is not visited") {
  const TemporaryDirectory directory("walk");
  create_directory(join_path(directory.path(), "a/b"));
  write_file(join_path(directory.path(), "file"), "");
  std::filesystem::create_symlink("a", join_path(directory.path(), "link"));
  CHECK(visited(directory.path(), Links::kSkipped, {"link", "file", "none"}) ==
        Paths{"link", "link/b"});
  CHECK(visited(directory.path(), Links::kSkipped, {"link", "a"}, "b") == Paths{"link"});
}
