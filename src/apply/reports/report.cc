// Counts the events of a run, and makes the report's data.
#include "apply/reports/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/formats/json.h"
#include "base/formats/yaml_writer.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

Datum text(std::string_view value) {
  return Datum::string(value);
}

// Null for an empty text.
Datum text_or_null(std::string_view value) {
  return value.empty() ? Datum() : Datum::string(value);
}

class HashDatum {
 public:
  HashDatum& set(std::string_view name, Datum value) {
    entries_.emplace_back(Datum::string(name), std::move(value));
    return *this;
  }
  Datum finish() { return Datum::hash(std::move(entries_)); }

 private:
  Datum::Entries entries_;
};

// A value in the form of reports: symbols and times as strings, bytes in base64.
Datum plain(const Datum& value) {
  switch (value.kind()) {
    case DatumKind::kSymbol:
      return text(value.text());
    case DatumKind::kBinary:
      return text(encode_base64(value.text()));
    case DatumKind::kRegexp:
      return text(value.regexp_literal());
    case DatumKind::kTime:
    case DatumKind::kScalar:
      return text(value.to_text());
    case DatumKind::kArray: {
      Datum::List items;
      for (const Datum& item : value.items()) items.push_back(plain(item));
      return Datum::array(std::move(items));
    }
    case DatumKind::kHash: {
      Datum::Entries entries;
      for (const auto& [key, item] : value.entries()) {
        entries.emplace_back(text(plain(key).to_text()), plain(item));
      }
      return Datum::hash(std::move(entries));
    }
    case DatumKind::kSensitive:
      return text(fmt::format("#<{}>", value.to_text()));
    default:
      return value;
  }
}

std::string capitalized_label(std::string_view name) {
  std::string label(name);
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') label[0] -= 'a' - 'A';
  std::ranges::replace(label, '_', ' ');
  return label;
}

Metric make_metric(std::string_view name) {
  return {std::string(name), capitalized_label(name), {}};
}

void add_value(Metric& metric, std::string_view name, Datum number) {
  metric.values.push_back({std::string(name), capitalized_label(name), std::move(number)});
}

Datum event_datum(const Event& event) {
  return HashDatum()
      .set("audited", Datum::boolean(event.is_audited))
      .set("property", text_or_null(event.property))
      .set("previous_value", plain(event.previous_value))
      .set("desired_value", plain(event.desired_value))
      .set("historical_value", plain(event.historical_value))
      .set("message", text(event.message))
      .set("name", text_or_null(event.name))
      .set("status", text(name_of(event.status)))
      .set("time", text(iso_time(event.time)))
      .set("redacted", event.is_redacted ? Datum::boolean(*event.is_redacted) : Datum())
      .set("corrective_change", Datum::boolean(event.is_corrective))
      .finish();
}

Datum status_datum(const ResourceStatus& status) {
  Datum::List events;
  for (const Event& event : status.events) events.push_back(event_datum(event));
  return HashDatum()
      .set("title", text(status.title))
      .set("file", status.has_place ? text(status.file) : Datum())
      .set("line", status.line > 0 ? Datum::integer(status.line) : Datum())
      .set("resource", text(status.resource))
      .set("resource_type", text(status.resource_type))
      .set("provider_used", text_or_null(status.provider))
      .set("containment_path", Datum::strings(status.containment_path))
      .set("evaluation_time",
           status.evaluation_time < 0 ? Datum() : Datum::number(status.evaluation_time))
      .set("tags", Datum::strings(status.tags))
      .set("time", text(iso_time(status.time)))
      .set("failed", Datum::boolean(status.has_failed))
      .set("failed_to_restart", Datum::boolean(status.has_failed_to_restart))
      .set("changed", Datum::boolean(status.is_changed))
      .set("out_of_sync", Datum::boolean(status.is_out_of_sync))
      .set("skipped", Datum::boolean(status.is_skipped))
      .set("change_count", Datum::integer(status.change_count))
      .set("out_of_sync_count", Datum::integer(status.out_of_sync_count))
      .set("events", Datum::array(std::move(events)))
      .set("corrective_change", Datum::boolean(status.is_corrective))
      .finish();
}

