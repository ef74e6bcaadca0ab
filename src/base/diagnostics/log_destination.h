// Log destinations besides the console: the system's log, or a file.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "base/diagnostics/log.h"

namespace bunraku {

class LogDestination : public LogSink {
 public:
  // Reopens the log after its file was moved away.
  virtual void reopen() = 0;
};

// The error for invalid options of the system's log.
class LogDestinationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SystemLogOptions {
  std::string program;   // "puppet-agent"
  std::string facility;  // "daemon"
};

// Opens a destination. `name` is "syslog", or the path of a file: records are lines in it, objects
// of an array when its name ends in .json, or one object per line when it ends in .jsonl. A new
// file is readable for its owner and group, less the process's umask. Throws FileError and
// LogDestinationError.
std::unique_ptr<LogDestination> open_log_destination(const std::string& name,
                                                     const SystemLogOptions& system,
                                                     LogLevel level);

}  // namespace bunraku
