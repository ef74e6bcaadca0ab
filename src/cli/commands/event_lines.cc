// Writes events and the summary of a report.
#include "cli/commands/event_lines.h"

#include "base/formats/json.h"
#include "base/text/utf8.h"
#include "cli/frame/session.h"

namespace bunraku {

void EventLines::write(const std::string& reference, const apply::ResourceStatus& status,
                       const apply::Event& event) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("resource", std::string_view(replace_invalid_utf8(reference)));
  if (!event.property.empty()) json.member("property", std::string_view(event.property));
  json.key("old");
  apply::write_json(json, event.previous_value);
  json.key("new");
  apply::write_json(json, event.desired_value);
  json.member("message", std::string_view(replace_invalid_utf8(event.message)));
  json.member("status", apply::name_of(event.status));
  json.member("time", std::string_view(apply::iso_time(event.time)));
  if (!status.file.empty()) json.member("file", std::string_view(status.file));
  if (status.line > 0) json.member("line", status.line);
  json.end_object();
  session_.print(text + "\n");
  session_.flush();
}

void EventLines::write_summary(const apply::Report& report) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("summary", std::string_view(report.status));
  for (const apply::Metric& metric : report.metrics) {
    json.key(metric.name);
    json.begin_object();
    for (const apply::Metric::Value& value : metric.values) {
      json.key(value.name);
      apply::write_json(json, value.number);
    }
    json.end_object();
  }
  json.end_object();
  session_.print(text + "\n");
}

}  // namespace bunraku
