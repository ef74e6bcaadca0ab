#include "base/diagnostics/log.h"

#include <doctest/doctest.h>

#include <cstdio>

using namespace bunraku;

namespace {

// The output of a writer to its stream.
template <typename Action>
std::string written(const LogOptions& options, Action action) {
  std::FILE* stream = std::tmpfile();
  REQUIRE(stream != nullptr);
  LogWriter writer(stream, options);
  action(writer);
  REQUIRE(std::fseek(stream, 0, SEEK_SET) == 0);
  std::string text;
  for (int c; (c = std::fgetc(stream)) != EOF;) text += static_cast<char>(c);
  std::fclose(stream);
  return text;
}

LogRecord hello() {
  LogRecord record;
  record.message = "hello";
  record.source = "Scope(Class[main])";
  record.file = "/x/site.pp";
  record.line = 3;
  record.column = 5;
  record.tags = {"notice"};
  return record;
}

}  // namespace

TEST_CASE("log: text") {
  auto log_hello = [](LogWriter& log) { log.log(hello()); };
  CHECK(written({}, log_hello) == "Notice: Scope(Class[main]): hello\n");
  LogOptions colored;
  colored.color = true;
  CHECK(written(colored, log_hello) == "\033[mNotice: Scope(Class[main]): hello\033[0m\n");
  LogOptions quiet;
  quiet.level = LogLevel::kWarning;
  CHECK(written(quiet, log_hello) == "");
}

TEST_CASE("log: the place is shown of records with an issue") {
  LogRecord record = hello();
  record.level = LogLevel::kWarning;
  record.source.clear();
  record.issue_code = "UNKNOWN_VARIABLE";
  CHECK(text_of(record) == "Warning: hello (file: /x/site.pp, line: 3, column: 5)");
}

TEST_CASE("log: JSON") {
  CHECK(
      json_of(hello()) ==
      R"j({"level":"notice","message":"hello","source":"Scope(Class[main])","file":"/x/site.pp",)j"
      R"("line":3,"pos":5,"tags":["notice"]})");
  FatalRecord fatal;
  fatal.kind = ErrorKind::kEvaluation;
  fatal.message = "Evaluation Error: Unknown variable: 'x'. (line: 1, column: 1) on node n1";
  auto source = std::make_shared<const SourceFile>("", "$x");
  fatal.diagnostic = std::make_shared<const Diagnostic>(
      make_diagnostic(Issue::kUnknownVariable, Range{source, {0, 2}}, {"x"}));
  std::string expected =
      "{'level':'err','fatal':true,'kind':'evaluation','code':'BK2001','issue_code':"
      "'UNKNOWN_VARIABLE','line':1,'pos':1,'end_line':1,'end_pos':3,"
      "'message':'Evaluation Error: Unknown variable: `x`. (line: 1, column: 1) on node n1',"
      "'cause':[{'code':'BK2001','issue_code':'UNKNOWN_VARIABLE','message':'Unknown variable: "
      "`x`.',"
      "'line':1,'pos':1,'end_line':1,'end_pos':3}]}";
  for (char& c : expected) c = c == '\'' ? '"' : c == '`' ? '\'' : c;
  CHECK(json_of(fatal) == expected);
}

TEST_CASE("log: bytes that are not UTF-8 do not break JSON") {
  LogRecord record;
  record.message = "a\xff";
  CHECK(json_of(record) == "{\"level\":\"notice\",\"message\":\"a\xEF\xBF\xBD\"}");
}

TEST_CASE("log: levels") {
  CHECK(parse_log_level("error") == LogLevel::kErr);
  CHECK(parse_log_level("debug") == LogLevel::kDebug);
  CHECK_FALSE(parse_log_level("loud"));
  CHECK(LogLevel::kWarning > LogLevel::kNotice);
}
