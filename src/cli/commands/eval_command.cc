// `eval`: evaluates code.

#include <unistd.h>

#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "catalog/compiler/catalog_json.h"
#include "cli/commands/commands.h"
#include "cli/frame/console.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "compilation/catalog_compilation.h"
#include "serialization/serialization.h"
#include "types/interpolation.h"

namespace bunraku {

using compilation::CodeEvaluation;
using compilation::message_prefix;

namespace {

struct EvalOptions {
  std::vector<std::string> codes;
  std::string file_name;
  std::string node = "node.example.com";
  std::optional<std::string> compile_manifest;
  std::optional<std::string> compile_code;
  bool is_script = false;
  bool is_batch = false;
};

CompilationRequest compilation_request(const EvalOptions& options) {
  CompilationRequest request;
  request.node = options.node;
  request.code = options.compile_code;
  request.manifest = options.compile_manifest;
  request.is_script = options.is_script;
  return request;
}

void write_relationships(JsonWriter& json, const std::vector<ArrowRelationship>& relationships) {
  if (relationships.empty()) return;
  json.key("relationships");
  json.begin_array();
  for (const ArrowRelationship& relationship : relationships) {
    json.begin_object();
    json.member("source", relationship.source);
    json.member("target", relationship.target);
    const bool notifies = relationship.kind == ArrowKind::kNotify;
    json.member("type", std::string_view(notifies ? "notify" : "before"));
    json.end_object();
  }
  json.end_array();
}

// Writes the members of an answer: the value, the catalog if it is not empty, and the relationships
// made by arrows.
void write_answer(JsonWriter& json, CodeEvaluation& evaluation, Value value) {
  json.key("value");
  write_rich_data(json, value, true, TypeForm::kText);
  if (!evaluation.has_resources()) return;
  json.key("catalog");
  CatalogJsonOptions options;
  options.version_time = static_cast<int64_t>(time(nullptr));
  options.uuid = make_uuid();
  write_catalog(json, evaluation.compiler(), options);
  write_relationships(json, evaluation.compiler().arrow_relationships());
}

int evaluate_codes(const EvalOptions& options, Session& session) {
  NodeEvaluation node(session, compilation_request(options), options.file_name);
  CodeEvaluation& evaluation = node.evaluation;
  if (options.codes.empty() && isatty(STDIN_FILENO) != 0) return run_console(evaluation, session);
  Value value;
  if (options.codes.empty()) {
    value = evaluation.evaluate(read_file("-"));
  } else {
    for (const std::string& code : options.codes) value = evaluation.evaluate(code);
  }
  evaluation.finish();
  if (session.format_or("json") == "text") {
    session.print(interpolated(value) + "\n");
    return kExitSuccess;
  }
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  write_answer(json, evaluation, value);
  json.end_object();
  session.print(text + "\n");
  return kExitSuccess;
}

// --- many requests -------------------------------------------------------------------------------

void write_failure(JsonWriter& json, const EvaluationError& error) {
  const Diagnostic& diagnostic = error.diagnostic();
  json.member("error", std::string_view(replace_invalid_utf8(root_cause(diagnostic).message())));
  json.member("kind", name_of(error.kind()));
  write_error_members(json, diagnostic, error.kind(),
                      message_prefix(error.kind(), "production") + one_line(diagnostic));
}

std::vector<std::string> codes_of_request(const HashObject& request) {
  std::vector<std::string> codes;
  if (const Value* code = request.find("code"); code != nullptr && code->is_string()) {
    codes.emplace_back(code->as_string());
  }
  if (const Value* list = request.find("codes"); list != nullptr && list->is_array()) {
    for (const Value code : list->as_array()) {
      if (code.is_string()) codes.emplace_back(code.as_string());
    }
  }
  return codes;
}

// The log records of one request, which are part of its answer.
class AnswerLog final : public LogSink {
 public:
  explicit AnswerLog(LogLevel least) : least_(least) {}
  bool takes(LogLevel level) const override { return level >= least_; }
  void log(const LogRecord& record) override {
    if (takes(record.level)) records_.push_back(json_of(record));
  }
  void log_fatal(const FatalRecord& record) override { records_.push_back(json_of(record)); }

