// Runs Ruby to check the syntax of files.
#include "site/checks/ruby_check.h"

#include <fmt/format.h>

#include "base/diagnostics/file_range.h"
#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/process.h"

namespace bunraku::checks {
namespace {

// Reads a list of [kind, path] and answers with a list of [path, line, message]. Files are only
// compiled; no code in them runs, not even BEGIN blocks. ERB's program has an additional first
// line.
constexpr std::string_view kProgram = R"RUBY(
require 'json'
require 'erb'
answers = []
JSON.parse($stdin.read).each do |kind, path|
  begin
    text = File.binread(path).force_encoding('UTF-8')
    line = 1
    if kind == 'erb'
      text = ERB.new(text, trim_mode: '-').src
      line = 0
    end
    RubyVM::InstructionSequence.compile(text, path, path, line)
  rescue SyntaxError => error
    found = error.message.scan(/^(?:.*?):(\d+): (.*)/).first || ['0', error.message.lines.first.to_s]
    answers << [path, found[0].to_i, found[1].scrub.strip]
  rescue StandardError => error
    answers << [path, 0, error.message.lines.first.to_s.scrub.strip]
  end
end
$stdout.write(JSON.generate(answers))
)RUBY";

[[noreturn]] void fail(const std::string& reason) {
  throw EvaluationError(make_diagnostic(Issue::kRubyUnavailable, Range{},
                                        {"Checking ERB templates and Puppetfiles", "", reason}),
                        ErrorKind::kError);
}

std::string questions(std::span<const FoundFile> files) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const FoundFile& file : files) {
    const bool is_template = file.kind == FileKind::kErb;
    if (!is_template && file.kind != FileKind::kPuppetfile) continue;
    json.begin_array();
    json.string(is_template ? "erb" : "ruby");
    json.string(file.path);
    json.end_array();
  }
  json.end_array();
  return text;
}

}  // namespace

std::vector<Diagnostic> check_with_ruby(std::span<const FoundFile> files, const std::string& ruby) {
  std::vector<Diagnostic> problems;
  ProcessCall call;
  call.start.words = {ruby, "--disable-gems", "-W0", "-e", std::string(kProgram)};
  call.input = questions(files);
  if (call.input == "[]") return problems;
  const ProcessResult result = run_process(call);
  if (result.outcome != ProcessOutcome::kEnded) fail(result.reason);
  if (result.end.shell_status() != 0) {
    fail(result.errors.substr(0, result.errors.find('\n')));
  }
  try {
    Arena arena;
    const DataNode answers = read_json(result.output, arena);
    for (const DataNode& answer : answers.items()) {
      const std::span<const DataNode> parts = answer.items();
      const std::string path(parts[0].text_value());
      const int64_t line = std::max<int64_t>(parts[1].integer_value(), 0);
      problems.push_back(make_diagnostic(Issue::kInvalidDataFile,
                                         range_in_file(path, static_cast<uint32_t>(line)),
                                         {std::string(parts[2].text_value())}));
    }
  } catch (const DataError& error) {
    fail(error.what());
  }
  return problems;
}

}  // namespace bunraku::checks
