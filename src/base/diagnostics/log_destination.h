// Where a run logs beside the console: the system's log, or a file.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostics/log.h"

namespace bunraku {

class LogDestination : public LogSink {
 public:
  // Opens the log anew: its file was moved away.
  virtual void reopen() = 0;
};

struct SystemLogOptions {
  std::string program;   // "puppet-agent"
  std::string facility;  // "daemon"
};

// `name` is "syslog", or the path of a file: records are lines in it, objects of an array when its
// name ends in .json, an object a line when it ends in .jsonl. Throws FileError.
std::unique_ptr<LogDestination> open_log_destination(const std::string& name,
                                                     const SystemLogOptions& system,
                                                     LogLevel level);

}  // namespace bunraku
