// The store's HTTP API, with PuppetDB's routes: /pdb/query/v4, /pdb/cmd/v1, /pdb/meta/v1,
// /pdb/admin/v1, /status/v1, /metrics/v2. The caller identifies the client and its rights
// (access.h).
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/diagnostics/log.h"
#include "base/formats/data.h"
#include "base/formats/json.h"
#include "net/message.h"
#include "store/commands/command.h"
#include "store/http/access.h"
#include "store/lifecycle/garbage.h"
#include "store/query/answer.h"
#include "store/store.h"

namespace bunraku::store {

struct MetricRequest;

// A version of PuppetDB, not of this program: clients decide by it.
inline constexpr std::string_view kProtocolVersion = "8.8.1";

struct ApiOptions {
  AnswerLimits limits;
  // Receives log messages; may be empty.
  std::function<void(LogLevel, const std::string&)> log;
  size_t largest_command = size_t{64} << 20;  // bytes, uncompressed
  Lifetimes lifetimes;                        // for `clean` requests
  // The store for queries, which must outlive the API; null: the one that is written.
  Store* reading = nullptr;
};

// Counts for /metrics/v2.
struct ApiCounts {
  std::atomic<uint64_t> seen{0}, processed{0}, unchanged{0}, failed{0}, discarded{0};
};

// Safe from any thread.
class Api {
 public:
  // `store` must outlive the API.
  Api(Store& store, ApiOptions options);

  // Returns whether the path belongs to the store.
  static bool serves(std::string_view path);
  // Answers any request whose path belongs to the store; throws only std::bad_alloc.
  net::Response answer(const net::Request& request, const Access& access);

 private:
  net::Response route(const net::Request& request, const Access& access);
  net::Response answer_command(const net::Request& request, std::string_view query,
                               const Access& access);
  net::Response answer_admin(const net::Request& request, std::string_view path,
                             std::string_view query);
  net::Response answer_admin_command(const std::string& text);
  net::Response clean(const DataNode* payload);
  net::Response send_archive(std::string_view query);
  net::Response take_archive(const net::Request& request);
  net::Response answer_status(std::string_view path);
  net::Response answer_metrics(const net::Request& request, std::string_view path);
  void write_metric_answer(JsonWriter& json, const MetricRequest& request);
  int64_t write_metric(JsonWriter& json, std::string_view name, std::string_view attribute);
  void log(LogLevel level, const std::string& text) const;

  Store& store_;
  ApiOptions options_;
  ApiCounts counts_;
  std::mutex cleaning_;  // held while a client's request collects garbage
};

}  // namespace bunraku::store
