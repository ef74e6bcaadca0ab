#include "site/lookup/lookup.h"

#include <fmt/format.h>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "base/memory/data_names.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/system/limits.h"
#include "base/system/profile.h"
#include "base/text/replacement.h"
#include "conversion/conversion.h"
#include "evaluation/evaluator.h"
#include "evaluation/missing_key.h"
#include "site/lookup/interpolation.h"
#include "site/lookup/lookup_error.h"
#include "types/built_in_types.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

constexpr std::string_view kLookupOptions = "lookup_options";

// Makes an invocation the current one during its lifetime.
class CurrentInvocation {
 public:
  CurrentInvocation(Invocation*& current, Invocation& invocation)
      : current_(current), saved_(current) {
    current_ = &invocation;
  }
  ~CurrentInvocation() { current_ = saved_; }
  CurrentInvocation(const CurrentInvocation&) = delete;
  CurrentInvocation& operator=(const CurrentInvocation&) = delete;

 private:
  Invocation*& current_;
  Invocation* saved_;
};

std::vector<std::string_view> texts_of(Value names) {
  std::vector<std::string_view> texts;
  if (names.is_string()) texts.push_back(names.as_string());
  if (names.is_array()) {
    for (const Value name : names.as_array()) {
      if (name.is_string()) texts.push_back(name.as_string());
    }
  }
  return texts;
}

const Value* find_truthy(Value hash, std::string_view key) {
  if (!hash.is_hash()) return nullptr;
  const Value* value = hash.as_hash().find(key);
  return value != nullptr && !value->is_undef() ? value : nullptr;
}

}  // namespace

Lookup::Lookup(Arena& arena, DataFiles& files, LookupSettings settings, ModuleHost* modules)
    : arena_(arena), files_(files), settings_(std::move(settings)), modules_(modules) {}

LookupContext& Lookup::make_context(std::string_view module) {
  contexts_.push_back(
      std::make_unique<LookupContext>(*this, arena_, settings_.environment_name, module));
  return *contexts_.back();
}

bool Lookup::is_strict() const {
  return evaluator_->settings().strict == Strictness::kError;
}

void Lookup::warn(const std::string& message) {
  if (evaluator_->host().log == nullptr || !warned_.insert(message).second) return;
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = message;
  evaluator_->host().log->log(record);
}

void Lookup::warn_deprecated(std::string_view key, std::string message, const std::string& path) {
  const EvaluationSettings& settings = evaluator_->settings();
  if (settings.strict == Strictness::kOff || !settings.warns_of_deprecations) return;
  if (!evaluator_->is_first_warning(key)) return;
  message += "\n  ";
  message += path.empty() ? " (file & line not available)" : place_text(path, 0, 0);
  warn(message);
}

const Value* Lookup::find_file_data(const std::string& path) const {
  auto known = file_data_.find(path);
  return known == file_data_.end() ? nullptr : &known->second;
}

Invocation Lookup::make_invocation(Scope& scope) {
  Invocation invocation{*this, scope, arena_};
  invocation.name_stack = &name_stack_;
  invocation.explainer = explainer_;
  if (current_ != nullptr) {
    invocation.explainer = current_->explainer;
    invocation.global_only = current_->global_only;
    invocation.is_hiera_call = current_->is_hiera_call;
    invocation.location_overrides = current_->location_overrides;
  }
  return invocation;
}

bool Lookup::has_environment_data() {
  LayerProvider* environment = environment_provider();
  return environment != nullptr && environment->config().version >= 5;
}

// --- the language's lookup() --------------------------------------------------------------------

Value Lookup::lookup(Scope& scope, const LookupRequest& request) {
  check_limits();
  Invocation invocation = make_invocation(scope);
  invocation.override_hash = request.override_hash;
  invocation.default_values_hash = request.default_values_hash;
  if (request.is_hiera_call) {
    invocation.is_hiera_call = true;
    invocation.location_overrides = texts_of(request.location_overrides);
    if (!has_environment_data()) invocation.global_only = true;
  }
  return find_value(invocation, request);
}

Value Lookup::find_value(Invocation& invocation, const LookupRequest& request) {
  for (const std::string_view name : request.names) {
    if (invocation.override_hash.is_hash()) {
      if (const Value* value = invocation.override_hash.as_hash().find(name)) {
        const Value fitting = checked(
            "Value found for key '" + std::string(name) + "' in override hash", request, *value);
        return checked("Found value", request, fitting);
      }
    }
    if (std::optional<Value> value = lookup_key(invocation, name, request.merge)) {
      return checked_data(name, request, *value);
    }
  }
  return default_answer(invocation, request);
}

