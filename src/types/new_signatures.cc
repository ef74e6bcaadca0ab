// The signatures of Type.new.
#include "types/new_signatures.h"

#include <memory>
#include <mutex>

#include "types/type_text.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

#define BUNRAKU_SIGN R"([+-]?\s*)"
#define BUNRAKU_HEXADECIMAL "(?:0[xX][0-9A-Fa-f]+)"
#define BUNRAKU_BINARY "(?:0[bB][01]+)"
#define BUNRAKU_INTEGER_PATTERN \
  R"(Pattern[/\A)" BUNRAKU_SIGN R"((?:(?:\d+)|)" BUNRAKU_HEXADECIMAL "|" BUNRAKU_BINARY R"()\z/])"
#define BUNRAKU_FLOAT_PATTERN                                             \
  R"(Pattern[/\A)" BUNRAKU_SIGN                                           \
  R"((?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|)" BUNRAKU_HEXADECIMAL \
  "|(?:0[0-7]+)|" BUNRAKU_BINARY R"()\z/])"

constexpr NewParameter kIntegerArguments[] = {
    {"from", "Convertible"}, {"radix", "Radix", true}, {"abs", "Boolean", true}};
constexpr NewParameter kNamedArguments[] = {{"hash_args", "NamedArgs"}};
constexpr NewParameter kAnyHash[] = {{"hash_args", "Hash"}};
constexpr NewParameter kAnyInteger[] = {
    {"from", "Any"}, {"radix", "Integer", true}, {"abs", "Boolean", true}};
constexpr NewParameter kNumberArguments[] = {{"from", "Convertible"}, {"abs", "Boolean", true}};
constexpr NewParameter kAnyNumber[] = {{"from", "Any"}, {"abs", "Boolean", true}};
constexpr NewParameter kBooleanArguments[] = {
    {"from", "Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]]"}};
constexpr NewParameter kAnything[] = {{"from", "Any"}};
constexpr NewOverload kIntegerOverloads[] = {{kIntegerArguments, NewForm::kIntegerFromArguments},
                                             {kNamedArguments, NewForm::kIntegerFromHash},
                                             {kAnyHash, NewForm::kRefuseIntegerHash, true},
                                             {kAnyInteger, NewForm::kRefuseInteger, true}};
constexpr NewOverload kFloatOverloads[] = {{kNumberArguments, NewForm::kFloatFromArguments},
                                           {kNamedArguments, NewForm::kFloatFromHash},
                                           {kAnyNumber, NewForm::kRefuseFloat, true}};
constexpr NewOverload kNumericOverloads[] = {{kNumberArguments, NewForm::kNumberFromArguments},
                                             {kNamedArguments, NewForm::kNumberFromHash},
                                             {kAnyNumber, NewForm::kRefuseNumber, true}};
constexpr NewOverload kBooleanOverloads[] = {{kBooleanArguments, NewForm::kBooleanFromArguments},
                                             {kAnything, NewForm::kRefuseBoolean, true}};

constexpr NewParameter kStringArguments[] = {{"from", "Convertible"},
                                             {"string_formats", "Formats", true}};
constexpr NewParameter kRegexpArguments[] = {{"pattern", "String"}, {"escape", "Boolean", true}};
constexpr NewParameter kTypeArguments[] = {{"type_string", "String[1]"}};
constexpr NewParameter kUnitArguments[] = {{"from", "Any"}};
constexpr NewParameter kSensitiveArguments[] = {{"value", "Sensitive"}};
constexpr NewParameter kAnyTextArguments[] = {{"value", "Any"}};
constexpr NewParameter kBinaryString[] = {{"str", "String"}, {"format", "Base64Format", true}};
constexpr NewParameter kBinaryArray[] = {{"byte_array", "Array[ByteInteger]"}};
constexpr NewParameter kBinaryHash[] = {{"hash_args", "BinaryArgsHash"}};
constexpr NewOverload kStringOverloads[] = {{kStringArguments, NewForm::kStringFromArguments}};
constexpr NewOverload kRegexpOverloads[] = {{kRegexpArguments, NewForm::kRegexpFromString}};
constexpr NewOverload kTypeOverloads[] = {{kTypeArguments, NewForm::kTypeFromString}};
constexpr NewOverload kUnitOverloads[] = {{kUnitArguments, NewForm::kSameValue}};
constexpr NewOverload kSensitiveOverloads[] = {{kSensitiveArguments, NewForm::kSameValue},
                                               {kAnyTextArguments, NewForm::kSensitiveFromAny}};
constexpr NewOverload kBinaryOverloads[] = {{kBinaryString, NewForm::kBinaryFromString},
                                            {kBinaryArray, NewForm::kBinaryFromArray},
                                            {kBinaryHash, NewForm::kBinaryFromHash}};