Datum log_datum(const ReportLog& log) {
  return HashDatum()
      .set("level", text(name_of(log.level)))
      .set("message", text(log.message))
      .set("source", text(log.source))
      .set("tags", Datum::strings(log.tags))
      .set("time", text(iso_time(log.time)))
      .set("file", log.file ? text(*log.file) : Datum())
      .set("line", log.line > 0 ? Datum::integer(log.line) : Datum())
      .finish();
}

Datum metric_datum(const Metric& metric) {
  Datum::List values;
  for (const Metric::Value& value : metric.values) {
    values.push_back(Datum::array({text(value.name), text(value.label), value.number}));
  }
  return HashDatum()
      .set("name", text(metric.name))
      .set("label", text(metric.label))
      .set("values", Datum::array(std::move(values)))
      .finish();
}

bool is_unchanged(const ResourceStatus& status) {
  return !status.has_failed && !status.has_failed_to_restart && !status.is_out_of_sync &&
         !status.is_skipped;
}

}  // namespace

std::string_view name_of(EventStatus status) {
  switch (status) {
    case EventStatus::kNone:
      break;
    case EventStatus::kSuccess:
      return "success";
    case EventStatus::kFailure:
      return "failure";
    case EventStatus::kNoop:
      return "noop";
    case EventStatus::kAudit:
      return "audit";
  }
  return "";
}

void ResourceStatus::add(Event event) {
  if (event.status == EventStatus::kFailure) has_failed = true;
  if (event.status == EventStatus::kSuccess) {
    ++change_count;
    is_changed = true;
  }
  if (event.status != EventStatus::kAudit) {
    ++out_of_sync_count;
    is_out_of_sync = true;
  }
  if (event.is_corrective) is_corrective = true;
  events.push_back(std::move(event));
}

ResourceStatus& Report::status_of(const std::string& reference) {
  const auto [place, is_new] = numbers_.try_emplace(reference, statuses_.size());
  if (is_new) statuses_.emplace_back().resource = reference;
  return statuses_[place->second];
}

ResourceStatus* Report::find_status(const std::string& reference) {
  const auto found = numbers_.find(reference);
  return found == numbers_.end() ? nullptr : &statuses_[found->second];
}

void Report::replace_status(ResourceStatus status) {
  ResourceStatus& place = status_of(status.resource);
  place = std::move(status);
}

void Report::add_time(const std::string& name, double seconds) {
  for (auto& [known, sum] : times_) {
    if (known == name) {
      sum += seconds;
      return;
    }
  }
  times_.emplace_back(name, seconds);
}

bool Report::has_failures() const {
  return std::ranges::any_of(statuses_, [](const ResourceStatus& status) {
    return status.has_failed || status.has_failed_to_restart;
  });
}

bool Report::has_changes() const {
  return std::ranges::any_of(statuses_,
                             [](const ResourceStatus& status) { return status.change_count > 0; });
}

int Report::exit_status() const {
  return (has_changes() ? 2 : 0) | (has_failures() ? 4 : 0);
}

namespace {

// What the statuses of a run add up to.
struct Totals {
  int64_t resources = 0, changes = 0, events = 0;
  int64_t skipped = 0, failed = 0, failed_to_restart = 0, restarted = 0;
  int64_t changed = 0, out_of_sync = 0, corrective = 0;
  std::map<EventStatus, int64_t> events_by_status;
  std::vector<std::pair<std::string, double>> type_times;  // in seconds, in order of appearance

  void add(const ResourceStatus& status) {
    ++resources;
    changes += status.change_count;
    skipped += status.is_skipped ? 1 : 0;
    failed += status.has_failed ? 1 : 0;
    failed_to_restart += status.has_failed_to_restart ? 1 : 0;
    restarted += status.is_restarted ? 1 : 0;
    changed += status.is_changed ? 1 : 0;
    out_of_sync += status.is_out_of_sync ? 1 : 0;
    corrective += status.is_corrective ? 1 : 0;
    for (const Event& event : status.events) {
      ++events;
      ++events_by_status[event.status];
    }
    if (status.evaluation_time >= 0) add_time(status.resource_type, status.evaluation_time);
  }