Value Lookup::default_answer(Invocation& invocation, const LookupRequest& request) {
  if (invocation.default_values_hash.is_hash()) {
    for (const std::string_view name : request.names) {
      const Value* value = invocation.default_values_hash.as_hash().find(name);
      if (value == nullptr) continue;
      return checked("Value found for key '" + std::string(name) + "' in default values hash",
                     request, *value);
    }
  }
  std::vector<Value> names;
  for (const std::string_view name : request.names) names.push_back(Value::string(name));
  if (request.block != nullptr) {
    Value name = request.names_are_array ? Value::array(arena_.copy(std::span<const Value>(names)))
                                         : names.at(0);
    const Value value = request.block->call({&name, 1});
    return value.is_control() ? value
                              : checked("Value returned from default block", request, value);
  }
  if (request.has_default) return checked("Default value", request, request.default_value);
  Diagnostic problem = missing_key(request);
  explain_missing(problem, request.names[0]);
  throw EvaluationError(std::move(problem), ErrorKind::kLookup);
}

std::vector<SearchedFile> Lookup::searched_files(std::string_view key) const {
  std::vector<SearchedFile> files;
  if (global_provider_ != nullptr) global_provider_->add_searched(files);
  if (environment_provider_ != nullptr) environment_provider_->add_searched(files);
  const auto module = module_providers_.find(key.substr(0, key.find("::")));
  if (module != module_providers_.end() && module->second != nullptr) {
    module->second->add_searched(files);
  }
  return files;
}

void Lookup::explain_missing(Diagnostic& problem, std::string_view key) const {
  explain_missing_key(problem, key, searched_files(key), settings_.environment_directory);
}

void Lookup::explain_found(Diagnostic& problem, std::string_view key) const {
  explain_found_key(problem, LookupKey(key).root(), merged_keys_.contains(key), searched_files(key),
                    settings_.environment_directory);
}

Value Lookup::checked_data(std::string_view key, const LookupRequest& request, Value value) {
  try {
    return checked("Found value", request, value);
  } catch (EvaluationError& error) {
    explain_found(error.diagnostic(), key);
    throw;
  }
}

Value Lookup::checked(std::string_view subject, const LookupRequest& request, Value value) {
  if (request.value_type != nullptr && !is_instance(request.value_type, value)) {
    fail_wrong_type(subject, request.value_type, value);
  }
  return value;
}

std::optional<Value> Lookup::lookup_parameter(Scope& scope, std::string_view name) {
  Invocation invocation = make_invocation(scope);
  return lookup_key(invocation, name, Value());
}

Value Lookup::lookup_interpolated(Invocation& invocation, std::string_view key) {
  const std::string_view names[] = {key};
  LookupRequest request;
  request.names = names;
  request.has_default = true;
  request.default_value = Value::string("");
  Invocation inner = invocation;
  inner.local_name = {};
  if (!inner.global_only) inner.is_hiera3 = false;
  inner.scope_reads = nullptr;
  return find_value(inner, request);
}

// --- variables ----------------------------------------------------------------------------------

std::optional<Value> Lookup::find_scope_variable(Invocation& invocation, Name name) {
  if (!invocation.local_name.empty() && name.text() == invocation.local_name) {
    return invocation.local_value;
  }
  if (invocation.is_hiera3) {
    if (std::optional<Value> value = hiera3_variable(invocation, name.text())) return value;
  }
  const Value* value = evaluator_->find_variable(name, invocation.scope);
  if (value == nullptr) return std::nullopt;
  const bool is_empty = invocation.is_hiera3 && value->is_string() && value->as_string().empty();
  return is_empty ? Value() : *value;
}

std::optional<Value> Lookup::hiera3_variable(Invocation& invocation, std::string_view name) {
  const Scope& scope = invocation.scope;
  auto text_or_undef = [&](std::string_view text) {
    return text.empty() ? Value() : Value::string(invocation.arena, text);
  };
  if (name == "calling_module") return text_or_undef(scope.module_name);
  if (name != "calling_class" && name != "calling_class_path") return std::nullopt;
  const Scope* at = &scope;
  while (at->kind() != Scope::Kind::kClass && at->parent() != nullptr) at = at->parent();
  if (at->kind() != Scope::Kind::kClass) return Value();
  const std::string_view text = at->class_name.text();
  return text_or_undef(name == "calling_class_path" ? replaced(text, "::", "/")
                                                    : std::string(text));
}

