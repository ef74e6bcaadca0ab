// What operators ask: status, metrics, flushing, and a page for a browser.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>

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

size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int count = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return count == 2 ? resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

double uptime_seconds(const Call& call) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - call.shared.started)
      .count();
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
    const net::ServerState state = call.shared.network_state();
    for (const net::LaneState& lane : state.lanes) {
      if (lane.name != "compilations") continue;
      json.key("metrics"), json.begin_object();
      json.member("num-jrubies", static_cast<int64_t>(lane.threads));
      json.member("num-free-jrubies", static_cast<int64_t>(lane.threads - lane.busy));
      json.member("requested-count", static_cast<int64_t>(lane.queued));
      json.member("queue-limit-hit-count", static_cast<int64_t>(lane.refused));
      json.end_object();
    }
  } else if (name == "status-service") {
    json.key("jvm-metrics"), json.begin_object();
    json.member("up-time-ms", static_cast<int64_t>(uptime_seconds(call) * 1000));
    json.key("heap-memory"), json.begin_object();
    json.member("used", static_cast<int64_t>(resident_bytes()));
    json.end_object();
    json.end_object();
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

net::Response flush_environments(const Call& call) {
  const std::string* environment = call.parameter("environment");
  call.shared.code->flush(environment == nullptr ? "" : *environment);
  call.shared.log->write(LogLevel::kInfo,
                         environment == nullptr ? "The environments were flushed"
                                                : fmt::format("The environment '{}' was flushed",
                                                              printable(*environment)),
                         call.id);
  net::Response response;
  response.status = 204;
  return response;
}

net::Response answer_status(const Call& call, const std::string& rest) {
  const size_t slash = rest.find('/');
  const std::string kind = rest.substr(0, slash);
  const std::string name = slash == std::string::npos ? std::string() : rest.substr(slash + 1);
  // A slash with nothing behind it is a name that nothing has.
  if (slash != std::string::npos && name.empty()) throw TextError(404, "Not Found");
  if (kind == "simple") return answer_simple(call, name);
  if (kind == "services") return answer_services(call, name);
  throw TextError(404, "Not Found");
}

net::Response answer_metrics(const Call& call) {
  std::string text = call.shared.metrics.prometheus();
  const net::ServerState state = call.shared.network_state();
  const auto gauge = [&](std::string_view name, std::string_view help, double value) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", name, help, value);
  };
  gauge("bunraku_connections", "Connections that stand.", static_cast<double>(state.connections));
  text +=
      "# HELP bunraku_environment_generation The generation that an environment is in.\n"
      "# TYPE bunraku_environment_generation gauge\n";
  for (const auto& [name, number] : call.shared.code->current()->known_generations()) {
    text += fmt::format("bunraku_environment_generation{{environment=\"{}\"}} {}\n", name, number);
  }
  gauge("process_resident_memory_bytes", "Resident memory.", static_cast<double>(resident_bytes()));
  gauge("bunraku_uptime_seconds", "Time since the start.", uptime_seconds(call));
  text += "# HELP bunraku_workers Threads of a lane.\n# TYPE bunraku_workers gauge\n";
  for (const net::LaneState& lane : state.lanes) {
    text += fmt::format(
        "bunraku_workers{{lane=\"{0}\"}} {1}\nbunraku_workers_busy{{lane=\"{0}\"}} {2}\n"
        "bunraku_queue_length{{lane=\"{0}\"}} {3}\nbunraku_rejected_total{{lane=\"{0}\"}} {4}\n",
        lane.name, lane.threads, lane.busy, lane.queued, lane.refused);
  }
  if (call.site.authority != nullptr) {
    const std::string certificates = call.site.authority->certificates_pem();
    text += "# TYPE bunraku_ca_certificate_expiry_seconds gauge\n";
    size_t number = 0;
    for (const auto& certificate : certificates::Certificate::all_from_pem(certificates)) {
      text += fmt::format("bunraku_ca_certificate_expiry_seconds{{position=\"{}\"}} {}\n", number++,
                          certificate.not_after());
    }
    number = 0;
    text += "# TYPE bunraku_crl_next_update_seconds gauge\n";
    for (const auto& list :
         certificates::RevocationList::all_from_pem(call.site.authority->revocations_pem())) {
      text += fmt::format("bunraku_crl_next_update_seconds{{position=\"{}\"}} {}\n", number++,
                          list.next_update());
    }
  }
  const std::string& host = call.site.configuration.host_files.certificate;
  if (is_file(host)) {
    gauge("bunraku_host_certificate_expiry_seconds", "End of the server's certificate.",
          static_cast<double>(certificates::Certificate::from_pem(read_file(host)).not_after()));
  }
  return answer_of(200, "text/plain; version=0.0.4; charset=utf-8", std::move(text));
}

}  // namespace bunraku::server
