// The settings, inputs and environments of a service.
#include "compilation/service.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/log.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "base/system/user_cache.h"
#include "base/system/version.h"
#include "base/text/lists.h"
#include "serialization/serialization.h"
#include "site/environment/environment_settings.h"
#include "site/environment/files.h"
#include "site/node/facts.h"
#include "site/node/host_addresses.h"
#include "site/settings/repository.h"

namespace bunraku::compilation {
namespace {

std::string host_name() {
  char buffer[256] = {};
  if (::gethostname(buffer, sizeof buffer - 1) != 0) return "localhost";
  return buffer;
}

// The server's own facts, used when none are given.
Value local_server_facts(Arena& arena) {
  const HostAddresses addresses = host_addresses();
  HashBuilder facts(arena, 4);
  facts.set("serverversion", Value::string(kReferenceVersion));
  facts.set("servername", Value::string(arena, host_name()));
  if (!addresses.ipv4.empty()) facts.set("serverip", Value::string(arena, addresses.ipv4));
  if (!addresses.ipv6.empty()) facts.set("serverip6", Value::string(arena, addresses.ipv6));
  return facts.finish();
}

Value strings_of(Arena& arena, std::string_view text, char separator) {
  ArrayBuilder strings(arena);
  for (const std::string& item : split_list(text, separator)) {
    strings.push(Value::string(arena, item));
  }
  return strings.finish();
}

Value list_value(Arena& arena, const SettingInfo& info, std::string_view text) {
  const Value items = strings_of(arena, text, ',');
  const bool has_parts = info.name == "server_list" || info.name == "http_extra_headers";
  if (!has_parts) return items;
  ArrayBuilder lists(arena);
  for (const Value& item : items.as_array()) {
    lists.push(strings_of(arena, item.as_string(), ':'));
  }
  return lists.finish();
}

Value setting_value(Arena& arena, const SettingInfo& info, const std::string& text) {
  if (text.empty() && !info.has_default) return Value::undef();
  if (info.kind == SettingKind::kList) return list_value(arena, info, text);
  if (info.kind == SettingKind::kTtl && text == "unlimited") {
    return Value::floating(std::numeric_limits<double>::infinity());
  }
  if (info.kind == SettingKind::kBoolean && (text == "true" || text == "false")) {
    return Value::boolean(text == "true");
  }
  const bool is_number = info.kind == SettingKind::kInteger ||
                         info.kind == SettingKind::kDuration || info.kind == SettingKind::kTtl;
  if (is_number && !text.empty() && text.size() < 18 &&
      text.find_first_not_of("0123456789") == std::string::npos) {
    return Value::integer(std::stoll(text));
  }
  return Value::string(arena, text);
}

// Sets values of environment.conf; the command line takes precedence.
void set_from_conf(HashBuilder& hash, Arena& arena, const Environment& environment,
                   const Settings& settings) {
  const EnvironmentConf& conf = environment.conf();
  const auto set = [&](std::string_view name, const auto& value, auto make) {
    if (value && !settings.is_on_command_line(name)) hash.set(name, make(*value));
  };
  const auto text = [&](const std::string& value) { return Value::string(arena, value); };
  set("config_version", environment.config_version(), text);
  set("environment_timeout", conf.environment_timeout, [&](const std::string& value) {
    return setting_value(arena, *find_setting("environment_timeout"), value);
  });
  set("static_catalogs", conf.static_catalogs, Value::boolean);
  set("rich_data", conf.rich_data, Value::boolean);
  set("environment_data_provider", conf.environment_data_provider, text);
}

// `texts` are the values of all settings.
Value hash_of_settings(Arena& arena, const SettingLookup& texts) {
  HashBuilder hash(arena, texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const SettingInfo& info = all_settings()[i];
    if (info.name != "name") hash.set(info.name, setting_value(arena, info, texts[i].second));
  }
  return hash.finish();
}

EvaluationSettings evaluation_settings(const Settings& settings, Strictness strict,
                                       bool is_script) {
  EvaluationSettings evaluation;
  evaluation.scripting = is_script;
  evaluation.strict = strict;
  evaluation.strict_variables = settings.is_true("strict_variables");
  evaluation.storeconfigs = settings.is_true("storeconfigs");
  evaluation.tasks = settings.is_true("tasks");
  evaluation.warns_of_deprecations = !disables_warnings(settings, "deprecations");
  evaluation.warns_of_undefined_variables = !disables_warnings(settings, "undefined_variables");
  return evaluation;
}

}  // namespace

Service::Service(Settings settings, Inputs inputs, Sources sources, Refresh refresh,
                 std::chrono::milliseconds look_interval)
    : settings_(std::move(settings)),
      inputs_(std::move(inputs)),
      sources_(std::move(sources)),
      environment_options_(environment_options(settings_)),
      evaluation_(
          evaluation_settings(settings_, environment_options_.parse.strict, sources_.is_script)),
      default_environment_(settings_.in_section(sources_.environment_section).text("environment")),
      settings_hash_(hash_of_settings(arena_, environment_options_.settings)),
      refresh_(refresh),
      look_interval_(look_interval) {
  if (inputs_.store != nullptr) evaluation_.storeconfigs = true;
  const auto read = [&](const std::optional<Document>& document) {
    return document ? read_data_hash(arena_, document->text, document->name) : Value::undef();
  };
  trusted_ = read(inputs_.trusted);
  server_facts_ = inputs_.server_facts ? read(inputs_.server_facts) : local_server_facts(arena_);
  classification_ = read(inputs_.classification);
  has_classification_ = inputs_.classification.has_value();
  const std::string terminus = settings_.text("node_terminus");
  if (terminus == "exec") classifier_ = settings_.text("external_nodes");
  if (terminus != "exec" && terminus != "plain" && !terminus.empty()) unknown_terminus_ = terminus;
  trusted_external_ = {settings_.text("trusted_external_command"),
                       settings_.names_directory("trusted_external_command")};
  if (inputs_.variables) {
    variables_ =
        read_rich_data_json(arena_, inputs_.variables->text, inputs_.variables->name, nullptr);
  }
  lookup_settings_.global_config = settings_.text("hiera_config");
  lookup_settings_.codedir = settings_.text("codedir");
  lookup_settings_.environment_data_provider = settings_.text("environment_data_provider");
  if (sources_.code) {
    environment_options_.code = sources_.code;
    environment_options_.code_name = sources_.code_name;
  }
  if (sources_.manifest) environment_options_.manifest = sources_.manifest;
  if (const std::string caches = user_cache_directory(); !caches.empty()) {
    environment_options_.texts_directory = join_path(caches, "modules");
  }
}

namespace {

[[noreturn]] void fail_searching(const TargetNode& node, std::string_view why) {
  throw EvaluationError(make_diagnostic(Issue::kNodeSearchFailed, Range{},
                                        {std::string(node.name), std::string(why)}),
                        ErrorKind::kError);
}

void classify(Arena& arena, const std::string& classifier, TargetNode& node) {
  try {
    const std::string answer = run_classifier(classifier, std::string(node.name));
    if (answer.find_first_not_of(" \t\r\n\f\v") != answer.npos) {
      return apply_classification(arena, read_data_hash(arena, answer, "<unknown>"), node);
    }
  } catch (const EvaluationError& error) {
    const Diagnostic& diagnostic = error.diagnostic();
    if (diagnostic.issue != Issue::kUnreadableData) fail_searching(node, error.what());
    fail_searching(node, fmt::format("Could not load external node results for {}: {}", node.name,
                                     diagnostic.arguments.at(1)));
  }
  throw EvaluationError(make_diagnostic(Issue::kUnknownNode, Range{}, {std::string(node.name)}),
                        ErrorKind::kError);
}

}  // namespace

void Service::describe(Arena& arena, TargetNode& node, Value classification) const {
  node.server_facts = server_facts_;
  node.parameters = HashBuilder(arena).finish();
  if (!unknown_terminus_.empty()) {
    fail_searching(
        node, fmt::format("Could not find terminus {} for indirection node", unknown_terminus_));
  }
  if (!classification.is_undef()) {
    apply_classification(arena, classification, node);
  } else if (has_classification_) {
    apply_classification(arena, classification_, node);
  } else if (!classifier_.empty()) {
    classify(arena, classifier_, node);
  }
}

Value Service::trusted_data(Arena& arena, const TargetNode& node) const {
  if (trusted_.is_hash()) return trusted_;
  const std::string_view certname = certname_of(node);
  return local_trusted_data(arena, certname,
                            run_trusted_external(arena, trusted_external_, certname));
}

std::shared_ptr<Generation> Service::generation(const std::string& asked, LogSink* log) {
  const std::string& name = asked.empty() ? default_environment_ : asked;
  // Users of the environment report its reads.
  const ObservedReads no_observer(nullptr);
  for (;;) {
    std::shared_ptr<Generation> known;
    uint64_t flushes = 0;
    {
      const std::lock_guard lock(mutex_);
      flushes = flushes_;
      if (const auto found = generations_.find(name); found != generations_.end()) {
        known = found->second;
      }
    }
    if (known != nullptr && known->is_current()) return known;
    // Made without the lock: several threads may make one, and the first is used.
    std::shared_ptr<Generation> made = make(name);
    {
      const std::lock_guard lock(mutex_);
      std::shared_ptr<Generation>& current = generations_[name];
      if (flushes != flushes_ || current != known) continue;
      current = made;
    }
    if (log != nullptr) log_problems(made->environment()->problems(), *log);
    return made;
  }
}

std::map<std::string, uint64_t> Service::known_generations() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, uint64_t> known;
  for (const auto& [name, generation] : generations_) known[name] = generation->number();
  return known;
}

