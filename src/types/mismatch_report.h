// One reason for a mismatch of types, and its message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "values/type.h"

namespace bunraku {

enum class PathKind : uint8_t {
  kSubject,
  kEntryValue,
  kEntryKey,
  kParameter,
  kReturn,
  kBlock,
  kIndex,
  kVariant,
  kSignature,
};

// A step on the path from the whole to the mismatching part.
struct PathElement {
  PathKind kind;
  std::string_view name;
  size_t index = 0;

  friend bool operator==(const PathElement&, const PathElement&) = default;
};
using Path = std::vector<PathElement>;

enum class MismatchKind : uint8_t {
  kMissingKey,
  kMissingParameter,
  kExtraneousKey,
  kInvalidParameter,
  kUnexpectedBlock,
  kMissingBlock,
  kUnresolvedType,
  kType,
  kPattern,
  kSize,
  kCount,
};

struct Mismatch {
  MismatchKind kind;
  Path path;
  std::string_view key;            // for the kinds that name one; the unresolved type
  const Type* expected = nullptr;  // normalized; for kType and kPattern
  const Type* actual = nullptr;
  IntegerRange expected_size{};  // for kSize and kCount
  IntegerRange actual_size{};

  bool is_type() const { return kind == MismatchKind::kType || kind == MismatchKind::kPattern; }
  bool is_size() const { return kind == MismatchKind::kSize || kind == MismatchKind::kCount; }
};

// The message, with a leading blank: " parameter 'x' expects ...".
std::string format(Arena& arena, const Mismatch& mismatch);

}  // namespace bunraku
