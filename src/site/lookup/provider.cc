#include "site/lookup/provider.h"

#include <fmt/format.h>

#include "base/diagnostics/file_range.h"
#include "base/system/reads.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "evaluation/fact_reads.h"
#include "evaluation/legacy_facts.h"
#include "site/lookup/data_functions.h"
#include "site/lookup/hiera_config_lines.h"
#include "site/lookup/interpolation.h"
#include "site/lookup/locations.h"
#include "site/lookup/lookup.h"
#include "site/lookup/lookup_error.h"
#include "types/built_in_types.h"
#include "types/interpolation.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

// "facts.os.family" for osfamily; empty for a name that is not a legacy fact.
std::string hiera_path_of_legacy_fact(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  std::string path;
  const std::string keys = path_of_legacy_fact(name);
  for (const char c : keys) {
    if (c == '[') path += '.';
    if (c != '[' && c != ']' && c != '\'') path += c;
  }
  return path.empty() ? path : "facts" + path;
}

// Reports a read of one key to observers: the compilation depends only on this key of the file.
void report_key(const std::string& path, const DataFile& file, DataFormat format,
                std::string_view key, const Value* found) {
  ReadObserver* const observer = ReadObserver::current();
  if (observer == nullptr) return;
  // Observers cannot compare single keys of HOCON files.
  if (format == DataFormat::kHocon) return observer->file(path, file.digest.get());
  observer->data_key(path, file.digest.get(), format == DataFormat::kJson, key,
                     [found] { return found == nullptr ? std::string() : data_digest(*found); });
}

}  // namespace

// --- one level ----------------------------------------------------------------------------------

LevelProvider::LevelProvider(const HierarchyEntry& entry, const LayerProvider& layer, Value options,
                             std::optional<std::vector<ResolvedLocation>> locations)
    : entry_(entry), layer_(layer), options_(options) {
  if (!locations) {
    sources_.emplace_back();
    return;
  }
  for (ResolvedLocation& location : *locations) {
    sources_.emplace_back().location = std::move(location);
  }
}

std::optional<Value> LevelProvider::lookup(Invocation& invocation, const LookupKey& key,
                                           const MergeStrategy& merge) {
  const ExplainLevel level(invocation.explainer, Explainer::NodeKind::kDataProvider,
                           invocation.explainer == nullptr
                               ? std::string()
                               : "Hierarchy entry \"" + std::string(entry_.name) + "\"");
  std::vector<Source> overriding = overriding_sources(invocation);
  const size_t count = overriding.size() + sources_.size();
  return lookup_merged(invocation, merge, count, [&](size_t i) -> std::optional<Value> {
    Source& source = i < overriding.size() ? overriding[i] : sources_[i - overriding.size()];
    if (!source.location) return lookup_at(invocation, key, source);
    const ExplainLevel location_level(
        invocation.explainer,
        source.location->is_uri ? Explainer::NodeKind::kUri : Explainer::NodeKind::kPath,
        source.location->location);
    if (invocation.explainer != nullptr) {
      invocation.explainer->current().original = source.location->original;
    }
    // Backends of hiera 3 find their files themselves.
    if (!source.location->exists && entry_.kind != ProviderKind::kHiera3Backend) {
      if (invocation.explainer != nullptr) invocation.explainer->location_not_found();
      return std::nullopt;
    }
    return lookup_at(invocation, key, source);
  });
}

void LevelProvider::add_searched(std::vector<SearchedFile>& files) const {
  for (const Source& source : sources_) {
    if (!source.location || source.location->is_uri) continue;
    files.push_back({source.location->location, source.location->exists, source.file});
  }
}

std::vector<LevelProvider::Source> LevelProvider::overriding_sources(Invocation& invocation) const {
  std::vector<Source> sources;
  if (invocation.location_overrides.empty() || layer_.config().version != 3) return sources;
  HierarchyEntry entry = entry_;
  entry.locations = invocation.location_overrides;
  auto locations = resolve_locations(invocation, entry, false);
  if (!locations) return sources;
  for (ResolvedLocation& location : *locations) {
    sources.emplace_back().location = std::move(location);
  }
  return sources;
}

