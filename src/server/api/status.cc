// The status service for dashboards of the reference's server: the names are the reference's, and
// worker threads are reported as its interpreters.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/version.h"
#include "server/api/routes.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

const char* state_of(const Call& call) {
  return call.shared.is_stopping ? "stopping" : "running";
}

struct ServiceName {
  const char* name;
  bool is_authority;
};
constexpr std::array<ServiceName, 6> kServices{{{"ca", true},
                                                {"server", false},
                                                {"master", false},
                                                {"jruby-metrics", false},
                                                {"puppet-profiler", false},
                                                {"status-service", false}}};

bool is_served(const Call& call, const std::string& name) {
  for (const ServiceName& service : kServices) {
    if (name == service.name) return !service.is_authority || call.site.authority != nullptr;
  }
  return false;
}

double uptime_seconds(const Call& call) {
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - call.shared.started;
  return std::max(time.count(), 0.001);
}

void write_timings(JsonWriter& json, const char* label,
                   const std::map<std::string, Metrics::Timing>& timings) {
  json.begin_array();
  for (const auto& [name, timing] : timings) {
    json.begin_object();
    json.member(label, name);
    json.member("count", static_cast<int64_t>(timing.count));
    json.key("mean"), json.number(timing.mean() * 1000);
    json.key("aggregate"), json.number(timing.seconds * 1000);
    json.end_object();
  }
  json.end_array();
}

// The requests for which the reference borrows an interpreter.
using Timings = std::map<std::string, Metrics::Timing>;
Timings borrowing_routes(const Call& call) {
  Timings found = call.shared.metrics.routes();
  std::erase_if(found, [](const auto& route) {
    return !route.first.starts_with("puppet-v3-") && !route.first.starts_with("puppet-v4-");
  });
  return found;
}

void write_borrow_timers(JsonWriter& json, const Timings& routes, const Metrics::Timing& total,
                         double uptime) {
  const auto write = [&](const std::string& name, const Metrics::Timing& timing) {
    json.key(name), json.begin_object();
    json.member("count", static_cast<int64_t>(timing.count));
    json.key("mean"), json.number(timing.mean() * 1000);
    json.key("max"), json.number(timing.longest * 1000);
    json.key("rate"), json.number(static_cast<double>(timing.count) / uptime);
    json.end_object();
  };
  json.key("borrow-timers"), json.begin_object();
  write("total", total);
  for (const auto& [name, timing] : routes) write(name, timing);
  json.end_object();
}

void write_workers(JsonWriter& json, const Call& call, const net::LaneState& lane) {
  const Timings routes = borrowing_routes(call);
  const double uptime = uptime_seconds(call);
  Metrics::Timing total;
  for (const auto& [name, timing] : routes) {
    total.count += timing.count;
    total.seconds += timing.seconds;
    total.longest = std::max(total.longest, timing.longest);
  }
  const auto count = [&](const char* key, size_t value) {
    json.member(key, static_cast<int64_t>(value));
  };
  const auto number = [&](const char* key, double value) { json.key(key), json.number(value); };
  const auto threads = static_cast<double>(lane.threads);
  json.key("metrics"), json.begin_object();
  count("num-jrubies", lane.threads);
  count("num-free-jrubies", lane.threads - lane.busy);
  number("average-free-jrubies", std::max(0.0, threads - total.seconds / uptime));
  count("requested-count", total.count + lane.busy + lane.queued + lane.refused);
  number("average-requested-jrubies", static_cast<double>(lane.queued));
  count("borrow-count", total.count + lane.busy);
  count("return-count", total.count);
  number("average-borrow-time", total.mean() * 1000);
  count("queue-limit-hit-count", lane.refused);
  number("queue-limit-hit-rate", static_cast<double>(lane.refused) / uptime);
  // There are no locks and retries, and waiting times are not recorded.
  for (const char* key :
       {"borrow-retry-count", "borrow-timeout-count", "num-pool-locks", "average-lock-held-time",
        "average-lock-wait-time", "average-wait-time"}) {
    count(key, 0);
  }
  write_borrow_timers(json, routes, total, uptime);
  for (const char* key : {"borrowed-instances", "requested-instances"}) {
    json.key(key), json.begin_array(), json.end_array();
  }
  json.end_object();
}

// The number after a name in /proc/self/status; zero when the name is missing.
int64_t process_number(const std::string& status, std::string_view name) {
  const size_t place = status.find(name);
  return place == std::string::npos
             ? 0
             : std::strtoll(status.c_str() + place + name.size(), nullptr, 10);
}

void write_memory(JsonWriter& json, const char* key, int64_t used, int64_t most) {
  json.key(key), json.begin_object();
  json.member("committed", used);
  json.member("init", 0);
  json.member("max", most);
  json.member("used", used);
  json.end_object();
}

