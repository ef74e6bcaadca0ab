#include <fmt/format.h>

#include "conversion/new_function.h"
#include "values/conversion_error.h"
#include "values/sem_ver.h"
#include "values/uri.h"

namespace bunraku {

namespace {

Value member(const NewCall& call, std::string_view name) {
  const Value* found = call.argument(0).as_hash().find(name);
  return found ? *found : Value();
}

// --- SemVer -------------------------------------------------------------------------------------

Value sem_ver_from_string(const NewCall& call) {
  const SemVer* version = parse_sem_ver(call.arena, call.argument(0).as_string());
  if (!version) {
    fail_conversion(Issue::kInvalidVersion,
                    {fmt::format("Unable to parse '{}' as a semantic version identifier",
                                 call.argument(0).as_string())});
  }
  return Value::sem_ver(version);
}

// Prerelease and build are not split when they are given as separate arguments.
std::span<const Value> whole_part(Arena& arena, Value text) {
  if (!text.is_string()) return {};
  return arena.copy(std::span<const Value>(&text, 1));
}

Value sem_ver_of(Arena& arena, Value major, Value minor, Value patch, Value prerelease,
                 Value build) {
  return Value::sem_ver(arena.make<SemVer>(major.as_integer(), minor.as_integer(),
                                           patch.as_integer(), whole_part(arena, prerelease),
                                           whole_part(arena, build)));
}

Value sem_ver_from_arguments(const NewCall& call) {
  return sem_ver_of(call.arena, call.argument(0), call.argument(1), call.argument(2),
                    call.argument(3), call.argument(4));
}

Value sem_ver_from_hash(const NewCall& call) {
  return sem_ver_of(call.arena, member(call, "major"), member(call, "minor"), member(call, "patch"),
                    member(call, "prerelease"), member(call, "build"));
}

Value refuse_sem_ver(const NewCall& call) {
  fail_not_convertible(call, "a SemVer");
}

// --- SemVerRange --------------------------------------------------------------------------------

Value range_from_string(const NewCall& call) {
  return Value::sem_ver_range(parse_sem_ver_range(call.arena, call.argument(0).as_string()));
}

Value range_of(Arena& arena, Value min, Value max, Value exclude_max) {
  const SemVer* low = min.is(ValueKind::kSemVer) ? &min.as_sem_ver() : nullptr;
  const SemVer* high = max.is(ValueKind::kSemVer) ? &max.as_sem_ver() : nullptr;
  const bool excludes = exclude_max.is_boolean() && exclude_max.as_boolean();
  return Value::sem_ver_range(make_sem_ver_range(arena, low, high, excludes));
}

Value range_from_versions(const NewCall& call) {
  return range_of(call.arena, call.argument(0), call.argument(1), call.argument(2));
}
Value range_from_hash(const NewCall& call) {
  return range_of(call.arena, member(call, "min"), member(call, "max"),
                  member(call, "exclude_max"));
}

// --- URI ----------------------------------------------------------------------------------------

Value uri_from_string(const NewCall& call) {
  return Value::uri(parse_uri(call.arena, call.argument(0).as_string()));
}

Value uri_from_hash(const NewCall& call) {
  auto text = [&](std::string_view name) -> std::string_view {
    const Value part = member(call, name);
    if (part.is_string()) return part.as_string();
    if (part.is_integer()) return call.arena.copy(std::to_string(part.as_integer()));
    return {};
  };
  const Uri parts{text("scheme"), text("userinfo"), text("host"),     text("port"),
                  text("path"),   text("query"),    text("fragment"), text("opaque")};
  return Value::uri(make_uri(call.arena, parts));
}

}  // namespace

NewImplementation version_implementation(NewForm form) {
  switch (form) {
    case NewForm::kSemVerFromString:
      return sem_ver_from_string;
    case NewForm::kSemVerFromArguments:
      return sem_ver_from_arguments;
    case NewForm::kSemVerFromHash:
      return sem_ver_from_hash;
    case NewForm::kRefuseSemVer:
      return refuse_sem_ver;
    case NewForm::kRangeFromString:
      return range_from_string;
    case NewForm::kRangeFromVersions:
      return range_from_versions;
    case NewForm::kRangeFromHash:
      return range_from_hash;
    case NewForm::kUriFromString:
      return uri_from_string;
    case NewForm::kUriFromHash:
      return uri_from_hash;
    default:
      return nullptr;
  }
}

}  // namespace bunraku
