#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "site/environment/environment_settings.h"

namespace bunraku {
namespace {

// The modules in one directory of the module path, sorted by full name.
std::vector<const Module*> modules_in(const Environment& environment, std::string_view directory) {
  std::vector<const Module*> modules;
  for (const Module& module : environment.modules()) {
    if (parent_directory(module.path) == directory) modules.push_back(&module);
  }
  auto full_name = [](const Module* module) {
    return module->forge_name.empty() ? module->name.text() : std::string_view(module->forge_name);
  };
  std::ranges::sort(modules,
                    [&](const Module* a, const Module* b) { return full_name(a) < full_name(b); });
  return modules;
}

std::string text_of(const Module& module) {
  std::string name(module.forge_name.empty() ? module.name.text()
                                             : std::string_view(module.forge_name));
  std::ranges::replace(name, '/', '-');
  std::string version = module.version.empty() ? "\?\?\?" : "v" + module.version;
  return fmt::format("{} ({})", name, version);
}

void list_as_text(const Environment& environment, Session& session) {
  // The repository's own module is on no module path.
  if (const Repository* own = environment.repository()) {
    const Module* module = own->module.empty() ? nullptr : environment.find_module(own->module);
    if (module != nullptr) {
      session.print(fmt::format("{}\n└── {}\n", own->directory, text_of(*module)));
    }
  }
  for (const std::string& directory : environment.modulepath()) {
    if (!is_directory(directory)) continue;
    std::vector<const Module*> modules = modules_in(environment, directory);
    session.print(modules.empty() ? fmt::format("{} (no modules installed)\n", directory)
                                  : directory + "\n");
    for (const Module* module : modules) {
      session.print(
          fmt::format("{} {}\n", module == modules.back() ? "└──" : "├──", text_of(*module)));
    }
  }
}

void list_as_json(const Environment& environment, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("environment", std::string_view(environment.name()));
  json.key("modules_by_path");
  json.begin_object();
  for (const std::string& directory : environment.modulepath()) {
    json.key(directory);
    json.begin_array();
    for (const Module* module : modules_in(environment, directory)) {
      json.begin_object();
      json.member("name", module->name.text());
      json.member("path", std::string_view(module->path));
      if (!module->forge_name.empty())
        json.member("forge_name", std::string_view(module->forge_name));
      if (!module->version.empty()) json.member("version", std::string_view(module->version));
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
  json.end_object();
  session.print(text + "\n");
}

}  // namespace

Command make_module_list_command() {
  Command command("module list", "The modules on the module path");
  command.details(
      "Shows the modules that code of the environment sees, by the directories they are in. Of "
      "modules of the same name only the first counts.");
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku module list", "lists the modules of the environment production");
  command.example("bunraku module list --modulepath site:modules --format json",
                  "lists those of two directories, for other programs");
  command.run([](Session& session) {
    const Settings settings = session.load_settings("main");
    const bool needs_directory = !settings.is_on_command_line("modulepath");
    const std::shared_ptr<Environment> environment = open_environment(settings, needs_directory);
    log_problems(environment->problems(), session.log());
    if (session.format_or("text") == "json") {
      list_as_json(*environment, session);
    } else {
      list_as_text(*environment, session);
    }
    return kExitSuccess;
  });
  return command;
}

}  // namespace bunraku
