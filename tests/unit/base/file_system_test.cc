#include "base/system/file_system.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace bunraku;

namespace {

// A new directory, removed at the end.
struct Directory {
  Directory() {
    char name[] = "/tmp/bunraku-test-XXXXXX";
    path = mkdtemp(name);
  }
  ~Directory() { std::filesystem::remove_all(path); }
  std::string path;
};

template <typename Action>
FileErrorKind kind_of_error(Action action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.kind();
  }
  FAIL("no error");
  return FileErrorKind::kOther;
}

}  // namespace

TEST_CASE("file system: write and read") {
  const Directory directory;
  const std::string path = join_path(directory.path, "a");
  std::string contents(10'000, 'x');
  write_file(path, contents);
  CHECK(read_file(path) == contents);
  FileStamp before = file_stamp(path);
  write_file(path, "");
  CHECK(read_file(path) == "");
  CHECK_FALSE(file_stamp(path) == before);
  CHECK(is_file(path));
  CHECK(is_directory(directory.path));
  CHECK_FALSE(exists(path + "b"));
  CHECK(list_directory(directory.path).size() == 1);
}

TEST_CASE("file system: errors by kind") {
  Directory directory;
  std::string path = join_path(directory.path, "a");
  CHECK(kind_of_error([&] { read_file(path); }) == FileErrorKind::kMissing);
  CHECK(kind_of_error([&] { read_file(directory.path); }) == FileErrorKind::kIsDirectory);
  write_file(path, "12345");
  CHECK(kind_of_error([&] { read_file(path, 4); }) == FileErrorKind::kTooLarge);
  CHECK(kind_of_error([&] { read_file("/dev/zero"); }) == FileErrorKind::kOther);
  CHECK(kind_of_error([&] { list_directory(path); }) == FileErrorKind::kNotDirectory);
  CHECK(kind_of_error([&] { write_file(path + "/b", ""); }) == FileErrorKind::kNotDirectory);
  CHECK(kind_of_error([&] { write_file(directory.path, ""); }) == FileErrorKind::kIsDirectory);
  CHECK(list_directory(directory.path).size() == 1);
  try {
    read_file("/none");
  } catch (const FileError& error) {
    CHECK(std::string(error.what()) == "No such file or directory - /none");
  }
}

TEST_CASE("file system: directories are listed in order") {
  const Directory directory;
  for (const char* name : {"b", "a", ".c"}) write_file(join_path(directory.path, name), "");
  std::filesystem::create_directory(join_path(directory.path, "d"));
  std::filesystem::create_directory_symlink(join_path(directory.path, "d"),
                                            join_path(directory.path, "e"));
  std::vector<DirectoryEntry> entries = list_directory(directory.path);
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].name == ".c");
  CHECK(entries[1].name == "a");
  CHECK_FALSE(entries[2].is_directory);
  CHECK(entries[4].is_directory);
}

TEST_CASE("file system: paths") {
  CHECK(join_path("/a", "b") == "/a/b");
  CHECK(join_path("/a/", "b") == "/a/b");
  CHECK(join_path("/a", "/b") == "/b");
  CHECK(join_path("", "b") == "b");
  CHECK(absolute_path("/a/./b//../c") == "/a/c");
  CHECK(absolute_path("/..") == "/");
  CHECK(absolute_path("x") == join_path(std::filesystem::current_path().string(), "x"));
  CHECK(parent_directory("/a/b.pp") == "/a");
  CHECK(parent_directory("/b") == "/");
  CHECK(parent_directory("b") == ".");
  CHECK(file_name_of("/a/b.pp") == "b.pp");
}