constexpr NewParameter kArrayArguments[] = {{"from", "Variant[Array,Hash,Binary,Iterable]"},
                                            {"wrap", "Boolean[false]", true}};
constexpr NewParameter kWrapArguments[] = {{"from", "Any"}, {"wrap", "Boolean[true]"}};
constexpr NewParameter kAnyArray[] = {{"from", "Any"}, {"wrap", "Boolean", true}};
constexpr NewParameter kTreeArguments[] = {{"from", "TreeArray"},
                                           {"build_option", "NewHashOption", true}};
constexpr NewParameter kPairsArguments[] = {{"from", "KeyValueArray"}};
constexpr NewParameter kAnyContainerArguments[] = {{"from", "Any"}};
constexpr NewOverload kArrayOverloads[] = {{kArrayArguments, NewForm::kToArray},
                                           {kWrapArguments, NewForm::kWrappedArray},
                                           {kAnyArray, NewForm::kRefuseArray, true}};
constexpr NewOverload kHashOverloads[] = {{kTreeArguments, NewForm::kHashFromTree},
                                          {kPairsArguments, NewForm::kHashFromTuples},
                                          {kAnyContainerArguments, NewForm::kHashFromAny}};

constexpr NewParameter kSeconds[] = {{"seconds", "Variant[Integer,Float]"}};
constexpr NewParameter kTimespanString[] = {{"string", "String[1]"}, {"format", "Formats", true}};
constexpr NewParameter kFields[] = {{"days", "Integer"},
                                    {"hours", "Integer"},
                                    {"minutes", "Integer"},
                                    {"seconds", "Integer"},
                                    {"milliseconds", "Integer", true},
                                    {"microseconds", "Integer", true},
                                    {"nanoseconds", "Integer", true}};
constexpr NewParameter kTimespanStringHash[] = {
    {"hash_arg", "Struct[{string => String[1], Optional[format] => Formats}]"}};
constexpr NewParameter kFieldsHash[] = {
    {"hash_arg",
     "Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => "
     "Integer, Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] "
     "=> Integer, Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}]"}};
constexpr NewParameter kTimestampString[] = {
    {"string", "String[1]"}, {"format", "Formats", true}, {"timezone", "String[1]", true}};
constexpr NewParameter kTimestampHash[] = {{"hash_arg",
                                            "Struct[{string => String[1], Optional[format] => "
                                            "Formats, Optional[timezone] => String[1]}]"}};
constexpr std::string_view kFormats = "Formats = Variant[String[2],Array[String[2], 1]]";
constexpr NewOverload kTimespanOverloads[] = {
    {kSeconds, NewForm::kTimespanFromSeconds},
    {kTimespanString, NewForm::kTimespanFromString},
    {kFields, NewForm::kTimespanFromFields},
    {kTimespanStringHash, NewForm::kTimespanFromStringHash},
    {kFieldsHash, NewForm::kTimespanFromFieldsHash}};
constexpr NewOverload kTimestampOverloads[] = {{{}, NewForm::kTimestampNow},
                                               {kSeconds, NewForm::kTimestampFromSeconds},
                                               {kTimestampString, NewForm::kTimestampFromString},
                                               {kTimestampHash, NewForm::kTimestampFromHash}};

constexpr NewParameter kSemVerString[] = {{"str", "SemVerPattern"}};
constexpr NewParameter kSemVerArguments[] = {{"major", "PositiveInteger"},
                                             {"minor", "PositiveInteger"},
                                             {"patch", "PositiveInteger"},
                                             {"prerelease", "SemVerQualifier", true},
                                             {"build", "SemVerQualifier", true}};
constexpr NewParameter kSemVerHash[] = {{"hash_args", "SemVerHash"}};
constexpr NewParameter kAnyString[] = {{"str", "String"}};
constexpr NewParameter kRangeString[] = {{"str", "SemVerRangeString"}};
constexpr NewParameter kRangeVersions[] = {{"min", "Variant[Default,SemVer]"},
                                           {"max", "Variant[Default,SemVer]"},
                                           {"exclude_max", "Boolean", true}};
constexpr NewParameter kRangeHash[] = {{"hash_args", "SemVerRangeHash"}};
constexpr NewParameter kUriString[] = {{"uri", "String[1]"}};
constexpr NewParameter kUriHash[] = {
    {"hash",
     "Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], "
     "Optional[host] => String[1], Optional[port] => Integer[0], Optional[path] => String[1], "
     "Optional[query] => String[1], Optional[fragment] => String[1], "
     "Optional[opaque] => String[1]}]"}};
