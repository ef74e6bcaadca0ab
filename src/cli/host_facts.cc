// Merges this host's facts with custom facts of modules in Ruby.
#include "cli/host_facts.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/version.h"
#include "cli/frame/session.h"
#include "compilation/compilation.h"
#include "evaluation/evaluator.h"
#include "facts/host_facts.h"
#include "serialization/serialization.h"
#include "site/node/facts.h"

namespace bunraku {

using compilation::Compilation;
using compilation::Service;

namespace {

// Forwards log records of custom facts. Problems of the environment's files are left out, because
// the following compilation logs them.
class FactLog final : public LogSink {
 public:
  explicit FactLog(LogSink& log) : log_(log) {}
  bool takes(LogLevel level) const override { return log_.takes(level); }
  void log(const LogRecord& record) override {
    if (!record.source.empty()) log_.log(record);
  }
  void log_fatal(const FatalRecord& record) override { log_.log_fatal(record); }

 private:
  LogSink& log_;
};

// The environment whose modules may have facts, and a worker that runs them. The classifier is not
// run, because its input includes facts.
class FactEnvironment {
 public:
  FactEnvironment(Session& session, const HostFactsRequest& request)
      : log_(session.log()),
        service_(settings(session, request), inputs(session), sources()),
        name_(service_.settings().text("certname")),
        compilation_(service_, node(name_), &log_) {}

  Compilation& compilation() { return compilation_; }

 private:
  static Settings settings(Session& session, const HostFactsRequest& request) {
    if (request.of_synchronised_plugins) return settings_without_modules(session);
    SettingsSources sources = session.settings_sources(request.run_mode);
    sources.command_line.emplace_back("node_terminus", "plain");
    return Settings(std::move(sources));
  }
  static compilation::Inputs inputs(Session& session) {
    compilation::Inputs inputs;
    inputs.ruby = session.options().ruby;
    return inputs;
  }
  // No manifests are evaluated.
  static compilation::Sources sources() {
    compilation::Sources sources;
    sources.code = "";
    return sources;
  }
  static compilation::NodeInput node(const std::string& name) {
    compilation::NodeInput input;
    input.name = name;
    return input;
  }

  FactLog log_;
  Service service_;
  std::string name_;
  Compilation compilation_;
};

bool has_ruby_files(const std::string& directory) {
  try {
    return std::ranges::any_of(list_directory(directory), [](const DirectoryEntry& entry) {
      return entry.name.ends_with(".rb") && !entry.is_directory;
    });
  } catch (const FileError&) {
    return false;
  }
}

// The names of all settings by section, [main] first.
Value names_by_section(Arena& arena) {
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> sections = {{"main", {}}};
  for (const SettingInfo& info : all_settings()) {
    auto found = std::ranges::find(sections, info.section, &decltype(sections)::value_type::first);
    if (found == sections.end()) found = sections.insert(found, {info.section, {}});
    found->second.push_back(info.name);
  }
  HashBuilder hash(arena, sections.size());
  for (const auto& [section, names] : sections) {
    ArrayBuilder array(arena, names.size());
    for (const std::string_view name : names) array.push(Value::string(name));
    hash.set(section, array.finish());
  }
  return hash.finish();
}

// The values that differ between a section and the section of the run, by section.
Value differing_values(Arena& arena, const Settings& settings) {
  HashBuilder hash(arena);
  // Without a section besides [main] no value differs.
  if (settings.sections().size() < 2) return hash.finish();
  const auto texts = settings.texts();
  const auto add = [&](std::string_view section) {
    const auto others = settings.in_section(section).texts();
    HashBuilder differing(arena);
    for (size_t i = 0; i < texts.size(); ++i) {
      if (others[i].second == texts[i].second) continue;
      differing.set(others[i].first, Value::string(arena, others[i].second));
    }
    hash.set(Value::string(arena, section), differing.finish());
  };
  std::vector<std::string_view> names = {"main"};
  for (const SettingInfo& info : all_settings()) names.push_back(info.section);
  for (const SettingsFileSection& section : settings.sections()) names.push_back(section.name);
  std::ranges::sort(names);
  const auto [first, last] = std::ranges::unique(names);
  names.erase(first, last);
  for (const std::string_view name : names) add(name);
  return hash.finish();
}

// The settings as the prelude takes them: values, names by section, and differing values by
// section.
Value settings_of_run(Arena& arena, const Settings& settings) {
  HashBuilder values(arena);
  for (const auto& [name, text] : settings.texts()) values.set(name, Value::string(arena, text));
  ArrayBuilder all(arena, 3);
  all.push(values.finish());
  all.push(names_by_section(arena));
  all.push(differing_values(arena, settings));
  return all.finish();
}

// Runs custom facts in a worker of the environment.
class RubyFacts final : public facts::CustomFacts {
 public:
  RubyFacts(Compilation& compilation, Session& session)
      : compilation_(compilation), session_(session) {}

