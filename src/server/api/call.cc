// Parameters, errors and content negotiation.
#include "server/api/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/formats/json.h"
#include "base/formats/msgpack.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/text/ascii.h"
#include "certificates/names.h"
#include "server/server_log.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

constexpr std::string_view kMsgpack = "application/x-msgpack";

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
    if (type == "pson") type = "text/pson";
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
    throw ApiError(400,
                   "The environment must be purely alphanumeric, not '" + printable(*name) + "'");
  }
  return *name;
}

const std::string& environment_parameter_for_text(const Call& call) {
  try {
    return environment_parameter(call);
  } catch (const ApiError& error) {
    throw TextError(error.status(), error.what());
  }
}

const std::vector<std::string_view>& data_types() {
  static const std::vector<std::string_view> types{"application/json", kMsgpack, "text/pson"};
  return types;
}

net::Response data_answer(std::string_view type, std::string json) {
  if (type.ends_with("msgpack")) {
    Arena arena;
    return answer_of(200, std::string(type), write_msgpack(read_json(json, arena)));
  }
  if (type == "text/pson") return answer_of(200, std::string(type), std::move(json));
  return answer_of(200, std::string(type) + ";charset=utf-8", std::move(json));
}

void check_content_type(const net::Request& request, const std::vector<std::string_view>& known) {
  const std::string_view type = request.fields.get("Content-Type");
  if (type.empty()) {
    throw ApiError(400,
                   "No Content-Type header was received, it isn't possible to unserialize the "
                   "request",
                   "MISSING_HEADER_FIELD");
  }
  const std::string_view bare = trimmed(type.substr(0, type.find(';')));
  const bool is_known = std::ranges::any_of(
      known, [&](std::string_view one) { return net::same_field_name(one, bare); });
  if (is_known) return;
  throw ApiError(415,
                 "Client sent a mime-type (" + printable(type) +
                     ") that doesn't correspond to a format we support",
                 "UNSUPPORTED_MEDIA_TYPE");
}

DataNode data_body(const Call& call, Arena& arena) {
  check_content_type(call.request, {"application/json", kMsgpack, "text/pson", "pson"});
  const bool is_msgpack = call.request.fields.get("Content-Type").starts_with(kMsgpack);
  try {
    return is_msgpack ? read_msgpack(call.request.body, arena)
                      : read_json(call.request.body, arena);
  } catch (const DataError& error) {
    throw ApiError(400, std::string("The request body is invalid: Could not intern from ") +
                            (is_msgpack ? "msgpack: " : "json: ") + error.what());
  }
}

std::string facts_path(const Call& call, const std::string& node) {
  return join_path(call.site.configuration.settings.text("server_datadir"),
                   "facts/" + node + ".json");
}

void save_facts(const Call& call, const std::string& node, const std::string& json) {
  const std::string path = facts_path(call, node);
  try {
    create_directory(std::string(parent_directory(path)));
    // Not synced to disk: that would take most of the request's time, and the node's next run sends
    // the facts again.
    write_file(path, json, NewFile{.mode = 0640, .is_synced = false});
  } catch (const FileError& error) {
    throw ApiError(500, fmt::format("Could not store facts for {}: {}", node, error.what()));
  }
}

void check_node_name(const std::string& name) {
  if (!certificates::is_host_name(name)) {
    throw ApiError(400, "Invalid node name: " + printable(name));
  }
}

}  // namespace bunraku::server
