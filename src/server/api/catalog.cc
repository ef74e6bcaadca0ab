// Catalogs: compilations for agents and for tools.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "certificates/names.h"
#include "compilation/catalog_compilation.h"
#include "server/api/code_commands.h"
#include "server/api/routes.h"
#include "server/shared.h"
#include "site/node/commands.h"
#include "site/node/facts.h"

namespace bunraku::server {
namespace {

constexpr std::string_view kRichJson = "application/vnd.puppet.rich+json";
constexpr std::string_view kRichMsgpack = "application/vnd.puppet.rich+msgpack";
constexpr double kSlowCompilation = 10;  // seconds

// The facts in a request, as the JSON text of a facts document; empty when there are none.
std::string facts_of(const Call& call, const std::string& key) {
  const std::string* facts = call.parameter("facts");
  if (facts == nullptr) return {};
  const std::string* format = call.parameter("facts_format");
  if (format == nullptr) {
    throw ApiError(500, fmt::format("Facts but no fact format provided for {}", key));
  }
  if (*format != "application/json" && *format != "pson") {
    throw ApiError(500, "Unsupported facts format");
  }
  // The facts are escaped twice.
  std::optional<std::string> text = net::decode_percent(*facts);
  if (!text) throw ApiError(400, "The facts are not escaped as they should be");
  return std::move(*text);
}

// Throws unless the document is an object with the node's name and an object of values.
void check_facts(const std::string& text, const std::string& key) {
  Arena arena;
  DataNode data;
  try {
    data = read_json(text, arena);
  } catch (const DataError& error) {
    throw ApiError(500, fmt::format("Could not intern from json: {}", error.what()));
  }
  const DataNode* name = data.find("name");
  const DataNode* values = data.find("values");
  if (name == nullptr || !name->is(DataKind::kString) || values == nullptr ||
      !values->is(DataKind::kHash)) {
    throw ApiError(400, "The facts are not an object with 'name' and 'values'");
  }
  if (name->text_value() != key) {
    throw ApiError(500, fmt::format("Catalog for \"{}\" was requested with fact definition for the "
                                    "wrong node (\"{}\").",
                                    key, name->text_value()));
  }
}

// `$trusted` for the client; without a certificate it has only the name.
Value trusted_data(Arena& arena, const Client& client, const std::string& name,
                   const Configuration& configuration) {
  HashBuilder trusted(arena, 6);
  const bool is_remote = client.is_authenticated && client.name == name;
  trusted.set("authenticated", is_remote ? Value::string(arena, "remote") : Value::boolean(false));
  trusted.set("certname", Value::string(arena, name));
  HashBuilder extensions(arena, client.extensions.size());
  if (is_remote) {
    for (const auto& [identifier, value] : client.extensions) {
      const std::string known = configuration.identifiers.name_of(identifier);
      if (known == identifier && !identifier.starts_with(certificates::kPuppetArc)) continue;
      extensions.set(arena.copy(known), Value::string(arena, value));
    }
  }
  trusted.set("extensions", extensions.finish());
  const size_t dot = name.find('.');
  trusted.set("hostname", Value::string(arena, name.substr(0, dot)));
  trusted.set("domain", dot == std::string::npos ? Value::undef()
                                                 : Value::string(arena, name.substr(dot + 1)));
  const Settings& settings = configuration.settings;
  const TrustedExternalCommand command{settings.text("trusted_external_command"),
                                       settings.names_directory("trusted_external_command")};
  trusted.set("external", command.path.empty() ? HashBuilder(arena, 0).finish()
                                               : run_trusted_external(arena, command, name));
  return trusted.finish();
}

std::string empty_catalog(const std::string& name, const std::string& environment,
                          const std::string& uuid) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("tags"), json.begin_array(), json.end_array();
  json.member("name", name);
  json.key("version"), json.null();
  json.key("code_id"), json.null();
  json.member("catalog_uuid", uuid);
  json.member("catalog_format", 2);
  json.member("environment", environment);
  for (const char* key : {"resources", "edges", "classes"}) {
    json.key(key), json.begin_array(), json.end_array();
  }
  json.end_object();
  return text;
}

std::vector<std::string> checksum_types_of(const Call& call) {
  std::vector<std::string> types;
  const std::string* list = call.parameter("checksum_type");
  if (list == nullptr) return types;
  for (size_t begin = 0; begin <= list->size();) {
    const size_t end = std::min(list->find('.', begin), list->size());
    if (end > begin) types.push_back(list->substr(begin, end - begin));
    begin = end + 1;
  }
  return types;
}

void log_compilation(const Call& call, const std::string& name,
                     const compilation::CatalogAnswer& answer) {
  for (const LogRecord& record : answer.log) {
    call.shared.log->write(record.level, text_of(record), call.id);
  }
  if (answer.failure) {
    call.shared.log->write(LogLevel::kErr, "Puppet " + answer.failure->message, call.id);
  } else {
    call.shared.log->write(LogLevel::kNotice,
                           fmt::format("Puppet Compiled catalog for {} in environment {} in {:.2f} "
                                       "seconds",
                                       name, answer.environment, answer.seconds),
                           call.id);
  }
  if (answer.seconds > kSlowCompilation) {
    call.shared.log->write(
        LogLevel::kWarning,
        fmt::format("The compilation for {} took {:.1f} seconds; `bunraku catalog compile "
                    "--profile` with its facts shows where they went",
                    name, answer.seconds),
        call.id);
  }
  call.shared.metrics.count_compilation(answer.environment.empty() ? "none" : answer.environment,
                                        answer.seconds, answer.failure.has_value());
  call.shared.nodes.change(name, [&](NodeRecord& record) {
    record.last_catalog = std::time(nullptr);
    record.compile_seconds = answer.seconds;
    record.resources = answer.resources;
    record.environment = answer.environment;
    record.failure = answer.failure ? answer.failure->message : "";
  });
}

// The requested environment, or the configured one when it does not exist, so that agents of a
// deleted environment can recover.
std::string environment_for(const Call& call, const std::string& requested) {
  if (call.shared.code->has_environment(requested)) return requested;
  return call.site.configuration.settings.text("environment");
}

compilation::CatalogAnswer compile(const Call& call, const std::string& name,
                                   const std::string& facts, const std::string& environment,
                                   compilation::ValueSource trusted, bool is_plain = false) {
  const std::shared_ptr<compilation::Service> code = call.shared.code->current();
  compilation::CatalogRequest request;
  const compilation::Document document{facts, fmt::format("the facts of {}", name)};
  request.node.name = name;
  if (!facts.empty()) request.node.facts = compilation::document_facts(document);
  request.node.trusted = std::move(trusted);
  request.node.environment = environment;
  request.form.is_plain = is_plain;
  request.form.code_id = code_id_of(call, environment);
  if (call.is_true("static_catalog")) {
    request.form.is_static = request.form.code_id.has_value();
    request.form.checksum_types = checksum_types_of(call);
  }
  compilation::CatalogAnswer answer = compilation::compile_catalog(*code, request);
  log_compilation(call, name, answer);
  return answer;
}

// Writes a record in the form that tools of the reference read.
void write_record(JsonWriter& json, const LogRecord& record) {
  std::array<char, 40> time{};
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  std::strftime(time.data(), time.size(), "%Y-%m-%dT%H:%M:%S.000+00:00", &fields);
  json.begin_object();
  json.member("level", name_of(record.level));
  json.member("message", record.message);
  json.member("source", record.source.empty() ? "Puppet" : record.source);
  json.key("tags"), json.begin_array();
  json.string(name_of(record.level));
  for (const std::string& tag : record.tags) json.string(tag);
  json.end_array();
  json.member("time", time.data());
  json.key("file");
  record.file.empty() ? json.null() : json.string(record.file);
  json.key("line");
  record.line == 0 ? json.null() : json.integer(record.line);
  json.end_object();
}

// --- version 4, whose requests and answers are JSON ---

DataNode json_body(const Call& call, Arena& arena) {
  if (!call.request.fields.get("Content-Type").starts_with("application/json")) {
    throw TextError(415, "The body must be JSON (Content-Type: application/json)");
  }
  try {
    return read_json(call.request.body, arena);
  } catch (const DataError& error) {
    throw TextError(400, fmt::format("Error parsing JSON: {}", error.what()));
  }
}

const DataNode& needed(const DataNode& body, const char* name) {
  const DataNode* node = body.find(name);
  if (node != nullptr) return *node;
  throw TextError(400, fmt::format("Invalid input: {{\"{}\" missing-required-key}}", name));
}

std::string needed_text(const DataNode& body, const char* name) {
  const DataNode& node = needed(body, name);
  if (node.is(DataKind::kString)) return std::string(node.text_value());
  throw TextError(400, fmt::format("Invalid input: '{}' is no string", name));
}

bool is_true(const DataNode* node) {
  return node != nullptr && node->is(DataKind::kBoolean) && node->boolean_value();
}

void check_persistence(const DataNode& body) {
  const DataNode& persistence = needed(body, "persistence");
  for (const char* key : {"facts", "catalog"}) {
    const DataNode* is_saved = persistence.find(key);
    if (is_saved == nullptr || !is_saved->is(DataKind::kBoolean)) {
      throw TextError(400, fmt::format("Invalid input: 'persistence' needs a boolean '{}'", key));
    }
  }
}

// The values of "facts" or "trusted_facts"; null when the request has none.
const DataNode* values_of(const DataNode& body, const char* key) {
  const DataNode* node = body.find(key);
  return node == nullptr || !node->is(DataKind::kHash) ? nullptr : node->find("values");
}

// The facts in the request, which are saved if it demands that, or the saved ones of the node.
std::string facts_of_body(const Call& call, const DataNode& body, const std::string& name) {
  const DataNode* values = values_of(body, "facts");
  if (values == nullptr) {
    const std::string path = facts_path(call, name);
    return is_file(path) ? read_file(path) : std::string();
  }
  std::string facts;
  JsonWriter json(facts);
  json.begin_object();
  json.member("name", name);
  json.key("values"), json.data(*values);
  json.end_object();
  if (is_true(needed(body, "persistence").find("facts"))) save_facts(call, name, facts);
  return facts;
}

std::string catalog_with_log(const compilation::CatalogAnswer& answer, bool has_log) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("catalog"), json.raw(answer.json);
  if (has_log) {
    json.key("logs"), json.begin_array();
    for (const LogRecord& record : answer.log) write_record(json, record);
    json.end_array();
  }
  json.end_object();
  return text;
}

}  // namespace