// The keys are those of a Java virtual machine; values that only it has are zero or empty. The
// number of threads hardly changes, so the present one is used as the peak.
void write_process(JsonWriter& json, const Call& call) {
  const std::string status = read_file("/proc/self/status");
  const double uptime = uptime_seconds(call);
  const auto milliseconds = static_cast<int64_t>(uptime * 1000);
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double processor =
      static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
      static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  const auto processors = static_cast<double>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  constexpr int64_t kKilobyte = 1024;
  json.key("jvm-metrics"), json.begin_object();
  json.key("cpu-usage"), json.number(100 * processor / uptime / processors);
  json.member("gc-cpu-usage", 0);
  json.member("up-time-ms", milliseconds);
  json.member("start-time-ms", static_cast<int64_t>(std::time(nullptr)) * 1000 - milliseconds);
  write_memory(json, "heap-memory", process_number(status, "VmRSS:") * kKilobyte,
               process_number(status, "VmHWM:") * kKilobyte);
  write_memory(json, "non-heap-memory", 0, 0);
  json.key("file-descriptors"), json.begin_object();
  json.member("used", static_cast<int64_t>(list_directory("/proc/self/fd").size()));
  json.member("max", static_cast<int64_t>(descriptors.rlim_cur));
  json.end_object();
  json.key("threading"), json.begin_object();
  json.member("thread-count", process_number(status, "Threads:"));
  json.member("peak-thread-count", process_number(status, "Threads:"));
  json.end_object();
  for (const char* key : {"memory-pools", "gc-stats", "nio-buffer-pools"}) {
    json.key(key), json.begin_object(), json.end_object();
  }
  json.end_object();
}

void write_details(JsonWriter& json, const Call& call, const std::string& name) {
  if (name == "ca") return;
  json.key("experimental"), json.begin_object();
  if (name == "server" || name == "master") {
    json.key("http-metrics");
    write_timings(json, "route-id", call.shared.metrics.routes());
    json.key("http-client-metrics"), json.begin_array(), json.end_array();
  } else if (name == "puppet-profiler") {
    json.key("catalog-metrics");
    write_timings(json, "metric", call.shared.metrics.compilations());
    for (const char* key :
         {"function-metrics", "resource-metrics", "puppetdb-metrics", "inline-metrics"}) {
      json.key(key), json.begin_array(), json.end_array();
    }
  } else if (name == "jruby-metrics") {
    for (const net::LaneState& lane : call.shared.network_state().lanes) {
      if (lane.name == "compilations") write_workers(json, call, lane);
    }
  } else if (name == "status-service") {
    write_process(json, call);
  }
  json.end_object();
}

void write_service(JsonWriter& json, const Call& call, const std::string& name,
                   const std::string& level) {
  json.member("service_version", kReferenceVersion);
  json.member("service_status_version", 1);
  json.member("detail_level", level);
  json.member("state", state_of(call));
  json.key("status"), json.begin_object();
  if (level == "debug") write_details(json, call, name);
  json.end_object();
  json.key("active_alerts"), json.begin_array(), json.end_array();
}

net::Response answer_simple(const Call& call, const std::string& name) {
  if (!name.empty() && !is_served(call, name)) {
    return text_answer(404, "not found: " + printable(name));
  }
  return text_answer(call.shared.is_stopping ? 503 : 200, state_of(call));
}

net::Response invalid(const std::string& message) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("kind", "data-invalid");
  json.member("msg", message);
  json.end_object();
  return json_answer(400, std::move(text));
}

net::Response answer_services(const Call& call, const std::string& name) {
  const std::string* given = call.parameter("level");
  const std::string level = given == nullptr ? "info" : *given;
  if (level != "critical" && level != "info" && level != "debug") {
    return invalid(fmt::format("Invalid level: :{}", printable(level)));
  }
  const std::string* timeout = call.parameter("timeout");
  if (timeout != nullptr &&
      (timeout->empty() || timeout->find_first_not_of("0123456789") != std::string::npos)) {
    return invalid(
        fmt::format("Invalid timeout. Should be an integer but was {}", printable(*timeout)));
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (!name.empty()) {
    if (!is_served(call, name)) {
      json.member("kind", "service-not-found");
      json.member("msg", fmt::format("No status information found for service {}", name));
      json.end_object();
      return json_answer(404, std::move(text));
    }
    json.member("service_name", name);
    write_service(json, call, name, level);
  } else {
    for (const ServiceName& service : kServices) {
      const std::string key = service.name;
      if (!is_served(call, key)) continue;
      json.key(key), json.begin_object();
      write_service(json, call, key, level);
      json.end_object();
    }
  }
  json.end_object();
  return json_answer(call.shared.is_stopping ? 503 : 200, std::move(text));
}

}  // namespace

net::Response answer_status(const Call& call, const std::string& rest) {
  const size_t slash = rest.find('/');
  const std::string kind = rest.substr(0, slash);
  const std::string name = slash == std::string::npos ? std::string() : rest.substr(slash + 1);
  // A trailing slash requests an empty name, which does not exist.
  if (slash != std::string::npos && name.empty()) throw TextError(404, "Not Found");
  if (kind == "simple") return answer_simple(call, name);
  if (kind == "services") return answer_services(call, name);
  throw TextError(404, "Not Found");
}

}  // namespace bunraku::server
