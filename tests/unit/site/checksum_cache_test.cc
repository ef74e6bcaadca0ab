#include "site/file_serving/checksum_cache.h"

#include <doctest/doctest.h>

#include <chrono>

using namespace bunraku;

namespace {

int64_t seconds_ago(int64_t seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
             .count() -
         seconds * 1'000'000'000;
}

}  // namespace

TEST_CASE("Checksums are known for as long as the file is as it was") {
  ChecksumCache cache;
  FileStamp stamp{3, 7, seconds_ago(100), seconds_ago(100)};
  cache.put("sha256", "/a", stamp, "sum");
  CHECK(cache.find("sha256", "/a", stamp) == "sum");
  CHECK_FALSE(cache.find("md5", "/a", stamp));
  CHECK_FALSE(cache.find("sha256", "/b", stamp));
  stamp.changed += 1;
  CHECK_FALSE(cache.find("sha256", "/a", stamp));
}

TEST_CASE("A file that has just changed is not kept") {
  ChecksumCache cache;
  const FileStamp stamp{3, 7, seconds_ago(100), seconds_ago(0)};
  cache.put("sha256", "/a", stamp, "sum");
  CHECK_FALSE(cache.find("sha256", "/a", stamp));
}
