// Answers requests of test programs.
#include "testing/catalog_requests.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/text/utf8.h"
#include "compilation/catalog_compilation.h"
#include "site/node/facts.h"
#include "site/settings/settings_table.h"

namespace bunraku::testing {
namespace {

using compilation::CatalogAnswer;
using compilation::CatalogRequest;
using compilation::Refresh;
using compilation::Service;
using compilation::Sources;
using compilation::ValueSource;

// Example groups differ in their Hiera configuration, and rarely in other settings.
constexpr size_t kMostKept = 8;

[[noreturn]] void refuse(std::string reason) {
  throw DataError("A request is not what it should be: " + std::move(reason));
}

const DataNode& member(const DataNode& request, std::string_view name, DataKind kind) {
  const DataNode* found = request.find(name);
  if (found == nullptr || !found->is(kind)) refuse(fmt::format("'{}' is missing", name));
  return *found;
}

ValueSource source_of(const DataNode& node) {
  return [&node](Arena& arena) { return value_of_data(arena, node); };
}

// A hash with one member, in the form of a classifier's answer.
ValueSource classification_of(const DataNode& parameters) {
  return [&parameters](Arena& arena) {
    HashBuilder answer(arena, 1);
    answer.set("parameters", value_of_data(arena, parameters));
    return answer.finish();
  };
}

SettingsSources settings_of(const DataNode& settings) {
  SettingsSources sources;
  sources.section = "server";
  for (const DataEntry& entry : settings.entries()) {
    if (!entry.key.is(DataKind::kString) || !entry.value.is(DataKind::kString)) {
      refuse("a setting is no text");
    }
    std::string name(entry.key.text_value());
    if (find_setting(name) == nullptr) continue;  // a setting without a meaning here
    sources.command_line.emplace_back(std::move(name), entry.value.text_value());
  }
  // Files are watched instead, and the service is flushed when one changes.
  sources.command_line.emplace_back("environment_timeout", "unlimited");
  return sources;
}

LogLevel log_level_of(const DataNode& request) {
  const DataNode* name = request.find("log_level");
  if (name == nullptr || !name->is(DataKind::kString)) return LogLevel::kNotice;
  return parse_log_level(name->text_value()).value_or(LogLevel::kNotice);
}

CatalogRequest request_of(const DataNode& request, const RequestLimits& limits) {
  CatalogRequest made;
  made.node.name = member(request, "node", DataKind::kString).text_value();
  made.node.facts = source_of(member(request, "facts", DataKind::kHash));
  made.node.trusted = source_of(member(request, "trusted", DataKind::kHash));
  made.node.server_facts = source_of(member(request, "server_facts", DataKind::kHash));
  made.node.classification = classification_of(member(request, "parameters", DataKind::kHash));
  made.node.code = member(request, "code", DataKind::kString).text_value();
  made.node.spares_main_files = true;
  made.node.limits = limits;
  made.form.keeps_references = true;
  const DataNode* with_virtual = request.find("virtual");
  made.form.include_virtual = with_virtual != nullptr && *with_virtual == DataNode::boolean(true);
  made.log_level = log_level_of(request);
  return made;
}

void write_error(JsonWriter& json, const compilation::CatalogFailure& failure) {
  json.key("error");
  json.begin_object();
  if (failure.diagnostic) {
    write_error_members(json, *failure.diagnostic, failure.kind, failure.message);
  } else {
    json.member("message", std::string_view(replace_invalid_utf8(failure.message)));
  }
  json.member("kind", name_of(failure.kind));
  json.end_object();
}

std::string text_of(const CatalogAnswer& answer) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (answer.failure) {
    write_error(json, *answer.failure);
  } else {
    json.key("catalog");
    json.raw(std::string_view(answer.json).substr(0, answer.json.find_last_not_of('\n') + 1));
  }
  if (!answer.log.empty()) {
    json.key("logs");
    json.begin_array();
    for (const LogRecord& record : answer.log) json.raw(json_of(record));
    json.end_array();
  }
  json.end_object();
  return text;
}

std::string refusal(std::string_view message) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.member("message", std::string_view(replace_invalid_utf8(message)));
  json.member("kind", name_of(ErrorKind::kError));
  json.end_object();
  json.end_object();
  return text;
}

// The paths that affect catalogs: code of modules, and the Hiera configuration with the files
// beside it.
std::vector<std::string> watched_paths(const Settings& settings) {
  std::vector<std::string> paths = settings.list("modulepath");
  for (const std::string& path : settings.list("basemodulepath")) paths.push_back(path);
  paths.push_back(settings.text("hiera_config"));
  return paths;
}

}  // namespace

CatalogRequests::CatalogRequests(RubyOptions ruby, RequestLimits limits)
    : ruby_(std::move(ruby)), limits_(std::move(limits)) {}

Service& CatalogRequests::service_for(const DataNode& settings) {
  std::string key;
  JsonWriter(key).data(settings);
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at->settings != key) continue;
    kept_.splice(kept_.begin(), kept_, at);
    const bool has_data_changed = at->service->generation("", nullptr)->data_files().have_changed();
    if (at->watch->has_changed() || has_data_changed) at->service->flush_all();
    return *at->service;
  }
  Settings all(settings_of(settings));
  Kept made;
  made.settings = std::move(key);
  made.watch = std::make_unique<FileWatch>(watched_paths(all));
  compilation::Inputs inputs;
  inputs.ruby = ruby_;
  // An empty code makes an environment without a directory; the real code comes with each request.
  Sources sources;
  sources.code = "";
  made.service = std::make_unique<Service>(std::move(all), std::move(inputs), std::move(sources),
                                           Refresh::kByTimeout);
  kept_.push_front(std::move(made));
  if (kept_.size() > kMostKept) kept_.pop_back();
  return *kept_.front().service;
}

std::string CatalogRequests::answer(const DataNode& request) {
  if (!request.is(DataKind::kHash)) refuse("it is no object");
  Service& service = service_for(member(request, "settings", DataKind::kHash));
  return text_of(compile_catalog(service, request_of(request, limits_)));
}

std::string CatalogRequests::answer(std::string_view request) {
  try {
    Arena arena;
    return answer(read_json(request, arena));
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

}  // namespace bunraku::testing
