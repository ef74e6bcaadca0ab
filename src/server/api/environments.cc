// The environments and their modules.
#include <fmt/format.h>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "compilation/service.h"
#include "server/api/routes.h"
#include "server/shared.h"
#include "site/environment/environment.h"

namespace bunraku::server {
namespace {

void write_timeout(JsonWriter& json, const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 18 &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  json.key("environment_timeout");
  if (is_number) {
    json.integer(std::stoll(text));
  } else {
    json.string(text);
  }
}

void write_modules(JsonWriter& json, const Environment& environment) {
  json.begin_object();
  json.key("modules"), json.begin_array();
  for (const Module& module : environment.modules()) {
    json.begin_object();
    json.member("name",
                module.forge_name.empty() ? std::string(module.name.text()) : module.forge_name);
    json.key("version");
    if (module.version.empty()) {
      json.null();
    } else {
      json.string(module.version);
    }
    json.end_object();
  }
  json.end_array();
  json.member("name", environment.name());
  json.end_object();
}

}  // namespace

net::Response answer_environments(const Call& call) {
  const std::shared_ptr<compilation::Service> code = call.shared.code->current();
  const Settings& settings = code->settings();
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("search_paths"), json.begin_array();
  for (const std::string& directory : settings.list("environmentpath")) {
    json.string("file://" + directory);
  }
  json.string("data:text/plain,internal");
  json.end_array();
  json.key("environments"), json.begin_object();
  for (const auto& [name, directory] : call.shared.code->environments()) {
    const std::shared_ptr<Environment> environment = code->environment(name, nullptr);
    json.key(name), json.begin_object();
    json.key("settings"), json.begin_object();
    json.key("modulepath"), json.begin_array();
    for (const std::string& path : environment->modulepath()) json.string(path);
    json.end_array();
    json.member("manifest", environment->manifest());
    write_timeout(json, environment->conf().environment_timeout.value_or(
                            settings.text("environment_timeout")));
    json.member("config_version", environment->config_version().value_or(""));
    json.end_object(), json.end_object();
  }
  json.end_object(), json.end_object();
  return json_answer(200, std::move(text));
}

net::Response answer_environment_modules(const Call& call) {
  const std::shared_ptr<compilation::Service> code = call.shared.code->current();
  std::string text;
  JsonWriter json(text);
  if (call.parameter("environment") == nullptr) {
    json.begin_array();
    for (const auto& [name, directory] : call.shared.code->environments()) {
      write_modules(json, *code->environment(name, nullptr));
    }
    json.end_array();
  } else {
    const std::string& name = environment_parameter_for_text(call);
    if (!call.shared.code->has_environment(name)) {
      throw TextError(404, fmt::format("Could not find environment '{}'", name));
    }
    write_modules(json, *code->environment(name, nullptr));
  }
  return json_answer(200, std::move(text));
}

}  // namespace bunraku::server
