#include "base/diagnostics/diagnostic_renderer.h"

#include <doctest/doctest.h>

#include "base/formats/json.h"
#include "base/memory/arena.h"

using namespace bunraku;

namespace {

SourcePointer source(std::string text, std::string path = "/x/site.pp") {
  return std::make_shared<const SourceFile>(std::move(path), std::move(text));
}

Range range_of(const SourcePointer& file, std::string_view text) {
  auto offset = static_cast<uint32_t>(file->text().find(text));
  return {file, {offset, static_cast<uint32_t>(text.size())}};
}

}  // namespace

TEST_CASE("diagnostic renderer: one line in the reference's wording") {
  const SourcePointer file = source("a\n  $x\n");
  Diagnostic diagnostic = make_diagnostic(Issue::kUnknownVariable, range_of(file, "$x"), {"x"});
  CHECK(one_line(diagnostic) == "Unknown variable: 'x'. (file: /x/site.pp, line: 2, column: 3)");
  diagnostic.primary = range_of(source("$x", ""), "$x");
  CHECK(one_line(diagnostic) == "Unknown variable: 'x'. (line: 1, column: 1)");
  diagnostic.primary = {};
  CHECK(one_line(diagnostic) == "Unknown variable: 'x'.");
  CHECK(place_text("/x", 0, 0) == " (file: /x)");
}

TEST_CASE("diagnostic renderer: snippet with labels, notes and fixes") {
  const SourcePointer file = source("class a {\n  $value = 1\n\n\n  notice($valeu)\n}\n");
  const SourcePointer other = source("$valve = 2\n", "/x/other.pp");
  Diagnostic diagnostic =
      make_diagnostic(Issue::kUnknownVariable, range_of(file, "$valeu"), {"valeu"});
  diagnostic.labels.push_back({range_of(file, "$value"), "a similar one"});
  diagnostic.labels.push_back({range_of(other, "$valve"), "another"});
  diagnostic.notes.push_back("variables are not inherited");
  diagnostic.fixes.push_back({diagnostic.primary, "$value", ""});
  CHECK(snippet(diagnostic, {}) ==
        "error[BK2001]: Unknown variable: 'valeu'.\n"
        " --> /x/site.pp:5:10\n"
        "  |\n"
        "2 |   $value = 1\n"
        "  |   ------ a similar one\n"
        "...\n"
        "5 |   notice($valeu)\n"
        "  |          ^^^^^^\n"
        " ::: /x/other.pp:1:1\n"
        "  |\n"
        "1 | $valve = 2\n"
        "  | ------ another\n"
        "  = note: variables are not inherited\n"
        "  = fix: use `$value`\n");
}

TEST_CASE("diagnostic renderer: tabs, wide characters, control characters, line ends") {
  const SourcePointer tabs = source("\t$x\r\n");
  CHECK(snippet(make_diagnostic(Issue::kUnknownVariable, range_of(tabs, "$x"), {"x"}), {})
            .find("1 |     $x\n  |     ^^\n") != std::string::npos);
  const SourcePointer wide = source("'日本' + $x");
  CHECK(snippet(make_diagnostic(Issue::kUnknownVariable, range_of(wide, "$x"), {"x"}), {})
            .find("  |          ^^\n") != std::string::npos);
  const SourcePointer control = source("\x1b[31m\xff $x");
  const std::string text =
      snippet(make_diagnostic(Issue::kUnknownVariable, range_of(control, "$x"), {"x"}), {});
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\xff') == std::string::npos);
  const SourcePointer end = source("$a = ");
  const Diagnostic at_end = make_diagnostic(Issue::kUnknownVariable, {end, {5, 0}}, {"x"});
  CHECK(snippet(at_end, {}).find("  |      ^\n") != std::string::npos);
}

