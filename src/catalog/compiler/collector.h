// Collectors: what `File <| ... |>` and realize() wait for.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <span>
#include <string>
#include <vector>

#include "catalog/compiler/resource.h"
#include "evaluation/host.h"

namespace bunraku {

// A query with its operands evaluated.
struct Query {
  enum class Kind : uint8_t { kAnd, kOr, kEqual, kNotEqual, kTag };
  Kind kind;
  const Query* left;
  const Query* right;
  Name attribute;
  Value value;
  std::span<const Name> tags;  // any of these
};

struct Collector;

// One side of an arrow, as it will be looked for when the catalog is complete.
struct RelationshipOperand {
  Collector* collector = nullptr;
  Name type_key;           // down-cased
  std::string_view title;  // of a class its name
  bool is_main = false;    // the main class, which is found by no title

  bool operator==(const RelationshipOperand&) const = default;
};

// Operands in their order, each only once.
class RelationshipOperands {
 public:
  void add(const RelationshipOperand& operand) {
    if (known_.insert(operand).second) all_.push_back(operand);
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  size_t size() const { return all_.size(); }
  const RelationshipOperand& front() const { return all_.front(); }

 private:
  struct Hash {
    size_t operator()(const RelationshipOperand& operand) const {
      return std::hash<std::string_view>{}(operand.title) ^ operand.type_key.hash() ^
             reinterpret_cast<size_t>(operand.collector);
    }
  };
  std::vector<RelationshipOperand> all_;
  boost::unordered_flat_set<RelationshipOperand, Hash> known_;
};

struct Collector {
  enum class Kind : uint8_t { kCatalog, kExported, kFixedSet };
  struct Reference {
    Name type_key;
    std::string_view title;
    std::string text;
  };

  Kind kind;
  Scope* scope;
  Name type_key;
  const Query* query = nullptr;  // null: all
  // Every resource that is found gets these: arrays of relationships among them grow for all.
  std::vector<ResourceParameter> overrides;
  Place place;
  std::vector<Reference> wanted;     // of a fixed set: those not yet found
  std::vector<Resource*> collected;  // in the order of their collecting
  boost::unordered_flat_set<const Resource*> collected_set;
  // What stands in for this on the left of an arrow when it collects nothing.
  std::vector<RelationshipOperand> empty_alternative;
  bool is_done = false;   // a fixed set that has found all
  bool is_asked = false;  // the store, by an exported one
};

bool matches(const Query& query, const Resource& resource);

// As it is written, with the values of the operands: "File <| tag == 'web' |>".
std::string query_text(const Collector& collector);

}  // namespace bunraku
