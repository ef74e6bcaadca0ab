#include "cli/compilation.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/environment_options.h"
#include "cli/version.h"
#include "environment/facts.h"
#include "environment/files.h"
#include "pcore/serialization.h"

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

Value setting_value(Arena& arena, const SettingInfo& info, const std::string& text) {
  if (info.kind == SettingKind::kBoolean && (text == "true" || text == "false")) {
    return Value::boolean(text == "true");
  }
  const bool is_number = info.kind == SettingKind::kInteger || info.kind == SettingKind::kDuration;
  if (is_number && !text.empty() && text.size() < 18 &&
      text.find_first_not_of("0123456789") == std::string::npos) {
    return Value::integer(std::stoll(text));
  }
  return Value::string(arena, text);
}

}  // namespace

Compilation::Compilation(Session& session, const CompilationRequest& request)
    : settings_(session.load_settings("server")) {
  read_node(session, request);
  find_environment(request);
  for (const std::string& warning : environment_->warnings()) session.warn(warning);
  node_.environment = environment_->name();

  CompilerOptions options;
  options.evaluation = evaluation_settings(request.is_script);
  options.settings = settings_hash();
  const std::string& vars = session.options().vars;
  if (!vars.empty()) {
    options.variables = read_rich_data_json(arena_, read_environment_file(vars), vars, nullptr);
  }
  compiler_ = std::make_unique<Compiler>(*environment_, node_, arena_, options, &session.log());
  LookupSettings lookup_settings;
  lookup_settings.global_config = settings_.text("hiera_config");
  lookup_settings.environment_folder = environment_->directory();
  lookup_settings.environment_name = environment_->name();
  lookup_settings.codedir = settings_.text("codedir");
  lookup_ = std::make_unique<Lookup>(arena_, data_files_, lookup_settings, &compiler_->loader());
  lookup_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().data = lookup_.get();
  ruby_ = std::make_unique<RubySession>(session.options().ruby);
  ruby_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().ruby = ruby_.get();
}

void Compilation::read_node(Session& session, const CompilationRequest& request) {
  const CommonOptions& options = session.options();
  const std::string name = request.node.empty() ? settings_.text("certname") : request.node;
  node_.name = arena_.copy(name);
  const auto read = [&](const std::string& path, auto reader, Value otherwise) {
    return path.empty() ? otherwise : reader(arena_, read_environment_file(path), path);
  };
  const Value none = HashBuilder(arena_).finish();
  node_.facts = read(options.facts, read_facts, none);
  node_.trusted = read(options.trusted, read_data_hash, local_trusted_data(arena_, node_.name));
  node_.server_facts = read(options.server_facts, read_data_hash, local_server_facts(arena_));
  node_.parameters = none;
  if (!options.enc.empty()) {
    apply_classification(
        arena_, read_data_hash(arena_, read_environment_file(options.enc), options.enc), node_);
  } else if (settings_.text("node_terminus") == "exec") {
    const std::string command = settings_.text("external_nodes");
    apply_classification(arena_, read_data_hash(arena_, run_classifier(command, name), command),
                         node_);
  }
}

// A classifier may say which environment it is. Code needs none with a folder.
void Compilation::find_environment(const CompilationRequest& request) {
  EnvironmentOptions options = environment_options(settings_);
  if (request.code) {
    options.code = request.code;
    options.code_name = request.code_name;
  }
  if (request.manifest) options.manifest = request.manifest;
  const std::string name =
      node_.environment.empty() ? settings_.text("environment") : std::string(node_.environment);
  bool has_folder = false;
  for (const std::string& folder : options.environmentpath) {
    has_folder = has_folder || is_directory(join_path(folder, name));
  }
  const bool needs_folder = !options.code && !options.manifest;
  environment_ = has_folder || needs_folder ? Environment::find(name, std::move(options))
                                            : Environment::without_folder(name, std::move(options));
}

EvaluationSettings Compilation::evaluation_settings(bool is_script) const {
  EvaluationSettings evaluation;
  evaluation.scripting = is_script;
  evaluation.strict = strictness_of(settings_.text("strict"));
  evaluation.strict_variables = settings_.is_true("strict_variables");
  evaluation.storeconfigs = settings_.is_true("storeconfigs");
  evaluation.tasks = settings_.is_true("tasks");
  return evaluation;
}

// The settings as $settings:: shows them.
Value Compilation::settings_hash() {
  HashBuilder hash(arena_, all_settings().size());
  for (const SettingInfo& info : all_settings()) {
    if (info.name == "name") continue;
    hash.set(info.name, setting_value(arena_, info, settings_.text(info.name)));
  }
  return hash.finish();
}

std::string Compilation::suffix() const {
  return fmt::format(" on node {}", node_.name);
}

}  // namespace bunraku
