// The report of a run over a fleet, in formats for people and programs. Nodes are written as they
// are compiled; only problems are kept, grouped by cause.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fleet/outcome.h"
#include "fleet/problem_groups.h"

namespace bunraku {

struct FleetSummary {
  size_t nodes = 0;     // of the fleet, after --only and --shard
  size_t compiled = 0;  // including those from the cache
  size_t failed = 0;
  size_t from_cache = 0;
  size_t resources = 0;
  double seconds = 0;
  double processors = 0;  // the average number of busy processors
  bool is_interrupted = false;
  size_t not_run() const { return nodes - compiled - failed; }
};

using FleetOutput = std::function<void(std::string_view)>;

class FleetReport {
 public:
  explicit FleetReport(FleetOutput output) : output_(std::move(output)) {}
  virtual ~FleetReport() = default;
  FleetReport(const FleetReport&) = delete;
  FleetReport& operator=(const FleetReport&) = delete;

  void add(const NodeOutcome& node);
  // Writes the rest of the report.
  void finish(FleetSummary summary);
  const FleetSummary& summary() const { return summary_; }

 protected:
  void print(std::string_view text) { output_(text); }
  virtual void write_node(const NodeOutcome& node) = 0;
  virtual void write_end(const FleetSummary& summary) = 0;
  const ProblemGroups& failures() const { return failures_; }
  const ProblemGroups& warnings() const { return warnings_; }
  // The reasons why answers could not be cached.
  const ProblemGroups& untracked() const { return untracked_; }

 private:
  FleetOutput output_;
  FleetSummary summary_;  // the counts so far
  ProblemGroups failures_, warnings_, untracked_;
};

struct TextReportOptions {
  bool color = false;
  bool shows_nodes = true;     // whether each node has a line
  std::string directory = {};  // the base of relative paths
};
// The text of problems in the report for people: two or three lines for each cause.
std::string problems_text(const ProblemGroups& groups, const TextReportOptions& options);
std::unique_ptr<FleetReport> make_text_report(FleetOutput output, TextReportOptions options);
std::unique_ptr<FleetReport> make_json_report(FleetOutput output);
// For viewers of test results: a test case for each node.
std::unique_ptr<FleetReport> make_junit_report(FleetOutput output);
// Annotations for GitHub: one for each cause, at its line.
std::unique_ptr<FleetReport> make_github_report(FleetOutput output);

}  // namespace bunraku
