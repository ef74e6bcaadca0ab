// Where an agent without a terminal logs: the system's log, or a file.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "base/diagnostics/log.h"

namespace bunraku::agent {

class LogDestination : public LogSink {
 public:
  // Opens the log anew: its file was moved away.
  virtual void reopen() = 0;
};

// `name` is "syslog", or the path of a file; one whose name ends in .json gets an object a line.
// `facility` is that of syslog, "daemon". Throws FileError.
std::unique_ptr<LogDestination> open_log_destination(const std::string& name,
                                                     const std::string& facility, LogLevel level);

}  // namespace bunraku::agent
