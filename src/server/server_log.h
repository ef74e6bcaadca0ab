// The logs of the server: a line for each event on standard error or in a file, and a line for each
// request in the access log. Files are appended to, and reopened on request for rotation.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/diagnostics/log.h"
#include "base/system/descriptor.h"

namespace bunraku::server {

class ServerLog {
 public:
  struct Options {
    LogLevel level = LogLevel::kInfo;
    bool is_json = false;
    std::string access_log;  // a path; empty: none
  };
  explicit ServerLog(Options options);

  // `request` is the identifier of the request concerned; may be empty. Control characters in the
  // message are escaped.
  void write(LogLevel level, std::string_view message, std::string_view request = {});
  void write_access(const std::string& line);
  // Reopens the access log.
  void reopen();
  bool takes(LogLevel level) const { return level >= options_.level; }

 private:
  Options options_;
  std::mutex mutex_;
  Descriptor access_;
};

// Escapes control characters and invalid bytes.
std::string printable(std::string_view text);

}  // namespace bunraku::server
