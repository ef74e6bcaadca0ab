#include "fleet/report.h"

#include <fmt/format.h>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/system/file_system.h"
#include "base/text/counts.h"

namespace bunraku {

void FleetReport::add(const NodeOutcome& node) {
  if (node.is_compiled) {
    ++summary_.compiled;
    summary_.resources += node.resources;
  } else {
    ++summary_.failed;
  }
  if (node.is_from_cache) ++summary_.from_cache;
  for (const NodeProblem& problem : node.problems) {
    ProblemGroups& groups = problem.severity == Severity::kError ? failures_ : warnings_;
    groups.add(node.name, problem);
  }
  for (const std::string& reason : node.untracked) {
    NodeProblem problem;
    problem.severity = Severity::kIgnore;
    problem.text = reason;
    untracked_.add(node.name, problem);
  }
  write_node(node);
}

void FleetReport::finish(FleetSummary summary) {
  summary.compiled = summary_.compiled;
  summary.failed = summary_.failed;
  summary.from_cache = summary_.from_cache;
  summary.resources = summary_.resources;
  summary_ = summary;
  write_end(summary);
}

namespace {

// The number of names shown to people; other formats list all.
constexpr size_t kShownNames = 5;

constexpr int kBold = 1, kRed = 31, kGreen = 32, kYellow = 33;

std::string painted_as(std::string_view text, int color, const TextReportOptions& options) {
  return options.color ? fmt::format("\033[{}m{}\033[0m", color, text) : std::string(text);
}

class TextReport final : public FleetReport {
 public:
  TextReport(FleetOutput output, TextReportOptions options)
      : FleetReport(std::move(output)), options_(std::move(options)) {}

 private:
  std::string painted(std::string_view text, int color) const {
    return painted_as(text, color, options_);
  }

  void write_node(const NodeOutcome& node) override {
    if (!options_.shows_nodes) return;
    if (!node.is_compiled) {
      print(fmt::format("{}  {}\n", painted("failed", kRed), node.name));
      return;
    }
    print(fmt::format("{}  {}  {}{}\n", painted(node.is_from_cache ? "cached" : "ok    ", kGreen),
                      node.name, counted(node.resources, "resource"),
                      node.is_from_cache ? "" : fmt::format("  {:.1f} ms", node.seconds * 1000)));
  }

  void write_groups(const ProblemGroups& groups, std::string_view title, int color) {
    if (groups.empty()) return;
    print(fmt::format("\n{}\n", painted(title, color)));
    print(problems_text(groups, options_));
  }

  void write_end(const FleetSummary& summary) override {
    write_groups(warnings(), "Warnings, by cause", kYellow);
    write_groups(failures(), "Failures, by cause", kRed);
    write_groups(untracked(), "Not kept in the cache", kYellow);
    const bool is_first = !options_.shows_nodes && warnings().empty() && failures().empty();
    std::string text = fmt::format("{}{}: {} compiled", is_first ? "" : "\n",
                                   counted(summary.nodes, "node"), count_text(summary.compiled));
    if (summary.from_cache > 0) {
      text += fmt::format(" ({} from the cache)", count_text(summary.from_cache));
    }
    if (summary.failed > 0) {
      text += ", " + painted(fmt::format("{} failed", count_text(summary.failed)), kRed);
    }
    if (summary.not_run() > 0) text += fmt::format(", {} not run", count_text(summary.not_run()));
    text +=
        fmt::format("; {} in {:.2f} s", counted(summary.resources, "resource"), summary.seconds);
    if (summary.seconds > 0) {
      const double done = static_cast<double>(summary.compiled + summary.failed);
      text += fmt::format(", {:.0f} nodes/s, {:.2f} processors busy", done / summary.seconds,
                          summary.processors);
    }
    print(text + "\n");
  }

  TextReportOptions options_;
};

class GithubReport final : public FleetReport {
 public:
  using FleetReport::FleetReport;

 private:
  void write_node(const NodeOutcome&) override {}

  void write_groups(const ProblemGroups& groups, std::string_view command) {
    for (const ProblemGroup* group : groups.sorted()) {
      const NodeProblem& problem = group->problem;
      std::string text = fmt::format("::{} ", command);
      if (!problem.file.empty()) {
        text += fmt::format("file={},", github_escaped(problem.file, true));
      }
      if (problem.line > 0) text += fmt::format("line={},", problem.line);
      if (problem.column > 0) text += fmt::format("col={},", problem.column);
      const std::string title = counted(group->nodes.size(), "node");
      const std::string body = problem.text + "\n" + names_text(group->nodes, SIZE_MAX);
      print(fmt::format("{}title={}::{}\n", text, github_escaped(title, true),
                        github_escaped(body, false)));
    }
  }

  void write_end(const FleetSummary& summary) override {
    write_groups(failures(), "error");
    write_groups(warnings(), "warning");
    print(fmt::format("{}: {} compiled, {} failed\n", counted(summary.nodes, "node"),
                      count_text(summary.compiled), count_text(summary.failed)));
  }
};

}  // namespace

std::string problems_text(const ProblemGroups& groups, const TextReportOptions& options) {
  std::string text;
  for (const ProblemGroup* group : groups.sorted()) {
    const NodeProblem& problem = group->problem;
    const std::string file = path_from(options.directory, problem.file);
    text += fmt::format("  {}: {}{}\n",
                        painted_as(counted(group->nodes.size(), "node"), kBold, options),
                        problem.text, place_text(file, problem.line, problem.column));
    if (group->wordings > 1) text += "    (the text differs from node to node)\n";
    text += fmt::format("    {}\n", names_text(group->nodes, kShownNames));
  }
  return text;
}

std::unique_ptr<FleetReport> make_text_report(FleetOutput output, TextReportOptions options) {
  return std::make_unique<TextReport>(std::move(output), std::move(options));
}
std::unique_ptr<FleetReport> make_github_report(FleetOutput output) {
  return std::make_unique<GithubReport>(std::move(output));
}

}  // namespace bunraku
