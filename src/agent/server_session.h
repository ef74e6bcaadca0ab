// Requests to the servers of a run: the choice of a server for each service, headers, redirections,
// answers that ask to retry later, and errors in the reference's words.
#pragma once

#include <chrono>
#include <ctime>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/transaction/context.h"
#include "net/http_client.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

// The error of a request without a usable answer.
class RequestError : public std::exception {
 public:
  explicit RequestError(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

// No connection to the server could be made.
class ConnectionError : public RequestError {
 public:
  ConnectionError(const std::string& url, std::string outcome);
  // "failed after 0.01 seconds: …"
  const std::string& outcome() const { return *outcome_; }

 private:
  std::shared_ptr<const std::string> outcome_;
};

// An answer with an error status; what() is its reason, "Not Found".
class ResponseError : public RequestError {
 public:
  ResponseError(int status, std::string reason, std::string text, std::string path)
      : RequestError(std::move(reason)),
        status_(status),
        text_(std::move(text)),
        path_(std::move(path)) {}
  int status() const { return status_; }
  // "Error 500 on SERVER: Server Error: …"
  std::string server_text() const;
  // The message for look-ups: "Find /puppet/v3/node/a?… resulted in 404 with the message: …" for
  // 404, otherwise server_text().
  std::string search_text() const;

 private:
  int status_;
  std::string text_;
  std::string path_;
};

// Credentials for TLS, as PEM texts.
struct Credentials {
  std::string authorities;
  std::string revocations;  // empty: revocation is not checked
  std::string certificate;
  std::string key;
  bool verifies_server = true;
  bool checks_only_leaf = false;
};

enum class Service : uint8_t { kAuthority, kCode, kFiles, kReports, kStatus };

struct Call {
  Service service = Service::kCode;
  std::string method = "GET";
  std::string path;  // below the service's path, with a leading slash, escaped: "/node/a"
  net::Parameters query;
  std::string accept = "application/json";
  std::string content_type;
  std::string body;
  std::optional<std::time_t> modified_since;
  // "host" or "host:port" instead of the service's server; empty: the service's.
  std::string server;
};

// Used by one thread.
class ServerSession {
 public:
  // Both must outlive the session.
  ServerSession(const Settings& settings, apply::RunLog& log);
  ~ServerSession();
  ServerSession(const ServerSession&) = delete;
  ServerSession& operator=(const ServerSession&) = delete;

  // Required before the first request. Closes connections with earlier credentials.
  void use(const Credentials& credentials);
  // Closes all connections.
  void close();

  // Returns a successful answer. Throws ResponseError, RequestError.
  net::Response send(const Call& call);
  // As send(), but returns no value for 404.
  std::optional<net::Response> find(const Call& call);

  // "https://puppet:8140/puppet-ca/v1"
  std::string url_of(Service service);
  // "puppet:8140 (192.0.2.1)" for logs; without the address when the name has none.
  std::string destination_of(Service service);
  // Requests the status of each server in `server_list` until one answers. Returns false when none
  // does, and true also without such a list. Problems are logged.
  bool select_server();
  // "host:port" of the server selected from the list; empty without a list.
  const std::string& selected_server() const { return selected_; }

 private:
  using Address = std::pair<std::string, std::string>;  // host and port
  Address address_of(Service service);
  std::deque<Address>& named_addresses(Service service);
  bool take_next_route(Service service);
  std::string base_of(const Call& call);
  net::Response exchange(const net::ClientRequest& request);
  // `begun`: when the first attempt was made, for messages.
  net::Response send_once(const net::ClientRequest& request,
                          std::chrono::steady_clock::time_point begun);
  // Waits as long as the header demands, at most the run interval, without connections.
  void wait_for_retry(const std::string& retry_after);
  void add_headers(net::ClientRequest& request, const Call& call) const;
  void ask_status(const std::string& address);
  std::string error_text(const net::Response& response) const;

  const Settings& settings_;
  apply::RunLog& log_;
  std::unique_ptr<net::HttpClient> client_;
  Credentials credentials_;
  std::string selected_;
  // The servers that DNS lists for a service and that have not failed yet, the one in use first.
  std::map<Service, std::deque<Address>> named_;
  std::set<std::string> reached_;  // URLs of services that have answered
};

// The entries of a list of servers: "host" or "host:port".
std::vector<std::string> server_list(const Settings& settings);

}  // namespace bunraku::agent