// Reports a missing function. The reference names only the file; the line is that of the function's
// name.
void LevelProvider::fail_without_function() const {
  const std::string& path = layer_.config().path;
  Range range;
  if (!path.empty()) range = range_in_file(path, line_with_text(path, entry_.function));
  range.is_whole_file = true;
  throw EvaluationError(
      make_diagnostic(Issue::kHieraDataProviderFunctionNotFound, std::move(range),
                      {std::string(name_of(entry_.kind)), std::string(entry_.function)}),
      ErrorKind::kLookup);
}

std::optional<Value> LevelProvider::lookup_at(Invocation& invocation, const LookupKey& key,
                                              Source& source) {
  if (entry_.kind == ProviderKind::kDataHash && data_format_of(entry_.function)) {
    return lookup_in_hash(invocation, key.root(), source);
  }
  if (entry_.kind == ProviderKind::kLookupKey && entry_.function == "eyaml_lookup_key") {
    return lookup_encrypted(invocation, key.root(), source);
  }
  if (entry_.kind == ProviderKind::kHiera3Backend) {
    return lookup_in_backend(invocation);
  }
  if (invocation.lookup.evaluator().find_function(Name(entry_.function), Place()) == nullptr) {
    fail_without_function();
  }
  if (entry_.kind == ProviderKind::kDataHash || entry_.kind == ProviderKind::kLegacyFunction) {
    return lookup_in_hash(invocation, key.root(), source);
  }
  return lookup_by_function(invocation, key, source);
}

// Hiera 3 backends in Ruby are not supported; as in the reference, a backend that cannot be loaded
// finds nothing.
std::optional<Value> LevelProvider::lookup_in_backend(Invocation& invocation) const {
  if (Explainer* explainer = invocation.explainer) {
    explainer->text(fmt::format(
        "Unable to load backend '{}': cannot load such file -- hiera/backend/{}_backend",
        entry_.function, downcase(entry_.function)));
  }
  return std::nullopt;
}

std::optional<Value> LevelProvider::lookup_by_function(Invocation& invocation, const LookupKey& key,
                                                       Source& source) {
  const bool digs = entry_.kind == ProviderKind::kDataDig;
  std::string_view asked = digs ? key.text() : key.root();
  Explainer* explainer = invocation.explainer;
  auto known = source.answers.find(asked);
  if (known == source.answers.end()) {
    // The function may return its argument, so it gets a copy: the caller's key may end before.
    Arena& arena = invocation.arena;
    const Value first =
        digs ? LookupKey(arena.copy(asked)).all_segments(arena) : Value::string(arena.copy(asked));
    std::optional<Value> answer = call(invocation, source, {first});
    if (!answer) {
      if (explainer != nullptr) explainer->not_found(asked);
      return std::nullopt;
    }
    check_value(*answer, asked, source, "returned from ");
    known = source.answers.emplace(asked, *answer).first;
  }
  if (explainer != nullptr) explainer->found(asked, known->second);
  return digs ? key.undig(invocation.arena, known->second) : known->second;
}

std::optional<Value> LevelProvider::call(Invocation& invocation, Source& source,
                                         std::vector<Value> arguments) {
  const auto answer = [&]() -> std::optional<Value> {
    try {
      return invocation.lookup.evaluator().call_function(Name(entry_.function), arguments, nullptr,
                                                         invocation.scope, Place());
    } catch (const DataNotFound&) {
      return std::nullopt;
    }
  };
  if (entry_.kind == ProviderKind::kLegacyFunction) return answer();
  HashBuilder options(invocation.arena);
  if (options_.is_hash()) options.set_all(options_.as_hash());
  if (source.location) {
    options.set(source.location->is_uri ? "uri" : "path",
                Value::string(invocation.arena.copy(source.location->location)));
  }
  arguments.push_back(options.finish());
  if (source.context == nullptr) {
    source.context = &invocation.lookup.make_context(layer_.module_name());
  }
  const LookupContext::InUse in_use(*source.context, invocation);
  arguments.push_back(source.context->value());
  return answer();
}

