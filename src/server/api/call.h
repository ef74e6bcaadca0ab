// One request to the server, and helpers that make its answer.
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
  std::string id;  // shown in all log lines of the request
  std::string path;
  // The parameters of the query, and of the body if that is a form.
  net::Parameters parameters;
  Client client;
  const Site& site;  // the configuration at the time of the request
  Shared& shared;

  // The first parameter of this name; null when there is none.
  const std::string* parameter(std::string_view name) const;
  bool is_true(std::string_view name) const;
};

// The error of a call of puppet/v3: the message is sent as JSON, prefixed by the status.
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

// The error of a call whose errors are plain text.
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

// The first type of the request's Accept that is among `offered`; for "*/*" the first of those.
// Throws ApiError 400 without the header, and 406 when none matches.
std::string_view negotiate(const net::Request& request,
                           const std::vector<std::string_view>& offered);

// The types that most calls of puppet/v3 offer.
const std::vector<std::string_view>& data_types();
// Makes an answer from JSON text in the negotiated type: JSON, PSON or MessagePack.
net::Response data_answer(std::string_view type, std::string json);
// Parses the body of a PUT by its Content-Type: JSON, PSON or MessagePack. The data live in
// `arena`. Throws ApiError.
DataNode data_body(const Call& call, Arena& arena);
// Throws ApiError 400 or 415 unless the Content-Type is among `known`.
void check_content_type(const net::Request& request, const std::vector<std::string_view>& known);

// The environment, a required parameter of all calls of puppet/v3. Throws ApiError when it is
// missing or not a valid name.
const std::string& environment_parameter(const Call& call);
// As above, for calls whose errors are plain text. Throws TextError.
const std::string& environment_parameter_for_text(const Call& call);
// The path of the node's facts.
std::string facts_path(const Call& call, const std::string& node);
// Throws ApiError 500 when the facts cannot be written.
void save_facts(const Call& call, const std::string& node, const std::string& json);
// Throws ApiError 400 for a name that a certificate cannot have.
void check_node_name(const std::string& name);

}  // namespace bunraku::server
