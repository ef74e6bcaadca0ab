// Counters, and their text for Prometheus.
#include "server/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace bunraku::server {
namespace {

void add(Metrics::Timing& timing, double seconds) {
  ++timing.count;
  timing.seconds += seconds;
  timing.longest = std::max(timing.longest, seconds);
}

void write_timings(std::string& text, const std::string& name, const char* label, const char* help,
                   const std::map<std::string, Metrics::Timing>& timings) {
  text += fmt::format("# HELP {0} {1}\n# TYPE {0} summary\n", name, help);
  for (const auto& [key, timing] : timings) {
    text += fmt::format("{0}_count{{{1}=\"{2}\"}} {3}\n{0}_sum{{{1}=\"{2}\"}} {4:.6f}\n", name,
                        label, key, timing.count, timing.seconds);
  }
}

}  // namespace

void Metrics::count_request(const std::string& route, const std::string& method, int status,
                            double seconds) {
  const std::scoped_lock lock(mutex_);
  ++requests_[{fmt::format("route=\"{}\",method=\"{}\"", route, method), std::to_string(status)}];
  add(routes_[route], seconds);
}

void Metrics::count_compilation(const std::string& environment, double seconds, bool has_failed) {
  const std::scoped_lock lock(mutex_);
  const bool is_counted =
      compilations_.contains(environment) || compilations_.size() < kMostEnvironments;
  const std::string key = is_counted ? environment : "others";
  add(compilations_[key], seconds);
  if (has_failed) ++failures_[key];
}

void Metrics::count_refusal() {
  const std::scoped_lock lock(mutex_);
  ++refusals_;
}

void Metrics::count_handshake_failure() {
  const std::scoped_lock lock(mutex_);
  ++handshake_failures_;
}

std::map<std::string, Metrics::Timing> Metrics::routes() const {
  const std::scoped_lock lock(mutex_);
  return routes_;
}

std::map<std::string, Metrics::Timing> Metrics::compilations() const {
  const std::scoped_lock lock(mutex_);
  return compilations_;
}

std::string Metrics::prometheus() const {
  const std::scoped_lock lock(mutex_);
  std::string text =
      "# HELP bunraku_requests_total Requests answered.\n# TYPE bunraku_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    text +=
        fmt::format("bunraku_requests_total{{{},code=\"{}\"}} {}\n", key.first, key.second, count);
  }
  write_timings(text, "bunraku_request_duration_seconds", "route",
                "Time from a request's first byte to its answer's last.", routes_);
  write_timings(text, "bunraku_compile_duration_seconds", "environment",
                "Time of compilations of catalogs.", compilations_);
  text +=
      "# HELP bunraku_compile_failures_total Compilations without a catalog.\n"
      "# TYPE bunraku_compile_failures_total counter\n";
  for (const auto& [environment, count] : failures_) {
    text += fmt::format("bunraku_compile_failures_total{{environment=\"{}\"}} {}\n", environment,
                        count);
  }
  text += fmt::format(
      "# HELP bunraku_forbidden_total Requests refused by a rule.\n"
      "# TYPE bunraku_forbidden_total counter\nbunraku_forbidden_total {}\n"
      "# HELP bunraku_handshake_failures_total Connections that failed in TLS.\n"
      "# TYPE bunraku_handshake_failures_total counter\nbunraku_handshake_failures_total {}\n",
      refusals_, handshake_failures_);
  return text;
}

}  // namespace bunraku::server