std::optional<Value> Lookup::scope_variable(Invocation& invocation, std::string_view name) {
  Explainer* explainer = invocation.explainer;
  const ExplainLevel level(explainer, Explainer::NodeKind::kScope, "Global Scope");
  if (invocation.override_hash.is_hash()) {
    if (const Value* value = invocation.override_hash.as_hash().find(name)) {
      if (explainer != nullptr) explainer->found(name, *value, Explainer::Event::kFoundInOverrides);
      return *value;
    }
  }
  if (std::optional<Value> value = find_scope_variable(invocation, data_name(name))) {
    if (explainer != nullptr) explainer->found(name, *value);
    return value;
  }
  const bool is_built_in = name == "module_name" || name == "caller_module_name" ||
                           name.find_first_not_of("0123456789") == std::string_view::npos;
  const bool has_default = invocation.default_values_hash.is_hash() &&
                           invocation.default_values_hash.as_hash().find(name) != nullptr;
  if (!is_built_in && !has_default && is_strict()) {
    const auto [shown, reason] = evaluator_->missing_variable(name);
    if (invocation.is_location) {
      if (evaluator_->settings().warns_of_undefined_variables &&
          evaluator_->is_first_warning(fmt::format("Variable: {}", shown))) {
        warn(
            fmt::format("Interpolation failed with '{}', but compilation continuing; {}"
                        "\n   (file & line not available)",
                        shown, reason));
      }
      return std::nullopt;
    }
    // While hiera.yaml is resolved, this becomes an error with a place in that file.
    if (invocation.scope_reads != nullptr)
      fail_lookup(Issue::kHieraUndefinedVariable, {std::string(name)});
    fail_foreign(Issue::kUndefinedVariable, {shown, reason});
  }
  if (invocation.default_values_hash.is_hash()) {
    if (const Value* value = invocation.default_values_hash.as_hash().find(name)) {
      if (explainer != nullptr) explainer->found(name, *value, Explainer::Event::kFoundInDefaults);
      return *value;
    }
  }
  return std::nullopt;
}

// --- keys through the layers --------------------------------------------------------------------

std::optional<Value> Lookup::lookup_key(Invocation& invocation, std::string_view text,
                                        Value merge) {
  Explainer* explainer = invocation.explainer;
  if (text == kLookupOptions || text.starts_with("lookup_options.")) {
    const ExplainLevel level(explainer, Explainer::NodeKind::kInvalidKey, kLookupOptions);
    return std::nullopt;
  }
  const ProfileSpan span(WorkKind::kLookup, text);
  const LookupKey key(text);
  invocation.module_name = key.module_name();
  const CurrentInvocation current(current_, invocation);
  if (explainer != nullptr && explainer->only_options()) {
    const LookupKey options_key(kLookupOptions);
    lookup_in_layers(invocation, options_key, Value::string("hash"));
    return Value();
  }
  const Value options = options_for(invocation, key);
  if (merge.is_undef()) {
    if (const Value* configured = find_truthy(options, "merge")) {
      merge = *configured;
      if (explainer != nullptr) explainer->merge_source(kLookupOptions);
    }
  }
  std::optional<Value> found;
  {
    const ExplainLevel level(explainer, Explainer::NodeKind::kData, text);
    found = lookup_in_layers(invocation, key, merge);
    if (found) found = dig(invocation, text, key.segments(), *found);
    if (!found && !invocation.global_only) {
      found = lookup_in_module_defaults(invocation, key);
      if (found) found = dig(invocation, text, key.segments(), *found);
    }
  }
  if (!found) return std::nullopt;
  const Value* convert_to = find_truthy(options, "convert_to");
  return convert_to == nullptr ? found : converted(invocation, text, *convert_to, *found);
}

