// Init[T, args...]: what can be given to T.new.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "pcore/object.h"
#include "pcore/object_init.h"
#include "pcore/type.h"
#include "pcore/type_error.h"
#include "pcore/type_relations.h"
#include "pcore/type_text.h"

namespace bunraku {
namespace {

// The parameters of each way to call T.new, as Tuple types.
struct Constructors {
  TypeKind kind;
  std::array<std::string_view, 5> parameters;
};

#define INTEGER_TEXT "[+-]?\\s*(?:(?:\\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))"
#define DECIMAL_TEXT "(?:(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE]-?\\d+)?)"
#define FLOAT_TEXT "[+-]?\\s*(?:" DECIMAL_TEXT "|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))"
#define INTEGER_SOURCE \
  "Variant[Numeric, Boolean, Pattern[/\\A" INTEGER_TEXT "\\z/], Timespan, Timestamp]"
#define FLOAT_SOURCE \
  "Variant[Numeric, Boolean, Pattern[/\\A" FLOAT_TEXT "\\z/], Timespan, Timestamp]"
#define RADIX "Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]]"
#define NUMERIC_SOURCE \
  "Variant[Integer, Float, Boolean, Pattern[/\\A" FLOAT_TEXT "\\z/], Timespan, Timestamp]"
#define NUMERIC_FORMS(SOURCE)                                           \
  {                                                                     \
    "Tuple[" SOURCE ", Boolean, 1, 2]",                                 \
        "Tuple[Struct[{from => " SOURCE ", Optional[abs] => Boolean}]]" \
  }
#define VERSION_PART "Pattern[/\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z/]"
#define VERSION_NUMBER "(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
#define VERSION_SUFFIX(mark) "(?:" mark "([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?"
#define BYTES "Array[Integer[0, 255]]"
#define BASE64 "Enum['%b', '%u', '%B', '%s', '%r']"
#define FORMATS "Variant[String[2], Array[String[2], 1]]"
#define LIST_FORMS                                                         \
  {                                                                        \
    "Tuple[Variant[Array, Hash, Binary, Iterable], Boolean[false], 1, 2]", \
        "Tuple[Any, Boolean[true]]"                                        \
  }
#define HASH_FORMS                                                         \
  {                                                                        \
    "Tuple[Array[Tuple[Array, Any], 1], Enum['tree', 'hash_tree'], 1, 2]", \
        "Tuple[Array[Tuple[Any, Any], 1]]", "Tuple[Any]"                   \
  }

constexpr Constructors kConstructors[] = {
    {TypeKind::kUnit, {"Tuple[Any]"}},
    {TypeKind::kNotUndef, {"Tuple[Any]"}},
    {TypeKind::kNumeric, NUMERIC_FORMS(NUMERIC_SOURCE)},
    {TypeKind::kFloat, NUMERIC_FORMS(FLOAT_SOURCE)},
    {TypeKind::kInteger,
     {"Tuple[" INTEGER_SOURCE ", " RADIX ", Boolean, 1, 3]",
      "Tuple[Struct[{from => " INTEGER_SOURCE ", Optional[radix] => " RADIX
      ", Optional[abs] => Boolean}]]"}},
    {TypeKind::kBoolean,
     {"Tuple[Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', "
      "true]]]"}},
    {TypeKind::kString, {"Tuple[Any, Variant[Default, String[1], Hash[Type, Any]], 1, 2]"}},
    {TypeKind::kRegexp, {"Tuple[String, Boolean, 1, 2]"}},
    {TypeKind::kArray, LIST_FORMS},
    {TypeKind::kTuple, LIST_FORMS},
    {TypeKind::kHash, HASH_FORMS},
    {TypeKind::kStruct, HASH_FORMS},
    {TypeKind::kType, {"Tuple[String[1]]"}},
    {TypeKind::kSensitive, {"Tuple[Sensitive]", "Tuple[Any]"}},
    {TypeKind::kBinary,
     {"Tuple[String, " BASE64 ", 1, 2]", "Tuple[" BYTES "]",
      "Tuple[Variant[Struct[{value => String, 'format' => Optional[" BASE64
      "]}], Struct[{value => " BYTES "}]]]"}},
    {TypeKind::kSemVer,
     {"Tuple[Pattern[/\\A" VERSION_NUMBER VERSION_SUFFIX("-") VERSION_SUFFIX("\\+") "\\Z/]]",
      "Tuple[Integer[0], Integer[0], Integer[0], " VERSION_PART ", " VERSION_PART ", 3, 5]",
      "Tuple[Struct[{major => Integer[0], minor => Integer[0], patch => Integer[0], "
      "Optional[prerelease] => " VERSION_PART ", Optional[build] => " VERSION_PART "}]]"}},
    {TypeKind::kSemVerRange,
     {"Tuple[String[1]]",
      "Tuple[Variant[Default, SemVer], Variant[Default, SemVer], Boolean, 2, 3]",
      "Tuple[Struct[{min => Variant[Default, SemVer], Optional[max] => Variant[Default, SemVer], "
      "Optional[exclude_max] => Boolean}]]"}},
    {TypeKind::kTimespan,
     {"Tuple[Variant[Integer, Float]]", "Tuple[String[1], " FORMATS ", 1, 2]",
      "Tuple[Integer, Integer, Integer, Integer, Integer, Integer, Integer, 4, 7]",
      "Tuple[Struct[{string => String[1], Optional[format] => " FORMATS "}]]",
      "Tuple[Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => "
      "Integer, Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] "
      "=> Integer, Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}]]"}},
    {TypeKind::kTimestamp,
     {"Tuple[Any, 0, 0]", "Tuple[Variant[Integer, Float]]",
      "Tuple[String[1], " FORMATS ", String[1], 1, 3]",
      "Tuple[Struct[{string => String[1], Optional[format] => " FORMATS
      ", Optional[timezone] => String[1]}]]"}},
    {TypeKind::kUri,
     {"Tuple[String[1]]",
      "Tuple[Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], "
      "Optional[host] "
      "=> String[1], Optional[port] => Integer[0], Optional[path] => String[1], Optional[query] => "
      "String[1], Optional[fragment] => String[1], Optional[opaque] => String[1]}]]"}},
};

using Tuples = std::vector<const TupleType*>;

// The built-in constructors are parsed once.
const Tuples* builtin_constructors(TypeKind kind) {
  constexpr size_t kKinds = std::size(kConstructors);
  static const auto* parsed = [] {
    auto* all = new std::array<Tuples, kKinds>();
    static Arena* const arena = new Arena();  // as long as the process
    for (size_t i = 0; i < kKinds; ++i) {
      for (std::string_view text : kConstructors[i].parameters) {
        if (text.empty()) continue;
        (*all)[i].push_back(&parse_type(*arena, text, nullptr)->as<TupleType>());
      }
    }
    return all;
  }();
  for (size_t i = 0; i < kKinds; ++i) {
    if (kConstructors[i].kind == kind) return &(*parsed)[i];
  }
  return nullptr;
}

// By position, required ones first, or by name in a hash.
Tuples object_constructors(Arena& arena, const ObjectType& type) {
  const StructType* hash = init_hash_type(arena, type);
  std::vector<const Type*> required, optional;
  for (const StructElement& element : hash->elements) {
    (element.key->kind == TypeKind::kOptional ? optional : required).push_back(element.value);
  }
  IntegerRange size{static_cast<int64_t>(required.size()),
                    static_cast<int64_t>(hash->elements.size())};
  required.insert(required.end(), optional.begin(), optional.end());
  const Type* by_name = hash;
  constexpr IntegerRange kOne{1, 1};
  return {&types::tuple(arena, std::span(&by_name, 1), &kOne)->as<TupleType>(),
          &types::tuple(arena, required, &size)->as<TupleType>()};
}

// What a value must be to be given to T.new, alone or as an array of arguments.
class InitForms {
 public:
  explicit InitForms(const InitType& type) : type_(type) {
    single_.push_back(type.contained);
    Tuples constructors = constructors_of(type.contained);
    if (type.arguments.empty()) {
      for (const TupleType* tuple : constructors) sort(*tuple);
    } else {
      keep_fitting(constructors);
    }
  }

