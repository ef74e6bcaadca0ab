#include "cli/compilation.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/version.h"
#include "environment/facts.h"
#include "environment/files.h"
#include "environment/settings_table.h"
#include "pcore/serialization.h"
#include "support/utf8.h"

namespace bunraku {
namespace {

std::string host_name() {
  char buffer[256] = {};
  if (::gethostname(buffer, sizeof buffer - 1) != 0) return "localhost";
  return buffer;
}

Strictness strictness_of(std::string_view value) {
  if (value == "off") return Strictness::kOff;
  return value == "warning" ? Strictness::kWarning : Strictness::kError;
}

// The server's own facts when none are given.
Value local_server_facts(Arena& arena) {
  HashBuilder facts(arena, 3);
  facts.set("serverversion", Value::string(kReferenceVersion));
  facts.set("servername", Value::string(arena, host_name()));
  facts.set("serverip", Value::string("127.0.0.1"));
  return facts.finish();
}

}  // namespace

Compilation::Compilation(Session& session, const CompilationRequest& request)
    : given_settings_(session.options().settings) {
  environment_name_ = setting("environment");
  read_node(session, request);
  if (!node_.environment.empty()) environment_name_ = node_.environment;
  EnvironmentOptions options = environment_options(request);
  const std::vector<std::string> path = options.environmentpath;
  bool has_folder = false;
  for (const std::string& folder : path) {
    has_folder = has_folder || is_directory(join_path(folder, environment_name_));
  }
  // Code needs no environment of its own; a manifest of an environment that is not there does.
  if (!has_folder && (request.code || request.manifest)) {
    environment_ = Environment::without_folder(environment_name_, std::move(options));
  } else {
    environment_ = Environment::find(environment_name_, std::move(options));
  }
  for (const std::string& warning : environment_->warnings()) session.warn(warning);
  node_.environment = environment_->name();

  CompilerOptions compiler_options;
  compiler_options.evaluation = evaluation_settings();
  compiler_options.settings = settings_hash();
  const std::string& vars = session.options().vars;
  if (!vars.empty()) {
    compiler_options.variables =
        read_rich_data_json(arena_, read_environment_file(vars), vars, nullptr);
  }
  compiler_ = std::make_unique<Compiler>(*environment_, node_, arena_, compiler_options,
                                         &session.log());
  LookupSettings lookup_settings;
  lookup_settings.global_config = setting("hiera_config");
  lookup_settings.environment_folder = environment_->directory();
  lookup_settings.environment_name = environment_->name();
  lookup_settings.codedir = setting("codedir");
  lookup_ = std::make_unique<Lookup>(arena_, data_files_, lookup_settings, &compiler_->loader());
  lookup_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().data = lookup_.get();
}

void Compilation::read_node(Session& session, const CompilationRequest& request) {
  const CommonOptions& options = session.options();
  const std::string name = request.node.empty() ? setting("certname") : request.node;
  node_.name = arena_.copy(name);
  const auto read = [&](const std::string& path, auto reader, Value otherwise) {
    return path.empty() ? otherwise : reader(arena_, read_environment_file(path), path);
  };
  const Value none = HashBuilder(arena_).finish();
  node_.facts = read(options.facts, read_facts, none);
  node_.trusted = read(options.trusted, read_data_hash, local_trusted_data(arena_, node_.name));
  node_.server_facts =
      read(options.server_facts, read_data_hash, local_server_facts(arena_));
  node_.parameters = none;
  if (!options.enc.empty()) {
    apply_classification(
        arena_, read_data_hash(arena_, read_environment_file(options.enc), options.enc), node_);
  } else if (setting("node_terminus") == "exec") {
    const std::string command = setting("external_nodes");
    apply_classification(arena_, read_data_hash(arena_, run_classifier(command, name), command),
                         node_);
  }
}

EnvironmentOptions Compilation::environment_options(const CompilationRequest& request) const {
  EnvironmentOptions options;
  const auto absolute_list = [](const std::string& list) {
    std::vector<std::string> paths;
    for (const std::string& path : split_path_list(list)) paths.push_back(absolute_path(path));
    return paths;
  };
  options.environmentpath = absolute_list(setting("environmentpath"));
  options.basemodulepath = absolute_list(setting("basemodulepath"));
  options.vendored_modules = absolute_list(setting("vendormoduledir"));
  options.default_manifest = setting("default_manifest");
  options.disable_per_environment_manifest = is_set("disable_per_environment_manifest");
  for (const auto& [name, value] : given_settings_) {
    if (name == "modulepath") options.modulepath = split_path_list(value);
    if (name == "manifest") options.manifest = value;
  }
  if (request.manifest) options.manifest = request.manifest;
  options.code = request.code;
  options.code_name = request.code_name;
  if (!options.code && !setting("code").empty()) options.code = setting("code");
  for (const SettingInfo& info : all_settings()) {
    options.settings.emplace_back(info.name, setting(info.name));
  }
  options.parse.tasks = is_set("tasks");
  switch (strictness_of(setting("strict"))) {
    case Strictness::kOff: options.parse.duplicate_key = Severity::kIgnore; break;
    case Strictness::kWarning: options.parse.duplicate_key = Severity::kWarning; break;
    case Strictness::kError: options.parse.duplicate_key = Severity::kError; break;
  }
  return options;
}

EvaluationSettings Compilation::evaluation_settings() const {
  EvaluationSettings settings;
  settings.strict = strictness_of(setting("strict"));
  settings.strict_variables = is_set("strict_variables");
  settings.storeconfigs = is_set("storeconfigs");
  settings.tasks = is_set("tasks");
  return settings;
}

// The settings as $settings:: shows them.
Value Compilation::settings_hash() {
  HashBuilder hash(arena_, all_settings().size());
  for (const SettingInfo& info : all_settings()) {
    if (info.name == "name") continue;
    const std::string text = setting(info.name);
    Value value = Value::string(arena_, text);
    if (info.kind == SettingKind::kBoolean && (text == "true" || text == "false")) {
      value = Value::boolean(text == "true");
    } else if (info.kind == SettingKind::kInteger && !text.empty() &&
               text.find_first_not_of("0123456789") == std::string::npos && text.size() < 18) {
      value = Value::integer(std::stoll(text));
    }
    hash.set(info.name, value);
  }
  return hash.finish();
}

std::string Compilation::setting(std::string_view name) const {
  std::string value;
  if (const SettingInfo* info = find_setting(name)) value = info->default_value;
  if (value.empty()) {
    if (name == "confdir") value = "/etc/puppet";
    if (name == "codedir") value = "/etc/puppet/code";
    if (name == "vardir") value = "/var/cache/puppet";
    if (name == "certname") value = downcase(host_name());
  }
  for (const auto& [given, text] : given_settings_) {
    if (given == name) value = text;
  }
  for (size_t at = 0; (at = value.find('$', at)) != std::string::npos;) {
    const bool braced = value[at + 1] == '{';
    const size_t begin = at + (braced ? 2 : 1);
    size_t end = begin;
    while (end < value.size() && (std::isalnum(static_cast<unsigned char>(value[end])) != 0 ||
                                  value[end] == '_')) {
      ++end;
    }
    const std::string inner = value.substr(begin, end - begin);
    if (inner == name || find_setting(inner) == nullptr) {
      at = end;
      continue;
    }
    value.replace(at, (braced ? end + 1 : end) - at, setting(inner));
  }
  return value;
}

std::string Compilation::suffix() const { return fmt::format(" on node {}", node_.name); }

}  // namespace bunraku
