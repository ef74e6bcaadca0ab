// Routing, commands and errors of the store's HTTP API.
#include "store/http/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "net/compression.h"
#include "net/message_parser.h"
#include "net/url.h"
#include "store/http/responses.h"
#include "store/query/fields.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

std::string make_uuid() {
  static thread_local std::mt19937_64 random{std::random_device{}()};
  const uint64_t high = (random() & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (random() & ~(uint64_t{3} << 62)) | (uint64_t{1} << 63);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffff);
}

std::string_view path_of(const net::Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

std::string_view query_of(const net::Request& request) {
  const size_t mark = request.target.find('?');
  return mark == std::string::npos ? std::string_view()
                                   : std::string_view(request.target).substr(mark + 1);
}

bool admits_json(std::string_view accept) {
  return accept.empty() || accept.find("application/json") != std::string_view::npos ||
         accept.find("*/*") != std::string_view::npos ||
         accept.find("application/*") != std::string_view::npos;
}

[[noreturn]] void refuse_command(const std::string& name, const std::string& certname,
                                 const std::string& reason) {
  throw RequestError(400, fmt::format("Command \"{}\" for certname \"{}\" is invalid. {}", name,
                                      certname, reason));
}

// A command as sent: in the parameters, or completely in the body (the old form).
struct SentCommand {
  Command command;
  bool has_parameters = false;
  bool waits = false;
};

void read_old_form(const std::string& body, Command& command) {
  Arena arena;
  DataNode data;
  try {
    data = read_json(body, arena);
  } catch (const DataError& error) {
    throw RequestError(400, fmt::format("The body is no JSON: {}", error.what()));
  }
  const DataNode* name = data.find("command");
  const DataNode* version = data.find("version");
  const DataNode* payload = data.find("payload");
  if (name == nullptr || !name->is(DataKind::kString) || version == nullptr ||
      !version->is(DataKind::kInteger) || payload == nullptr) {
    throw RequestError(400,
                       "A command without parameters has command, version and payload in its body");
  }
  command.name = name->text_value();
  command.version = version->integer_value();
  command.body =
      payload->is(DataKind::kString) ? std::string(payload->text_value()) : json_of(*payload);
  Arena inner;
  try {
    const DataNode certname = read_json(command.body, inner);
    if (const DataNode* node = certname.find("certname");
        node != nullptr && node->is(DataKind::kString)) {
      command.certname = node->text_value();
    }
  } catch (const DataError&) {
    // It becomes a dead letter.
  }
}

std::string uncompressed_body(const net::Request& request, size_t largest) {
  const std::string_view encoding = request.fields.get("Content-Encoding");
  if (encoding.empty() || encoding == "identity") {
    if (request.body.size() > largest) throw RequestError(413, "The command is too large");
    return request.body;
  }
  if (encoding != "gzip") {
    throw RequestError(415, fmt::format("content encoding {} not supported", encoding));
  }
  auto body = net::gunzip(request.body, largest);
  if (!body) throw RequestError(413, "The body is no gzip text, or the command is too large");
  return std::move(*body);
}

// Reads the command's name, its certname and the version, which is returned as text, from the
// parameters, or all of them from the body where there are none.
std::string read_parameters(const net::Parameters& parameters, SentCommand& sent) {
  Command& command = sent.command;
  std::string version;
  std::vector<std::string> missing{"command", "version", "certname"};
  std::vector<std::string> unknown;
  for (const auto& [name, value] : parameters) {
    std::erase(missing, name);
    if (name == "command") {
      command.name = value;
      std::ranges::replace(command.name, '_', ' ');
    } else if (name == "version") {
      version = value;
    } else if (name == "certname") {
      command.certname = value;
    } else if (name == "secondsToWaitForCompletion") {
      sent.waits = true;
    } else if (name != "checksum" && name != "producer-timestamp") {
      unknown.push_back(name);
    }
  }
  sent.has_parameters = !parameters.empty() && !(missing.size() == 3 && sent.waits);
  if (!sent.has_parameters) {
    read_old_form(command.body, command);
    version = std::to_string(command.version);
  } else if (!missing.empty()) {
    refuse_command(command.name, command.certname,
                   fmt::format("missing parameters: {}", fmt::join(missing, ", ")));
  }
  if (!unknown.empty()) {
    refuse_command(command.name, command.certname,
                   fmt::format("invalid parameters: {}.", fmt::join(unknown, ", ")));
  }
  return version;
}

const CommandKind& kind_of(const Command& command) {
  if (const CommandKind* kind = find_command(command.name)) return *kind;
  std::vector<std::string_view> names;
  for (const CommandKind& known : kCommandKinds) names.push_back(known.name);
  refuse_command(command.name, command.certname,
                 fmt::format("Command must be one of: {}.", fmt::join(names, ", ")));
}

SentCommand read_command(const net::Request& request, std::string_view query, size_t largest) {
  SentCommand sent;
  Command& command = sent.command;
  command.received = now_microseconds();
  const std::string_view type = request.fields.get("Content-Type");
  if (!type.empty() && !type.starts_with("application/json")) {
    throw RequestError(415, fmt::format("content type {} not supported", type));
  }
  command.body = uncompressed_body(request, largest);
  const std::string version = read_parameters(net::parse_parameters(query), sent);
  const CommandKind& kind = kind_of(command);
  if (version.empty() || version.find_first_not_of("0123456789") != std::string::npos ||
      version.size() > 9) {
    refuse_command(command.name, command.certname, "Version must be a valid integer.");
  }
  command.version = std::stoll(version);
  if (sent.has_parameters && command.certname.empty()) {
    refuse_command(command.name, command.certname, "Certname must be a non-empty string.");
  }
  if (command.version < kind.oldest) {
    refuse_command(command.name, command.certname,
                   fmt::format("Version {} of command {} is retired. The minimum supported version "
                               "is {}.",
                               command.version, command.name, kind.oldest));
  }
  return sent;
}

// Refuses in PuppetDB's words, with a hint.
void check_right(bool is_granted, const Access& access, std::string_view doing) {
  if (is_granted) return;
  throw RequestError(
      403, fmt::format("Permission denied: The client certificate name {} doesnt appear in the "
                       "certificate allowlist of clients that may {}.",
                       access.name.empty() ? "(none)" : access.name, doing));
}

std::string_view word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kStored:
      return "processed";
    case Outcome::kUnchanged:
      return "processed (unchanged)";
    case Outcome::kStale:
      return "stale";
    case Outcome::kDuplicate:
      return "duplicate";
    case Outcome::kQueued:
      return "queued";
  }
  return {};
}

}  // namespace