  void write(JsonWriter& json) const {
    if (records_.empty()) return;
    json.key("logs");
    json.begin_array();
    for (const std::string& record : records_) json.raw(record);
    json.end_array();
  }

 private:
  LogLevel least_;
  std::vector<std::string> records_;
};

// The members of an answer with a value.
std::string value_members(const HashObject& request, const EvalOptions& options, Session& session,
                          AnswerLog& log) {
  std::string file_name = options.file_name;
  if (const Value* file = request.find("file"); file != nullptr && file->is_string()) {
    file_name = file->as_string();
  }
  CompilationRequest compilation = compilation_request(options);
  compilation.log = &log;
  NodeEvaluation node(session, compilation, std::move(file_name));
  CodeEvaluation& evaluation = node.evaluation;
  Value value;
  for (std::string& code : codes_of_request(request)) value = evaluation.evaluate(std::move(code));
  evaluation.finish();
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_answer(json, evaluation, value);
  log.write(json);
  json.end_object();
  return text;
}

// Answers one request {"code": ...}: with the value, or the error and its place, and the log
// records.
std::string answer(const std::string& line, const EvalOptions& options, Session& session) {
  AnswerLog log(session.options().log.level);
  auto failed = [&](const EvaluationError& error) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    write_failure(json, error);
    log.write(json);
    json.end_object();
    return text;
  };
  try {
    Arena arena;
    const Value request = read_json(arena, line, "request");
    if (!request.is_hash()) throw UsageError("a request is a JSON object");
    return value_members(request.as_hash(), options, session, log);
  } catch (const EvaluationError& error) {
    return failed(error);
  } catch (const std::bad_alloc&) {
    return failed(EvaluationError(make_diagnostic(Issue::kOutOfMemory, {})));
  }
}

int answer_requests(const EvalOptions& options, Session& session) {
  std::string line;
  while (std::getline(std::cin, line)) {
    session.print(answer(line, options, session) + "\n");
    if (!session.flush()) return kExitFailure;
  }
  return kExitSuccess;
}

int run_eval(const EvalOptions& options, Session& session) {
  int exit_code = kExitSuccess;
  auto task = [&] {
    exit_code =
        options.is_batch ? answer_requests(options, session) : evaluate_codes(options, session);
  };
  run_on_large_stack(task);
  return exit_code;
}

}  // namespace

Command make_eval_command() {
  auto options = std::make_shared<EvalOptions>();
  Command command("eval", "The value of code");
  command.details(
      "Evaluates code in the top scope of a catalog and prints its value as JSON, with the catalog "
      "where the code put something in it. Several -e share one scope, and the last one's value is "
      "the result. Without -e the code is read from standard input; on a terminal an interactive "
      "console starts.");
  command.option("-e, --execute CODE", "evaluate CODE; may be repeated", options->codes);
  command.option("--file NAME", "the name that locations and messages show", options->file_name);
  command.option("--node NAME", "the node that the catalog is for", options->node);
  command.option("--compile-manifest PATH", "compile this file first", options->compile_manifest);
  command.option("--compile-code CODE", "compile this code first", options->compile_code);
  command.flag("--script", "no catalog: catalog expressions are errors", options->is_script);
  command.flag("--batch",
               "read requests such as {\"code\": \"1 + 2\"} from standard input, one a "
               "line, and answer each with a line",
               options->is_batch);
  command.formats({"json", "rich-json", "text"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku eval -e '[1, 2, 3].map |$x| { $x * 2 }'",
                  "prints [2, 4, 6] as the value");
  command.example("bunraku eval -e '$a = 1' -e '$a + 1' --format text", "prints 2");
  command.run([options](Session& session) { return run_eval(*options, session); });
  return command;
}

}  // namespace bunraku