  void collect(const std::vector<std::string>& directories, facts::FactSet& known,
               std::vector<facts::Timing>* timings) override {
    std::vector<std::string> with_files;
    std::ranges::copy_if(directories, std::back_inserter(with_files), has_ruby_files);
    if (with_files.empty()) return;
    try {
      take(ask(with_files, known), known, timings);
    } catch (const EvaluationError& error) {
      session_.report(error.diagnostic());
    }
  }

 private:
  Value ask(const std::vector<std::string>& directories, const facts::FactSet& known) {
    Arena& arena = compilation_.compiler().evaluator().arena();
    HashBuilder core(arena);
    HashBuilder external(arena);
    for (const auto& [name, fact] : known.facts()) {
      HashBuilder& to = fact.kind == facts::FactKind::kExternal ? external : core;
      to.set(Value::string(arena, name), value_of_data(arena, fact.value));
    }
    ArrayBuilder paths(arena, directories.size());
    for (const std::string& directory : directories) paths.push(Value::string(arena, directory));
    const Settings& settings = compilation_.settings();
    const Value run_mode = Value::string(arena, settings.run_mode());
    const Value arguments[] = {core.finish(), external.finish(), paths.finish(),
                               settings_of_run(arena, settings), run_mode};
    RubyRequest request;
    request.method = "facts.collect";
    request.arguments = arguments;
    request.subject = "The collection of custom facts";
    return compilation_.compiler().evaluator().host().ruby->call(request);
  }

  // Reads [facts by name, seconds by file].
  static void take(Value answer, facts::FactSet& known, std::vector<facts::Timing>* timings) {
    if (!answer.is_array() || answer.as_array().size() != 2) return;
    const Value found = answer.as_array()[0];
    std::string text;
    JsonWriter json(text);
    write_rich_data(json, found, true, TypeForm::kText);
    const DataNode data = read_json(text, known.arena());
    for (const DataEntry& entry : data.entries()) {
      known.add(entry.key.text_value(), entry.value, facts::FactKind::kCustom);
    }
    if (timings == nullptr) return;
    for (const auto& [file, seconds] : answer.as_array()[1].as_hash()) {
      const auto time = std::chrono::duration<double>(seconds.as_float());
      timings->push_back({std::string(file.as_string()),
                          std::chrono::duration_cast<std::chrono::microseconds>(time)});
    }
  }