void Service::flush(const std::string& name) {
  std::shared_ptr<Generation> old;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  ++flushes_;
  const auto found = generations_.find(name.empty() ? default_environment_ : name);
  if (found == generations_.end()) return;
  old = std::move(found->second);
  generations_.erase(found);
}

void Service::flush_all() {
  // destroyed after the lock is released
  std::unordered_map<std::string, std::shared_ptr<Generation>> old;
  const std::lock_guard lock(mutex_);
  ++flushes_;
  old.swap(generations_);
}

std::shared_ptr<Generation> Service::make(const std::string& name) const {
  bool follows_files = refresh_ == Refresh::kByTimeout &&
                       Lifetime::of_timeout(settings_.text("environment_timeout")).follows_files;
  for (;;) {
    std::optional<TreeStamps> before;
    if (follows_files) before.emplace(likely_paths(name));
    std::shared_ptr<Environment> environment = open(name);
    const Lifetime life = lifetime(*environment);
    std::unique_ptr<const TreeStamps> stamps;
    if (life.follows_files) {
      // the environment's own settings demand it
      if (!std::exchange(follows_files, true)) continue;
      stamps = std::make_unique<TreeStamps>(paths(*environment));
      if (before->have_changed()) continue;
    }
    std::unique_ptr<ShownSettings> settings = shown_settings(*environment);
    LookupSettings lookup = lookup_settings(*environment);
    return std::make_shared<Generation>(std::move(environment), std::move(settings),
                                        std::move(lookup), inputs_.ruby, life, std::move(stamps));
  }
}

