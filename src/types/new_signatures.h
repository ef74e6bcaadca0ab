// What Type.new takes: for each type that has constructors its families of signatures. What is made
// of the arguments is in the room conversion; types have to know the signatures alone, for Init.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "types/mismatch.h"
#include "values/type.h"

namespace bunraku {

// A way to make a value of arguments; conversion/new_function.h has the code of each.
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
  // Takes calls that no other overload does, to fail in words of its own.
  bool is_mismatch_handler = false;
};

struct NewFamily {
  std::string_view name;         // as messages show it
  std::string_view local_types;  // aliases that the signatures know, a line each
  std::span<const NewOverload> overloads;
};

// A family with its types parsed; lives as long as the process. Any thread may use it.
class NewSignatures {
 public:
  explicit NewSignatures(const NewFamily& family);

  const NewFamily& family() const { return family_; }
  // Without those of mismatch handlers.
  std::span<const Signature> listed() const { return {signatures_.data(), listed_}; }
  // Signatures of mismatch handlers come last.
  std::span<const Signature> all() const { return signatures_; }
  // The form of each of all().
  std::span<const NewForm> forms() const { return forms_; }
  // A type of `local_types`; null when there is none.
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

// A signature with a Callable of its parameters; both in the arena.
Signature make_signature(Arena& arena, std::span<const SignatureParameter> parameters);

// What stands for `type` when an instance of it is made: aliases, Optional and NotUndef make way
// for what they hold.
const Type* creatable_type(const Type* type);

// The signatures for a built-in type (see creatable_type()); null when there are none, or when the
// type makes its own: Object and Init.
const NewSignatures* find_new_signatures(const Type* type);

}  // namespace bunraku
