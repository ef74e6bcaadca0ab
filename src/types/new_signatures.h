// The signatures of Type.new, as families per type. The implementations are in the room conversion;
// types need only the signatures, for Init.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "types/mismatch.h"
#include "values/type.h"

namespace bunraku {

// The implementations of `new`, whose code is in the room conversion (conversion/new_function.h).
enum class NewForm : uint8_t {
  kIntegerFromArguments,
  kIntegerFromHash,
  kRefuseIntegerHash,
  kRefuseInteger,
  kFloatFromArguments,
  kFloatFromHash,
  kRefuseFloat,
  kNumberFromArguments,
  kNumberFromHash,
  kRefuseNumber,
  kBooleanFromArguments,
  kRefuseBoolean,
  kStringFromArguments,
  kRegexpFromString,
  kTypeFromString,
  kSameValue,
  kSensitiveFromAny,
  kBinaryFromString,
  kBinaryFromArray,
  kBinaryFromHash,
  kToArray,
  kWrappedArray,
  kRefuseArray,
  kHashFromTree,
  kHashFromTuples,
  kHashFromAny,
  kTimespanFromSeconds,
  kTimespanFromString,
  kTimespanFromFields,
  kTimespanFromStringHash,
  kTimespanFromFieldsHash,
  kTimestampNow,
  kTimestampFromSeconds,
  kTimestampFromString,
  kTimestampFromHash,
  kSemVerFromString,
  kSemVerFromArguments,
  kSemVerFromHash,
  kRefuseSemVer,
  kRangeFromString,
  kRangeFromVersions,
  kRangeFromHash,
  kUriFromString,
  kUriFromHash,
};

struct NewParameter {
  std::string_view name;
  std::string_view type;  // in the language's syntax
  bool is_optional = false;
};

struct NewOverload {
  std::span<const NewParameter> parameters;
  NewForm form;
  // Accepts calls that no other overload does, to fail with its own message.
  bool is_mismatch_handler = false;
};

struct NewFamily {
  std::string_view name;         // as shown in messages
  std::string_view local_types;  // aliases for the signatures, one per line
  std::span<const NewOverload> overloads;
};

// A family with parsed types. It lives as long as the process and is thread-safe.
class NewSignatures {
 public:
  explicit NewSignatures(const NewFamily& family);

  const NewFamily& family() const { return family_; }
  // The signatures without those of mismatch handlers.
  std::span<const Signature> listed() const { return {signatures_.data(), listed_}; }
  // All signatures; those of mismatch handlers are last.
  std::span<const Signature> all() const { return signatures_; }
  // The form of each signature in all().
  std::span<const NewForm> forms() const { return forms_; }
  // Finds a type of `local_types`; null when there is none.
  const Type* local_type(std::string_view name) const;

 private:
  Signature prepare(const NewOverload& overload);

  const NewFamily& family_;
  Arena arena_;
  std::vector<const TypeAliasType*> local_types_;
  std::vector<Signature> signatures_;
  std::vector<NewForm> forms_;
  size_t listed_ = 0;
};

// Makes a signature with a Callable of its parameters; both in the arena.
Signature make_signature(Arena& arena, std::span<const SignatureParameter> parameters);

// Returns the type that is instantiated for `type`: aliases, Optional and NotUndef are replaced by
// the type they contain.
const Type* creatable_type(const Type* type);

// The signatures for a built-in type (see creatable_type()); null when it has none, and for Object
// and Init, which make their own.
const NewSignatures* find_new_signatures(const Type* type);

}  // namespace bunraku
