// Prints lists of problems.
#include "cli/frame/problem_output.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/system/version.h"
#include "base/text/digest.h"
#include "base/text/replacement.h"
#include "base/text/utf8.h"
#include "cli/frame/command.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

std::string json_list(std::span<const Diagnostic> problems) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.key("diagnostics");
  json.begin_array();
  for (const Diagnostic& problem : problems) write_json(json, problem);
  json.end_array();
  json.end_object();
  return text + "\n";
}

std::string_view gitlab_severity(Severity severity) {
  if (severity == Severity::kError) return "major";
  return severity == Severity::kWarning ? "minor" : "info";
}

// A report of GitLab's Code Quality. Fingerprints consist of the file, the code and the message, so
// that they stay the same when lines above are added.
std::string gitlab_report(std::span<const Diagnostic> problems) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_array();
  for (const Diagnostic& problem : problems) {
    const FilePlace place = place_of(problem.primary);
    const std::string message = replace_invalid_utf8(problem.message());
    json.begin_object();
    json.member("description", std::string_view(message));
    json.member("check_name", std::string_view(code(problem.issue)));
    json.member("fingerprint",
                std::string_view(digest_hex(
                    DigestAlgorithm::kSha256,
                    fmt::format("{}\n{}\n{}", place.file, code(problem.issue), message))));
    json.member("severity", gitlab_severity(problem.severity));
    json.key("location");
    json.begin_object();
    // GitLab refuses a report with an empty path; problems without a file are shown for the whole
    // repository.
    json.member("path",
                std::string_view(place.file.empty() ? "." : replace_invalid_utf8(place.file)));
    json.key("lines");
    json.begin_object();
    json.member("begin", int64_t{std::max(place.begin.line, 1u)});
    json.end_object();
    json.end_object();
    json.end_object();
  }
  json.end_array();
  return text + "\n";
}

// Messages of data parsers may quote several lines, but a problem matcher reads one.
std::string on_one_line(std::string_view text) {
  return replaced(text, "\n", "\\n");
}

}  // namespace

void take_problem_formats(Command& command) {
  command.formats({"text", "one-line", "json", "sarif", "github", "gitlab"});
}

void print_problems(std::span<const Diagnostic> problems, Session& session) {
  const std::string_view format = session.format_or("text");
  if (format == "json") return session.print(json_list(problems));
  if (format == "sarif") return session.print(sarif(problems, kVersion));
  if (format == "gitlab") return session.print(gitlab_report(problems));
  for (const Diagnostic& problem : problems) {
    if (format == "github") {
      session.print(github_annotation(problem));
    } else if (format == "one-line") {
      session.print(
          fmt::format("{}: {}\n", name_of(problem.severity), on_one_line(one_line(problem))));
    } else {
      session.report(problem);
    }
  }
}

}  // namespace bunraku