void LevelProvider::call_data_hash(Invocation& invocation, Source& source) {
  source.data = call(invocation, source, {}).value_or(Value());
  if (!source.data.is_hash()) fail_wrong_data(source);
}

void LevelProvider::fail_wrong_data(const Source& source) const {
  fail_wrong_type("Value returned from " + origin(source), types::kHash, source.data);
}

void LevelProvider::check_value(Value value, std::string_view root, const Source& source,
                                std::string_view from) {
  if (is_instance(types::kRichData, value)) return;
  Arena arena;
  fail_call(Issue::kWrongData,
            {"Value for key '" + std::string(root) + "', " + std::string(from) + origin(source) +
             " has wrong type, expects Puppet::LookupValue, got " + to_text(infer(arena, value))});
}

std::optional<Value> LevelProvider::lookup_in_hash(Invocation& invocation, std::string_view root,
                                                   Source& source) {
  const bool is_native = data_format_of(entry_.function).has_value();
  if (!source.data.is_hash()) {
    if (is_native)
      load(invocation, source);
    else
      call_data_hash(invocation, source);
    check_hash(invocation, source);
  }
  const HashObject& hash = source.data.as_hash();
  const Value* found = hash.find(root);
  if (is_native) {
    report_key(source.location->location, *source.file, *data_format_of(entry_.function), root,
               found);
  }
  Explainer* explainer = invocation.explainer;
  if (found == nullptr) {
    if (explainer != nullptr) explainer->not_found(root);
    return std::nullopt;
  }
  Value value = *found;
  if (!is_native || source.file->has_odd_keys)
    check_value(value, root, source, "in hash returned from ");
  const bool may_interpolate =
      source.file == nullptr || source.file->is_interpolated[hash.position(found)];
  if (may_interpolate) value = interpolated_value(invocation, value, root, source);
  if (explainer != nullptr) explainer->found(root, value);
  return value;
}

// Interpolates a value. The reference names no place for errors; diagnostics that show source lines
// show that of the key.
Value LevelProvider::interpolated_value(Invocation& invocation, Value value, std::string_view root,
                                        const Source& source) {
  try {
    return interpolate(invocation, value, true);
  } catch (EvaluationError& error) {
    Diagnostic& diagnostic = error.diagnostic();
    if (diagnostic.primary.file != nullptr || !diagnostic.labels.empty()) throw;
    const std::string path(source.location->location);
    const uint32_t line = line_with_text(path, std::string(root) + ":");
    if (line > 0) diagnostic.labels.push_back({range_in_file(path, line), "interpolated here"});
    throw;
  }
}

std::optional<Value> LevelProvider::lookup_encrypted(Invocation& invocation, std::string_view root,
                                                     Source& source) {
  if (!source.data.is_hash()) load(invocation, source);
  const Value* found = source.data.as_hash().find(root);
  report_key(source.location->location, *source.file, DataFormat::kYaml, root, found);
  Explainer* explainer = invocation.explainer;
  if (found == nullptr) {
    if (explainer != nullptr) explainer->not_found(root);
    return std::nullopt;
  }
  Value value = decrypted_value(invocation, options_, root, *found, source.location->location);
  if (explainer != nullptr) explainer->found(root, value);
  return value;
}

