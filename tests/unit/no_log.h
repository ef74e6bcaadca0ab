// A log that discards its records.
#pragma once

#include "base/diagnostics/log.h"

namespace bunraku {

class NoLog : public LogSink {
 public:
  bool takes(LogLevel) const override { return false; }
  void log(const LogRecord&) override {}
  void log_fatal(const FatalRecord&) override {}
};

}  // namespace bunraku
