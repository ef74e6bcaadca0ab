// Calls for operators: metrics for Prometheus, and flushing.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/system/file_system.h"
#include "server/api/routes.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

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
  // Prometheus requires all samples of a metric to be adjacent.
  const auto of_lanes = [&](std::string_view name, std::string_view kind, std::string_view help,
                            const auto& value) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, kind);
    for (const net::LaneState& lane : state.lanes) {
      text += fmt::format("{}{{lane=\"{}\"}} {}\n", name, lane.name, value(lane));
    }
  };
  using Lane = net::LaneState;
  of_lanes("bunraku_workers", "gauge", "Threads of a lane.",
           [](const Lane& l) { return l.threads; });
  of_lanes("bunraku_workers_busy", "gauge", "Threads that answer a request.",
           [](const Lane& l) { return l.busy; });
  of_lanes("bunraku_queue_length", "gauge", "Requests that wait.",
           [](const Lane& l) { return l.queued; });
  of_lanes("bunraku_rejected_total", "counter", "Requests refused since too many waited.",
           [](const Lane& l) { return l.refused; });
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
