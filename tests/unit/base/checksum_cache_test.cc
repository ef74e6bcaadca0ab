#include "base/system/checksum_cache.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace bunraku;

namespace {

int64_t seconds_ago(int64_t seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
             .count() -
         seconds * 1'000'000'000;
}

const FileStamp kOld{3, 7, seconds_ago(100), seconds_ago(100)};

std::string known(ChecksumCache& cache, const std::string& kind, const std::string& path,
                  const FileStamp& stamp) {
  return cache.of(kind, path, stamp, [] { return std::string("made anew"); });
}

}  // namespace

TEST_CASE("Checksums are known for as long as the file is as it was") {
  ChecksumCache cache;
  FileStamp stamp = kOld;
  CHECK(cache.of("sha256", "/a", stamp, [] { return std::string("sum"); }) == "sum");
  CHECK(known(cache, "sha256", "/a", stamp) == "sum");
  CHECK(known(cache, "md5", "/a", stamp) == "made anew");
  CHECK(known(cache, "sha256", "/b", stamp) == "made anew");
  stamp.changed += 1;
  CHECK(known(cache, "sha256", "/a", stamp) == "made anew");
}

TEST_CASE("A file that has just changed is not kept") {
  ChecksumCache cache;
  const FileStamp stamp{3, 7, seconds_ago(100), seconds_ago(0)};
  cache.of("sha256", "/a", stamp, [] { return std::string("sum"); });
  CHECK(known(cache, "sha256", "/a", stamp) == "made anew");
}

TEST_CASE("A checksum that cannot be made is asked for again") {
  ChecksumCache cache;
  CHECK_THROWS(cache.of("sha256", "/a", kOld,
                        []() -> std::string { throw std::runtime_error("unreadable"); }));
  CHECK(known(cache, "sha256", "/a", kOld) == "made anew");
}

TEST_CASE("Threads that want the same checksum make it once") {
  ChecksumCache cache;
  std::atomic<int> made = 0, same = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      same += cache.of("sha256", "/a", kOld, [&] {
        ++made;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return std::string("sum");
      }) == "sum";
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 1);
  CHECK(same == 8);
}