net::Response answer_catalog(const Call& call, const std::string& key) {
  check_node_name(key);
  const std::string requested = environment_parameter_for_text(call);
  const std::string_view type = negotiate(
      call.request,
      {kRichJson, "application/json", kRichMsgpack, "application/x-msgpack", "text/pson"});
  std::string facts = facts_of(call, key);
  if (!facts.empty()) {
    check_facts(facts, key);
    save_facts(call, key, facts);
  } else if (is_file(facts_path(call, key))) {
    facts = read_file(facts_path(call, key));
  }
  compilation::CatalogAnswer answer = compile(
      call, key, facts, environment_for(call, requested),
      [&](Arena& arena) { return trusted_data(arena, call.client, key, call.site.configuration); },
      type != kRichJson && type != kRichMsgpack);
  if (answer.failure) throw ApiError(500, answer.failure->message);
  std::string text = std::move(answer.json);
  const bool is_elsewhere = call.is_true("check_environment") && answer.environment != requested;
  if (is_elsewhere) {
    call.shared.log->write(
        LogLevel::kWarning,
        fmt::format("The environment of {} is {}, not {} as its agent has it; an "
                    "empty catalog makes the agent follow",
                    key, answer.environment, requested),
        call.id);
    text = empty_catalog(key, answer.environment, call.id);
  }
  net::Response response = data_answer(type, std::move(text));
  response.fields.add("X-Puppet-Compiler-Name", call.site.configuration.certname);
  return response;
}