Api::Api(Store& store, ApiOptions options) : store_(store), options_(std::move(options)) {}

void Api::log(LogLevel level, const std::string& text) const {
  if (!options_.log) return;
  std::string line = text;
  // Names come from clients, so line breaks are replaced.
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  options_.log(level, line);
}

bool Api::serves(std::string_view path) {
  return path.starts_with("/pdb/") || path == "/pdb" || path.starts_with("/metrics/v2");
}

net::Response Api::answer(const net::Request& request, const Access& access) {
  try {
    return route(request, access);
  } catch (const RequestError& error) {
    if (error.status() == 403) log(LogLevel::kWarning, error.what());
    return path_of(request).starts_with("/pdb/cmd/") ? error_response(error.status(), error.what())
                                                     : text_response(error.status(), error.what());
  } catch (const net::BadMessage& error) {
    return text_response(400, error.what());
  } catch (const StoreError& error) {
    switch (error.kind()) {
      case StoreErrorKind::kInput:
        return text_response(400, error.what());
      case StoreErrorKind::kUnavailable:
      case StoreErrorKind::kConflict:
        log(LogLevel::kErr, error.what());
        return text_response(503, "The store cannot be used at the moment. Try again later.");
      default:
        log(LogLevel::kErr, error.what());
        return text_response(500, error.what());
    }
  } catch (const std::exception& error) {
    log(LogLevel::kErr, error.what());
    return text_response(500, error.what());
  }
}

