// HTTP messages as plain data: requests and answers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/system/descriptor.h"

namespace bunraku::net {

// Header fields in their order. Names are compared without case.
class Fields {
 public:
  void add(std::string name, std::string value) {
    entries_.emplace_back(std::move(name), std::move(value));
  }
  // Replaces the fields of this name.
  void set(std::string_view name, std::string value);
  void remove(std::string_view name);
  // Returns the value of the first field of this name; null when there is none.
  const std::string* find(std::string_view name) const;
  // The same, empty when there is none.
  std::string_view get(std::string_view name) const;
  size_t count(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

// Compares names without ASCII case.
bool same_field_name(std::string_view a, std::string_view b);

// The verified certificate of a client, shared by all requests of a connection, which are handled
// one after the other.
struct PeerCertificate {
  explicit PeerCertificate(std::string bytes) : der(std::move(bytes)) {}
  const std::string der;
  // The data that the handler read from it, so that it is parsed once per connection. Used by the
  // handler only.
  std::shared_ptr<const void> contents;
};

struct Request {
  std::string method;  // "GET", as it was sent
  std::string target;  // path and query as they were sent
  Fields fields;
  std::string body;

  // Set by the server.
  std::string peer_address;  // "127.0.0.1"
  uint16_t peer_port = 0;
  bool is_encrypted = false;
  std::shared_ptr<PeerCertificate> peer_certificate;  // null when the client has none
  std::chrono::steady_clock::time_point received;
  // Set when the client has closed the connection, so that the answer is no longer needed.
  std::shared_ptr<const std::atomic<bool>> is_abandoned;
};

// The contents of a file, sent in pieces.
class FileBody {
 public:
  // `file` is an open regular file of `size` bytes.
  FileBody(Descriptor file, uint64_t size) : file_(std::move(file)), size_(size) {}
  uint64_t size() const { return size_; }
  // Reads up to `size` bytes at `offset`; fewer when the file was truncated.
  size_t read(uint64_t offset, char* to, size_t size) const;

 private:
  Descriptor file_;
  uint64_t size_;
};

struct Response {
  int status = 200;
  Fields fields;
  std::string body;
  std::shared_ptr<const FileBody> file;  // instead of `body`
  bool closes_connection = false;
};

// Returns a text such as "Not Found"; empty for an unknown status.
std::string_view reason_of(int status);

enum class ErrorKind : uint8_t {
  kConnect,  // no connection to the other side
  kConnectTimeout,
  kTls,          // the handshake failed: certificate, name, version
  kTimeout,      // the deadline passed
  kProtocol,     // the other side's message is not HTTP
  kInterrupted,  // the connection ended within a message
  kConfiguration
};

// An error of the network or its configuration.
class NetError : public std::exception {
 public:
  NetError(ErrorKind kind, std::string message)
      : kind_(kind), message_(std::make_shared<const std::string>(std::move(message))) {}
  // Returns the same error for a request that had no connection yet.
  NetError before_connection() const {
    NetError error = *this;
    error.has_connection_ = false;
    return error;
  }
  const char* what() const noexcept override { return message_->c_str(); }
  ErrorKind kind() const { return kind_; }
  // Returns false when nothing was sent, so that another server may be tried.
  bool has_connection() const { return has_connection_; }

 private:
  ErrorKind kind_;
  bool has_connection_ = true;
  std::shared_ptr<const std::string> message_;
};

}  // namespace bunraku::net
