// Writes of many threads, which share transactions.
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "store/store.h"

using namespace bunraku::store;

namespace {

constexpr int kThreads = 12;
constexpr int kWritesOfEach = 40;

std::string name_of(int thread, int write) {
  return std::to_string(thread) + "-" + std::to_string(write);
}

bool fails(int thread, int write) {
  return (thread + write) % 5 == 0;
}

}  // namespace

TEST_CASE("each of many threads gets what its own write did, and the others' parts stay") {
  const std::string path = "/tmp/bunraku-writes-" + std::to_string(::getpid()) + ".db";
  std::atomic<int> failures{0}, unexpected{0};
  {
    Store store("sqlite:" + path);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int write = 0; write < kWritesOfEach; ++write) {
          try {
            store.write([&](Connection& connection) {
              connection.shared_numbers("test")["of " + name_of(thread, write)] = 1;
              connection.run("INSERT INTO environment(name) VALUES ($1)", {name_of(thread, write)});
              if (fails(thread, write)) throw std::runtime_error(name_of(thread, write));
            });
            if (fails(thread, write)) ++unexpected;
          } catch (const std::runtime_error& error) {
            // Each write fails with its own error only.
            if (error.what() != name_of(thread, write) || !fails(thread, write)) ++unexpected;
            ++failures;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::set<std::string> stored;
    store.read([&](Connection& connection) {
      const auto rows = connection.query("SELECT name FROM environment");
      while (rows->next()) stored.emplace(rows->text(0));
    });
    int expected = 0;
    for (int thread = 0; thread < kThreads; ++thread) {
      for (int write = 0; write < kWritesOfEach; ++write) {
        if (stored.contains(name_of(thread, write)) == fails(thread, write)) ++unexpected;
        expected += fails(thread, write) ? 1 : 0;
      }
    }
    CHECK(failures == expected);
    CHECK(unexpected == 0);
    store.write([&](Connection& connection) { CHECK(connection.shared_numbers("test").empty()); });
  }
  for (const char* end : {"", "-wal", "-shm"}) std::remove((path + end).c_str());
}