net::Response Api::route(const net::Request& request, const Access& access) {
  const std::string_view path = path_of(request);
  const std::string_view query = query_of(request);
  if (path.starts_with("/status/v1/")) return answer_status(path);
  if (path.starts_with("/metrics/v2")) {
    check_right(access.may_ask, access, "ask for metrics");
    return answer_metrics(request, path);
  }
  if (path.starts_with("/pdb/admin/v1/")) {
    check_right(access.may_administer, access, "administer the store");
    return answer_admin(request, path, query);
  }
  if (path == "/pdb/cmd/v1" || path == "/pdb/cmd/v1/") {
    return answer_command(request, query, access);
  }
  if (path.starts_with("/pdb/meta/v1/")) {
    if (!query.empty()) {
      return text_response(
          400, fmt::format("Unsupported query parameter '{}'", query.substr(0, query.find('='))));
    }
    const std::string_view rest = path.substr(std::string_view("/pdb/meta/v1/").size());
    if (rest == "version") {
      return json_response(200, fmt::format("{{\"version\":\"{}\"}}", kProtocolVersion));
    }
    if (rest == "version/latest") {
      return json_response(200, fmt::format("{{\"newer\":false,\"version\":\"{}\",\"link\":null}}",
                                            kProtocolVersion));
    }
    if (rest == "server-time") {
      return json_response(
          200, fmt::format("{{\"server_time\":\"{}\"}}", time_text(now_microseconds())));
    }
    return text_response(404, "Not Found");
  }
  constexpr std::string_view kQuery = "/pdb/query/";
  if (!path.starts_with(kQuery)) return text_response(404, "Not Found");
  const std::string_view version =
      path.substr(kQuery.size(), path.find('/', kQuery.size()) - kQuery.size());
  if (version == "v1" || version == "v2" || version == "v3") {
    return text_response(404, fmt::format("The {} API has been retired; please use v4", version));
  }
  if (version != "v4") return text_response(404, "Not Found");
  check_right(access.may_ask, access, "ask");
  if (!admits_json(request.fields.get("Accept"))) {
    return text_response(406, "must accept application/json");
  }
  const auto segments = path_segments(path.substr(kQuery.size() + version.size()));
  if (!segments) return text_response(400, "The path is not escaped as it should be");
  return answer_query_request(options_.reading == nullptr ? store_ : *options_.reading, request,
                              *segments, query, options_.limits);
}

net::Response Api::answer_command(const net::Request& request, std::string_view query,
                                  const Access& access) {
  const SentCommand sent = read_command(request, query, options_.largest_command);
  const Command& command = sent.command;
  const auto check_node = [&](const std::string& certname) {
    check_right(access.may_store(certname), access,
                fmt::format("store anything about {}", certname.empty() ? "no node" : certname));
  };
  check_node(command.certname);
  counts_.seen += 1;
  const std::string uuid = make_uuid();
  const int64_t begun = now_microseconds();
  bool is_queued = false;
  try {
    const PreparedCommand prepared = prepare_command(command, store_.fact_filter());
    check_node(prepared.certname);
    const Outcome outcome = store_or_keep(store_, prepared, command);
    is_queued = outcome == Outcome::kQueued;
    if (!is_queued) counts_.processed += 1;
    if (outcome == Outcome::kUnchanged) counts_.unchanged += 1;
    log(LogLevel::kInfo, fmt::format("[{}] [{} ms] '{}' command {} for {}", uuid.substr(0, 8),
                                     (now_microseconds() - begun) / 1000, command.name,
                                     word_of(outcome), command.certname));
  } catch (const StoreError& error) {
    if (error.kind() != StoreErrorKind::kInput) {
      counts_.failed += 1;
      throw;
    }
    counts_.discarded += 1;
    log(LogLevel::kErr, fmt::format("[{}] '{}' command for {} discarded: {}", uuid.substr(0, 8),
                                    command.name, command.certname, error.what()));
    keep_dead_letter(store_, command, error.what());
    // A client that waits gets the error at once; others are answered as by PuppetDB, which checks
    // payloads later.
    if (sent.waits) {
      refuse_command(command.name, command.certname, error.what());
    }
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("uuid", uuid);
  if (sent.waits) {
    json.key("processed"), json.boolean(!is_queued);
    json.key("timed_out"), json.boolean(is_queued);
  }
  json.end_object();
  return json_response(sent.waits && is_queued ? 503 : 200, std::move(text));
}

}  // namespace bunraku::store
