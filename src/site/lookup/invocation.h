// What a look-up carries with it from level to level.
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

// A variable of the scope that an interpolation in hiera.yaml read, so that the hierarchy is
// resolved anew when it changes.
struct ScopeRead {
  Name root;
  std::optional<Value> root_value;
  std::vector<Value> segments;
  std::optional<Value> value;  // what the segments lead to
};

struct Invocation {
  Lookup& lookup;
  Scope& scope;
  Arena& arena;
  Value override_hash = {};        // undef or a hash
  Value default_values_hash = {};  // undef or a hash
  Explainer* explainer = nullptr;
  // The module whose data may answer; that of the first key asked for.
  std::string_view module_name = {};
  // The keys that are being looked up, to find a circle.
  std::vector<std::string>* name_stack = nullptr;
  bool global_only = false;
  // One of the hiera_* functions asked.
  bool is_hiera_call = false;
  // Within a global layer of hiera 3: variables such as calling_module are there, and empty strings
  // are undef.
  bool is_hiera3 = false;
  // Of a hiera_* function: locations that go before those of hiera 3.
  std::vector<std::string_view> location_overrides = {};
  // While a location of hiera.yaml is resolved: a variable that there is not is empty, with a
  // warning.
  bool is_location = false;
  // Set while hiera.yaml is resolved.
  std::vector<ScopeRead>* scope_reads = nullptr;
  // A variable that exists only while a mapped path is resolved.
  std::string_view local_name = {};
  Value local_value = {};
};

// Stands while `name` is looked up; fails when it is being looked up already.
class LookupGuard {
 public:
  LookupGuard(Invocation& invocation, std::string name);
  ~LookupGuard();
  LookupGuard(const LookupGuard&) = delete;
  LookupGuard& operator=(const LookupGuard&) = delete;

 private:
  std::vector<std::string>& stack_;
};

// Digs into a value. Nothing when a segment is not there; an error when a value that is neither
// hash nor array stands in the way.
std::optional<Value> dig(Invocation& invocation, std::string_view key,
                         std::span<const Value> segments, Value value);

}  // namespace bunraku
