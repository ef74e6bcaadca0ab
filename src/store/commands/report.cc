// store report: writes a report, its body, and a row for each event.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "store/commands/payload.h"

namespace bunraku::store {
namespace {

struct Event {
  std::string status, type, title;
  int64_t timestamp = 0;
  std::optional<std::string> property, name, new_value, old_value, message, file, path,
      containing_class;
  std::optional<int64_t> line;
  std::optional<bool> is_corrective;
};

struct Report {
  std::string hash, certname, puppet_version, configuration_version, type;
  int64_t format = 0, start_time = 0, end_time = 0, producer_timestamp = 0, received = 0;
  std::optional<std::string> transaction_uuid, catalog_uuid, code_id, job_id, cached_status;
  std::optional<std::string> environment, producer, status;
  std::optional<bool> noop, noop_pending, is_corrective;
  std::string logs, metrics;  // JSON
  std::vector<Event> events;
};

constexpr std::array<std::string_view, 23> kReportKeys{
    "certname",           "puppet_version", "report_format",  "configuration_version",
    "producer_timestamp", "start_time",     "end_time",       "environment",
    "transaction_uuid",   "status",         "noop",           "noop_pending",
    "corrective_change",  "logs",           "metrics",        "resources",
    "catalog_uuid",       "code_id",        "job_id",         "cached_catalog_status",
    "producer",           "type",           "resource_events"};
constexpr std::array<std::string_view, 9> kResourceKeys{
    "skipped", "timestamp",        "resource_type",     "resource_title", "file",
    "line",    "containment_path", "corrective_change", "events"};
constexpr std::array<std::string_view, 8> kEventKeys{"status",  "timestamp",        "property",
                                                     "name",    "new_value",        "old_value",
                                                     "message", "corrective_change"};
constexpr std::array<std::string_view, 5> kEventStatuses{"success", "failure", "noop", "skipped",
                                                         "audit"};

std::optional<std::string> optional_json(const Payload& payload, std::string_view key) {
  const DataNode* node = payload.find(key);
  return node == nullptr ? std::optional<std::string>() : sorted_json(*node);
}

// The last class in the containment path: "Foo::Bar" for ["Stage[main]", "Foo::Bar", "File[x]"].
std::optional<std::string> containing_class(std::span<const DataNode> path) {
  std::optional<std::string> found;
  for (const DataNode& item : path) {
    if (item.is(DataKind::kString) && item.text_value().find('[') == std::string_view::npos) {
      found = item.text_value();
    }
  }
  return found;
}

Event resource_event(const Payload& resource) {
  Event event;
  event.type = resource.text("resource_type");
  event.title = resource.text("resource_title");
  event.file = resource.optional_text("file");
  event.line = resource.optional_integer("line");
  event.path = optional_json(resource, "containment_path");
  event.containing_class = containing_class(resource.optional_array("containment_path"));
  return event;
}

void read_event(const Payload& payload, Event event, std::vector<Event>& events) {
  event.status = payload.text("status");
  if (std::ranges::find(kEventStatuses, event.status) == kEventStatuses.end()) {
    payload.fail(fmt::format("has an unknown status '{}'", event.status));
  }
  event.timestamp = payload.time("timestamp");
  event.property = payload.optional_text("property");
  event.name = payload.optional_text("name");
  event.message = payload.optional_text("message");
  event.new_value = optional_json(payload, "new_value");
  event.old_value = optional_json(payload, "old_value");
  event.is_corrective = payload.optional_boolean("corrective_change");
  events.push_back(std::move(event));
}

void read_resources(const Payload& report, std::vector<Event>& events) {
  for (const DataNode& node : report.array("resources")) {
    const Payload resource(node, "A resource of the report");
    resource.allow(kResourceKeys);
    const Event common = resource_event(resource);
    for (const DataNode& item : resource.array("events")) {
      const Payload event(item, "An event of the report");
      event.allow(kEventKeys);
      read_event(event, common, events);
    }
    if (!resource.boolean("skipped")) continue;
    Event skipped = common;
    skipped.status = "skipped";
    skipped.timestamp = resource.time("timestamp");
    skipped.is_corrective = false;
    events.push_back(std::move(skipped));
  }
}

// Reads version 5, whose events are not grouped by resource.
void read_flat_events(const Payload& report, std::vector<Event>& events) {
  for (const DataNode& node : report.array("resource_events")) {
    const Payload event(node, "An event of the report");
    read_event(event, resource_event(event), events);
  }
}

// Removes identical events.
void remove_duplicates(std::vector<Event>& events) {
  std::set<std::string> known;
  std::erase_if(events, [&](const Event& event) {
    std::string key =
        fmt::format("{}\n{}\n{}\n{}", event.type, event.title, event.status, event.timestamp);
    for (const auto* part : {&event.property, &event.name, &event.new_value, &event.old_value,
                             &event.message, &event.file}) {
      key += *part ? "\n+" + **part : "\n-";
    }
    return !known.insert(key + fmt::format("\n{}", event.line.value_or(-1))).second;
  });
}

std::string hash_of(const Report& report) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const std::string_view part :
       {std::string_view(report.certname), std::string_view(report.puppet_version),
        std::string_view(report.configuration_version)}) {
    json.string(part);
  }
  for (const int64_t number :
       {report.format, report.start_time, report.end_time, report.producer_timestamp}) {
    json.integer(number);
  }
  json.string(report.transaction_uuid.value_or(""));
  json.end_array();
  return digest_hex(DigestAlgorithm::kSha1, text);
}

