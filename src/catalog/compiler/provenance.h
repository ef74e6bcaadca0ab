// The origins of a catalog: for each resource the requests for it, and for each attribute the code
// or data that set it. Recorded only when a compiler has a Provenance; otherwise it costs a test of
// a pointer.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/compiler/resource.h"
#include "evaluation/host.h"

namespace bunraku {

class Lookup;

enum class Origin : uint8_t {
  kDeclaration,
  kResourceDefault,  // File { mode => ... }
  kOverride,
  kCollector,
  kParameterDefault,  // of a class or define
  kData,              // automatic look-up of a class parameter
  kClassifier,
  kArrow,
  kRequire,    // the function require()
  kContainer,  // inherited from a container
};
std::string_view name_of(Origin origin);

// A place in data that answered a look-up.
struct DataSource {
  std::string key;
  std::string layer;  // "Environment Data Provider (hiera configuration version 5)"
  std::string level;  // the hierarchy's entry; empty when there is none
  std::string path;   // empty when the answer is not from a file
  Value value;
};

// One look-up: all sources that contributed, in the order of reading.
struct DataAnswer {
  std::vector<std::string> keys;
  std::vector<DataSource> sources;
};

class Provenance {
 public:
  // An attribute was set, or set again.
  struct Change {
    Name attribute;
    Origin origin;
    Value value;
    Place place;
    bool is_append = false;
    const Resource* by = nullptr;      // the resource whose code contains the place; null: unknown
    const DataAnswer* data = nullptr;  // for kData
    const Resource* container = nullptr;  // for kContainer
  };
  // A class was requested (one entry per request), or a virtual resource was realized.
  struct Request {
    enum class Kind : uint8_t {
      kInclude,
      kContain,
      kRequire,
      kDeclaration,
      kInherits,
      kClassifier,
      kCollector,
      kRealize,
    };
    Kind kind;
    Place place;
    const Resource* by = nullptr;  // the resource whose code it was; null: the compiler itself
  };

  // --- recording ---
  // --- recording ---
  void add_change(const Resource& resource, const Change& change);
  void add_realization(const Resource& resource, const Request& request);
  void add_class(Name name, const Request& request);
  const DataAnswer* keep(DataAnswer answer);
  // Records a call of lookup(); a later one at the same place replaces it.
  void add_lookup(const Place& place, const Resource* by, const DataAnswer* answer);

  // --- queries ---
  // --- asking ---
  const std::vector<Change>& changes_of(const Resource& resource) const;
  // The requests for a class; for another resource, what realized it.
  const std::vector<Request>& requests_for(const Resource& resource) const;
  const DataAnswer* find_lookup(const Expression& call, const Resource* by) const;

 private:
  struct LookupKey {
    const Expression* call;
    const Resource* by;
    bool operator==(const LookupKey&) const = default;
  };
  friend size_t hash_value(const LookupKey& key);

  boost::unordered_flat_map<const Resource*, std::vector<Change>> changes_;
  boost::unordered_flat_map<const Resource*, std::vector<Request>> realizations_;
  boost::unordered_flat_map<Name, std::vector<Request>, std::hash<Name>> classes_;
  boost::unordered_flat_map<LookupKey, const DataAnswer*> lookups_;
  std::vector<std::unique_ptr<DataAnswer>> answers_;
};

// A proxy between a compilation and its data that records the origins of answers.
class RecordingData final : public DataHost {
 public:
  // Both must outlive it.
  RecordingData(Lookup& lookup, Provenance& provenance)
      : lookup_(lookup), provenance_(provenance) {}

  Value lookup(Scope& scope, const LookupRequest& request) override;
  std::optional<Value> lookup_parameter(Scope& scope, std::string_view name) override;
  void explain_missing(Diagnostic& problem, std::string_view key) const override;
  void explain_found(Diagnostic& problem, std::string_view key) const override;
  // The last look-up that found something; null when there was none.
  const DataAnswer* last_answer() const { return last_; }

 private:
  template <typename Ask>
  auto recorded(std::vector<std::string> keys, Ask ask);

  Lookup& lookup_;
  Provenance& provenance_;
  const DataAnswer* last_ = nullptr;
  bool is_asking_ = false;
};

}  // namespace bunraku
