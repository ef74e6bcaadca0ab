// Hiera: looks up keys in the global layer, the environment and the modules.
//
// The rules were found by running the reference's hiera 5 with its own hierarchies.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/regex/regex.h"
#include "base/text/text_hash.h"
#include "evaluation/host.h"
#include "site/lookup/data_files.h"
#include "site/lookup/invocation.h"
#include "site/lookup/merge.h"
#include "site/lookup/provider.h"

namespace bunraku {

class Evaluator;

struct LookupSettings {
  // hiera.yaml of the global layer; it need not exist.
  std::string global_config;
  // The directory of the environment; empty when there is none.
  std::string environment_directory;
  std::string environment_name;
  std::string codedir;
  // The data provider in environment.conf: "hiera", "function" or "none"; empty when it is not set.
  std::string environment_data_provider;
};

// The look-ups of one compilation, for a single thread. `files` is shared with other compilations.
class Lookup : public DataHost {
 public:
  // Arguments that are not null must outlive this object.
  Lookup(Arena& arena, DataFiles& files, LookupSettings settings, ModuleHost* modules);
  // Required before the first look-up. A separate step, because the evaluator is made after its
  // hosts.
  void set_evaluator(Evaluator& evaluator) { evaluator_ = &evaluator; }
  // Explains all look-ups from now on; null stops explaining.
  void set_explainer(Explainer* explainer) { explainer_ = explainer; }

  Value lookup(Scope& scope, const LookupRequest& request) override;
  std::optional<Value> lookup_parameter(Scope& scope, std::string_view name) override;
  void explain_missing(Diagnostic& problem, std::string_view key) const override;
  void explain_found(Diagnostic& problem, std::string_view key) const override;

  // --- for the other parts of this room ---

  // %{lookup('key')}: an empty string when the key is not found.
  Value lookup_interpolated(Invocation& invocation, std::string_view key);
  // A variable of the scope, with overrides, defaults and explanation. An unknown variable is an
  // error under strict settings.
  std::optional<Value> scope_variable(Invocation& invocation, std::string_view name);
  // As above, but never fails.
  std::optional<Value> find_scope_variable(Invocation& invocation, Name name);
  // The value of a variable for hiera 3.
  static std::optional<Value> hiera3_variable(Invocation& invocation, std::string_view name);
  Invocation make_invocation(Scope& scope);
  // Makes the context of a function; this object owns it. `module` must live as long as this
  // object.
  LookupContext& make_context(std::string_view module);
  DataFiles& files() { return files_; }
  Evaluator& evaluator() { return *evaluator_; }
  // The data that functions have made of files, cached for the compilation; null when there is none
  // yet.
  const Value* find_file_data(const std::string& path) const;
  void keep_file_data(const std::string& path, Value data) { file_data_[path] = data; }
  // Marks file data that Ruby has made, possibly from objects that no value represents.
  void note_ruby_file_data(const std::string& path) { ruby_file_data_.insert(path); }
  bool is_ruby_file_data(const std::string& path) const { return ruby_file_data_.contains(path); }
  // Returns whether the setting `strict` is `error`.
  bool is_strict() const;
  void warn(const std::string& message);
  // Warns of a deprecation, once for each key unless settings forbid it; `path` is the file
  // concerned, or empty.
  void warn_deprecated(std::string_view key, std::string message, const std::string& path);

 private:
  // The lookup_options, split into exact keys and patterns.
  struct LookupOptions {
    Value hash;  // undef when there are none
    std::vector<std::pair<const Regex*, Value>> patterns;
  };

  template <typename T>
  using ByModule = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

  Value find_value(Invocation& invocation, const LookupRequest& request);
  Value checked_data(std::string_view key, const LookupRequest& request, Value value);
  Value default_answer(Invocation& invocation, const LookupRequest& request);
  // The files of all layers that were looked at for the key.
  std::vector<SearchedFile> searched_files(std::string_view key) const;
  Value checked(std::string_view subject, const LookupRequest& request, Value value);

  std::optional<Value> lookup_key(Invocation& invocation, std::string_view text, Value merge);
  std::optional<Value> lookup_in_layers(Invocation& invocation, const LookupKey& key, Value merge);
  std::optional<Value> lookup_global_only(Invocation& invocation, const LookupKey& key,
                                          Value merge);
  [[noreturn]] static void fail_global(const LookupKey& key, const EvaluationError& error);
  std::optional<Value> lookup_global(Invocation& invocation, const LookupKey& key,
                                     const MergeStrategy& merge);
  std::optional<Value> lookup_in_hiera3(Invocation& invocation, LayerProvider& global,
                                        const LookupKey& key, const MergeStrategy& merge);
  std::optional<Value> lookup_in_module(Invocation& invocation, const LookupKey& key,
                                        const MergeStrategy& merge);
  std::optional<Value> lookup_in_module_defaults(Invocation& invocation, const LookupKey& key);
  Value converted(Invocation& invocation, std::string_view key, Value convert_to, Value value);

  // The options that apply to a key: a hash, or undef.
  Value options_for(Invocation& invocation, const LookupKey& key);
  const LookupOptions& options_of_module(Invocation& invocation, std::string_view module);
  Value environment_options(Invocation& invocation);
  Value merged_options(Invocation& invocation, const MergeStrategy& merge, Value outer, Value own);
  LookupOptions compile_options(Value options);
  static Value find_options(const LookupOptions& options, std::string_view root);
  void check_options(Value options, std::string_view module);

  // Returns whether the environment has a hiera.yaml of version 5.
  bool has_environment_data();
  LayerProvider* global_provider();
  LayerProvider* environment_provider();
  LayerProvider* module_provider(std::string_view module);
  HieraConfigSource config_source(Layer layer, const std::string& directory,
                                  const std::string& path);
  // Makes the provider for the hiera.yaml at `path`, or for the defaults where there is none.
  // Returns null when the file is ignored.
  std::unique_ptr<LayerProvider> make_provider(Layer layer, const std::string& module,
                                               const std::string& directory,
                                               const std::string& path);
  std::unique_ptr<LayerProvider> find_environment_provider();
  std::unique_ptr<LayerProvider> find_module_provider(std::string_view module);
  // Makes the provider that environment.conf or metadata.json names: "function" calls `function`,
  // "hiera" returns `found`, or the defaults.
  std::unique_ptr<LayerProvider> named_provider(std::string_view name,
                                                std::unique_ptr<LayerProvider> found,
                                                const HieraConfigSource& source,
                                                std::string_view module, std::string_view function);

  Arena& arena_;
  DataFiles& files_;
  LookupSettings settings_;
  ModuleHost* modules_;
  Evaluator* evaluator_ = nullptr;
  Explainer* explainer_ = nullptr;

  // The current look-up, within which interpolation and functions look up.
  Invocation* current_ = nullptr;
  std::vector<std::unique_ptr<LookupContext>> contexts_;
  std::vector<std::string_view> name_stack_;

  std::unique_ptr<LayerProvider> global_provider_;
  bool environment_was_tried_ = false;
  std::unique_ptr<LayerProvider> environment_provider_;
  ByModule<std::unique_ptr<LayerProvider>> module_providers_;
  std::optional<Value> global_options_;
  std::optional<Value> environment_options_;  // merged with the global ones
  ByModule<LookupOptions> module_options_;
  ByModule<LookupOptions> module_default_options_;
  std::set<std::string, std::less<>> merged_keys_;  // whose values may be of several files
  std::set<std::string> warned_;
  std::map<std::string, Value> file_data_;
  std::set<std::string> ruby_file_data_;
};

}  // namespace bunraku