net::Response answer_catalog_v4(const Call& call) {
  Arena arena;
  const DataNode body = json_body(call, arena);
  const std::string name = needed_text(body, "certname");
  const std::string environment = needed_text(body, "environment");
  check_persistence(body);
  check_node_name(name);
  if (!call.shared.code->has_environment(environment)) {
    throw TextError(404, fmt::format("Could not find environment '{}'", environment));
  }
  const std::string facts = facts_of_body(call, body, name);
  std::string trusted = "{}";
  if (const DataNode* values = values_of(body, "trusted_facts")) {
    trusted.clear();
    JsonWriter(trusted).data(*values);
  }
  const compilation::CatalogAnswer answer =
      compile(call, name, facts, environment,
              [&](Arena& values) { return read_data_hash(values, trusted, "trusted_facts"); });
  if (answer.failure) throw TextError(500, answer.failure->message);
  const DataNode* options = body.find("options");
  const auto has_option = [&](const char* option) {
    return options != nullptr && is_true(options->find(option));
  };
  if (has_option("prefer_requested_environment") && answer.environment != environment) {
    throw TextError(501, fmt::format("The classifier puts {} into the environment '{}'; to prefer "
                                     "another one is not supported yet",
                                     name, answer.environment));
  }
  return json_answer(200, catalog_with_log(answer, has_option("capture_logs")));
}

}  // namespace bunraku::server
