// Sends the same request to a server repeatedly over persistent connections, and measures the rate
// of answers. usage: server_bench URL CA CERT KEY THREADS SECONDS METHOD TARGET [TYPE BODY-FILE];
// the output is "REQUESTS-PER-SECOND MEDIAN-MS P99-MS FAILURES REQUESTS".
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/system/file_system.h"
#include "net/http_client.h"

using namespace bunraku;
using Clock = std::chrono::steady_clock;

namespace {

struct Load {
  net::ClientSettings settings;
  net::ClientRequest request;
  std::chrono::seconds time;
};

struct Tally {
  std::mutex mutex;
  std::vector<double> milliseconds;
  size_t failures = 0;
};

void ask_until(const Load& load, Clock::time_point end, Tally& tally) {
  net::HttpClient client(load.settings);
  std::vector<double> mine;
  size_t failures = 0;
  while (Clock::now() < end) {
    const auto begun = Clock::now();
    try {
      if (client.send(load.request).status != 200) ++failures;
    } catch (const net::NetError&) {
      ++failures;
    }
    mine.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begun).count());
  }
  const std::scoped_lock lock(tally.mutex);
  tally.milliseconds.insert(tally.milliseconds.end(), mine.begin(), mine.end());
  tally.failures += failures;
}

}  // namespace

int main(int count, char** words) {
  if (count < 9) {
    std::fprintf(
        stderr,
        "usage: server_bench URL CA CERT KEY THREADS SECONDS METHOD TARGET [TYPE BODY-FILE]\n");
    return 2;
  }
  Load load;
  load.settings.tls.authorities = read_file(words[2]);
  load.settings.tls.certificate = read_file(words[3]);
  load.settings.tls.key = read_file(words[4]);
  load.settings.idle = std::chrono::seconds(30);
  load.time = std::chrono::seconds(std::atoi(words[6]));
  load.request.method = words[7];
  load.request.url = std::string(words[1]) + words[8];
  load.request.fields.add("Accept", "application/vnd.puppet.rich+json, application/json, */*");
  if (count > 10) {
    load.request.fields.add("Content-Type", words[9]);
    load.request.body = read_file(words[10]);
  }
  const auto begun = Clock::now();
  Tally tally;
  std::vector<std::thread> threads;
  for (int i = 0; i < std::max(1, std::atoi(words[5])); ++i) {
    threads.emplace_back([&] { ask_until(load, begun + load.time, tally); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  std::ranges::sort(tally.milliseconds);
  const auto at = [&](double part) {
    const size_t size = tally.milliseconds.size();
    return size == 0 ? 0
                     : tally.milliseconds[std::min(
                           size - 1, static_cast<size_t>(static_cast<double>(size) * part))];
  };
  const size_t answered = tally.milliseconds.size();
  fmt::print("{:.1f} {:.2f} {:.2f} {} {}\n", static_cast<double>(answered) / seconds, at(0.5),
             at(0.99), tally.failures, answered);
  return 0;
}
