// What the server writes down: a line an event on standard error or in a file, and a line a request
// in the access log. Files are appended to and opened anew on request, for rotation.
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

  // `request` is the identifier of the request that it is about; may be empty. Control characters
  // of the message are escaped.
  void write(LogLevel level, std::string_view message, std::string_view request = {});
  void write_access(const std::string& line);
  // Opens the access log again.
  void reopen();
  bool takes(LogLevel level) const { return level >= options_.level; }

 private:
  Options options_;
  std::mutex mutex_;
  Descriptor access_;
};

// Control characters and invalid bytes as escapes.
std::string printable(std::string_view text);

}  // namespace bunraku::server
