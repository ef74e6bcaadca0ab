// Files on web servers as sources, and reports sent to a web server.
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

// Connects on first use. Used by one thread.
class WebFiles {
 public:
  // Both must outlive this object; a log of null drops warnings.
  WebFiles(const Settings& settings, LogSink* log);
  ~WebFiles();

  // Returns no value when the server has no such file. Throws apply::Failure.
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
