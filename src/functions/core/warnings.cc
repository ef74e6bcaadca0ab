#include "functions/core/warnings.h"

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "evaluation/evaluator.h"

namespace bunraku {

namespace {

void log_warning(const Call& call, std::string message, std::string source = {}) {
  LogSink* log = call.evaluator.host().log;
  if (log == nullptr || !log->takes(LogLevel::kWarning)) return;
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = std::move(message);
  record.source = std::move(source);
  log->log(record);
}

}  // namespace

std::string call_place_text(const Call& call) {
  const Range range = call.place.range();
  if (range.file == nullptr) return "(file & line not available)";
  const std::string& path = range.file->path();
  return place_text(path.empty() ? "unknown" : path,
                    range.file->position(range.location.offset).line, 0)
      .substr(1);
}

void warn(const Call& call, std::string message) {
  log_warning(call, std::move(message));
}

void warn_in_scope(const Call& call, std::string message) {
  log_warning(call, std::move(message), "Scope(" + std::string(call.scope.resource_text) + ")");
}

void warn_deprecated(const Call& call, std::string_view key, const std::string& message,
                     bool with_place) {
  if (!call.evaluator.settings().warns_of_deprecations) return;
  const std::string place = with_place ? call_place_text(call) : "(file & line not available)";
  const std::string once = key.empty() ? message + place : std::string(key);
  if (!call.evaluator.is_first_warning(once)) return;
  log_warning(call, message + "\n   " + place);
}

}  // namespace bunraku