  template <typename Takes>
  bool any_single(Takes takes) const {
    return std::any_of(single_.begin(), single_.end(), takes);
  }
  template <typename Takes>
  bool any_other(Takes takes) const {
    return std::any_of(others_.begin(), others_.end(), takes);
  }
  bool has_optional_single() const { return has_optional_single_; }
  Arena& arena() { return arena_; }

 private:
  Tuples constructors_of(const Type* type) {
    const Type* resolved = resolve_alias(type);
    TypeKind kind = resolved->kind;
    bool refused = type->kind == TypeKind::kInit || type->kind == TypeKind::kOptional ||
                   type->kind == TypeKind::kNotUndef;
    if (!refused && kind == TypeKind::kObject) {
      return object_constructors(arena_, *object_type_of(resolved));
    }
    const Tuples* builtin = refused ? nullptr : builtin_constructors(kind);
    if (builtin == nullptr) {
      fail_with("Creation of new instance of type '" + to_display_text(type) +
                "' is not supported");
    }
    return *builtin;
  }

  void sort(const TupleType& tuple) {
    if (size_from(tuple.size) == 1 && tuple.size.to == 1) {
      single_.push_back(tuple.types[0]);
      return;
    }
    others_.push_back(&tuple);
    has_optional_single_ |= std::min(size_from(tuple.size), tuple.size.to) == 1;
  }

