// Collectors: the state of `File <| ... |>` and of realize().
#pragma once

#include <boost/container/small_vector.hpp>
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

// One side of an arrow, as it is looked up in the complete catalog.
struct RelationshipOperand {
  Collector* collector = nullptr;
  Name type_key;           // down-cased
  std::string_view title;  // for a class its name
  bool is_main = false;    // the main class, which no title finds

  bool operator==(const RelationshipOperand&) const = default;
};

// Operands in their order, without duplicates.
class RelationshipOperands {
 public:
  void add(const RelationshipOperand& operand) {
    if (is_new(operand)) all_.push_back(operand);
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
  bool is_new(const RelationshipOperand& operand) {
    // Mostly there is one.
    constexpr size_t kFew = 8;
    if (all_.size() < kFew) return std::find(all_.begin(), all_.end(), operand) == all_.end();
    if (known_.empty()) known_.insert(all_.begin(), all_.end());
    return known_.insert(operand).second;
  }

  boost::container::small_vector<RelationshipOperand, 1> all_;
  boost::unordered_flat_set<RelationshipOperand, Hash> known_;  // empty while there are few
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
  // Set on each resource that is found: arrays of relationships among them grow for all.
  std::vector<ResourceParameter> overrides;
  Place place;
  std::vector<Reference> wanted;     // in a fixed set: those not yet found
  std::vector<Resource*> collected;  // in the order of collecting
  boost::unordered_flat_set<const Resource*> collected_set;
  // The replacement of this on the left side of an arrow when it collects nothing.
  std::vector<RelationshipOperand> empty_alternative;
  bool is_done = false;   // a fixed set that has found all
  bool is_asked = false;  // an exported one has queried the store
};

bool matches(const Query& query, const Resource& resource);

// The collector as code, with the values of the operands: "File <| tag == 'web' |>".
std::string query_text(const Collector& collector);

}  // namespace bunraku
