#include "base/system/thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

using namespace bunraku;

TEST_CASE("thread pool: every index once") {
  for (const size_t threads : {0, 1, 3, 50}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for_each(calls.size(), threads, [&](size_t i) { ++calls[i]; });
    for (const std::atomic<int>& count : calls) CHECK(count == 1);
  }
  parallel_for_each(0, 4, [](size_t) { FAIL("called"); });
}

TEST_CASE("thread pool: the first exception is carried over") {
  auto work = [](size_t i) {
    if (i >= 10) throw std::runtime_error(std::to_string(i));
  };
  for (const size_t threads : {1, 4}) {
    try {
      parallel_for_each(100, threads, work);
      FAIL("nothing thrown");
    } catch (const std::runtime_error& error) {
      CHECK(std::stoi(error.what()) >= 10);
      if (threads == 1) CHECK(std::string(error.what()) == "10");
    }
  }
}