constexpr NewOverload kSemVerOverloads[] = {{kSemVerString, NewForm::kSemVerFromString},
                                            {kSemVerArguments, NewForm::kSemVerFromArguments},
                                            {kSemVerHash, NewForm::kSemVerFromHash},
                                            {kAnyString, NewForm::kRefuseSemVer, true}};
constexpr NewOverload kRangeOverloads[] = {{kRangeString, NewForm::kRangeFromString},
                                           {kRangeVersions, NewForm::kRangeFromVersions},
                                           {kRangeHash, NewForm::kRangeFromHash}};
constexpr NewOverload kUriOverloads[] = {{kUriString, NewForm::kUriFromString},
                                         {kUriHash, NewForm::kUriFromHash}};

const NewFamily kNewInteger{
    "new",
    "Radix = Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]\n"
    "Convertible = Variant[Numeric, Boolean, " BUNRAKU_INTEGER_PATTERN
    ", Timespan, Timestamp]\n"
    "NamedArgs = Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]",
    kIntegerOverloads};

const NewFamily kNewFloat{"new_float",
                          "Convertible = Variant[Numeric, Boolean, " BUNRAKU_FLOAT_PATTERN
                          ", Timespan, Timestamp]\n"
                          "NamedArgs = Struct[{from => Convertible, Optional[abs] => Boolean}]",
                          kFloatOverloads};

const NewFamily kNewNumeric{"new_numeric",
                            "Convertible = Variant[Integer, Float, Boolean, " BUNRAKU_FLOAT_PATTERN
                            ", Timespan, Timestamp]\n"
                            "NamedArgs = Struct[{from => Convertible, Optional[abs] => Boolean}]",
                            kNumericOverloads};

const NewFamily kNewBoolean{"new_boolean", "", kBooleanOverloads};

const NewFamily kNewString{
    "new_string",
    R"(Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/])"
    "\nContainerFormat = Struct[{Optional[format] => Format, Optional[separator] => String, "
    "Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]\n"
    "TypeMap = Hash[Type, Variant[Format, ContainerFormat]]\n"
    "Convertible = Any\n"
    "Formats = Variant[Default, String[1], TypeMap]",
    kStringOverloads};

// The reference uses this name for Regexp.
const NewFamily kNewRegexp{"new_float", "", kRegexpOverloads};

const NewFamily kNewType{"new_type", "", kTypeOverloads};

const NewFamily kNewUnit{"new_unit", "", kUnitOverloads};

const NewFamily kNewSensitive{"new_Sensitive", "", kSensitiveOverloads};

const NewFamily kNewBinary{
    "new_Binary",
    "ByteInteger = Integer[0,255]\n"
    "Base64Format = Enum['%b', '%u', '%B', '%s', '%r']\n"
    "StringHash = Struct[{value => String, 'format' => Optional[Base64Format]}]\n"
    "ArrayHash = Struct[{value => Array[ByteInteger]}]\n"
    "BinaryArgsHash = Variant[StringHash, ArrayHash]",
    kBinaryOverloads};

const NewFamily kNewArray{"new_array", "", kArrayOverloads};

const NewFamily kNewHash{"new_hash",
                         "KeyValueArray = Array[Tuple[Any,Any],1]\n"
                         "TreeArray = Array[Tuple[Array,Any],1]\n"
                         "NewHashOption = Enum[tree, hash_tree]",
                         kHashOverloads};

const NewFamily kNewTimespan{"new_timespan", kFormats, kTimespanOverloads};

const NewFamily kNewTimestamp{"new_timestamp", kFormats, kTimestampOverloads};

const NewFamily kNewSemVer{
    "new_Version",
    "PositiveInteger = Integer[0,default]\n"
    R"(SemVerQualifier = Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/])"
    "\n"
    R"(SemVerPattern = Pattern[/\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*))"
    R"((?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z/])"
    "\nSemVerHash = Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,"
    "Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]",
    kSemVerOverloads};

const NewFamily kNewSemVerRange{
    "new_VersionRange",
    "SemVerRangeString = String[1]\n"
    "SemVerRangeHash = Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],"
    "Optional[exclude_max]=>Boolean}]",
    kRangeOverloads};

// The reference uses this name for URI.
const NewFamily kNewUri{"new_error", "", kUriOverloads};

// Resolves the aliases of one family.
class LocalTypes : public TypeResolver {
 public:
  explicit LocalTypes(const std::vector<const TypeAliasType*>& types) : types_(types) {}
  const Type* find_type(std::string_view name) override {
    for (const TypeAliasType* type : types_) {
      if (type->name == name) return type;
    }
    return nullptr;
  }

 private:
  const std::vector<const TypeAliasType*>& types_;
};

