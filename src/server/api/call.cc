// Parameters, errors and the negotiation of formats.
#include "server/api/call.h"

#include <algorithm>

#include "base/formats/json.h"

namespace bunraku::server {
namespace {

std::string_view prefix_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request: ";
    case 403:
      return "Not Authorized: ";
    case 404:
      return "Not Found: ";
    case 405:
      return "Method Not Allowed: ";
    case 406:
      return "Not Acceptable: ";
    case 415:
      return "Unsupported Media Type: ";
    case 500:
      return "Server Error: ";
    default:
      return "";
  }
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

const std::string* Call::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) return &value;
  }
  return nullptr;
}

bool Call::is_true(std::string_view name) const {
  const std::string* value = parameter(name);
  return value != nullptr && *value == "true";
}

net::Response answer_of(int status, std::string type, std::string body) {
  net::Response response;
  response.status = status;
  response.fields.add("Content-Type", std::move(type));
  response.body = std::move(body);
  return response;
}

net::Response text_answer(int status, std::string text) {
  return answer_of(status, "text/plain;charset=utf-8", std::move(text));
}

net::Response json_answer(int status, std::string json) {
  return answer_of(status, "application/json;charset=utf-8", std::move(json));
}

net::Response error_answer(const ApiError& error) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("message", std::string(prefix_of(error.status())) + error.what());
  json.member("issue_kind", error.kind());
  json.end_object();
  return json_answer(error.status(), std::move(text));
}

std::string_view negotiate(const net::Request& request,
                           const std::vector<std::string_view>& offered) {
  const std::string* accept = request.fields.find("Accept");
  if (accept == nullptr) {
    if (request.method == "PUT") return offered.front();
    throw ApiError(400, "Missing required Accept header", "MISSING_HEADER_FIELD");
  }
  for (std::string_view rest = *accept; !rest.empty();) {
    const size_t comma = rest.find(',');
    std::string_view type = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    type = trimmed(type.substr(0, type.find(';')));
    if (type == "*/*") return offered.front();
    const auto found = std::ranges::find_if(
        offered, [&](std::string_view known) { return net::same_field_name(known, type); });
    if (found != offered.end()) return *found;
  }
  throw ApiError(406, "No supported formats are acceptable (Accept: " + *accept + ")",
                 "UNSUPPORTED_FORMAT");
}

const std::string& environment_parameter(const Call& call) {
  const std::string* name = call.parameter("environment");
  if (name == nullptr) throw ApiError(400, "An environment parameter must be specified");
  const bool is_name = !name->empty() && std::ranges::all_of(*name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!is_name) {
    throw TextError(400, "The environment must be purely alphanumeric, not '" + *name + "'");
  }
  return *name;
}

}  // namespace bunraku::server
