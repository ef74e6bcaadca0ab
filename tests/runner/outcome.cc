#include "runner/outcome.h"

namespace bunraku::cases {

namespace {

// level[CODE] file:line:column source: message
std::string place(const Record& record) {
  std::string text = record.level == "err" ? "error" : record.level;
  if (!record.code.empty()) text += '[' + record.code + ']';
  if (!record.file.empty() || !record.line.empty()) {
    text += ' ' + record.file;
    if (!record.file.empty() && !record.line.empty()) text += ':';
    text += record.line;
    if (!record.column.empty()) text += ':' + record.column;
  }
  if (!record.source.empty() && record.source != "Puppet") text += ' ' + record.source;
  return text + ": ";
}

std::string log_lines(const Answer& answer) {
  std::string text;
  for (const Record& record : answer.logs) text += place(record) + record.message + '\n';
  return text;
}

// Shown only when the exit code is unusual for a run with or without a fatal record.
std::string exit_line(const Answer& answer) {
  const bool failed = answer.fatal.has_value();
  return answer.exit == (failed ? 1 : 0) ? "" : "exit: " + std::to_string(answer.exit) + '\n';
}

std::string resource_line(const Json& resource) {
  std::string line = resource.text("type") + '[' + resource.text("title") + ']';
  if (resource.text("exported") == "true") line = "@@" + line;
  if (resource.text("virtual") == "true") line = "@" + line;
  if (const Json* parameters = resource.find("parameters")) line += ' ' + parameters->compact();
  if (const Json* sensitive = resource.find("sensitive_parameters")) {
    line += " sensitive " + sensitive->compact();
  }
  return line;
}

// Resources of every catalog, which are not shown.
bool is_always_there(std::string_view resource) {
  return resource == "Stage[main]" || resource == "Class[Settings]" || resource == "Class[main]";
}

std::string brief_catalog(const Json& catalog, const std::string& show) {
  bool all = show.find("all") != show.npos;
  auto shown = [&](const char* part) { return all || show.find(part) != show.npos; };
  std::string text;
  if (const Json* resources = catalog.find("resources"); resources && shown("resources")) {
    for (const Json& resource : resources->elements()) {
      if (is_always_there(resource.text("type") + '[' + resource.text("title") + ']')) continue;
      text += resource_line(resource);
      if (shown("tags")) text += " tags " + resource.find("tags")->compact();
      text += '\n';
    }
  }
  if (const Json* edges = catalog.find("edges"); edges && shown("edges")) {
    for (const Json& edge : edges->elements()) {
      const std::string source = edge.text("source"), target = edge.text("target");
      if (source == "Stage[main]" && is_always_there(target)) continue;
      text += source + " -> " + target + '\n';
    }
  }
  if (const Json* classes = catalog.find("classes"); classes && shown("classes")) {
    text += "classes " + classes->compact() + '\n';
  }
  return text;
}

std::string brief_tokens(const Json& document) {
  std::string text;
  const Json* tokens = document.find("tokens");
  if (!tokens) return document.pretty();
  for (const Json& token : tokens->elements()) {
    text += token.text("token") + ' ' + token.find("value")->compact() + " at " +
            token.text("offset") + '+' + token.text("length") + '\n';
  }
  return text;
}

std::string brief_diagnostics(const Json& document) {
  std::string text;
  const Json* diagnostics = document.find("diagnostics");
  if (!diagnostics) return document.pretty();
  for (const Json& diagnostic : diagnostics->elements()) {
    Record record;
    record.level = diagnostic.text("severity");
    record.code = diagnostic.text("issue_code");
    record.line = diagnostic.text("line");
    record.column = diagnostic.text("pos");
    text += place(record) + diagnostic.text("message") + '\n';
  }
  return text;
}

std::string brief_result(const Answer& answer, const std::string& product,
                         const std::string& show) {
  if (!answer.document) return answer.text;
  const Json& document = *answer.document;
  if (product == "tokens") return brief_tokens(document);
  if (product == "validate") return brief_diagnostics(document);
  if (product == "catalog") return brief_catalog(document, show.empty() ? "resources" : show);
  if (document.find("text")) return document.text("text");
  const Json* value = document.find("value");
  if (!value) return document.pretty();
  const std::string text = value->pretty();
  const Json* catalog = document.find("catalog");
  return catalog && !show.empty() ? text + brief_catalog(*catalog, show) : text;
}

}  // namespace

std::string replace_all(std::string text, const StandIns& stand_ins) {
  for (const auto& [from, to] : stand_ins) {
    if (from.empty()) continue;
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

Outcome whole_outcome(const Answer& answer, const StandIns& stand_ins) {
  Outcome outcome;
  outcome.out = answer.text;
  if (answer.document) {
    Json document = *answer.document;
    for (Json* catalog : {&document, document.find("catalog")}) {
      if (!catalog || !catalog->find("catalog_uuid")) continue;
      *catalog->find("catalog_uuid") = Json::string("<uuid>");
      *catalog->find("version") = Json::string("<version>");
    }
    outcome.out = document.pretty();
  }
  outcome.err = log_lines(answer);
  if (answer.fatal) outcome.err += place(*answer.fatal) + answer.fatal->message + '\n';
  outcome.err += exit_line(answer) + answer.trouble;
  outcome.out = replace_all(std::move(outcome.out), stand_ins);
  outcome.err = replace_all(std::move(outcome.err), stand_ins);
  return outcome;
}

std::string brief_outcome(const Answer& answer, const std::string& product, const std::string& show,
                          const StandIns& stand_ins) {
  std::string text = log_lines(answer);
  if (answer.fatal) {
    text += place(*answer.fatal) + answer.fatal->cause + '\n';
  } else {
    text += brief_result(answer, product, show);
  }
  // The result of a validation shows whether it found an error.
  if (product != "validate") text += exit_line(answer);
  text = replace_all(text + answer.trouble, stand_ins);
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

}  // namespace bunraku::cases
