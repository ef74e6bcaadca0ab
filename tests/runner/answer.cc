#include "runner/answer.h"

#include <stdexcept>

namespace bunraku::cases {

namespace {

Record record_of(const Json& json) {
  Record record;
  record.level = json.text("level");
  record.source = json.text("source");
  record.code = json.text("issue_code");
  record.file = json.text("file");
  record.line = json.text("line");
  record.column = json.text("pos");
  record.message = json.text("message");
  record.cause = json.text("cause");
  return record;
}

void read_records(Answer& answer, std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (line[0] != '{') {
      answer.trouble += "not a log record: " + std::string(line) + '\n';
      continue;
    }
    Json json = Json::parse(line);
    if (json.text("fatal") == "true") {
      answer.fatal = record_of(json);
    } else {
      answer.logs.push_back(record_of(json));
    }
  }
}

}  // namespace

Answer answer_of_process(const ProcessResult& result, bool textual) {
  Answer answer;
  answer.exit = result.exit;
  if (result.timed_out) {
    answer.trouble = "took too long\n";
  } else if (result.signal != 0) {
    answer.trouble = "ended by signal " + std::to_string(result.signal) + '\n' + result.err;
  }
  try {
    if (answer.trouble.empty()) read_records(answer, result.err);
    if (textual) {
      answer.text = result.out;
    } else if (!result.out.empty()) {
      answer.document = Json::parse(result.out);
    }
  } catch (const std::runtime_error& error) {
    answer.trouble += error.what() + std::string("\n") + result.out;
  }
  return answer;
}

Answer answer_of_reference(const std::string& line, const std::string& product, bool textual) {
  Answer answer;
  Json json = Json::parse(line);
  if (const Json* logs = json.find("logs")) {
    for (const Json& log : logs->elements()) answer.logs.push_back(record_of(log));
  }
  if (json.find("error")) {
    answer.fatal = record_of(json);
    answer.fatal->level = "err";
    answer.fatal->cause = json.text("error");
    answer.exit = 1;
  } else if (textual) {
    answer.text = json.text(product == "dump" ? "dump" : "text");
    if (product == "dump") answer.text += '\n';
  } else if (const Json* catalog = product == "catalog" ? json.find("catalog") : nullptr) {
    answer.document = *catalog;
  } else {
    Json document;
    for (const auto& [key, value] : json.members()) {
      std::string name = Json::scalar(key).text();
      if (name != "logs" && name != "id") document.add(name, value);
    }
    answer.document = std::move(document);
  }
  if (product == "validate" && answer.document) {
    for (const Json& diagnostic : answer.document->find("diagnostics")->elements()) {
      if (diagnostic.text("severity") == "error") answer.exit = 1;
    }
  }
  return answer;
}

}  // namespace bunraku::cases
