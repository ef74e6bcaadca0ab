#include "runner/answer.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

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
  return record;
}

// A message without the place at its end: " (file: F, line: L, column: C)".
std::string_view without_place(std::string_view text) {
  if (!text.ends_with(')')) return text;
  const size_t begin = std::max(text.rfind(" (file: ") + 1, text.rfind(" (line: ") + 1);
  if (begin == 0 || text.substr(begin).find(')') != text.size() - begin - 1) return text;
  return text.substr(0, begin - 1);
}

std::string_view without_prefix(std::string_view text) {
  for (const std::string_view prefix : {"Evaluation Error: ", "Resource Statement Error: "}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  if (text.starts_with("Error while evaluating a")) {
    const size_t comma = text.find(", ");
    if (comma != std::string_view::npos) text.remove_prefix(comma + 2);
  }
  return text;
}

// The innermost text of the reference's nested wording; it shows nothing else of causes.
std::string innermost_text(std::string_view text) {
  for (size_t before = text.size() + 1; before != text.size();) {
    before = text.size();
    text = without_prefix(without_place(text));
  }
  return std::string(text);
}

// The error that ends a run, with code and place of its outermost cause: the reference reports no
// other place.
Record fatal_of(const Json& json) {
  Record fatal = record_of(json);
  std::string message = fatal.message;
  const Json* causes = json.find("cause");
  if (causes != nullptr && !causes->elements().empty()) {
    const Json& outermost = causes->elements().back();
    const Record record = record_of(outermost);
    message = record.message;
    fatal.code = record.code;
    // Errors that the catalog raises outside any expression have neither code nor place there.
    const bool is_bare = record.code.empty() && outermost.text("code").starts_with("BK31");
    fatal.file = is_bare ? "" : record.file;
    fatal.line = is_bare ? "" : record.line;
    fatal.column = is_bare ? "" : record.column;
  }
  fatal.cause = innermost_text(message);
  return fatal;
}

void read_records(Answer& answer, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (line[0] != '{') {
      answer.trouble += "not a log record: " + std::string(line) + '\n';
      continue;
    }
    const Json json = Json::parse(line);
    if (json.text("fatal") == "true") {
      answer.fatal = fatal_of(json);
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
      const std::string name = Json::scalar(key).text();
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
