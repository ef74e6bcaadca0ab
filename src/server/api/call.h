// One request on its way through the server, and how its answer is made.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "net/message.h"
#include "net/url.h"
#include "server/authorization/client.h"

namespace bunraku {
class Arena;
}

namespace bunraku::server {

struct Shared;
struct Site;

struct Call {
  const net::Request& request;
  std::string id;  // in all log lines of the request
  std::string path;
  // Of the query, and of the body where that is a form.
  net::Parameters parameters;
  Client client;
  const Site& site;  // the configuration as it was when the request arrived
  Shared& shared;

  // The first of this name; null when there is none.
  const std::string* parameter(std::string_view name) const;
  bool is_true(std::string_view name) const;
};

// Fails a call of puppet/v3: the message is sent as JSON, with the status's prefix.
class ApiError : public std::exception {
 public:
  ApiError(int status, std::string message, std::string kind = "RUNTIME_ERROR")
      : status_(status), message_(std::move(message)), kind_(std::move(kind)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int status() const { return status_; }
  const std::string& kind() const { return kind_; }

 private:
  int status_;
  std::string message_;
  std::string kind_;
};

// Fails a call whose errors are plain text.
class TextError : public std::exception {
 public:
  TextError(int status, std::string message) : status_(status), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int status() const { return status_; }

 private:
  int status_;
  std::string message_;
};

net::Response text_answer(int status, std::string text);
net::Response json_answer(int status, std::string json);
net::Response answer_of(int status, std::string type, std::string body);
net::Response error_answer(const ApiError& error);

// The first type of the request's Accept that is among `offered`, whose first one also stands for
// "*/*". Throws ApiError 400 without the header and 406 when none fits.
std::string_view negotiate(const net::Request& request,
                           const std::vector<std::string_view>& offered);

// What most calls of puppet/v3 offer.
const std::vector<std::string_view>& data_types();
// An answer of JSON text, in the type that was negotiated: JSON, PSON or MessagePack.
net::Response data_answer(std::string_view type, std::string json);
// The body of a PUT: JSON, PSON or MessagePack, by its Content-Type. Lives in `arena`. Throws
// ApiError.
DataNode data_body(const Call& call, Arena& arena);
// Throws ApiError 400 or 415 unless the Content-Type is among `known`.
void check_content_type(const net::Request& request, const std::vector<std::string_view>& known);

// The environment that every call of puppet/v3 names. Throws ApiError when it is missing or no
// name.
const std::string& environment_parameter(const Call& call);
// The same for the calls whose errors are plain text. Throws TextError.
const std::string& environment_parameter_for_text(const Call& call);
// The directory of facts, and in it the file of the node's.
std::string facts_path(const Call& call, const std::string& node);
// Throws ApiError 500 when it cannot.
void save_facts(const Call& call, const std::string& node, const std::string& json);
// Throws ApiError 400 for a name that no certificate may have.
void check_node_name(const std::string& name);

}  // namespace bunraku::server
