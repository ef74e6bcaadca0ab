// The report of a run: its events, the state of each resource, log lines and metrics, in the
// reference's report format 12.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apply/reports/datum.h"
#include "base/diagnostics/log.h"

namespace bunraku::apply {

constexpr int kReportFormat = 12;

enum class EventStatus : uint8_t { kNone, kSuccess, kFailure, kNoop, kAudit };
// "success"
std::string_view name_of(EventStatus status);

// A change of a resource, or one that would have been made.
struct Event {
  std::string name;      // "mode_changed"
  std::string property;  // empty: for the resource as a whole
  Datum previous_value;
  Datum desired_value;
  Datum historical_value;
  std::string message;
  EventStatus status = EventStatus::kNone;
  int64_t time = 0;  // nanoseconds since the epoch
  bool is_audited = false;
  std::optional<bool> is_redacted = false;
  bool is_corrective = false;
  // Pending refreshes of the resource are no longer needed.
  bool invalidates_refreshes = false;
};

// The result for one resource.
struct ResourceStatus {
  std::string title;
  std::string file;
  int64_t line = 0;  // 0: unknown
  bool has_place = false;
  std::string resource;       // "File[/x]"
  std::string resource_type;  // "File"
  std::string provider;       // empty: none
  std::vector<std::string> containment_path;
  double evaluation_time = -1;  // seconds; negative: not evaluated
  std::vector<std::string> tags;
  int64_t time = 0;
  bool has_failed = false;
  bool has_failed_to_restart = false;
  bool is_restarted = false;
  bool is_changed = false;
  bool is_out_of_sync = false;
  bool is_skipped = false;
  bool is_corrective = false;
  int64_t change_count = 0;
  int64_t out_of_sync_count = 0;
  std::vector<Event> events;
  // The failed resources that this one depends on; not written.
  std::vector<std::string> failed_dependencies;
  bool is_shown = true;  // false: for the begin or end of a container

  // Adds an event and counts it.
  void add(Event event);
};

struct ReportLog {
  LogLevel level;
  std::string message;
  std::string source;
  std::vector<std::string> tags;
  int64_t time;
  std::optional<std::string> file;
  int64_t line = 0;
};

struct Metric {
  std::string name;
  std::string label;
  // Name, label, number.
  struct Value {
    std::string name;
    std::string label;
    Datum number;
  };
  std::vector<Value> values;
};

class Report {
 public:
  std::string host;
  int64_t time = 0;
  Datum configuration_version;
  std::string transaction_uuid;
  std::string puppet_version;
  std::string environment;
  std::string catalog_uuid;
  std::optional<std::string> code_id;
  std::optional<std::string> job_id;
  std::optional<std::string> server_used;
  std::string cached_catalog_status;
  bool is_noop = false;
  bool is_completed = false;
  bool failed_to_generate = false;
  std::string status = "failed";
  std::vector<ReportLog> logs;
  std::vector<Metric> metrics;

  // The status of a resource by reference; created when it does not exist.
  ResourceStatus& status_of(const std::string& reference);
  ResourceStatus* find_status(const std::string& reference);
  // Replaces the status with the same reference.
  void replace_status(ResourceStatus status);
  const std::vector<ResourceStatus>& statuses() const { return statuses_; }

  // Adds seconds to an entry of the time metric.
  void add_time(const std::string& name, double seconds);

  // Computes metrics and the final status. Call it once, at the end.
  void finish();
  // Leaves out statuses without events, as later versions of the reference do.
  bool excludes_unchanged = false;

  bool has_failures() const;
  bool has_changes() const;
  // The exit code of `--detailed-exitcodes`: 0, 2, 4 or 6.
  int exit_status() const;

  // The report as plain data, in the reference's order of keys.
  Datum to_datum() const;
  // The data of last_run_summary.yaml.
  Datum summary(std::string_view run_mode) const;
  // The text that --summarize prints.
  std::string summary_text(std::string_view run_mode) const;

 private:
  const Metric* metric(std::string_view name) const;

  std::vector<ResourceStatus> statuses_;
  std::unordered_map<std::string, size_t> numbers_;
  std::vector<std::pair<std::string, double>> times_;
};

// The text of a report file.
std::string report_yaml(const Report& report);
std::string report_json(const Report& report);
std::string summary_yaml(const Report& report, std::string_view run_mode);

}  // namespace bunraku::apply
