// Reports of agents: checked, stored, and passed to report processors.
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <stdexcept>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "compilation/stored_nodes.h"
#include "server/api/report_yaml.h"
#include "server/api/routes.h"
#include "server/bootstrap.h"
#include "server/report_forwarder.h"
#include "server/shared.h"
#include "store/commands/agent_report.h"

namespace bunraku::server {
namespace {

constexpr size_t kShownFailure = 500;

std::vector<std::string> processors(const Settings& settings) {
  std::vector<std::string> names = settings.list("reports");
  std::erase(names, "none");
  return names;
}

// Reads a report as plain data: no objects are made from it.
DataNode read_report(const Call& call, const std::string& key, Arena& arena) {
  const DataNode report = data_body(call, arena);
  const DataNode* host = report.find("host");
  if (host == nullptr || !host->is(DataKind::kString)) {
    throw ApiError(400, "The request body is invalid: the report has no host");
  }
  if (host->text_value() != key) {
    throw ApiError(400, fmt::format("Instance name \"{}\" does not match requested key \"{}\"",
                                    host->text_value(), key));
  }
  return report;
}

void store(const Call& call, const std::string& host, const DataNode& report) {
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  std::array<char, 32> name{};
  std::strftime(name.data(), name.size(), "%Y%m%d%H%M.yaml", &fields);
  const std::string directory = join_path(call.site.configuration.settings.text("reportdir"), host);
  create_directory(directory);
  // A crash of this process leaves the whole file or none; a failure of the system may lose the
  // reports of its last seconds.
  write_file(join_path(directory, name.data()), report_yaml(report),
             NewFile{.mode = 0640, .is_synced = false});
}

void log_lines(const Call& call, const std::string& host, const DataNode& report) {
  const DataNode* logs = report.find("logs");
  if (logs == nullptr || !logs->is(DataKind::kArray)) return;
  for (const DataNode& entry : logs->items()) {
    const auto text = [&](const char* key) {
      const DataNode* node = entry.find(key);
      return node == nullptr || !node->is(DataKind::kString) ? std::string_view()
                                                             : node->text_value();
    };
    call.shared.log->write(parse_log_level(text("level")).value_or(LogLevel::kNotice),
                           fmt::format("//{}/{} {}", host, text("source"), text("message")),
                           call.id);
  }
}

void forward(const Call& call, const DataNode& report) {
  const Settings& settings = call.site.configuration.settings;
  ForwardedReport forwarded;
  forwarded.url = settings.text("reporturl");
  forwarded.yaml = report_yaml(report);
  forwarded.request = call.id;
  if (forwarded.url.starts_with("https:")) {
    forwarded.tls = tls_settings(call.site.configuration);
    forwarded.tls.uses_system_authorities = settings.is_true("report_include_system_store");
  }
  if (!call.shared.forwarder->send(std::move(forwarded))) {
    throw std::runtime_error("too many reports wait to be sent");
  }
}

void run_processor(const Call& call, const std::string& name, const std::string& host,
                   const DataNode& report) {
  try {
    if (name == "store") {
      store(call, host, report);
    } else if (name == "http") {
      forward(call, report);
    } else if (name == "log") {
      log_lines(call, host, report);
    } else {
      call.shared.log->write(LogLevel::kWarning, fmt::format("No report named '{}'", name),
                             call.id);
    }
  } catch (const std::exception& error) {
    call.shared.log->write(LogLevel::kErr, fmt::format("Report {} failed: {}", name, error.what()),
                           call.id);
  }
}

// "File[/x]: could not …" for the first failed resource, or its bare reference when it failed
// without an event.
std::string first_failure(const DataNode& report) {
  const DataNode* statuses = report.find("resource_statuses");
  if (statuses == nullptr || !statuses->is(DataKind::kHash)) return {};
  const auto is_failure = [](const DataNode& node, const char* key, const char* wanted) {
    const DataNode* value = node.is(DataKind::kHash) ? node.find(key) : nullptr;
    if (value == nullptr) return false;
    if (value->is(DataKind::kBoolean)) return value->boolean_value();
    return value->is(DataKind::kString) && value->text_value() == wanted;
  };
  for (const auto& [name, status] : statuses->entries()) {
    if (!is_failure(status, "failed", "true")) continue;
    const std::string resource = name.is(DataKind::kString) ? std::string(name.text_value()) : "";
    const DataNode* events = status.find("events");
    if (events != nullptr && events->is(DataKind::kArray)) {
      for (const DataNode& event : events->items()) {
        const DataNode* message =
            is_failure(event, "status", "failure") ? event.find("message") : nullptr;
        if (message != nullptr && message->is(DataKind::kString)) {
          return resource + ": " + std::string(message->text_value().substr(0, kShownFailure));
        }
      }
    }
    return resource;
  }
  return {};
}

// Saves a report. A failure to save it must not fail the agent's run.
void keep_report(const Call& call, const DataNode& report) {
  if (call.shared.stored_nodes == nullptr) return;
  try {
    store::store_command(call.shared.stored_nodes->store(),
                         store::report_command(report, call.site.configuration.certname));
  } catch (const std::exception& error) {
    call.shared.log->write(LogLevel::kErr,
                           fmt::format("The report was not stored: {}", error.what()), call.id);
  }
}

}  // namespace

net::Response store_report(const Call& call, const std::string& key) {
  const std::string& environment = environment_parameter(call);
  check_node_name(key);
  const std::string_view type = negotiate(call.request, data_types());
  if (!call.shared.code->has_environment(environment) &&
      environment != call.site.configuration.settings.text("environment")) {
    throw ApiError(404, fmt::format("Could not find environment '{}'", environment));
  }
  Arena arena;
  const DataNode report = read_report(call, key, arena);
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const std::string& name : processors(call.site.configuration.settings)) {
    run_processor(call, name, key, report);
    json.string(name);
  }
  json.end_array();
  keep_report(call, report);
  const DataNode* status = report.find("status");
  const std::string failure = first_failure(report);
  call.shared.nodes.change(key, [&](NodeRecord& record) {
    record.last_report = std::time(nullptr);
    record.report_failure = failure;
    record.report_status = status != nullptr && status->is(DataKind::kString)
                               ? printable(status->text_value())
                               : "unknown";
  });
  return data_answer(type, std::move(text));
}

}  // namespace bunraku::server
