// Sends agents' reports to the URL that `reporturl` names: the report processor `http`. They are
// posted one after the other by a thread of its own, so that a slow receiver keeps no agent
// waiting.
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
  std::string url;  // may have a user and a password in it
  std::string yaml;
  std::string request;   // the identifier of the agent's request, for the log
  net::TlsSettings tls;  // for https
};

// Any thread may call it.
class ReportForwarder {
 public:
  // `fail` is called for what could not be sent, with a line for the log and the request's
  // identifier.
  using Fail = std::function<void(const std::string& message, const std::string& request)>;
  explicit ReportForwarder(Fail fail);
  // What waits is sent for as long as `drain` says; the rest is lost, and said to be.
  ~ReportForwarder();
  ReportForwarder(const ReportForwarder&) = delete;
  ReportForwarder& operator=(const ReportForwarder&) = delete;

  // False when too much waits; the report is not sent then.
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
