#include "syntax/parser.h"

#include <doctest/doctest.h>

namespace bunraku {
namespace {

std::shared_ptr<Program> parse_text(std::string text, DiagnosticList& diagnostics) {
  auto source = std::make_shared<SourceFile>("x.pp", std::move(text));
  return parse(source, ParseOptions{}, diagnostics);
}

TEST_CASE("in binds tighter than the operators of arithmetic") {
  DiagnosticList diagnostics;
  auto program = parse_text("3 - 1 in [1, 2]", diagnostics);
  CHECK(diagnostics.all.empty());
  const auto& minus = program->body->as<ArithmeticExpression>();
  CHECK(minus.op == Operator::kSubtract);
  CHECK(minus.right->kind == NodeKind::kInExpression);
}

TEST_CASE("a name that may be called without parentheses takes what follows") {
  DiagnosticList diagnostics;
  auto program = parse_text("notice 'a', 'b'", diagnostics);
  const auto& call = program->body->as<CallNamedFunctionExpression>();
  CHECK(call.arguments.size() == 2);
  CHECK_FALSE(call.value_required);
}

TEST_CASE("one run reports the mistakes of all statements") {
  DiagnosticList diagnostics;
  parse_text("$a = )\nclass x { $b = ] \n notice(1) }\nfile { 'x' }\n", diagnostics);
  REQUIRE(diagnostics.all.size() == 3);
  CHECK(diagnostics.all[0].message() == "Syntax error at ')'");
  CHECK(diagnostics.all[1].message() == "Syntax error at ']'");
  CHECK(diagnostics.all[2].message() == "Syntax error at '}'");
}

TEST_CASE("a mistake at the end of an interpolation is one of the string") {
  DiagnosticList diagnostics;
  parse_text("\"${y 1l0 \"i}}\"", diagnostics);
  CHECK(diagnostics.has_errors());
}

TEST_CASE("a mistake says what was expected and what was left open") {
  DiagnosticList diagnostics;
  parse_text("$a = [1 2]", diagnostics);
  REQUIRE(diagnostics.all.size() == 1);
  REQUIRE(diagnostics.all[0].notes.size() == 1);
  CHECK(diagnostics.all[0].notes[0] == "expected ',' or ']'");
  DiagnosticList unclosed;
  parse_text("class a {\n  notice('x')\n", unclosed);
  REQUIRE(unclosed.all.size() == 1);
  REQUIRE(unclosed.all[0].labels.size() == 1);
  CHECK(unclosed.all[0].labels[0].range.location.offset == 8);
}

TEST_CASE("nesting beyond the bound is a diagnostic") {
  for (const char* open : {"(", "[", "!", "if true {", "{a=>", "@", "foo(", "\"${", "$a=", "-"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    DiagnosticList diagnostics;
    parse_text(text, diagnostics);
    CHECK(diagnostics.has_errors());
  }
}

TEST_CASE("a chain of operators beyond the bound is a diagnostic") {
  for (const char* more : {"+1", " and 1", "->1", ".a", "[1]", " ? {a=>1}"}) {
    std::string text = "1";
    for (int i = 0; i < 100000; ++i) text += more;
    DiagnosticList diagnostics;
    parse_text(text, diagnostics);
    REQUIRE(diagnostics.all.size() == 1);
    CHECK(diagnostics.all[0].issue == Issue::kTooDeep);
  }
}

}  // namespace
}  // namespace bunraku
