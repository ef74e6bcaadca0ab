// Merging the values that several levels of a hierarchy have for one key.
#pragma once

#include <string_view>

#include "values/value.h"

namespace bunraku {

enum class MergeKind : uint8_t {
  kDefault,  // no strategy given: the first value found
  kFirst,
  kUnique,
  kHash,
  kDeep,
  kUnconstrainedDeep,  // for hiera 3: options are not checked
  kReverseDeep,        // for hiera 3: lower levels win
};

struct MergeStrategy {
  MergeKind kind = MergeKind::kDefault;
  // The hash of options as written, `strategy` included; undef when there are none.
  Value options;

  bool finds_first() const { return kind == MergeKind::kDefault || kind == MergeKind::kFirst; }
  // The name that explanations show.
  std::string_view name() const;
};

// Reads a strategy as written by the user: undef, a name, or a hash with `strategy` and options.
// Throws a lookup error for unknown names and options.
MergeStrategy merge_strategy(Value merge);

// Merges `high`, the value of the level that comes first, with `low`. Throws a lookup error when
// the strategy cannot merge a value.
Value merge_values(Arena& arena, const MergeStrategy& strategy, Value high, Value low);
// The conversion of the first value when more may follow, and of an only value.
Value merge_first_of_many(Arena& arena, const MergeStrategy& strategy, Value value);
Value merge_only_value(Arena& arena, const MergeStrategy& strategy, Value value);

}  // namespace bunraku