  // With further arguments: those constructors that take them behind the value.
  void keep_fitting(const Tuples& constructors) {
    std::vector<const Type*> arguments = {nullptr};
    for (Value argument : type_.arguments) arguments.push_back(infer_detailed(arena_, argument));
    bool any = false;
    for (const TupleType* tuple : constructors) {
      if (tuple->types.empty() || !contains_size(tuple->size, arguments.size())) continue;
      arguments[0] = tuple->types[0];
      if (!is_assignable(tuple, types::tuple(arena_, arguments))) continue;
      single_.push_back(tuple->types[0]);
      any = true;
    }
    if (any) return;
    fail_with("The type '" + to_text(&type_) +
              "' does not represent a valid set of parameters for " +
              std::string(name_of(resolve_alias(type_.contained)->kind)) + ".new()");
  }

  const InitType& type_;
  Arena arena_;
  std::vector<const Type*> single_;
  Tuples others_;
  bool has_optional_single_ = false;
};

}  // namespace

bool init_takes(const InitType& type, const Type* from) {
  if (type.contained == nullptr) {
    const auto* other = from->try_as<InitType>();
    return other != nullptr || is_assignable(types::kRichData, from);
  }
  InitForms forms(type);
  if (const auto* other = from->try_as<InitType>()) {
    return other->contained != nullptr && is_assignable(type.contained, other->contained);
  }
  if (forms.any_single([&](const Type* wanted) { return is_assignable(wanted, from); }))
    return true;
  if (forms.any_other([&](const Type* wanted) { return is_assignable(wanted, from); })) return true;
  if (!forms.has_optional_single()) return false;
  const Type* listed = types::tuple(forms.arena(), std::span(&from, 1));
  return forms.any_other([&](const Type* wanted) { return is_assignable(wanted, listed); });
}

bool init_takes(const InitType& type, Value value) {
  if (type.contained == nullptr) return is_instance(types::kRichData, value);
  InitForms forms(type);
  if (forms.any_single([&](const Type* wanted) { return is_instance(wanted, value); })) return true;
  if (forms.any_other([&](const Type* wanted) { return is_instance(wanted, value); })) return true;
  if (!forms.has_optional_single()) return false;
  Value listed = Value::array(forms.arena(), {value});
  return forms.any_other([&](const Type* wanted) { return is_instance(wanted, listed); });
}

}  // namespace bunraku