std::optional<Value> Lookup::lookup_in_layers(Invocation& invocation, const LookupKey& key,
                                              Value given_merge) {
  if (invocation.global_only) return lookup_global_only(invocation, key, given_merge);
  const MergeStrategy merge = merge_strategy(given_merge);
  if (!merge.finds_first()) merged_keys_.emplace(key.text());
  return lookup_merged(invocation, merge, 3, [&](size_t layer) -> std::optional<Value> {
    if (layer == 0) return lookup_global(invocation, key, merge);
    if (layer == 2) return lookup_in_module(invocation, key, merge);
    LayerProvider* environment = environment_provider();
    return environment == nullptr ? std::nullopt : environment->lookup(invocation, key, merge);
  });
}

// Looks up in the global layer alone, which is then also blamed for an invalid merge strategy.
std::optional<Value> Lookup::lookup_global_only(Invocation& invocation, const LookupKey& key,
                                                Value given_merge) {
  MergeStrategy merge;
  try {
    merge = merge_strategy(given_merge);
  } catch (const ForeignError&) {
    throw;
  } catch (const EvaluationError& error) {
    fail_global(key, error);
  }
  return lookup_global(invocation, key, merge);
}

void Lookup::fail_global(const LookupKey& key, const EvaluationError& error) {
  throw EvaluationError(make_diagnostic(Issue::kLookupOfKeyFailed, Range(),
                                        {std::string(key.text())}, error.diagnostic()));
}

std::optional<Value> Lookup::lookup_global(Invocation& invocation, const LookupKey& key,
                                           const MergeStrategy& merge) {
  try {
    LayerProvider* global = global_provider();
    if (global->config().version != 3) return global->lookup(invocation, key, merge);
    return lookup_in_hiera3(invocation, *global, key, merge);
  } catch (const EvaluationError& error) {
    const IssueInfo& issue = info(error.diagnostic().issue);
    const bool is_bare = issue.number / 1000 == 4 && issue.issue_code.empty();
    if (!is_bare) throw;
    fail_global(key, error);
  }
}

std::optional<Value> Lookup::lookup_in_hiera3(Invocation& invocation, LayerProvider& global,
                                              const LookupKey& key, const MergeStrategy& merge) {
  Invocation inner = invocation;
  inner.is_hiera3 = true;
  inner.global_only = inner.global_only || !has_environment_data();
  const CurrentInvocation current(current_, inner);
  MergeStrategy effective = merge;
  const Value configured = global.config().hiera3_merge;
  const bool merges_hashes = merge.kind == MergeKind::kHash;
  if (inner.is_hiera_call && merges_hashes && !configured.is_undef()) {
    effective = merge_strategy(configured);
  }
  std::optional<Value> value = global.lookup(inner, key, effective);
  if (!value || !inner.is_hiera_call) return value;
  if (merges_hashes && !value->is_hash()) {
    try {
      fail_wrong_type("value", types::kHash, *value);
    } catch (const EvaluationError& error) {
      rethrow_as_lookup_error(error);
    }
  }
  const bool is_plain = effective.kind == MergeKind::kHash || effective.kind == MergeKind::kUnique;
  if (!key.segments().empty() && is_plain) {
    fail_lookup(Issue::kIllegalResolution,
                {"Resolution type :" + std::string(merges_hashes ? "hash" : "array") +
                 " is illegal when accessing values using dotted keys. Offending key was '" +
                 std::string(key.text()) + "'"});
  }
  return value;
}

std::optional<Value> Lookup::lookup_in_module(Invocation& invocation, const LookupKey& key,
                                              const MergeStrategy& merge) {
  if (invocation.module_name.empty()) return std::nullopt;
  if (LayerProvider* module = module_provider(invocation.module_name)) {
    return module->lookup(invocation, key, merge);
  }
  if (invocation.explainer != nullptr) {
    const bool is_known = modules_ != nullptr && modules_->module_directory(invocation.module_name);
    invocation.explainer->module_event(
        invocation.module_name,
        is_known ? Explainer::Event::kModuleProviderNotFound : Explainer::Event::kModuleNotFound);
  }
  return std::nullopt;
}

