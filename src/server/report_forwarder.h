// Sends agents' reports to the URL in `reporturl`: the report processor `http`. A thread of its own
// posts them one after the other, so that agents need not wait for a slow receiver.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "net/tls.h"

namespace bunraku::server {

struct ForwardedReport {
  std::string url;  // may contain a user and a password
  std::string yaml;
  std::string request;   // the identifier of the agent's request, for the log
  net::TlsSettings tls;  // for https
};

// Safe from any thread.
class ReportForwarder {
 public:
  // Called for a report that could not be sent, with a log message and the request's identifier.
  using Fail = std::function<void(const std::string& message, const std::string& request)>;
  explicit ReportForwarder(Fail fail);
  // Continues to send waiting reports for a limited time; the others are dropped, which is
  // reported.
  ~ReportForwarder();
  ReportForwarder(const ReportForwarder&) = delete;
  ReportForwarder& operator=(const ReportForwarder&) = delete;

  // Returns false when too many reports wait; then the report is not sent.
  bool send(ForwardedReport report);

 private:
  void run();
  void post(const ForwardedReport& report);

  static constexpr size_t kMostBytes = size_t{64} << 20;
  static constexpr std::chrono::seconds kDrain{10};
  const Fail fail_;
  std::mutex mutex_;
  std::condition_variable is_changed_;
  std::deque<ForwardedReport> queue_;
  size_t bytes_ = 0;
  bool is_stopping_ = false;
  std::chrono::steady_clock::time_point end_;
  std::thread thread_;
};

}  // namespace bunraku::server
