// Files on web servers, as sources of files, and reports that are sent to one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apply/transaction/context.h"
#include "site/settings/settings.h"

namespace bunraku {

class LogSink;
namespace net {
class HttpClient;
}

// Connects when it is first needed. Used by one thread.
class WebFiles {
 public:
  // Both must outlive it; without a log nothing is warned of.
  WebFiles(const Settings& settings, LogSink* log);
  ~WebFiles();

  // Nothing when the server has no such file. Throws apply::Failure.
  std::optional<apply::SourceMetadata> find(const std::string& url,
                                            const std::string& checksum_type);
  // Throws apply::Failure.
  void read(const std::string& url, const std::function<void(std::string_view)>& take);
  // Sends a report as YAML. Throws apply::Failure.
  void post(const std::string& url, std::string text);

 private:
  net::HttpClient& client();
  std::string trusted_texts() const;

  const Settings& settings_;
  LogSink* log_;
  std::unique_ptr<net::HttpClient> client_;
};

}  // namespace bunraku
