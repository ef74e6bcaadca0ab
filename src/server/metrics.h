// Counters and times of the server, for Prometheus and for the status service.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace bunraku::server {

class Metrics {
 public:
  struct Timing {
    uint64_t count = 0;
    double seconds = 0;
    double longest = 0;
    double mean() const { return count == 0 ? 0 : seconds / static_cast<double>(count); }
  };
  // `route` is one of the server's own names, never a client's text.
  void count_request(const std::string& route, const std::string& method, int status,
                     double seconds);
  void count_compilation(const std::string& environment, double seconds, bool has_failed);
  void count_refusal();  // by authorization
  void count_handshake_failure();

  std::map<std::string, Timing> routes() const;
  std::map<std::string, Timing> compilations() const;
  // These counters in Prometheus's text format.
  std::string prometheus() const;

 private:
  static constexpr size_t kMostEnvironments = 1000;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, uint64_t> requests_;  // route and method, status
  std::map<std::string, Timing> routes_;
  std::map<std::string, Timing> compilations_;
  std::map<std::string, uint64_t> failures_;
  uint64_t refusals_ = 0;
  uint64_t handshake_failures_ = 0;
};

}  // namespace bunraku::server
