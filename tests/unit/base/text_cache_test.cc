#include "base/system/text_cache.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "base/system/reads.h"
#include "base/text/digest.h"

using namespace bunraku;

namespace {

struct Ignoring : ReadObserver {
  void file(const std::string& path, std::string_view) override { last = path; }
  void path(const std::string&, PathTest, bool) override {}
  void directory(const std::string&, Listing, std::string_view) override {}
  void search(const SearchedDirectories&, std::string_view, std::string_view) override {}
  void glob(const std::string&, std::string_view) override {}
  void data_key(const std::string&, std::string_view, bool, std::string_view,
                const std::function<std::string()>&) override {}
  void query(const std::string&) override {}
  void untracked(std::string_view) override {}
  std::string last;
};

}  // namespace

TEST_CASE("text cache: a file that is as it was is read once") {
  TextCache cache;
  const std::string old = "/etc/passwd";
  const auto first = cache.read(old);
  CHECK(first->text() == read_file(old));
  CHECK(first->digest() == digest_hex(DigestAlgorithm::kSha256, read_file(old)));
  CHECK(cache.read(old) == first);

  // Observers are notified of each read.
  Ignoring observer;
  const ObservedReads observed(&observer);
  CHECK(cache.read(old)->text() == first->text());
  CHECK(observer.last == old);
}

TEST_CASE("text cache: what was changed a moment ago, and what has no size, is read each time") {
  TextCache cache;
  const std::string path =
      std::filesystem::temp_directory_path() / ("text-cache-" + std::to_string(getpid()));
  write_file(path, "one");
  CHECK(cache.read(path)->text() == "one");
  write_file(path, "two");
  CHECK(cache.read(path)->text() == "two");
  std::filesystem::remove(path);
  CHECK_THROWS_AS(cache.read(path), FileError);

  const auto status = cache.read("/proc/self/status");
  CHECK(!status->text().empty());
  CHECK(cache.read("/proc/self/status") != status);
}