std::optional<Value> Lookup::lookup_in_module_defaults(Invocation& invocation,
                                                       const LookupKey& key) {
  if (invocation.module_name.empty()) return std::nullopt;
  LayerProvider* provider = module_provider(invocation.module_name);
  if (provider == nullptr || !provider->config().has_default_hierarchy) return std::nullopt;
  const std::string module(invocation.module_name);
  Explainer* explainer = invocation.explainer;
  const ExplainLevel level(explainer, Explainer::NodeKind::kScope,
                           "Searching default_hierarchy of module \"" + module + "\"");
  auto known = module_default_options_.find(module);
  if (known == module_default_options_.end()) {
    const ExplainLevel options_level(explainer, Explainer::NodeKind::kScope,
                                     "Searching for \"lookup_options\"");
    const LookupKey options_key(kLookupOptions);
    const Value options =
        provider->lookup_in_default_hierarchy(invocation, options_key, {MergeKind::kHash, Value()})
            .value_or(Value());
    check_options(options, module);
    known = module_default_options_.emplace(module, compile_options(options)).first;
  }
  Value merge;
  if (const Value* configured = find_truthy(find_options(known->second, key.root()), "merge")) {
    merge = *configured;
  }
  const ExplainLevel key_level(explainer, Explainer::NodeKind::kScope,
                               "Searching for \"" + std::string(key.text()) + "\"");
  return provider->lookup_in_default_hierarchy(invocation, key, merge_strategy(merge));
}

Value Lookup::converted(Invocation& invocation, std::string_view key, Value convert_to,
                        Value value) {
  std::vector<Value> arguments;
  if (convert_to.is_array()) {
    arguments.assign(convert_to.as_array().begin(), convert_to.as_array().end());
  } else {
    arguments.push_back(convert_to);
  }
  if (arguments.empty()) arguments.emplace_back();
  if (arguments[0].is_string()) {
    try {
      arguments[0] =
          Value::type(parse_type(arena_, arguments[0].as_string(), evaluator_->host().types));
    } catch (const EvaluationError& error) {
      fail_lookup(Issue::kInvalidConvertTo,
                  {std::string(key), std::string(arguments[0].as_string())}, error.diagnostic());
    }
  }
  std::vector<Value> call = {arguments[0], value};
  call.insert(call.end(), arguments.begin() + 1, arguments.end());
  try {
    value = evaluator_->call_function("new"_name, call, nullptr, invocation.scope, Place());
  } catch (const EvaluationError& error) {
    Diagnostic problem =
        make_diagnostic(Issue::kConvertToFailed, Range(), {std::string(key)}, error.diagnostic());
    explain_found(problem, key);
    throw EvaluationError(std::move(problem), ErrorKind::kLookup);
  }
  if (invocation.explainer != nullptr) {
    const Value shown = to_formatted_string(
        arena_, Value::array(arena_.copy(std::span<const Value>(arguments))), Value());
    invocation.explainer->text("Applying convert_to lookup_option with arguments " +
                               std::string(shown.as_string()));
    if (value.is_sensitive()) invocation.explainer->secret(value);
  }
  return value;
}

// --- lookup_options -----------------------------------------------------------------------------

Value Lookup::options_for(Invocation& invocation, const LookupKey& key) {
  return find_options(options_of_module(invocation, key.module_name()), key.root());
}

const Lookup::LookupOptions& Lookup::options_of_module(Invocation& invocation,
                                                       std::string_view module) {
  auto known = module_options_.find(module);
  if (known != module_options_.end()) return known->second;
  Invocation meta = invocation;
  meta.override_hash = meta.default_values_hash = Value();
  const ExplainLevel level(meta.explainer, Explainer::NodeKind::kMeta, kLookupOptions);
  Value options = environment_options(meta);
  if (!module.empty() && !meta.global_only) {
    // These are also the options for keys outside modules.
    if (!module_options_.contains("")) module_options_.emplace("", compile_options(options));
    const LookupKey options_key(kLookupOptions);
    const MergeStrategy hash{MergeKind::kHash, Value()};
    const Value own = lookup_in_module(meta, options_key, hash).value_or(Value());
    check_options(own, module);
    options = merged_options(meta, hash, options, own);
  }
  return module_options_.emplace(std::string(module), compile_options(options)).first->second;
}

// Merges two hashes of options and explains it.
Value Lookup::merged_options(Invocation& invocation, const MergeStrategy& merge, Value outer,
                             Value own) {
  if (outer.is_undef() || own.is_undef()) return outer.is_undef() ? own : outer;
  Explainer* explainer = invocation.explainer;
  const ExplainLevel level(explainer, Explainer::NodeKind::kMerge, merge.name());
  const std::pair<std::string, Value> parts[] = {
      {"Global and Environment", outer}, {"Module " + std::string(invocation.module_name), own}};
  for (const auto& [name, part] : parts) {
    const ExplainLevel part_level(explainer, Explainer::NodeKind::kScope, name);
    if (explainer != nullptr) explainer->found(kLookupOptions, part);
  }
  Value result = merge_values(arena_, merge, outer, own);
  if (explainer != nullptr) explainer->result(result);
  return result;
}