TEST_CASE("diagnostic renderer: a clipped line fills the screen") {
  constexpr uint32_t kWidth = 60;
  // The marked part at each place of lines around the width of the screen.
  for (size_t length = 50; length < 140; ++length) {
    for (size_t at = 0; at + 2 <= length; ++at) {
      std::string line(length, 'a');
      line.replace(at, 2, "$x");
      const SourcePointer file = source(line);
      const std::string text = snippet(
          make_diagnostic(Issue::kUnknownVariable, range_of(file, "$x"), {"x"}), {false, kWidth});
      const size_t begin = text.find("1 | ");
      const std::string shown = text.substr(begin, text.find('\n', begin) - begin);
      INFO(length, " characters, marked at ", at, ": ", shown);
      CHECK(shown.size() == std::min<size_t>(kWidth - 1, length + 4));
      CHECK(shown.ends_with("...") != shown.ends_with(line.substr(length - 3)));
      CHECK(text.find("\n  | " + std::string(shown.find("$x") - 4, ' ') + "^^\n") != text.npos);
    }
  }
}

TEST_CASE("diagnostic renderer: a giant line is clipped around the mark") {
  const SourcePointer file =
      source(std::string(5'000'000, 'a') + "$x" + std::string(5'000'000, 'b'));
  const std::string text =
      snippet(make_diagnostic(Issue::kUnknownVariable, range_of(file, "$x"), {"x"}), {});
  CHECK(text.size() < 1000);
  CHECK(text.find("aa$xbb") != std::string::npos);
  const size_t line = text.find("1 | ");
  size_t column = text.find("$x") - line;
  const size_t caret_line = text.find('\n', line) + 1;
  CHECK(text.find("^^") - caret_line == column);
}

TEST_CASE("diagnostic renderer: colour only when asked for") {
  const Diagnostic diagnostic =
      make_diagnostic(Issue::kUnknownVariable, range_of(source("$x"), "$x"), {"x"});
  CHECK(snippet(diagnostic, {}).find('\033') == std::string::npos);
  SnippetOptions options;
  options.color = true;
  CHECK(snippet(diagnostic, options).find("\033[1;31m^^\033[0m") != std::string::npos);
}

TEST_CASE("diagnostic renderer: JSON") {
  const SourcePointer file = source("a\n  $x\n");
  std::string text;
  JsonWriter json(text);
  write_json(json, make_diagnostic(Issue::kUnknownVariable, range_of(file, "$x"), {"x"}));
  CHECK(
      text ==
      R"({"severity":"error","code":"BK2001","issue_code":"UNKNOWN_VARIABLE",)"
      R"("message":"Unknown variable: 'x'.","file":"/x/site.pp","line":2,"pos":3,"end_line":2,"end_pos":5})");
}

TEST_CASE("diagnostic renderer: SARIF") {
  const SourcePointer file = source("$x\n", "/x/a b.pp");
  std::vector<Diagnostic> all = {
      make_diagnostic(Issue::kUnknownVariable, range_of(file, "$x"), {"x"})};
  all[0].fixes.push_back({all[0].primary, "$y", "use $y"});
  Arena arena;
  const std::string text = sarif(all, "1.2.3");
  const DataNode log = read_json(text, arena);
  CHECK(log.find("version")->text_value() == "2.1.0");
  const DataNode& run = log.find("runs")->items()[0];
  const DataNode* driver = run.find("tool")->find("driver");
  CHECK(driver->find("rules")->items()[0].find("id")->text_value() == "BK2001");
  const DataNode& result = run.find("results")->items()[0];
  CHECK(result.find("ruleId")->text_value() == "BK2001");
  const DataNode* location = result.find("locations")->items()[0].find("physicalLocation");
  CHECK(location->find("artifactLocation")->find("uri")->text_value() == "/x/a%20b.pp");
  CHECK(location->find("region")->find("endColumn")->integer_value() == 3);
}

TEST_CASE("diagnostic renderer: GitHub annotation") {
  const SourcePointer file = source("$x\n", "a,b.pp");
  CHECK(github_annotation(
            make_diagnostic(Issue::kUnknownVariable, range_of(file, "$x"), {"50%\n"})) ==
        "::error file=a%2Cb.pp,line=1,col=1,endLine=1,endColumn=3,title=BK2001::"
        "Unknown variable: '50%25%0A'.\n");
}
