// Functions that write to the log, and `fail`.
#include "base/diagnostics/log.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "types/interpolation.h"
#include "types/ruby_value_text.h"

namespace bunraku {

namespace {

template <LogLevel kLevel>
Value log_at(Call& call) {
  LogSink* log = call.evaluator.host().log;
  if (log == nullptr || !log->takes(kLevel)) return Value();
  LogRecord record;
  record.level = kLevel;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i > 0) record.message += ' ';
    append_interpolated(record.message, call.arguments[i]);
  }
  record.source = "Scope(" + std::string(call.scope.resource_text) + ")";
  log->log(record);
  return Value();
}

Value fail(Call& call) {
  std::string message;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i > 0) message += ' ';
    append_ruby_to_s(message, reference_as_text(call.arena(), call.arguments[i]));
  }
  call.fail(Issue::kRaisedByCode, {std::move(message)});
}

#define LOG_WAY(level)                                   \
  {                                                      \
    {                                                    \
      "(Any *$values) >> Undef", log_at<LogLevel::level> \
    }                                                    \
  }
constexpr Overload kDebug[] = LOG_WAY(kDebug);
constexpr Overload kInfo[] = LOG_WAY(kInfo);
constexpr Overload kNotice[] = LOG_WAY(kNotice);
constexpr Overload kWarning[] = LOG_WAY(kWarning);
constexpr Overload kErr[] = LOG_WAY(kErr);
constexpr Overload kAlert[] = LOG_WAY(kAlert);
constexpr Overload kEmerg[] = LOG_WAY(kEmerg);
constexpr Overload kCrit[] = LOG_WAY(kCrit);
#undef LOG_WAY
constexpr Overload kFail[] = {{"(Any *$values)", fail}};

constexpr NativeFunctionInfo kLoggingFunctions[] = {
    {"debug", kDebug, "Logs its arguments, with spaces between them, at level debug.",
     "debug('value', 1)"},
    {"info", kInfo, "Logs its arguments, with spaces between them, at level info.",
     "info('value', 1)"},
    {"notice", kNotice, "Logs its arguments, with spaces between them, at level notice.",
     "notice('value', 1)"},
    {"warning", kWarning, "Logs its arguments, with spaces between them, at level warning.",
     "warning('value', 1)"},
    {"err", kErr,
     "Logs its arguments, with spaces between them, at level err. The evaluation goes on.",
     "err('value', 1)"},
    {"alert", kAlert, "Logs its arguments, with spaces between them, at level alert.",
     "alert('value', 1)"},
    {"emerg", kEmerg, "Logs its arguments, with spaces between them, at level emerg.",
     "emerg('value', 1)"},
    {"crit", kCrit, "Logs its arguments, with spaces between them, at level crit.",
     "crit('value', 1)"},
    {"fail", kFail,
     "Ends the evaluation with an error. Its arguments, with spaces between them, are "
     "the message.",
     "if 1 > 2 { fail('the world is', 'broken') }", true},
};

}  // namespace

std::span<const NativeFunctionInfo> logging_functions() {
  return kLoggingFunctions;
}

}  // namespace bunraku
