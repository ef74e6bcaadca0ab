#include "base/diagnostics/log.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

struct LevelInfo {
  std::string_view name;
  std::string_view label;
  std::string_view color;
};

constexpr std::array<LevelInfo, 8> kLevels = {{
    {"debug", "Debug", "\033[0;36m"},
    {"info", "Info", "\033[0;32m"},
    {"notice", "Notice", "\033[m"},
    {"warning", "Warning", "\033[1;33m"},
    {"err", "Error", "\033[1;31m"},
    {"alert", "Alert", "\033[1;31m"},
    {"emerg", "Emergency", "\033[1;31m"},
    {"crit", "Critical", "\033[1;31m"},
}};
constexpr std::string_view kResetColor = "\033[0m";

const LevelInfo& info(LogLevel level) {
  return kLevels[static_cast<size_t>(level)];
}

// Adds a text that may contain bytes invalid in JSON.
void member(JsonWriter& json, std::string_view name, std::string_view text) {
  json.member(name, std::string_view(replace_invalid_utf8(text)));
}

void write_place(JsonWriter& json, const std::string& file, uint32_t line, uint32_t column) {
  if (!file.empty()) member(json, "file", file);
  if (line > 0) json.member("line", line);
  if (column > 0) json.member("pos", column);
}

void write_codes(JsonWriter& json, const LogRecord& record) {
  if (!record.code.empty()) json.member("code", std::string_view(record.code));
  if (!record.issue_code.empty()) {
    json.member("issue_code", std::string_view(record.issue_code));
  }
}

// Adds a line end; messages of several lines may have one already.
std::string ended(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace

std::string_view name_of(LogLevel level) {
  return info(level).name;
}

std::optional<LogLevel> parse_log_level(std::string_view name) {
  if (name == "error") return LogLevel::kErr;
  for (size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i].name == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kSyntax:
      return "syntax";
    case ErrorKind::kEvaluation:
      return "evaluation";
    case ErrorKind::kLookup:
      return "lookup";
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kUnrepresentable:
      return "unrepresentable";
    case ErrorKind::kError:
      break;
  }
  return "error";
}

std::string message_of(const LogRecord& record) {
  const bool has_code = !record.issue_code.empty() || !record.code.empty();
  if (!has_code) return record.message;
  return record.message + place_text(record.file, record.line, record.column);
}

std::string text_of(const LogRecord& record) {
  std::string text = fmt::format("{}: ", info(record.level).label);
  if (!record.source.empty()) text += record.source + ": ";
  return text + message_of(record);
}

std::string json_of(const LogRecord& record, std::string_view time) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (!time.empty()) json.member("time", time);
  json.member("level", name_of(record.level));
  member(json, "message", record.message);
  if (!record.source.empty()) member(json, "source", record.source);
  write_codes(json, record);
  write_place(json, record.file, record.line, record.column);
  if (!record.tags.empty()) {
    json.key("tags");
    json.begin_array();
    for (const std::string& tag : record.tags) json.string(replace_invalid_utf8(tag));
    json.end_array();
  }
  json.end_object();
  return text;
}

std::string json_of(const FatalRecord& record, std::string_view time) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (!time.empty()) json.member("time", time);
  json.member("level", std::string_view("err"));
  json.key("fatal");
  json.boolean(true);
  json.member("kind", name_of(record.kind));
  if (record.diagnostic != nullptr) {
    write_error_members(json, *record.diagnostic, record.kind, record.message);
  } else {
    member(json, "message", record.message);
  }
  json.end_object();
  return text;
}

LogRecord log_record(const Diagnostic& diagnostic) {
  LogRecord record;
  record.level = diagnostic.severity == Severity::kError ? LogLevel::kErr : LogLevel::kWarning;
  record.message = diagnostic.message();
  record.code = code(root_cause(diagnostic).issue);
  record.issue_code = reference_code(diagnostic, ErrorKind::kEvaluation);
  FilePlace place = place_of(diagnostic.primary);
  record.file = std::move(place.file);
  record.line = place.begin.line;
  record.column = place.begin.column;
  record.diagnostic = std::make_shared<const Diagnostic>(diagnostic);
  return record;
}

bool LogFork::takes(LogLevel level) const {
  return std::ranges::any_of(sinks_, [&](const LogSink* sink) { return sink->takes(level); });
}

void LogFork::log(const LogRecord& record) {
  for (LogSink* sink : sinks_) sink->log(record);
}

void LogFork::log_fatal(const FatalRecord& record) {
  for (LogSink* sink : sinks_) sink->log_fatal(record);
}

void LogWriter::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
}

std::string LogWriter::shown(const Diagnostic& diagnostic) const {
  return snippet(diagnostic, {options_.color, options_.width, options_.directory});
}

void LogWriter::log(const LogRecord& record) {
  if (!takes(record.level)) return;
  if (options_.format == LogFormat::kJson) return write(json_of(record) + "\n");
  if (options_.format == LogFormat::kText && record.diagnostic != nullptr) {
    return write(shown(*record.diagnostic));
  }
  if (!options_.color) return write(ended(text_of(record)));
  write(fmt::format("{}{}{}\n", info(record.level).color, text_of(record), kResetColor));
}

void LogWriter::log_fatal(const FatalRecord& record) {
  if (options_.format == LogFormat::kJson) return write(json_of(record) + "\n");
  if (options_.format == LogFormat::kText && record.diagnostic != nullptr) {
    return write(shown(*record.diagnostic));
  }
  if (!options_.color) return write(ended("Error: " + record.message));
  write(fmt::format("{}Error: {}{}\n", info(LogLevel::kErr).color, record.message, kResetColor));
}

void LogKeeper::log(const LogRecord& record) {
  const std::lock_guard lock(mutex_);
  records.push_back(record);
}

void LogKeeper::log_fatal(const FatalRecord& record) {
  const std::lock_guard lock(mutex_);
  fatal.push_back(record);
}

}  // namespace bunraku