Lifetime Service::lifetime(const Environment& environment) const {
  if (refresh_ == Refresh::kNever) {
    Lifetime fixed;
    fixed.has_own_workers = false;
    return fixed;
  }
  const std::optional<std::string>& own = environment.conf().environment_timeout;
  const bool is_own = own && !settings_.is_on_command_line("environment_timeout");
  Lifetime lifetime = Lifetime::of_timeout(is_own ? *own : settings_.text("environment_timeout"));
  lifetime.look_interval = look_interval_;
  return lifetime;
}

std::vector<std::string> Service::likely_paths(const std::string& name) const {
  std::vector<std::string> all;
  for (const std::string& directory : environment_options_.environmentpath) {
    all.push_back(join_path(directory, name));
  }
  const auto& modules = environment_options_.modulepath ? *environment_options_.modulepath
                                                        : environment_options_.basemodulepath;
  all.insert(all.end(), modules.begin(), modules.end());
  return all;
}

std::vector<std::string> Service::paths(const Environment& environment) const {
  std::vector<std::string> all;
  const std::string& directory = environment.directory();
  if (!directory.empty()) all.push_back(directory);
  const auto add = [&](const std::string& path) {
    if (!path.empty() && (directory.empty() || !is_path_below(path, directory))) {
      all.push_back(path);
    }
  };
  add(environment.manifest());
  for (const std::string& modules : environment.modulepath()) add(modules);
  add(lookup_settings_.global_config);
  return all;
}

// Opens an environment. It may lack a directory if code is given, unless it was requested by name
// and modules and data are not all given. A classifier may also choose an environment.
std::shared_ptr<Environment> Service::open(const std::string& name) const {
  bool has_directory = settings_.repository_as(name) != nullptr;
  for (const std::string& directory : environment_options_.environmentpath) {
    has_directory = has_directory || is_directory(join_path(directory, name));
  }
  const bool brings_code = environment_options_.code || sources_.manifest || sources_.only_defines;
  const bool brings_all = (brings_code || settings_.is_on_command_line("manifest")) &&
                          settings_.is_on_command_line("modulepath") &&
                          settings_.is_on_command_line("hiera_config");
  const bool is_asked_for = settings_.is_on_command_line("environment");
  const bool needs_directory = !brings_all && (!brings_code || is_asked_for);
  return has_directory || needs_directory
             ? Environment::find(name, environment_options_)
             : Environment::without_directory(name, environment_options_);
}

std::unique_ptr<ShownSettings> Service::shown_settings(const Environment& environment) const {
  auto shown = std::make_unique<ShownSettings>();
  Arena& arena = shown->arena;
  HashBuilder hash(arena);
  hash.set_all(settings_hash_.as_hash());
  if (!environment.directory().empty()) {
    hash.set("manifest", Value::string(arena, environment.manifest()));
    hash.set("modulepath",
             Value::string(arena, fmt::format("{}", fmt::join(environment.modulepath(), ":"))));
    set_from_conf(hash, arena, environment, settings_);
  }
  shown->hash = hash.finish();
  VariableTable& variables = shown->variables;
  variables.add(arena, "title"_name, Value::string("settings"));
  variables.add(arena, "name"_name, Value::string("settings"));
  for (const HashEntry& entry : shown->hash.as_hash()) {
    variables.add(arena, Name(entry.key.as_string()), entry.value);
  }
  variables.add(arena, "all_local"_name, shown->hash);
  return shown;
}

LookupSettings Service::lookup_settings(const Environment& environment) const {
  LookupSettings settings = lookup_settings_;
  settings.environment_directory = environment.directory();
  settings.environment_name = environment.name();
  if (const auto& provider = environment.conf().environment_data_provider) {
    settings.environment_data_provider = *provider;
  }
  return settings;
}

}  // namespace bunraku::compilation