void LevelProvider::load(Invocation& invocation, Source& source) {
  const DataFormat format = data_format_of(entry_.function).value_or(DataFormat::kYaml);
  const bool is_hash = entry_.kind == ProviderKind::kDataHash;
  // Functions for files accept no options besides the path.
  const bool has_options = is_hash && entry_.options.is_hash() && entry_.options.as_hash().size > 0;
  if (!source.location || source.location->is_uri || has_options) {
    fail_lookup(Issue::kMissingLocation,
                {(is_hash ? fmt::format("'{}' ", entry_.function) : "'eyaml_lookup_key': ") +
                 "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in "
                 "hiera.yaml when using this " +
                 (is_hash ? "data_hash" : "lookup_key") + " function"});
  }
  const std::string& path = source.location->location;
  source.file = parsed_data_file(invocation, path, format);
  // Content other than a hash is reported as a whole file. So are the data of modules, all keys of
  // which are read.
  ReadObserver* const observer = ReadObserver::current();
  if (observer != nullptr && (!source.file->data.is_hash() || layer_.layer() == Layer::kModule)) {
    observer->file(path, source.file->digest.get());
  }
  // Content other than a hash is a wrong type for JSON files, and a malformed file for others.
  source.data = format == DataFormat::kJson ? source.file->data
                                            : data_hash(invocation, *source.file, path, format);
  if (!source.data.is_hash()) fail_wrong_data(source);
}

void LevelProvider::check_hash(Invocation& invocation, const Source& source) {
  if (layer_.layer() != Layer::kModule) return;
  const std::string prefix = layer_.module_name() + "::";
  for (const HashEntry& entry : source.data.as_hash()) {
    const std::string_view key = entry.key.is_string() ? entry.key.as_string() : std::string_view();
    if (key == "lookup_options" || key.starts_with(prefix)) continue;
    invocation.lookup.warn(
        "Module '" + layer_.module_name() + "': Value returned from " + origin(source) +
        " must use keys qualified with the name of the module; got " + interpolated(entry.key));
  }
}

std::string LevelProvider::origin(const Source& source) const {
  std::string text = entry_.kind == ProviderKind::kLegacyFunction
                         ? "deprecated API"
                         : std::string(name_of(entry_.kind));
  text += " function '" + std::string(entry_.function) + "'";
  if (source.location) text += ", when using location '" + source.location->location + "',";
  return text;
}

// --- a layer ------------------------------------------------------------------------------------

std::string LayerProvider::name() const {
  std::string text = layer_ == Layer::kGlobal        ? "Global"
                     : layer_ == Layer::kEnvironment ? "Environment"
                                                     : "Module";
  if (!module_name_.empty()) text += " \"" + module_name_ + "\"";
  return text + " Data Provider (hiera configuration version " + std::to_string(config_->version) +
         ")";
}

std::optional<Value> LayerProvider::lookup(Invocation& invocation, const LookupKey& key,
                                           const MergeStrategy& merge) {
  const LookupGuard guard(invocation, key.text());
  try {
    return lookup_in(invocation, nullptr, key, merge);
  } catch (const EvaluationError& error) {
    rethrow_as_lookup_error(error);
  }
}

std::optional<Value> LayerProvider::lookup_in_default_hierarchy(Invocation& invocation,
                                                                const LookupKey& key,
                                                                const MergeStrategy& merge) {
  resolve(invocation);
  if (default_levels_->empty()) {
    if (invocation.explainer != nullptr) invocation.explainer->not_found(key.text());
    return std::nullopt;
  }
  const LookupGuard guard(invocation, key.text());
  try {
    return lookup_in(invocation, default_levels_, key, merge);
  } catch (const EvaluationError& error) {
    rethrow_as_lookup_error(error);
  }
}

std::optional<Value> LayerProvider::lookup_in(Invocation& invocation,
                                              std::shared_ptr<Levels> levels, const LookupKey& key,
                                              const MergeStrategy& merge) {
  Explainer* explainer = invocation.explainer;
  const ExplainLevel level(explainer, Explainer::NodeKind::kDataProvider,
                           explainer == nullptr ? std::string() : name());
  if (explainer != nullptr) {
    explainer->current().original = config_->path;
    explainer->current().module = module_name_;
  }
  if (levels == nullptr) {
    resolve(invocation);
    levels = levels_;
  }
  if (levels->empty()) {
    if (explainer != nullptr) explainer->not_found(key.text());
    return std::nullopt;
  }
  return lookup_merged(invocation, merge, levels->size(),
                       [&](size_t i) { return (*levels)[i].lookup(invocation, key, merge); });
}