  Compilation& compilation_;
  Session& session_;
};

std::vector<std::string> paths_of(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    const size_t colon = std::min(list.find(':'), list.size());
    if (colon > 0) paths.emplace_back(list.substr(0, colon));
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
  return paths;
}

// The directories of modules, of the setting, of the environment variable, and of the command line,
// in this order.
std::vector<std::string> custom_directories(const Compilation& compilation,
                                            const HostFactsRequest& request) {
  std::vector<std::string> directories;
  for (const Module& module : compilation.environment().modules()) {
    directories.push_back(module.path + "/lib/facter");
  }
  const auto append = [&](const std::vector<std::string>& more) {
    directories.insert(directories.end(), more.begin(), more.end());
  };
  append(paths_of(compilation.settings().text("factpath")));
  if (const char* variable = std::getenv("FACTERLIB")) append(paths_of(variable));
  append(request.custom_directories);
  return directories;
}

facts::HostFactOptions options_of(const HostFactsRequest& request) {
  facts::HostFactOptions options;
  options.configuration = request.configuration;
  options.blocks = request.blocks;
  options.caches = request.caches;
  options.with_external = request.with_external;
  options.external_directories = request.external_directories;
  options.shows_legacy = request.shows_legacy;
  options.timings = request.timings;
  return options;
}

// Adds facts to `found`. Returns true when flat facts have to be shown, too.
bool collect(Session& session, const HostFactsRequest& request, facts::FactSet& found,
             LogSink& log) {
  facts::HostFactOptions options = options_of(request);
  std::optional<FactEnvironment> environment;
  std::optional<RubyFacts> custom;
  if (request.with_custom) {
    Compilation& compilation = environment.emplace(session, request).compilation();
    for (const Module& module : compilation.environment().modules()) {
      options.module_external_directories.push_back(module.path + "/facts.d");
    }
    if (request.of_synchronised_plugins) {
      options.module_external_directories.push_back(compilation.settings().text("pluginfactdest"));
    }
    options.custom_directories = custom_directories(compilation, request);
    custom.emplace(compilation, session);
    options.custom = &*custom;
  }
  found.add_text("puppetversion", kReferenceVersion, facts::FactKind::kCustom);
  return facts::collect_host_facts(facts::Machine(), found, options, log);
}

}  // namespace

Value facts_of_host(Session& session, Arena& arena, const HostFactsRequest& request) {
  Arena collected;
  facts::FactSet found(collected);
  const bool shows_legacy = collect(session, request, found, session.log());
  return value_of_data(arena, found.as_hash(shows_legacy));
}

Settings settings_without_modules(const Session& session) {
  auto values = session.options().settings;
  values.emplace_back("node_terminus", "plain");
  // Without a name on the command line the environment need not exist.
  std::erase_if(values, [](const auto& value) { return value.first == "environment"; });
  values.emplace_back("environmentpath", "/dev/null");
  values.emplace_back("basemodulepath", "");
  values.emplace_back("modulepath", "");
  return Settings({std::move(values), "agent"});
}

DataNode synchronised_facts(Session& session, const Settings& settings, Arena& arena,
                            LogSink& log) {
  HostFactsRequest request;
  request.of_synchronised_plugins = true;
  request.shows_legacy = settings.is_true("include_legacy_facts");
  facts::FactSet found(arena);
  const bool shows_legacy = collect(session, request, found, log);
  found.add_text("clientcert", settings.text("certname"), facts::FactKind::kCustom);
  found.add_text("clientversion", kReferenceVersion, facts::FactKind::kCustom);
  found.add("clientnoop", DataNode::boolean(settings.is_true("noop")), facts::FactKind::kCustom);
  return found.as_hash(shows_legacy);
}

Value agent_facts_of_host(Session& session, Arena& arena, std::string run_mode, bool with_custom) {
  const Settings settings(session.settings_sources("agent"));
  HostFactsRequest request;
  request.run_mode = std::move(run_mode);
  request.with_custom = with_custom;
  request.shows_legacy = settings.is_true("include_legacy_facts");
  HashBuilder facts(arena);
  for (const auto& [name, value] : facts_of_host(session, arena, request).as_hash()) {
    facts.set(name, value);
  }
  facts.set("clientcert", Value::string(arena, settings.text("certname")));
  facts.set("clientversion", Value::string(kReferenceVersion));
  facts.set("clientnoop", Value::boolean(settings.is_true("noop")));
  return facts.finish();
}

}  // namespace bunraku