Value Lookup::environment_options(Invocation& invocation) {
  if (environment_options_) return *environment_options_;
  const LookupKey options_key(kLookupOptions);
  const MergeStrategy hash{MergeKind::kHash, Value()};
  // Stored before they are complete, because looking up options may need look-ups itself.
  if (!global_options_) {
    global_options_ = Value();
    const Value global = lookup_global(invocation, options_key, hash).value_or(Value());
    check_options(global, {});
    global_options_ = global;
  }
  Value options = *global_options_;
  if (LayerProvider* environment = invocation.global_only ? nullptr : environment_provider()) {
    const Value own = environment->lookup(invocation, options_key, hash).value_or(Value());
    check_options(own, {});
    if (options.is_undef())
      options = own;
    else if (!own.is_undef())
      options = merge_values(arena_, hash, options, own);
  }
  environment_options_ = options;
  return options;
}

void Lookup::check_options(Value options, std::string_view module) {
  if (options.is_undef()) return;
  if (!options.is_hash()) {
    fail_lookup(Issue::kInvalidLookupOptions, {"value of lookup_options must be a hash"});
  }
  if (module.empty()) return;
  const std::string prefix = std::string(module) + "::";
  for (const HashEntry& entry : options.as_hash()) {
    const std::string_view key = entry.key.is_string() ? entry.key.as_string() : std::string_view();
    const bool is_pattern = key.starts_with('^');
    if ((is_pattern ? key.substr(1) : key).starts_with(prefix)) continue;
    fail_lookup(
        Issue::kInvalidLookupOptions,
        {is_pattern ? "all lookup_options patterns must match a key starting with module name '" +
                          std::string(module) + "'"
                    : "all lookup_options keys must start with module name '" +
                          std::string(module) + "'"});
  }
}

Lookup::LookupOptions Lookup::compile_options(Value options) {
  LookupOptions compiled;
  if (!options.is_hash()) return compiled;
  compiled.hash = options;
  for (const HashEntry& entry : options.as_hash()) {
    if (!entry.key.is_string() || !entry.key.as_string().starts_with('^')) continue;
    try {
      compiled.patterns.emplace_back(Regex::compile(entry.key.as_string()), entry.value);
    } catch (const RegexError& error) {
      fail_foreign(Issue::kInvalidPattern, {error.what()});
    }
  }
  return compiled;
}

Value Lookup::find_options(const LookupOptions& options, std::string_view root) {
  if (!options.hash.is_hash()) return Value();
  const bool may_be_exact = !root.starts_with('^');
  if (may_be_exact) {
    if (const Value* exact = find_truthy(options.hash, root)) return *exact;
  }
  for (const auto& [pattern, value] : options.patterns) {
    try {
      if (pattern->matches(root)) return value;
    } catch (const RegexError& error) {
      fail_lookup(Issue::kInvalidPattern, {error.what()});
    }
  }
  return Value();
}

// --- providers ----------------------------------------------------------------------------------

HieraConfigSource Lookup::config_source(Layer layer, const std::string& directory,
                                        const std::string& path) {
  HieraConfigSource source;
  source.layer = layer;
  source.root = directory;
  source.path = path;
  source.codedir = settings_.codedir;
  source.environment = settings_.environment_name;
  source.is_strict = is_strict();
  source.warn = [this](const std::string& message) { warn(message); };
  source.warn_deprecated = [this](std::string_view key, std::string message,
                                  const std::string& file) {
    warn_deprecated(key, std::move(message), file);
  };
  return source;
}

std::unique_ptr<LayerProvider> Lookup::make_provider(Layer layer, const std::string& module,
                                                     const std::string& directory,
                                                     const std::string& path) {
  auto config = read_hiera_config(arena_, files_, config_source(layer, directory, path));
  if (config == nullptr) return nullptr;
  return std::make_unique<LayerProvider>(layer, module, std::move(config));
}