void LayerProvider::add_searched(std::vector<SearchedFile>& files) const {
  for (const auto* levels : {levels_.get(), default_levels_.get()}) {
    if (levels == nullptr) continue;
    for (const LevelProvider& level : *levels) level.add_searched(files);
  }
}

void LayerProvider::resolve(Invocation& invocation) {
  if (is_resolved_) {
    if (scope_reads_.empty() || is_still_valid(invocation)) return;
    if (invocation.explainer != nullptr) {
      invocation.explainer->text(
          "Hiera configuration recreated due to change of scope variables used in interpolation "
          "expressions");
    }
  }
  Invocation resolving = invocation;
  resolving.explainer = nullptr;
  scope_reads_.clear();
  resolving.scope_reads = &scope_reads_;
  levels_ = resolve_levels(resolving, config_->hierarchy);
  default_levels_ = resolve_levels(resolving, config_->default_hierarchy);
  is_resolved_ = true;
}

bool LayerProvider::is_still_valid(Invocation& invocation) const {
  Invocation quiet = invocation;
  quiet.explainer = nullptr;
  // Reads for this check were reported when the hierarchy was resolved.
  const PartialFactRead partial;
  // Most levels read parts of one variable.
  const ScopeRead* earlier = nullptr;
  std::optional<Value> root;
  for (const ScopeRead& read : scope_reads_) {
    if (earlier == nullptr || earlier->root != read.root) {
      root = invocation.lookup.find_scope_variable(quiet, read.root);
    }
    earlier = &read;
    std::optional<Value> value = root;
    if (value && read.root_value && identical(*value, *read.root_value)) continue;
    if (value && !value->is_undef() && !read.segments.empty()) {
      value = dig(quiet, read.root.text(), read.segments, *value);
    }
    if (!identical(value.value_or(Value()), read.value.value_or(Value()))) return false;
  }
  return true;
}

namespace {

// Throws a copy of the error, to which each look-up adds its own place.
[[noreturn]] void throw_again(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const ForeignError& error) {
    throw ForeignError(error.diagnostic(), error.kind());
  } catch (const EvaluationError& error) {
    throw EvaluationError(error.diagnostic(), error.kind());
  }
}

}  // namespace

std::shared_ptr<LayerProvider::Levels> LayerProvider::resolve_levels(
    Invocation& invocation, const std::vector<HierarchyEntry>& entries) {
  auto levels = std::make_shared<Levels>();
  const bool is_default_config = config_->path.empty();
  for (const HierarchyEntry& entry : entries) {
    if (entry.failure != nullptr) throw_again(entry.failure);
    try {
      auto locations = resolve_locations(invocation, entry, is_default_config);
      // Without a hiera.yaml, a level without files is not shown.
      if (is_default_config && locations && locations->empty()) continue;
      const Value options = interpolate(invocation, entry.options, false);
      levels->emplace_back(entry, *this, options, std::move(locations));
    } catch (const EvaluationError& error) {
      const Issue issue = error.diagnostic().issue;
      if (issue == Issue::kHieraInterpolationMethodSyntaxNotAllowed) {
        fail_in_config(*config_, issue, {});
      }
      if (issue != Issue::kHieraUndefinedVariable) throw;
      const std::string name = error.diagnostic().arguments.at(0);
      try {
        fail_in_config(*config_, Issue::kHieraUndefinedVariable, {name}, "%{" + name + "}");
      } catch (EvaluationError& found) {
        if (const std::string path = hiera_path_of_legacy_fact(name); !path.empty()) {
          found.diagnostic().notes.push_back(
              fmt::format("the fact `{}` is now %{{{}}}", name, path));
        }
        found.diagnostic().notes.push_back(
            "`%{facts.NAME}` is empty on nodes without such a fact; with --strict warning so is "
            "every variable that is not there, as in version 7");
        throw;
      }
    }
  }
  return levels;
}

}  // namespace bunraku
