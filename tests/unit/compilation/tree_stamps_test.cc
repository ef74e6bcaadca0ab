// Changes of trees with links.
#include "compilation/tree_stamps.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "testing/file_watch.h"

using namespace bunraku;

namespace {

// A module with two links to itself, as suites of modules have one: 2^32 paths lead through it.
struct ModuleDirectory {
  ModuleDirectory() {
    char name[] = "/tmp/bunraku-test-XXXXXX";
    directory = mkdtemp(name);
    create_directory(directory + "/manifests");
    write_file(directory + "/manifests/init.pp", "class app { }");
    std::filesystem::create_directory_symlink(directory, directory + "/one");
    std::filesystem::create_directory_symlink(directory, directory + "/two");
  }
  ~ModuleDirectory() { std::filesystem::remove_all(directory); }

  std::string directory;
};

}  // namespace

TEST_CASE("stamps of a tree whose links form cycles") {
  const ModuleDirectory module;
  const compilation::TreeStamps stamps({module.directory});
  CHECK(stamps.size() < 10);
  CHECK_FALSE(stamps.have_changed());
  write_file(module.directory + "/manifests/init.pp", "class app { include other }");
  CHECK(stamps.have_changed());
}

TEST_CASE("notifications of a tree whose links form cycles") {
  const ModuleDirectory module;
  testing::FileWatch watch({module.directory});
  CHECK_FALSE(watch.has_changed());
  write_file(module.directory + "/manifests/init.pp", "class app { include other }");
  CHECK(watch.has_changed());
  CHECK_FALSE(watch.has_changed());
}
