// Converts hashes of resource statuses and metrics to lists.
#include "store/commands/agent_report.h"

#include "base/formats/json.h"
#include "store/commands/payload.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

constexpr double kMicroseconds = 1e6;

void copy_member(JsonWriter& json, std::string_view key, const Payload& from,
                 std::string_view name) {
  const DataNode* value = from.find(name);
  json.key(key);
  if (value == nullptr) {
    json.null();
  } else {
    json.data(*value);
  }
}

void copy_member(JsonWriter& json, std::string_view key, const Payload& from) {
  copy_member(json, key, from, key);
}

// Writes the value of an event, which is always text.
void write_value(JsonWriter& json, std::string_view key, const Payload& event,
                 std::string_view name) {
  const DataNode* value = event.find(name);
  json.key(key);
  if (value == nullptr) {
    json.null();
  } else if (value->is(DataKind::kString)) {
    json.data(*value);
  } else {
    json.string(sorted_json(*value));
  }
}

double number_of(const DataNode& node) {
  if (node.is(DataKind::kInteger)) return static_cast<double>(node.integer_value());
  return node.is(DataKind::kFloat) ? node.float_value() : 0;
}

// Calls `visit(category, name, value)` for each metric.
template <typename Visit>
void for_each_metric(const Payload& report, Visit visit) {
  const DataNode* metrics = report.find("metrics");
  if (metrics == nullptr || !metrics->is(DataKind::kHash)) return;
  for (const DataEntry& entry : metrics->entries()) {
    const DataNode* values = entry.value.find("values");
    if (values == nullptr || !values->is(DataKind::kArray)) continue;
    for (const DataNode& item : values->items()) {
      if (!item.is(DataKind::kArray) || item.items().size() != 3 ||
          !item.items()[0].is(DataKind::kString)) {
        continue;
      }
      visit(entry.key.text_value(), item.items()[0].text_value(), item.items()[2]);
    }
  }
}

void write_logs(JsonWriter& json, const Payload& report) {
  json.key("logs");
  json.begin_array();
  for (const DataNode& node : report.optional_array("logs")) {
    const Payload log(node, "A log of the report");
    json.begin_object();
    for (const std::string_view key :
         {"file", "line", "level", "message", "source", "tags", "time"}) {
      copy_member(json, key, log);
    }
    json.end_object();
  }
  json.end_array();
}

void write_event(JsonWriter& json, const Payload& event) {
  json.begin_object();
  copy_member(json, "status", event);
  copy_member(json, "timestamp", event, "time");
  copy_member(json, "property", event);
  copy_member(json, "name", event);
  write_value(json, "new_value", event, "desired_value");
  write_value(json, "old_value", event, "previous_value");
  copy_member(json, "message", event);
  copy_member(json, "corrective_change", event);
  json.end_object();
}

void write_resources(JsonWriter& json, const Payload& report) {
  json.key("resources");
  json.begin_array();
  const DataNode* statuses = report.find("resource_statuses");
  if (statuses != nullptr && statuses->is(DataKind::kHash)) {
    for (const DataEntry& entry : statuses->entries()) {
      const Payload resource(entry.value, "A resource of the report");
      const bool is_skipped = resource.optional_boolean("skipped").value_or(false);
      const auto events = resource.optional_array("events");
      if (events.empty() && !is_skipped) continue;
      json.begin_object();
      json.key("skipped"), json.boolean(is_skipped);
      copy_member(json, "timestamp", resource, "time");
      copy_member(json, "resource_type", resource);
      copy_member(json, "resource_title", resource, "title");
      for (const std::string_view key : {"file", "line", "containment_path", "corrective_change"}) {
        copy_member(json, key, resource);
      }
      json.key("events");
      json.begin_array();
      for (const DataNode& event : events) write_event(json, Payload(event, "An event"));
      json.end_array();
      json.end_object();
    }
  }
  json.end_array();
}

}  // namespace

Command report_command(const DataNode& node, const std::string& producer) {
  const Payload report(node, "The report");
  Command command;
  command.name = "store report";
  command.version = 8;
  command.certname = report.text("host");
  command.received = now_microseconds();
  const int64_t start = report.time("time");
  double total = 0;
  JsonWriter json(command.body);
  json.begin_object();
  json.member("certname", command.certname);
  json.key("metrics");
  json.begin_array();
  for_each_metric(report,
                  [&](std::string_view category, std::string_view name, const DataNode& value) {
                    if (category == "time" && name == "total") total = number_of(value);
                    json.begin_object();
                    json.member("category", category);
                    json.member("name", name);
                    json.key("value"), json.data(value);
                    json.end_object();
                  });
  json.end_array();
  json.member("start_time", time_text(start));
  json.member("end_time", time_text(start + static_cast<int64_t>(total * kMicroseconds)));
  json.member("producer_timestamp", time_text(command.received));
  json.key("configuration_version");
  const DataNode* version = report.find("configuration_version");
  json.string(version == nullptr               ? std::string()
              : version->is(DataKind::kString) ? std::string(version->text_value())
                                               : sorted_json(*version));
  for (const std::string_view key :
       {"puppet_version", "report_format", "environment", "transaction_uuid", "status", "noop",
        "noop_pending", "corrective_change", "catalog_uuid", "code_id", "job_id",
        "cached_catalog_status"}) {
    copy_member(json, key, report);
  }
  json.key("producer");
  if (producer.empty()) {
    json.null();
  } else {
    json.string(producer);
  }
  json.member("type", "agent");
  write_logs(json, report);
  write_resources(json, report);
  json.end_object();
  return command;
}

}  // namespace bunraku::store
