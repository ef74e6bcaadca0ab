// Requests files from web servers, and sends reports.
#include "cli/commands/web_files.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <ctime>

#include "agent/client_settings.h"
#include "apply/transaction/failure.h"
#include "base/diagnostics/log.h"
#include "base/system/file_system.h"
#include "base/text/base64.h"
#include "base/text/digest.h"
#include "net/http_client.h"
#include "net/url.h"

namespace bunraku {
namespace {

constexpr int kMostRedirections = 10;

bool is_success(const net::Response& response) {
  return response.status >= 200 && response.status < 300;
}

bool is_redirection(const net::Response& response) {
  return response.status == 301 || response.status == 302 || response.status == 303 ||
         response.status == 307 || response.status == 308;
}

// "{mtime}2026-11-22 17:20:20 UTC" for "Sun, 22 Nov 2026 17:20:20 GMT"; the current time without a
// date.
std::string time_checksum(std::string_view date) {
  std::tm fields = {};
  const std::string text(date);
  std::time_t time = std::time(nullptr);
  if (strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &fields) != nullptr) {
    time = timegm(&fields);
  }
  gmtime_r(&time, &fields);
  std::array<char, 64> formatted = {};
  std::strftime(formatted.data(), formatted.size(), "{mtime}%Y-%m-%d %H:%M:%S UTC", &fields);
  return formatted.data();
}

// The checksum of the type in the headers of an answer; empty when there is none.
std::string checksum_of(const net::Fields& fields, std::string_view type) {
  if (type == "md5") {
    if (const std::string* digest = fields.find("Content-MD5")) {
      return "{md5}" + to_hex(decode_base64_leniently(*digest));
    }
  }
  const std::string_view name = type == "md5"      ? "X-Checksum-Md5"
                                : type == "sha1"   ? "X-Checksum-Sha1"
                                : type == "sha256" ? "X-Checksum-Sha256"
                                                   : "";
  if (!name.empty()) {
    const std::string* digest = fields.find(name);
    return digest == nullptr ? std::string() : fmt::format("{{{}}}{}", type, *digest);
  }
  return type == "mtime" ? time_checksum(fields.get("Last-Modified")) : std::string();
}

// The target of a redirection. Throws NetError.
std::string location_of(const net::Response& response, const std::string& from) {
  const std::string to(response.fields.get("Location"));
  if (to.find("://") != std::string::npos) return to;
  const net::Url url = net::parse_url(from);
  const std::string start = fmt::format("{}://{}", url.scheme, net::authority_of(url));
  if (to.starts_with('/')) return start + to;
  return start + std::string(parent_directory(url.target.substr(0, url.target.find('?')))) + "/" +
         to;
}

// An error in the answer and not in the connection; reported unchanged.
class TooManyRedirections : public net::NetError {
 public:
  explicit TooManyRedirections(const std::string& url)
      : NetError(net::ErrorKind::kProtocol, fmt::format("Too many HTTP redirections for {}", url)) {
  }
};

// Sends a request and follows redirections. These requests have no credentials that could be passed
// on. Throws NetError.
net::Response send(net::HttpClient& client, net::ClientRequest request) {
  for (int count = 0; count < kMostRedirections; ++count) {
    net::Response response = client.send(request);
    if (!is_redirection(response) || response.fields.find("Location") == nullptr) return response;
    request.url = location_of(response, request.url);
  }
  throw TooManyRedirections(request.url);
}

std::string file_text(const std::string& path) {
  return is_file(path) ? read_file(path) : std::string();
}

// The reason why a request that started at `begun` failed, in the reference's words.
std::string failure_of(const std::string& url, std::chrono::steady_clock::time_point begun,
                       const net::NetError& error) {
  if (error.kind() == net::ErrorKind::kConfiguration) return error.what();
  if (dynamic_cast<const net::ServerRefused*>(&error) != nullptr) return error.what();
  if (dynamic_cast<const TooManyRedirections*>(&error) != nullptr) return error.what();
  return fmt::format("Request to {} {}", url,
                     net::outcome_of(error, std::chrono::steady_clock::now() - begun));
}

}  // namespace