LayerProvider* Lookup::global_provider() {
  if (!global_provider_) {
    const std::string& path = settings_.global_config;
    const size_t slash = path.rfind('/');
    const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash);
    try {
      global_provider_ = make_provider(Layer::kGlobal, "", directory, path);
    } catch (const EvaluationError& error) {
      rethrow_as_lookup_error(error);
    }
  }
  return global_provider_.get();
}

LayerProvider* Lookup::environment_provider() {
  if (!environment_was_tried_) {
    environment_was_tried_ = true;
    if (!settings_.environment_directory.empty())
      environment_provider_ = find_environment_provider();
  }
  return environment_provider_.get();
}

std::unique_ptr<LayerProvider> Lookup::find_environment_provider() {
  const std::string& directory = settings_.environment_directory;
  const std::string path = directory + "/hiera.yaml";
  std::unique_ptr<LayerProvider> found;
  if (files_.exists(path)) found = make_provider(Layer::kEnvironment, "", directory, path);
  const std::string& name = settings_.environment_data_provider;
  if (name.empty()) return found;

  const std::string conf = directory + "/environment.conf";
  std::string defining = fmt::format(
      "Defining environment_data_provider='{}' in environment.conf is deprecated", name);
  if (found != nullptr && found->config().version >= 5) {
    warn_deprecated("environment.conf#data_provider", std::move(defining), conf);
    if (name != "hiera") {
      warn_deprecated("environment.conf#data_provider_overridden",
                      fmt::format("The environment_data_provider='{}' setting is ignored since "
                                  "'{}' version >= 5",
                                  name, path),
                      conf);
    }
    return found;
  }
  defining += found == nullptr ? ". A 'hiera.yaml' file should be used instead" : ".";
  warn_deprecated("environment.conf#data_provider", std::move(defining), conf);
  return named_provider(name, std::move(found), config_source(Layer::kEnvironment, directory, ""),
                        "", "environment::data");
}

std::unique_ptr<LayerProvider> Lookup::named_provider(std::string_view name,
                                                      std::unique_ptr<LayerProvider> found,
                                                      const HieraConfigSource& source,
                                                      std::string_view module,
                                                      std::string_view function) {
  if (name == "none") return nullptr;
  if (name == "hiera" && found != nullptr) return found;
  std::unique_ptr<HieraConfig> config;
  if (name == "hiera") {
    config = read_hiera_config(arena_, files_, source);
  } else if (name == "function") {
    config = legacy_function_config(arena_, source, function);
  } else {
    fail_foreign(
        Issue::kUnknownDataProvider,
        {fmt::format("Environment '{}', cannot find {}_data_provider '{}'",
                     settings_.environment_name, module.empty() ? "environment" : "module", name)});
  }
  return std::make_unique<LayerProvider>(source.layer, std::string(module), std::move(config));
}

LayerProvider* Lookup::module_provider(std::string_view module) {
  auto known = module_providers_.find(module);
  if (known != module_providers_.end()) return known->second.get();
  std::unique_ptr<LayerProvider> provider = find_module_provider(module);
  return module_providers_.emplace(std::string(module), std::move(provider)).first->second.get();
}

std::unique_ptr<LayerProvider> Lookup::find_module_provider(std::string_view module) {
  std::optional<std::string> directory =
      modules_ ? modules_->module_directory(module) : std::nullopt;
  if (!directory) return nullptr;
  const std::string path = *directory + "/hiera.yaml";
  std::unique_ptr<LayerProvider> found;
  if (files_.exists(path))
    found = make_provider(Layer::kModule, std::string(module), *directory, path);
  const std::string_view name = modules_->module_data_provider(module);
  if (name.empty()) return found;

  const std::string metadata = *directory + "/metadata.json";
  const std::string key = fmt::format("metadata.json#data_provider-{}", module);
  std::string defining =
      fmt::format("Defining \"data_provider\": \"{}\" in metadata.json is deprecated.", name);
  if (found != nullptr && found->config().version >= 5) {
    defining += " It is ignored since a 'hiera.yaml' with version >= 5 is present";
    warn_deprecated(key, std::move(defining), metadata);
    return found;
  }
  if (found == nullptr) defining += " A 'hiera.yaml' file should be used instead";
  warn_deprecated(key, std::move(defining), metadata);
  return named_provider(name, std::move(found), config_source(Layer::kModule, *directory, ""),
                        module, fmt::format("{}::data", module));
}

}  // namespace bunraku
