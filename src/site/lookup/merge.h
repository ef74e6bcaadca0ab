// How the values that several levels of a hierarchy give for one key become one value.
#pragma once

#include <string_view>

#include "values/value.h"

namespace bunraku {

enum class MergeKind : uint8_t {
  kDefault,  // none was asked for: the first value found
  kFirst,
  kUnique,
  kHash,
  kDeep,
  kUnconstrainedDeep,  // of hiera 3: options are not checked
  kReverseDeep,        // of hiera 3: lower levels win
};

struct MergeStrategy {
  MergeKind kind = MergeKind::kDefault;
  // The hash of options as given, `strategy` included; undef when there are none.
  Value options;

  bool finds_first() const { return kind == MergeKind::kDefault || kind == MergeKind::kFirst; }
  // The name that explanations show.
  std::string_view name() const;
};

// From what a user writes: undef, a name, or a hash with `strategy` and options. Throws a lookup
// error for unknown names and options.
MergeStrategy merge_strategy(Value merge);

// Merges `high` (of the level that comes first) with `low`. Throws a lookup error when a value is
// not of a kind that the strategy merges.
Value merge_values(Arena& arena, const MergeStrategy& strategy, Value high, Value low);
// What becomes of the first value when more may follow, and of one that stands alone.
Value merge_first_of_many(Arena& arena, const MergeStrategy& strategy, Value value);
Value merge_only_value(Arena& arena, const MergeStrategy& strategy, Value value);

}  // namespace bunraku