WebFiles::WebFiles(const Settings& settings, LogSink* log) : settings_(settings), log_(log) {}

WebFiles::~WebFiles() = default;

// Additional authorities in ssl_trust_store.
std::string WebFiles::trusted_texts() const {
  const std::string path = settings_.text("ssl_trust_store");
  if (path.empty() || !exists(path)) return {};
  if (is_file(path)) return "\n" + read_file(path);
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = fmt::format(
      "The 'ssl_trust_store' setting does not refer to a file and will be ignored: '{}'", path);
  if (log_ != nullptr) log_->log(record);
  return {};
}

net::HttpClient& WebFiles::client() {
  if (client_ != nullptr) return *client_;
  net::ClientSettings client = agent::client_settings(settings_);
  client.tls.authorities = file_text(settings_.text("localcacert"));
  if (!client.tls.authorities.empty()) {
    client.tls.revocations = file_text(settings_.text("hostcrl"));
    // The revocation lists cover the site's authorities, not the system's.
    client.tls.checks_revocation = false;
  }
  client.tls.certificate = file_text(settings_.text("hostcert"));
  if (!client.tls.certificate.empty()) client.tls.key = file_text(settings_.text("hostprivkey"));
  if (client.tls.key.empty()) client.tls.certificate.clear();
  client.tls.uses_system_authorities = true;
  client.tls.authorities += trusted_texts();
  client_ = std::make_unique<net::HttpClient>(std::move(client));
  return *client_;
}

std::optional<apply::SourceMetadata> WebFiles::find(const std::string& url,
                                                    const std::string& checksum_type) {
  const auto begun = std::chrono::steady_clock::now();
  try {
    net::ClientRequest request;
    request.method = "HEAD";
    request.url = url;
    net::Response response = send(client(), request);
    if (response.status == 403 || response.status == 405) {
      // Some servers sign URLs for one method only, and others do not support HEAD.
      request.method = "GET";
      request.fields.add("Range", "bytes=0-0");
      response = send(client(), request);
    }
    if (!is_success(response)) return std::nullopt;
    apply::SourceMetadata metadata;
    metadata.source = url;
    metadata.content_uri = url;
    metadata.relative_path = ".";
    metadata.type = "file";
    for (const std::string_view type :
         {std::string_view(checksum_type), std::string_view("sha256"), std::string_view("sha1"),
          std::string_view("md5"), std::string_view("mtime")}) {
      metadata.checksum_type = type;
      metadata.checksum = checksum_of(response.fields, type);
      if (!metadata.checksum.empty()) break;
    }
    return metadata;
  } catch (const net::NetError& error) {
    throw apply::Failure(fmt::format("Could not retrieve file metadata for {}: {}", url,
                                     failure_of(url, begun, error)));
  }
}

void WebFiles::read(const std::string& url, const std::function<void(std::string_view)>& take) {
  net::ClientRequest request;
  request.url = url;
  const auto begun = std::chrono::steady_clock::now();
  try {
    const net::Response response = send(client(), request);
    if (!is_success(response)) {
      throw apply::Failure(fmt::format("Error {} on SERVER: {}", response.status, response.body));
    }
    take(response.body);
  } catch (const net::NetError& error) {
    throw apply::Failure(failure_of(url, begun, error));
  }
}

void WebFiles::post(const std::string& url, std::string text) {
  net::ClientRequest request;
  request.method = "POST";
  request.url = url;
  request.body = std::move(text);
  request.fields.add("Content-Type", "application/x-yaml");
  const auto begun = std::chrono::steady_clock::now();
  try {
    const net::Response response = client().send(request);
    if (is_success(response)) return;
    throw apply::Failure(fmt::format("Unable to submit report to {} [{}] {}", url, response.status,
                                     net::reason_of(response.status)));
  } catch (const net::NetError& error) {
    throw apply::Failure(fmt::format("Report processor failed: {}", failure_of(url, begun, error)));
  }
}

}  // namespace bunraku