 private:
  void add_time(std::string_view resource_type, double seconds) {
    const std::string type = downcase(resource_type);
    const auto known = std::ranges::find(type_times, type, &std::pair<std::string, double>::first);
    if (known == type_times.end()) {
      type_times.emplace_back(type, seconds);
    } else {
      known->second += seconds;
    }
  }
};

Metric resource_metric(const Totals& totals) {
  Metric metric = make_metric("resources");
  const std::pair<std::string_view, int64_t> counts[] = {
      {"total", totals.resources},
      {"skipped", totals.skipped},
      {"failed", totals.failed},
      {"failed_to_restart", totals.failed_to_restart},
      {"restarted", totals.restarted},
      {"changed", totals.changed},
      {"out_of_sync", totals.out_of_sync},
      {"scheduled", 0},
      {"corrective_change", totals.corrective}};
  for (const auto& [name, count] : counts) add_value(metric, name, Datum::integer(count));
  return metric;
}

// `phases` are the times of the run's other phases, with its total time.
Metric time_metric(const Totals& totals,
                   const std::vector<std::pair<std::string, double>>& phases) {
  Metric metric = make_metric("time");
  double total = 0;
  for (const auto& [name, seconds] : totals.type_times) {
    add_value(metric, name, Datum::number(seconds));
  }
  for (const auto& [name, seconds] : phases) {
    if (name == "total") {
      total = seconds;
    } else {
      add_value(metric, name, Datum::number(seconds));
    }
  }
  add_value(metric, "total", Datum::number(total));
  return metric;
}

Metric event_metric(const Totals& totals) {
  Metric metric = make_metric("events");
  const auto count = [&](EventStatus status) {
    const auto found = totals.events_by_status.find(status);
    return found == totals.events_by_status.end() ? 0 : found->second;
  };
  add_value(metric, "total", Datum::integer(totals.events));
  add_value(metric, "failure", Datum::integer(count(EventStatus::kFailure)));
  add_value(metric, "success", Datum::integer(count(EventStatus::kSuccess)));
  for (const EventStatus status : {EventStatus::kNoop, EventStatus::kAudit}) {
    if (count(status) > 0) add_value(metric, name_of(status), Datum::integer(count(status)));
  }
  return metric;
}

}  // namespace

void Report::finish() {
  Totals totals;
  for (const ResourceStatus& resource : statuses_) {
    if (resource.is_shown) totals.add(resource);
  }
  Metric changes = make_metric("changes");
  add_value(changes, "total", Datum::integer(totals.changes));
  metrics = {resource_metric(totals), time_metric(totals, times_), std::move(changes),
             event_metric(totals)};
  if (failed_to_generate || !is_completed || totals.failed > 0 || totals.failed_to_restart > 0) {
    status = "failed";
  } else {
    status = totals.changes > 0 ? "changed" : "unchanged";
  }
}

Datum Report::to_datum() const {
  Datum::List log_list;
  for (const ReportLog& log : logs) log_list.push_back(log_datum(log));
  Datum::Entries metric_entries;
  for (const Metric& metric : metrics) {
    metric_entries.emplace_back(text(metric.name), metric_datum(metric));
  }
  Datum::Entries status_entries;
  bool is_noop_pending = false, is_corrective = false;
  for (const ResourceStatus& status : statuses_) {
    is_corrective |= status.is_corrective;
    for (const Event& event : status.events) is_noop_pending |= event.status == EventStatus::kNoop;
    if (!status.is_shown || (excludes_unchanged && is_unchanged(status))) continue;
    status_entries.emplace_back(text(status.resource), status_datum(status));
  }
  HashDatum hash;
  hash.set("host", text(host))
      .set("time", text(iso_time(time)))
      .set("configuration_version", configuration_version)
      .set("transaction_uuid", text(transaction_uuid))
      .set("report_format", Datum::integer(kReportFormat))
      .set("puppet_version", text(puppet_version))
      .set("status", text(status))
      .set("transaction_completed", Datum::boolean(is_completed))
      .set("noop", Datum::boolean(is_noop))
      .set("noop_pending", Datum::boolean(is_noop_pending))
      .set("environment", text(environment))
      .set("logs", Datum::array(std::move(log_list)))
      .set("metrics", Datum::hash(std::move(metric_entries)))
      .set("resource_statuses", Datum::hash(std::move(status_entries)))
      .set("corrective_change", Datum::boolean(is_corrective));
  if (server_used) hash.set("server_used", text(*server_used));
  if (!catalog_uuid.empty()) hash.set("catalog_uuid", text(catalog_uuid));
  if (code_id) hash.set("code_id", text(*code_id));
  if (job_id) hash.set("job_id", text(*job_id));
  if (!cached_catalog_status.empty()) {
    hash.set("cached_catalog_status", text(cached_catalog_status));
  }
  return hash.finish();
}

