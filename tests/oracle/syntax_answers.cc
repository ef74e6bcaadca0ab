// The other side of tests/oracle/syntax: reads one path per line and prints one line of JSON for
// each: the tree in all formats and the violated rules, or the first error.
#include <fmt/core.h>

#include <iostream>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "syntax/dump.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace {

using namespace bunraku;

std::string place(const Diagnostic& diagnostic) {
  FilePlace found = place_of(diagnostic.primary);
  return found.begin.line == 0 ? ":" : fmt::format("{}:{}", found.begin.line, found.begin.column);
}

const Diagnostic* first_error(const DiagnosticList& list) {
  for (const Diagnostic& diagnostic : list.all) {
    if (diagnostic.severity == Severity::kError) return &diagnostic;
  }
  return nullptr;
}

// An error in a heredoc's text ends the reference's validation; only that one is then reported.
bool is_heredoc_mistake(Issue issue) {
  return issue == Issue::kInvalidHeredocJson || issue == Issue::kInvalidHeredocBase64 ||
         issue == Issue::kInvalidHeredocManifest || issue == Issue::kInvalidHeredocTemplate;
}

void write_rules(JsonWriter& json, const std::vector<Diagnostic>& all) {
  const Diagnostic* only = nullptr;
  for (const Diagnostic& diagnostic : all) {
    if (only == nullptr && is_heredoc_mistake(diagnostic.issue)) only = &diagnostic;
  }
  json.key("rules");
  json.begin_array();
  for (const Diagnostic& diagnostic : all) {
    if (only != nullptr && &diagnostic != only) continue;
    json.string(fmt::format("{} {} {}", place(diagnostic), name_of(diagnostic.severity),
                            diagnostic.message()));
  }
  json.end_array();
}

std::string answer(const std::string& path) {
  auto source = std::make_shared<SourceFile>(path, read_file(path));
  ParseOptions options;
  options.form = path.ends_with(".epp") ? SourceForm::kTemplate : SourceForm::kManifest;
  DiagnosticList problems;
  auto program = parse(source, options, problems);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (const Diagnostic* error = first_error(problems)) {
    json.member("refused", std::string_view(place(*error) + " " + error->message()));
  } else {
    problems.all.clear();
    validate(*program, {}, problems);
    json.member("pn", std::string_view(dump(*program, DumpFormat::kPn)));
    json.member("json", std::string_view(dump(*program, DumpFormat::kJson)));
    json.member("old", std::string_view(dump(*program, DumpFormat::kOld)));
    write_rules(json, problems.all);
  }
  json.end_object();
  return text;
}

}  // namespace

int main() {
  std::string path;
  while (std::getline(std::cin, path)) std::cout << answer(path) << '\n';
}
