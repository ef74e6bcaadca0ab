// The state of one look-up, passed from level to level.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/name.h"
#include "site/lookup/explainer.h"
#include "site/lookup/lookup_key.h"
#include "values/value.h"

namespace bunraku {

class Lookup;
class Scope;

// A variable of the scope that an interpolation in hiera.yaml has read. The hierarchy is resolved
// again when its value changes.
struct ScopeRead {
  Name root;
  std::optional<Value> root_value;
  std::vector<Value> segments;
  std::optional<Value> value;  // the value at the end of the segments
};

struct Invocation {
  Lookup& lookup;
  Scope& scope;
  Arena& arena;
  Value override_hash = {};        // undef or a hash
  Value default_values_hash = {};  // undef or a hash
  Explainer* explainer = nullptr;
  // The module whose data may answer: that of the first key looked up.
  std::string_view module_name = {};
  // The keys that are being looked up, by which endless recursion is found.
  std::vector<std::string_view>* name_stack = nullptr;
  bool global_only = false;
  // Set for look-ups of the hiera_* functions.
  bool is_hiera_call = false;
  // Set within a global layer of hiera 3, where variables such as calling_module exist and empty
  // strings are undef.
  bool is_hiera3 = false;
  // For hiera_* functions: locations that precede those of hiera 3.
  std::vector<std::string_view> location_overrides = {};
  // Set while a location of hiera.yaml is resolved: an unknown variable is empty there, with a
  // warning.
  bool is_location = false;
  // Where reads of variables are recorded while hiera.yaml is resolved; null otherwise.
  std::vector<ScopeRead>* scope_reads = nullptr;
  // The variable of a mapped path while it is resolved.
  std::string_view local_name = {};
  Value local_value = {};
};

// Marks `name`, which must outlive it, as being looked up; fails when it is marked already.
class LookupGuard {
 public:
  LookupGuard(Invocation& invocation, std::string_view name);
  ~LookupGuard();
  LookupGuard(const LookupGuard&) = delete;
  LookupGuard& operator=(const LookupGuard&) = delete;

 private:
  std::vector<std::string_view>& stack_;
};

// Digs into a value. Returns no value when a segment is missing; fails when a value on the way is
// neither hash nor array.
std::optional<Value> dig(Invocation& invocation, std::string_view key,
                         std::span<const Value> segments, Value value);

}  // namespace bunraku
