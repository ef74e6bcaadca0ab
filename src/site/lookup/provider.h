// Data providers: one for each layer (global, environment, each module), with one for each level of
// its hierarchy.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "site/lookup/context.h"
#include "site/lookup/data_files.h"
#include "site/lookup/hiera_config.h"
#include "site/lookup/invocation.h"
#include "site/lookup/merge.h"
#include "site/lookup/searched_files.h"

namespace bunraku {

// An interpolated path or URI of a level.
struct ResolvedLocation {
  std::string original;  // for explanations: the text before interpolation; for globs, after it
  std::string location;
  bool exists = false;
  bool is_uri = false;
};

// One level of a hierarchy with its locations resolved.
class LevelProvider {
 public:
  LevelProvider(const HierarchyEntry& entry, const class LayerProvider& layer, Value options,
                std::optional<std::vector<ResolvedLocation>> locations);

  std::optional<Value> lookup(Invocation& invocation, const LookupKey& key,
                              const MergeStrategy& merge);
  // Adds the files of its locations.
  void add_searched(std::vector<SearchedFile>& files) const;

 private:
  // The data of a location. For functions that are not built in, the results of calls.
  struct Source {
    std::optional<ResolvedLocation> location;
    std::shared_ptr<const DataFile> file;
    Value data;  // the hash of a data_hash function; undef before it is loaded
    LookupContext* context = nullptr;  // of the function; null before its first call
    // Results of other functions, by key.
    std::map<std::string, Value, std::less<>> answers;
  };

  // The locations that a hiera_* function names to be searched first.
  std::vector<Source> overriding_sources(Invocation& invocation) const;
  std::optional<Value> lookup_at(Invocation& invocation, const LookupKey& key, Source& source);
  std::optional<Value> lookup_in_hash(Invocation& invocation, std::string_view root,
                                      Source& source);
  static Value interpolated_value(Invocation& invocation, Value value, std::string_view root,
                                  const Source& source);
  std::optional<Value> lookup_encrypted(Invocation& invocation, std::string_view root,
                                        Source& source);
  [[noreturn]] void fail_without_function() const;
  std::optional<Value> lookup_in_backend(Invocation& invocation) const;
  std::optional<Value> lookup_by_function(Invocation& invocation, const LookupKey& key,
                                          Source& source);
  // Calls the function; returns no value when it reports the key as not found.
  std::optional<Value> call(Invocation& invocation, Source& source, std::vector<Value> arguments);
  [[noreturn]] void fail_wrong_data(const Source& source) const;
  void call_data_hash(Invocation& invocation, Source& source);
  void check_value(Value value, std::string_view root, const Source& source, std::string_view from);
  void load(Invocation& invocation, Source& source);
  void check_hash(Invocation& invocation, const Source& source);
  std::string origin(const Source& source) const;

  const HierarchyEntry& entry_;
  const LayerProvider& layer_;
  Value options_;
  std::vector<Source> sources_;
};

class LayerProvider {
 public:
  LayerProvider(Layer layer, std::string module_name, std::unique_ptr<HieraConfig> config)
      : layer_(layer), module_name_(std::move(module_name)), config_(std::move(config)) {}

  Layer layer() const { return layer_; }
  const std::string& module_name() const { return module_name_; }
  const HieraConfig& config() const { return *config_; }
  // "Environment Data Provider (hiera configuration version 5)"
  std::string name() const;

  // Checks for recursion and looks up in the levels of the hierarchy.
  std::optional<Value> lookup(Invocation& invocation, const LookupKey& key,
                              const MergeStrategy& merge);
  std::optional<Value> lookup_in_default_hierarchy(Invocation& invocation, const LookupKey& key,
                                                   const MergeStrategy& merge);
  // Adds the files of the levels as they were last resolved.
  void add_searched(std::vector<SearchedFile>& files) const;

 private:
  using Levels = std::vector<LevelProvider>;

  // Without levels, resolves those of the hierarchy as part of the explanation.
  std::optional<Value> lookup_in(Invocation& invocation, std::shared_ptr<Levels> levels,
                                 const LookupKey& key, const MergeStrategy& merge);
  // Resolves the hierarchy, or resolves it again when a variable that it depends on has changed.
  void resolve(Invocation& invocation);
  bool is_still_valid(Invocation& invocation) const;
  std::shared_ptr<Levels> resolve_levels(Invocation& invocation,
                                         const std::vector<HierarchyEntry>& entries);

  Layer layer_;
  std::string module_name_;
  std::unique_ptr<HieraConfig> config_;
  bool is_resolved_ = false;
  // Shared, because a nested look-up may resolve the hierarchy again.
  std::shared_ptr<Levels> levels_;
  std::shared_ptr<Levels> default_levels_;
  std::vector<ScopeRead> scope_reads_;
};

// Calls `ask` for `count` variants, the most important first, and merges the results. Returns no
// value when there are none.
template <typename Ask>
std::optional<Value> lookup_merged(Invocation& invocation, const MergeStrategy& merge, size_t count,
                                   Ask ask) {
  if (merge.finds_first()) {
    for (size_t i = 0; i < count; ++i) {
      if (std::optional<Value> value = ask(i)) return value;
    }
    return std::nullopt;
  }
  if (count == 0) return std::nullopt;
  if (count == 1) {
    std::optional<Value> value = ask(0);
    if (!value) return std::nullopt;
    return merge_only_value(invocation.arena, merge, *value);
  }
  ExplainLevel level(invocation.explainer, Explainer::NodeKind::kMerge, merge.name());
  if (invocation.explainer != nullptr && merge.options.is_hash()) {
    HashBuilder shown(invocation.arena);
    shown.set_all(merge.options.as_hash());
    shown.erase(Value::string("strategy"));
    if (shown.size() > 0) invocation.explainer->current().options = shown.finish();
  }
  std::optional<Value> result;
  for (size_t i = 0; i < count; ++i) {
    std::optional<Value> value = ask(i);
    if (!value) continue;
    result = result ? merge_values(invocation.arena, merge, *result, *value)
                    : merge_first_of_many(invocation.arena, merge, *value);
  }
  if (result && invocation.explainer != nullptr) invocation.explainer->result(*result);
  return result;
}

}  // namespace bunraku
