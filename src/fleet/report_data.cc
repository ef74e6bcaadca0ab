// Report formats for programs.
#include <fmt/format.h>

#include <cstdio>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "fleet/report.h"

namespace bunraku {
namespace {

void write_problem(JsonWriter& json, const NodeProblem& problem) {
  json.member("severity", name_of(problem.severity));
  if (!problem.code.empty()) json.member("code", problem.code);
  if (!problem.issue_code.empty()) json.member("issue_code", problem.issue_code);
  json.member("message", replace_invalid_utf8(problem.text));
  if (!problem.file.empty()) json.member("file", replace_invalid_utf8(problem.file));
  if (problem.line > 0) json.member("line", int64_t{problem.line});
  if (problem.column > 0) json.member("pos", int64_t{problem.column});
}

class JsonReport final : public FleetReport {
 public:
  explicit JsonReport(FleetOutput output) : FleetReport(std::move(output)) {}

 private:
  // Writes a line for each node, so that the document grows without using memory.
  void write_node(const NodeOutcome& node) override {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("node", node.name);
    json.member("result", node.is_compiled ? "compiled" : "failed");
    json.key("cached");
    json.boolean(node.is_from_cache);
    json.key("seconds");
    json.number(node.seconds);
    json.member("resources", static_cast<int64_t>(node.resources));
    if (!node.problems.empty()) {
      json.key("problems");
      json.begin_array();
      for (const NodeProblem& problem : node.problems) {
        json.begin_object();
        write_problem(json, problem);
        json.end_object();
      }
      json.end_array();
    }
    if (!node.untracked.empty()) {
      json.key("untracked");
      json.begin_array();
      for (const std::string& reason : node.untracked) json.string(reason);
      json.end_array();
    }
    json.end_object();
    print(fmt::format("{}\n{}", is_begun_ ? "," : "{\"nodes\": [", text));
    is_begun_ = true;
  }

  void write_groups(JsonWriter& json, std::string_view name, const ProblemGroups& groups) {
    json.key(name);
    json.begin_array();
    for (const ProblemGroup* group : groups.sorted()) {
      json.begin_object();
      write_problem(json, group->problem);
      json.key("nodes");
      json.begin_array();
      for (const std::string& node : group->nodes) json.string(node);
      json.end_array();
      json.end_object();
    }
    json.end_array();
  }

  void write_end(const FleetSummary& summary) override {
    print(is_begun_ ? "\n],\n" : "{\"nodes\": [],\n");
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    write_groups(json, "failures", failures());
    write_groups(json, "warnings", warnings());
    write_groups(json, "untracked", untracked());
    json.key("summary");
    json.begin_object();
    json.member("nodes", static_cast<int64_t>(summary.nodes));
    json.member("compiled", static_cast<int64_t>(summary.compiled));
    json.member("failed", static_cast<int64_t>(summary.failed));
    json.member("cached", static_cast<int64_t>(summary.from_cache));
    json.member("not_run", static_cast<int64_t>(summary.not_run()));
    json.member("resources", static_cast<int64_t>(summary.resources));
    json.key("seconds");
    json.number(summary.seconds);
    json.key("processors");
    json.number(summary.processors);
    json.key("interrupted");
    json.boolean(summary.is_interrupted);
    json.end_object();
    json.end_object();
    print(text.substr(1) + "\n");
  }

  bool is_begun_ = false;
};

// Escapes text; characters that XML cannot represent are dropped.
std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t') out += c;
    }
  }
  return out;
}

// The counts precede the test cases, so the cases are buffered in a file until all counts are
// known.
class JunitReport final : public FleetReport {
 public:
  explicit JunitReport(FleetOutput output)
      : FleetReport(std::move(output)), cases_(std::tmpfile()) {
    if (cases_ == nullptr) {
      throw FileError(FileErrorKind::kOther, "a temporary file", "could not be made");
    }
  }
  ~JunitReport() override { std::fclose(cases_); }

 private:
  void write_node(const NodeOutcome& node) override {
    std::string text = fmt::format("  <testcase classname=\"fleet\" name=\"{}\" time=\"{:.6f}\"",
                                   xml_escaped(node.name), node.seconds);
    if (node.is_compiled) {
      text += "/>\n";
    } else {
      text += ">\n";
      for (const NodeProblem& problem : node.problems) {
        if (problem.severity != Severity::kError) continue;
        const std::string place = place_text(problem.file, problem.line, problem.column);
        text += fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                            xml_escaped(problem.code), xml_escaped(problem.text),
                            xml_escaped(problem.text + place));
      }
      text += "  </testcase>\n";
    }
    std::fwrite(text.data(), 1, text.size(), cases_);
  }

  void write_end(const FleetSummary& summary) override {
    print(
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<testsuite name=\"bunraku fleet compile\" tests=\"{}\" failures=\"{}\" "
                    "errors=\"0\" skipped=\"0\" time=\"{:.6f}\">\n",
                    summary.compiled + summary.failed, summary.failed, summary.seconds));
    if (std::fseek(cases_, 0, SEEK_SET) != 0) {
      throw FileError(FileErrorKind::kOther, "a temporary file", "could not be read");
    }
    char buffer[65536];
    while (const size_t count = std::fread(buffer, 1, sizeof buffer, cases_)) {
      print({buffer, count});
    }
    print("</testsuite>\n");
  }

  std::FILE* cases_;
};

}  // namespace

std::unique_ptr<FleetReport> make_json_report(FleetOutput output) {
  return std::make_unique<JsonReport>(std::move(output));
}
std::unique_ptr<FleetReport> make_junit_report(FleetOutput output) {
  return std::make_unique<JunitReport>(std::move(output));
}

}  // namespace bunraku