const NewFamily* family_of(const Type* type) {
  switch (type->kind) {
    case TypeKind::kInteger:
      return &kNewInteger;
    case TypeKind::kFloat:
      return &kNewFloat;
    case TypeKind::kNumeric:
      return &kNewNumeric;
    case TypeKind::kBoolean:
      return &kNewBoolean;
    case TypeKind::kString:
      return &kNewString;
    case TypeKind::kRegexp:
      return &kNewRegexp;
    case TypeKind::kArray:
    case TypeKind::kTuple:
      return &kNewArray;
    case TypeKind::kHash:
    case TypeKind::kStruct:
      return &kNewHash;
    case TypeKind::kType:
      return &kNewType;
    case TypeKind::kUnit:
      return &kNewUnit;
    case TypeKind::kSensitive:
      return &kNewSensitive;
    case TypeKind::kBinary:
      return &kNewBinary;
    case TypeKind::kTimespan:
      return &kNewTimespan;
    case TypeKind::kTimestamp:
      return &kNewTimestamp;
    case TypeKind::kSemVer:
      return &kNewSemVer;
    case TypeKind::kSemVerRange:
      return &kNewSemVerRange;
    case TypeKind::kUri:
      return &kNewUri;
    default:
      return nullptr;
  }
}

const NewSignatures* prepared(const NewFamily& family) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<NewSignatures>> all;
  const std::lock_guard lock(mutex);
  for (const auto& known : all) {
    if (&known->family() == &family) return known.get();
  }
  all.push_back(std::make_unique<NewSignatures>(family));
  return all.back().get();
}

}  // namespace

const Type* creatable_type(const Type* type) {
  for (uint32_t level = 0;; ++level) {
    if (level == kMaxNesting) fail_too_deep("a type");
    type = resolve_alias(type);
    const Type* contained = nullptr;
    if (const auto* optional = type->try_as<OptionalType>()) contained = optional->contained;
    if (const auto* not_undef = type->try_as<NotUndefType>()) {
      contained = not_undef->contained;
      if (!contained) return not_undef;
    }
    if (!contained) return type;
    type = contained;
  }
}

Signature make_signature(Arena& arena, std::span<const SignatureParameter> parameters) {
  std::vector<const Type*> types;
  int64_t required = 0;
  for (const SignatureParameter& parameter : parameters) {
    types.push_back(parameter.type);
    if (!parameter.has_default) required++;
  }
  auto* tuple = arena.make<TupleType>();
  tuple->kind = TypeKind::kTuple;
  tuple->types = arena.copy(std::span<const Type* const>(types));
  tuple->size = {required, static_cast<int64_t>(types.size())};
  tuple->size_given = true;
  auto* callable = arena.make<CallableType>();
  callable->kind = TypeKind::kCallable;
  callable->parameters = tuple;
  callable->block = nullptr;
  callable->return_type = nullptr;
  return {arena.copy(parameters), callable, {}};
}

NewSignatures::NewSignatures(const NewFamily& family) : family_(family) {
  LocalTypes locals(local_types_);
  std::string_view rest = family.local_types;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    const size_t equals = line.find(" = ");
    auto* alias = arena_.make<TypeAliasType>();
    alias->kind = TypeKind::kTypeAlias;
    alias->name = line.substr(0, equals);
    alias->resolved = parse_type(arena_, line.substr(equals + 3), &locals);
    alias->expression = nullptr;
    alias->is_recursive = false;
    local_types_.push_back(alias);
  }
  for (const bool handlers : {false, true}) {
    for (const NewOverload& overload : family.overloads) {
      if (overload.is_mismatch_handler != handlers) continue;
      signatures_.push_back(prepare(overload));
      forms_.push_back(overload.form);
      if (!handlers) listed_++;
    }
  }
}

Signature NewSignatures::prepare(const NewOverload& overload) {
  LocalTypes locals(local_types_);
  std::vector<SignatureParameter> parameters;
  for (const NewParameter& parameter : overload.parameters) {
    parameters.push_back({parameter.name, parse_type(arena_, parameter.type, &locals),
                          parameter.is_optional, false});
  }
  return make_signature(arena_, parameters);
}

const Type* NewSignatures::local_type(std::string_view name) const {
  for (const TypeAliasType* type : local_types_) {
    if (type->name == name) return type;
  }
  return nullptr;
}

const NewSignatures* find_new_signatures(const Type* type) {
  type = creatable_type(type);
  if (type->kind == TypeKind::kNotUndef) return prepared(kNewUnit);
  const NewFamily* family = family_of(type);
  return family ? prepared(*family) : nullptr;
}

}  // namespace bunraku