// The JSON of logs or metrics: an array, or null.
std::string list_json(const Payload& payload, std::string_view key) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const DataNode& item : payload.optional_array(key)) json.data(item);
  json.end_array();
  return text;
}

std::shared_ptr<const Report> read_report(const Command& command) {
  Arena arena;
  const DataNode body = read_body(command, arena);
  const Payload payload(body, "The report");
  payload.allow(kReportKeys);
  auto report = std::make_shared<Report>();
  report->certname = payload.text("certname");
  report->puppet_version = payload.text("puppet_version");
  report->configuration_version = payload.text("configuration_version");
  report->format = payload.integer("report_format");
  report->start_time = payload.time("start_time");
  report->end_time = payload.time("end_time");
  report->received = command.received;
  report->producer_timestamp = payload.time_or("producer_timestamp", command.received);
  report->environment = payload.optional_text("environment");
  report->status = payload.optional_text("status");
  report->transaction_uuid = payload.optional_uuid("transaction_uuid");
  report->catalog_uuid = payload.optional_uuid("catalog_uuid");
  if (command.version < 7) report->catalog_uuid = report->transaction_uuid;
  report->code_id = payload.optional_text("code_id");
  report->job_id = payload.optional_text("job_id");
  report->cached_status = payload.optional_text("cached_catalog_status");
  report->producer = payload.optional_text("producer");
  report->type = payload.optional_text("type").value_or("agent");
  report->noop = payload.optional_boolean("noop");
  report->noop_pending = payload.optional_boolean("noop_pending");
  report->is_corrective = payload.optional_boolean("corrective_change");
  report->logs = list_json(payload, "logs");
  report->metrics = list_json(payload, "metrics");
  if (command.version < 6) {
    read_flat_events(payload, report->events);
  } else {
    read_resources(payload, report->events);
  }
  remove_duplicates(report->events);
  report->hash = hash_of(*report);
  return report;
}

void write_events(Connection& connection, int64_t id, int64_t node, const Report& report) {
  RowInserter inserter(
      connection,
      "INSERT INTO event(report_id, number, node_id, timestamp, status, resource_type, "
      "resource_title, property, name, new_value, old_value, message, file, line, "
      "containment_path, containing_class, corrective_change) VALUES",
      17);
  int64_t number = 0;
  for (const Event& event : report.events) {
    inserter.add({id, number++, node, event.timestamp, event.status, event.type, event.title,
                  value_of(event.property), value_of(event.name), value_of(event.new_value),
                  value_of(event.old_value), value_of(event.message), value_of(event.file),
                  value_of(event.line), value_of(event.path), value_of(event.containing_class),
                  value_of(event.is_corrective)});
  }
  inserter.finish();
}

Outcome write_report(Connection& connection, const Report& report) {
  const NodeRow node = lock_node(connection, report.certname);
  reactivate(connection, node, report.producer_timestamp);
  int64_t id = 0;
  {
    const auto rows = connection.query(
        "INSERT INTO report(hash, node_id, puppet_version, report_format, configuration_version, "
        "start_time, end_time, producer_timestamp, receive_time, transaction_uuid, catalog_uuid, "
        "code_id, job_id, cached_catalog_status, environment_id, producer_id, status, type, noop, "
        "noop_pending, corrective_change) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, "
        "$12, $13, $14, $15, $16, $17, $18, $19, $20, $21) ON CONFLICT(hash) DO NOTHING "
        "RETURNING id",
        {report.hash,
         node.id,
         report.puppet_version,
         report.format,
         report.configuration_version,
         report.start_time,
         report.end_time,
         report.producer_timestamp,
         report.received,
         value_of(report.transaction_uuid),
         value_of(report.catalog_uuid),
         value_of(report.code_id),
         value_of(report.job_id),
         value_of(report.cached_status),
         name_id(connection, "environment", report.environment),
         name_id(connection, "producer", report.producer),
         value_of(report.status),
         report.type,
         value_of(report.noop),
         value_of(report.noop_pending),
         value_of(report.is_corrective)});
    if (!rows->next()) return Outcome::kDuplicate;
    id = rows->integer(0);
  }
  connection.run(
      "INSERT INTO report_body(report_id, logs, metrics) VALUES ($1, bk_pack($2), bk_pack($3))",
      {id, report.logs, report.metrics});
  write_events(connection, id, node.id, report);
  if (report.type != "plan") {
    connection.run(
        "UPDATE node SET latest_report_id = $2, latest_report_timestamp = $3 WHERE id = $1 AND "
        "coalesce(latest_report_timestamp, 0) < $3",
        {node.id, id, report.producer_timestamp});
  }
  return Outcome::kStored;
}

}  // namespace

PreparedCommand prepare_report(const Command& command) {
  auto report = read_report(command);
  return {report->certname,
          [report](Connection& connection) { return write_report(connection, *report); }};
}

}  // namespace bunraku::store
