// Where a run logs beside the console: the system's log, or a file.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "base/diagnostics/log.h"

namespace bunraku {

class LogDestination : public LogSink {
 public:
  // Opens the log anew: its file was moved away.
  virtual void reopen() = 0;
};

// The system's log takes no records as they were asked for.
class LogDestinationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SystemLogOptions {
  std::string program;   // "puppet-agent"
  std::string facility;  // "daemon"
};

// `name` is "syslog", or the path of a file: records are lines in it, objects of an array when its
// name ends in .json, an object a line when it ends in .jsonl. A new file may be read by its owner
// and group, less the process's umask. Throws FileError and LogDestinationError.
std::unique_ptr<LogDestination> open_log_destination(const std::string& name,
                                                     const SystemLogOptions& system,
                                                     LogLevel level);

}  // namespace bunraku