const Metric* Report::metric(std::string_view name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? nullptr : &*found;
}

Datum Report::summary(std::string_view run_mode) const {
  HashDatum hash;
  hash.set("version", HashDatum()
                          .set("config", configuration_version)
                          .set("puppet", text(puppet_version))
                          .finish());
  hash.set("application", HashDatum()
                              .set("run_mode", text(run_mode))
                              .set("initial_environment", text(environment))
                              .set("converged_environment", text(environment))
                              .finish());
  for (const std::string_view name : {"resources", "time", "changes", "events"}) {
    const Metric* found = metric(name);
    if (found == nullptr) continue;
    std::vector<Metric::Value> values = found->values;
    std::ranges::sort(values, {}, &Metric::Value::name);
    HashDatum section;
    for (const Metric::Value& value : values) section.set(value.name, value.number);
    if (name == "time") section.set("last_run", Datum::integer(now_nanoseconds() / 1'000'000'000));
    hash.set(name, section.finish());
  }
  return hash.finish();
}

std::string Report::summary_text(std::string_view run_mode) const {
  const Datum whole = summary(run_mode);
  std::vector<std::pair<std::string, const Datum*>> sections;
  for (const auto& [name, values] : whole.entries()) {
    sections.emplace_back(capitalized_label(name.text()), &values);
  }
  std::ranges::sort(sections);
  std::string result;
  for (const auto& [label, values] : sections) {
    result += label + ":\n";
    // The total comes last, the others are sorted by their value as text.
    struct Line {
      bool is_total;
      std::string sort_key;
      std::string text;
    };
    std::vector<Line> lines;
    for (const auto& [name, value] : values->entries()) {
      const bool is_zero = (value.is_integer() && value.integer_value() == 0) ||
                           (value.kind() == DatumKind::kFloat && value.float_value() == 0);
      if (is_zero) continue;
      const bool is_total = name.text() == "total";
      std::string shown = value.kind() == DatumKind::kFloat
                              ? fmt::format("{:.2f}", value.float_value())
                              : value.to_text();
      lines.push_back({is_total, is_total ? std::string() : value.to_text(),
                       fmt::format("   {:>15} {}\n", capitalized_label(name.text()) + ":", shown)});
    }
    std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
      if (a.is_total != b.is_total) return b.is_total;
      return a.sort_key < b.sort_key;
    });
    for (const Line& line : lines) result += line.text;
  }
  return result;
}

std::string report_yaml(const Report& report) {
  YamlWriter yaml;
  yaml.begin_mapping("!ruby/object:Puppet::Transaction::Report");
  const Datum whole = report.to_datum();
  for (const auto& [key, value] : whole.entries()) {
    write_yaml(yaml, key);
    write_yaml(yaml, value);
  }
  yaml.end_mapping();
  return yaml.finish();
}

std::string report_json(const Report& report) {
  std::string result;
  JsonWriter json(result);
  write_json(json, report.to_datum());
  return result;
}

std::string summary_yaml(const Report& report, std::string_view run_mode) {
  YamlWriter yaml;
  write_yaml(yaml, report.summary(run_mode));
  return yaml.finish();
}

}  // namespace bunraku::apply
