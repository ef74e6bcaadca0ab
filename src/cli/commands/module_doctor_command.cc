#include <fmt/format.h>

#include <algorithm>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/text/counts.h"
#include "catalog/explanation/survey.h"
#include "cli/commands/commands.h"
#include "cli/frame/missing_modules.h"
#include "cli/frame/session.h"
#include "ruby/worker/worker.h"
#include "site/environment/environment_settings.h"

namespace bunraku {
namespace {

bool has_news(const SurveyedModule& module) {
  return !module.parts.empty() || !module.unresolved.empty() || !module.broken_files.empty();
}

size_t count(const SurveyedModule& module, bool is_native) {
  return static_cast<size_t>(
      std::count_if(module.parts.begin(), module.parts.end(),
                    [=](const SurveyedPart& part) { return part.is_native == is_native; }));
}

size_t count(const SurveyedModule& module, SurveyedKind kind, bool is_native) {
  return static_cast<size_t>(std::count_if(
      module.parts.begin(), module.parts.end(),
      [=](const SurveyedPart& part) { return part.kind == kind && part.is_native == is_native; }));
}

// The place and reason: "templates/x.erb:3: the method 'unpack'".
std::string where_and_why(const SurveyedPart& part) {
  if (part.obstacle.empty()) return part.file;
  return part.obstacle_line > 0
             ? fmt::format("{}:{}: {}", part.file, part.obstacle_line, part.obstacle)
             : fmt::format("{}: {}", part.file, part.obstacle);
}

// Modules outside of the environment, such as the system's.
struct OutsideModules {
  std::vector<std::string> directories;
  size_t count = 0;
};

// Sorts the environment's modules first. Of the others only the number is kept, unless all are
// requested, because their problems are not the repository's.
OutsideModules set_outside_apart(std::vector<SurveyedModule>& modules,
                                 const Environment& environment, bool with_all_modules) {
  const auto outside = std::ranges::stable_partition(modules, [&](const SurveyedModule& module) {
    return module.path.empty() || environment.holds(module.path);
  });
  OutsideModules found;
  if (with_all_modules || outside.size() == modules.size()) return found;
  found.count = outside.size();
  for (const SurveyedModule& module : outside) {
    std::string directory(parent_directory(module.path));
    if (std::ranges::find(found.directories, directory) == found.directories.end()) {
      found.directories.push_back(std::move(directory));
    }
  }
  modules.erase(outside.begin(), outside.end());
  return found;
}

// Returns one line for each name that no module defines: "class sudo (site.pp:5 and 2 more
// places)".
std::vector<std::string> unresolved_names(const std::vector<UnresolvedUse>& uses,
                                          const std::string& directory) {
  struct Name {
    const UnresolvedUse* first;
    size_t places = 0;
  };
  std::vector<Name> names;
  for (const UnresolvedUse& use : uses) {
    auto name = std::ranges::find_if(names, [&](const Name& known) {
      return known.first->kind == use.kind && known.first->name == use.name;
    });
    if (name == names.end()) name = names.insert(name, {&use});
    ++name->places;
  }
  std::vector<std::string> lines;
  for (const Name& name : names) {
    const std::string others =
        name.places == 1 ? "" : fmt::format(" and {}", counted(name.places - 1, "more place"));
    lines.push_back(fmt::format("{} {} ({}:{}{})", name.first->kind, name.first->name,
                                path_from(directory, name.first->file), name.first->line, others));
  }
  return lines;
}

void show_totals(const std::vector<SurveyedModule>& modules, Session& session) {
  size_t in_ruby = 0, native = 0, templates_in_ruby = 0, native_templates = 0;
  size_t broken = 0, unresolved = 0;
  for (const SurveyedModule& module : modules) {
    templates_in_ruby += count(module, SurveyedKind::kTemplate, false);
    native_templates += count(module, SurveyedKind::kTemplate, true);
    in_ruby += count(module, false);
    native += count(module, true);
    broken += module.broken_files.size();
    unresolved += module.unresolved.size();
  }
  session.print(fmt::format(
      "\nRuby runs {} of {} functions and types, and {} of {} ERB templates. Broken: {}. "
      "Unresolved: {}.\n",
      count_text(in_ruby - templates_in_ruby),
      count_text(in_ruby - templates_in_ruby + native - native_templates),
      count_text(templates_in_ruby), count_text(templates_in_ruby + native_templates),
      count_text(broken), count_text(unresolved)));
}

void show_as_text(const std::vector<SurveyedModule>& modules, const OutsideModules& outside,
                  const std::string& ruby, const Environment& environment, Session& session) {
  const std::string directory = absolute_path(".");
  session.print(fmt::format("Environment {}: {}. Ruby: {}\n", environment.name(),
                            counted(modules.size() - 1 + outside.count, "module"),
                            ruby.empty() ? "none found" : ruby));
  for (const SurveyedModule& module : modules) {
    if (!has_news(module)) continue;
    const bool is_here = module.path == directory;
    const std::string place = is_here ? "." : path_from(directory, module.path);
    session.print(fmt::format("\n{} ({})\n", module.name, place.empty() ? "no directory" : place));
    for (const SurveyedPart& part : module.parts) {
      if (!part.is_native) {
        session.print(fmt::format("  Ruby        {} {} ({})\n", name_of(part.kind), part.name,
                                  where_and_why(part)));
      }
    }
    const size_t native_templates = count(module, SurveyedKind::kTemplate, true);
    const size_t native = count(module, true) - native_templates;
    if (native > 0) {
      session.print(fmt::format("  native      {}\n",
                                counted(native, "function or type", "functions and types")));
    }
    if (native_templates > 0) {
      session.print(fmt::format("  native      {}\n", counted(native_templates, "ERB template")));
    }
    for (const BrokenFile& broken : module.broken_files) {
      session.print(
          fmt::format("  broken      {}\n", broken.mistake.empty() ? broken.file : broken.mistake));
    }
    for (const std::string& name : unresolved_names(module.unresolved, directory)) {
      session.print(fmt::format("  unresolved  {}\n", name));
    }
  }
  show_totals(modules, session);
  if (outside.count > 0) {
    session.print(fmt::format("Not shown: {} outside of the environment, in {} (--all-modules)\n",
                              counted(outside.count, "module"),
                              fmt::join(outside.directories, ", ")));
  }
}

void show_as_json(const std::vector<SurveyedModule>& modules, const std::string& ruby,
                  const Environment& environment, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("environment", std::string_view(environment.name()));
  json.key("ruby");
  if (ruby.empty()) {
    json.null();
  } else {
    json.string(ruby);
  }
  json.key("modules");
  json.begin_array();
  for (const SurveyedModule& module : modules) {
    json.begin_object();
    json.member("name", std::string_view(module.name));
    json.member("path", std::string_view(module.path));
    for (const bool is_native : {false, true}) {
      json.key(is_native ? "native" : "ruby");
      json.begin_array();
      for (const SurveyedPart& part : module.parts) {
        if (part.is_native != is_native) continue;
        json.begin_object();
        json.member("kind", name_of(part.kind));
        json.member("name", std::string_view(part.name));
        json.member("file", std::string_view(part.file));
        if (!part.obstacle.empty()) {
          json.member("needs", std::string_view(part.obstacle));
          json.member("line", int64_t{part.obstacle_line});
        }
        json.end_object();
      }
      json.end_array();
    }
    json.key("broken");
    json.begin_array();
    for (const BrokenFile& broken : module.broken_files) {
      json.begin_object();
      json.member("file", std::string_view(broken.file));
      json.member("mistake", std::string_view(broken.mistake));
      json.end_object();
    }
    json.end_array();
    json.key("unresolved");
    json.begin_array();
    for (const UnresolvedUse& use : module.unresolved) {
      json.begin_object();
      json.member("kind", use.kind);
      json.member("name", std::string_view(use.name));
      json.member("file", std::string_view(use.file));
      json.member("line", int64_t{use.line});
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  session.print(text + "\n");
}

}  // namespace

Command make_module_doctor_command() {
  Command command("module doctor", "What of an environment needs Ruby, and what is missing");
  command.details(
      "Lists by module what is written in Ruby, how much of that the program has natively, and "
      "which functions, resource types and classes code uses that no module defines, and which "
      "names in templates are neither variables nor methods. Modules outside of the environment, "
      "such as the system's, are counted only. Nothing is compiled and no Ruby is run.");
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  auto name = std::make_shared<std::string>();
  auto with_all_modules = std::make_shared<bool>(false);
  command.flag("--all-modules", "modules outside of the environment too, after its own",
               *with_all_modules);
  command.argument("[ENVIRONMENT]",
                   "the environment, by its name or its directory; otherwise that of --environment",
                   *name);
  command.example("bunraku module doctor", "reports on the environment production");
  command.example("bunraku module doctor staging --format json", "the same for other programs");
  command.run([name, with_all_modules](Session& session) {
    if (!name->empty()) session.choose_environment(*name);
    const Settings settings = session.load_settings("main");
    const bool needs_directory = !settings.is_on_command_line("modulepath");
    const std::shared_ptr<Environment> environment = open_environment(settings, needs_directory);
    log_problems(environment->problems(), session.log());
    std::vector<SurveyedModule> modules = survey(*environment);
    // A module path on the command line selects the modules.
    const OutsideModules outside = set_outside_apart(
        modules, *environment, *with_all_modules || settings.is_on_command_line("modulepath"));
    const std::string ruby = find_ruby(session.options().ruby.program);
    if (session.format_or("text") == "json") {
      show_as_json(modules, ruby, *environment, session);
    } else {
      show_as_text(modules, outside, ruby, *environment, session);
      warn_of_missing_modules(session);
    }
    return kExitSuccess;
  });
  return command;
}

}  // namespace bunraku
