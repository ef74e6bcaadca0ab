#include "types/matching.h"

#include "base/regex/regex.h"
#include "types/relations.h"
#include "values/bounds.h"
#include "values/sem_ver.h"
#include "values/type.h"

namespace bunraku {
namespace {

const SemVer* version_in(Arena& arena, Value value) {
  if (value.is(ValueKind::kSemVer)) return &value.as_sem_ver();
  return value.is_string() ? parse_sem_ver(arena, value.as_string()) : nullptr;
}

bool matches_at(Value value, Value pattern, Nesting& nesting);

bool matches_items(Value value, std::span<const Value> pattern, Nesting& nesting) {
  if (!value.is_array() || value.as_array().size() != pattern.size()) return false;
  const NestingGuard guard(nesting, "a value");
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (!matches_at(value.as_array()[i], pattern[i], nesting)) return false;
  }
  return true;
}

bool matches_entries(Value value, const HashObject& pattern, Nesting& nesting) {
  if (!value.is_hash()) return false;
  const NestingGuard guard(nesting, "a value");
  for (const HashEntry& entry : pattern) {
    const Value* found = value.as_hash().find(entry.key);
    if (!matches_at(found == nullptr ? Value::undef() : *found, entry.value, nesting)) return false;
  }
  return true;
}

bool matches_at(Value value, Value pattern, Nesting& nesting) {
  switch (pattern.kind()) {
    case ValueKind::kDefault:
      return true;
    case ValueKind::kType:
      return is_instance(pattern.as_type(), value);
    case ValueKind::kRegexp:
      return value.is_string() &&
             Regex::compile_at_run_time(pattern.as_regexp())->matches(value.as_string());
    case ValueKind::kArray:
      return matches_items(value, pattern.as_array(), nesting);
    case ValueKind::kHash:
      return matches_entries(value, pattern.as_hash(), nesting);
    case ValueKind::kSemVer: {
      Arena scratch;
      const SemVer* version = version_in(scratch, value);
      return version != nullptr && same(*version, pattern.as_sem_ver());
    }
    case ValueKind::kSemVerRange: {
      Arena scratch;
      const SemVer* version = version_in(scratch, value);
      return version != nullptr && includes(pattern.as_sem_ver_range(), *version);
    }
    default:
      return equal(value, pattern);
  }
}

}  // namespace

bool matches_pattern(Value value, Value pattern) {
  Nesting nesting;
  return matches_at(value, pattern, nesting);
}

}  // namespace bunraku
