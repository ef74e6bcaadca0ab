// The built-in types, laid out as constants, so that nothing is built at the start.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "types/built_in_types.h"
#include "types/type_text.h"
#include "values/type.h"

namespace bunraku {
namespace {
namespace fixed {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr IntegerRange kAnyInteger{kMinInteger, kMaxInteger};

template <TypeKind Kind>
constexpr TypeOf<Kind> base() {
  return {{Kind}};
}

constexpr Type any{TypeKind::kAny};
constexpr Type unit{TypeKind::kUnit};
constexpr Type undef{TypeKind::kUndef};
constexpr Type default_type{TypeKind::kDefault};
constexpr Type scalar{TypeKind::kScalar};
constexpr Type scalar_data{TypeKind::kScalarData};
constexpr Type numeric{TypeKind::kNumeric};
constexpr Type binary{TypeKind::kBinary};
constexpr Type sem_ver_range{TypeKind::kSemVerRange};
constexpr Type catalog_entry{TypeKind::kCatalogEntry};
constexpr IntegerType integer{base<TypeKind::kInteger>(), kAnyInteger};
constexpr FloatType floating{base<TypeKind::kFloat>(), -kInfinity, kInfinity};
constexpr BooleanType boolean{base<TypeKind::kBoolean>(), -1};
constexpr StringType string{base<TypeKind::kString>(), kAnySize, nullptr};
constexpr StringType non_empty_string{base<TypeKind::kString>(), {1, kMaxInteger}, nullptr};
constexpr EnumType enumeration{base<TypeKind::kEnum>(), {}, false};
constexpr PatternType pattern{base<TypeKind::kPattern>(), {}};
constexpr RegexpType regexp{base<TypeKind::kRegexp>(), nullptr};
constexpr CollectionType collection{base<TypeKind::kCollection>(), kAnySize};
constexpr ArrayType array{base<TypeKind::kArray>(), &any, kAnySize};
constexpr HashType hash{base<TypeKind::kHash>(), &any, &any, kAnySize};
constexpr TupleType tuple{base<TypeKind::kTuple>(), {}, kAnySize, false};
constexpr StructType structure{base<TypeKind::kStruct>(), {}};
constexpr VariantType variant{base<TypeKind::kVariant>(), {}};

template <typename T>
constexpr T containing(const Type* contained) {
  return {{base<T::kKind>(), contained}};
}
constexpr auto optional = containing<OptionalType>(nullptr);
constexpr auto not_undef = containing<NotUndefType>(nullptr);
constexpr auto iterable = containing<IterableType>(nullptr);
constexpr auto iterator = containing<IteratorType>(nullptr);
constexpr auto type_type = containing<TypeType>(nullptr);
constexpr auto sensitive = containing<SensitiveType>(nullptr);

constexpr CallableType callable{base<TypeKind::kCallable>(), nullptr, nullptr, nullptr};
constexpr InitType init{base<TypeKind::kInit>(), nullptr, {}};
constexpr SemVerType sem_ver{base<TypeKind::kSemVer>(), {}};
constexpr TimespanType timespan{base<TypeKind::kTimespan>(), kAnyInteger};
constexpr TimestampType timestamp{base<TypeKind::kTimestamp>(), kAnyInteger};
constexpr UriType uri{base<TypeKind::kUri>(), Value()};
constexpr ClassType class_type{base<TypeKind::kClass>(), Name()};
constexpr ResourceType resource{base<TypeKind::kResource>(), Name(), Name(), nullptr};
constexpr RuntimeType runtime{base<TypeKind::kRuntime>(), {}, {}, {}, false};

constexpr ObjectType object_named(std::string_view name, std::span<const ObjectMember> members,
                                  std::span<const ObjectMember> type_parameters,
                                  const Type* parent = nullptr) {
  return {base<TypeKind::kObject>(),
          name,
          parent,
          members,
          type_parameters,
          {},
          false,
          true,
          Value(),
          Value(),
          {},
          nullptr,
          {}};
}
constexpr ObjectType object = object_named({}, {}, {});
constexpr ObjectType annotation = object_named("Annotation", {}, {});
constexpr ObjectType pcore = object_named("Pcore", {}, {});
constexpr TypeSetType type_set{base<TypeKind::kTypeSet>(), Value(), "DefaultTypeSet", {}, {}};
constexpr TypeReferenceType reference{base<TypeKind::kTypeReference>(), "UnresolvedReference"};

// Data, RichData and related types, as in the reference's static loader.
extern TypeAliasType data;
extern TypeAliasType rich_data;
extern TypeAliasType rich_data_key;

constexpr HashType hash_of_data{base<TypeKind::kHash>(), &string, &data, kAnySize};
constexpr ArrayType array_of_data{base<TypeKind::kArray>(), &data, kAnySize};
constexpr const Type* kDataTypes[] = {&scalar_data, &undef, &hash_of_data, &array_of_data};
constexpr VariantType data_variant{base<TypeKind::kVariant>(), kDataTypes};
constinit TypeAliasType data{base<TypeKind::kTypeAlias>(), "Data", &data_variant, nullptr, true};

constexpr const Type* kRichDataKeyTypes[] = {&string, &numeric};
constexpr VariantType rich_data_key_variant{base<TypeKind::kVariant>(), kRichDataKeyTypes};
constinit TypeAliasType rich_data_key{base<TypeKind::kTypeAlias>(), "RichDataKey",
                                      &rich_data_key_variant, nullptr, false};

constexpr HashType hash_of_rich_data{base<TypeKind::kHash>(), &rich_data_key, &rich_data, kAnySize};
constexpr ArrayType array_of_rich_data{base<TypeKind::kArray>(), &rich_data, kAnySize};
constexpr const Type* kRichDataTypes[] = {
    &scalar, &sem_ver_range, &binary, &sensitive,    &type_type,         &type_set,
    &uri,    &object,        &undef,  &default_type, &hash_of_rich_data, &array_of_rich_data};
constexpr VariantType rich_data_variant{base<TypeKind::kVariant>(), kRichDataTypes};
constinit TypeAliasType rich_data{base<TypeKind::kTypeAlias>(), "RichData", &rich_data_variant,
                                  nullptr, true};

constinit TypeAliasType lookup_key{base<TypeKind::kTypeAlias>(), "Puppet::LookupKey",
                                   &rich_data_key, nullptr, false};
constinit TypeAliasType lookup_value{base<TypeKind::kTypeAlias>(), "Puppet::LookupValue",
                                     &rich_data, nullptr, false};
constexpr std::string_view kMemberNamePattern[] = {"\\A[a-z_]\\w*\\z"};
constexpr PatternType member_name_pattern{base<TypeKind::kPattern>(), kMemberNamePattern};
constinit TypeAliasType member_name{base<TypeKind::kTypeAlias>(), "Pcore::MemberName",
                                    &member_name_pattern, nullptr, false};
constinit TypeAliasType unresolved_alias{base<TypeKind::kTypeAlias>(), "UnresolvedAlias",
                                         &reference, nullptr, false};

// --- Deferred and Error -------------------------------------------------------------------------

extern const ObjectType deferred;
extern const ObjectType error;

constexpr ObjectMember attribute(std::string_view name, const Type* type, const Type* owner,
                                 bool has_value, AttributeKind kind = AttributeKind::kNormal) {
  return {name, type, owner, kind, false, false, false, has_value, Value(), Value()};
}
constexpr ObjectMember function(std::string_view name, const Type* type, const Type* owner) {
  return {name, type, owner, AttributeKind::kNormal, true, false, false, false, Value(), Value()};
}

constexpr std::string_view kDeferredNames[] = {"\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z"};
constexpr PatternType deferred_name{base<TypeKind::kPattern>(), kDeferredNames};
constexpr auto optional_array = containing<OptionalType>(&array);
constexpr ObjectMember kDeferredMembers[] = {
    attribute("name", &deferred_name, &deferred, false),
    attribute("arguments", &optional_array, &deferred, true),
};
constexpr ObjectType deferred = object_named("Deferred", kDeferredMembers, {});

constexpr auto type_of_enum = containing<TypeType>(&enumeration);
constexpr auto type_of_pattern = containing<TypeType>(&pattern);
constexpr auto type_of_not_undef = containing<TypeType>(&not_undef);
constexpr auto type_of_undef = containing<TypeType>(&undef);
constexpr const Type* kErrorKindTypes[] = {
    &string, &regexp, &type_of_enum, &type_of_pattern, &type_of_not_undef, &type_of_undef};
constexpr VariantType error_kind{base<TypeKind::kVariant>(), kErrorKindTypes};
constexpr auto optional_error_kind = containing<OptionalType>(&error_kind);
constexpr ObjectMember kErrorParameters[] = {
    attribute("kind", &optional_error_kind, &error, false),
    attribute("issue_code", &optional_error_kind, &error, false),
};
constexpr auto optional_text = containing<OptionalType>(&non_empty_string);
constexpr HashType details{base<TypeKind::kHash>(), &non_empty_string, &data, kAnySize};
constexpr auto optional_details = containing<OptionalType>(&details);
constexpr TupleType bare_parameters{base<TypeKind::kTuple>(), {}, {0, 0}, true};
constexpr CallableType message{base<TypeKind::kCallable>(), &bare_parameters, nullptr,
                               &non_empty_string};
constexpr ObjectMember kErrorMembers[] = {
    attribute("msg", &non_empty_string, &error, false),
    attribute("kind", &optional_text, &error, true),
    attribute("details", &optional_details, &error, true),
    attribute("issue_code", &optional_text, &error, true),
    function("message", &message, &error),
};
constexpr ObjectType error = object_named("Error", kErrorMembers, kErrorParameters);

// --- arguments that Hiera passes to data functions ----------------------------------------------

extern const ObjectType lookup_context;

constexpr const Type* kModuleNameTypes[] = {&non_empty_string, &undef};
constexpr VariantType module_name{base<TypeKind::kVariant>(), kModuleNameTypes};

constexpr CallableType returning(const TupleType* parameters, const Type* result) {
  return {base<TypeKind::kCallable>(), parameters, nullptr, result};
}
constexpr CallableType with_block(const TupleType* parameters, const Type* block,
                                  const Type* result) {
  return {base<TypeKind::kCallable>(), parameters, block, result};
}
constexpr TupleType exactly(std::span<const Type* const> types) {
  const auto size = static_cast<int64_t>(types.size());
  return {base<TypeKind::kTuple>(), types, {size, size}, false};
}
// Tuples of one or more values of any type.
constexpr const Type* kUnits[] = {&unit};
constexpr TupleType one_of_any{base<TypeKind::kTuple>(), kUnits, {1, 1}, true};
constexpr TupleType two_of_any{base<TypeKind::kTuple>(), kUnits, {2, 2}, true};
constexpr CallableType block_of_none = returning(&bare_parameters, nullptr);
constexpr CallableType block_of_one = returning(&one_of_any, nullptr);
constexpr CallableType block_of_two = returning(&two_of_any, nullptr);

constexpr auto cache_key = containing<OptionalType>(&scalar);
constexpr const Type* kCacheKey[] = {&cache_key};
constexpr const Type* kCacheEntry[] = {&cache_key, &any};
constexpr TupleType with_cache_key = exactly(kCacheKey);
constexpr TupleType with_cache_entry = exactly(kCacheEntry);
constexpr HashType cache_entries{base<TypeKind::kHash>(), &cache_key, &any, kAnySize};
constexpr const Type* kCacheEntries[] = {&cache_entries};
constexpr TupleType with_cache_entries = exactly(kCacheEntries);
constexpr auto entries_in_turn = containing<IterableType>(&with_cache_entry);
constexpr ArrayType array_of_integers{base<TypeKind::kArray>(), &integer, kAnySize};
constexpr const Type* kArrayOfIntegers[] = {&array_of_integers};
constexpr TupleType with_integers = exactly(kArrayOfIntegers);
constexpr CallableType block_of_integers = returning(&with_integers, nullptr);
constexpr auto optional_block_of_integers = containing<OptionalType>(&block_of_integers);
constexpr const Type* kPath[] = {&string};
constexpr TupleType with_path = exactly(kPath);

constexpr CallableType not_found = returning(&bare_parameters, &undef);
constexpr CallableType explain = with_block(&bare_parameters, &block_of_none, &undef);
constexpr CallableType cache = returning(&with_cache_entry, nullptr);
constexpr CallableType cache_all = returning(&with_cache_entries, &undef);
constexpr CallableType cache_has_key = returning(&with_cache_key, &boolean);
constexpr CallableType cached_value = returning(&with_cache_key, nullptr);
constexpr CallableType each_value = with_block(&bare_parameters, &block_of_one, &undef);
constexpr CallableType each_entry = with_block(&bare_parameters, &block_of_two, &undef);
constexpr CallableType all_entries = returning(&bare_parameters, &entries_in_turn);
constexpr const Type* kCachedEntries[] = {&each_value, &each_entry, &all_entries};
constexpr VariantType cached_entries{base<TypeKind::kVariant>(), kCachedEntries};
constexpr CallableType cached_file_data =
    with_block(&with_path, &optional_block_of_integers, nullptr);

constexpr ObjectMember kLookupContextMembers[] = {
    attribute("environment_name", &non_empty_string, &lookup_context, false,
              AttributeKind::kDerived),
    attribute("module_name", &module_name, &lookup_context, false),
    function("not_found", &not_found, &lookup_context),
    function("explain", &explain, &lookup_context),
    function("interpolate", &block_of_one, &lookup_context),
    function("cache", &cache, &lookup_context),
    function("cache_all", &cache_all, &lookup_context),
    function("cache_has_key", &cache_has_key, &lookup_context),
    function("cached_value", &cached_value, &lookup_context),
    function("cached_entries", &cached_entries, &lookup_context),
    function("cached_file_data", &cached_file_data, &lookup_context),
};
constexpr ObjectType lookup_context =
    object_named("Puppet::LookupContext", kLookupContextMembers, {}, &any);

}  // namespace fixed
}  // namespace

namespace types {

const Type* const kAny = &fixed::any;
const Type* const kUnit = &fixed::unit;
const Type* const kUndef = &fixed::undef;
const Type* const kDefault = &fixed::default_type;
const Type* const kScalar = &fixed::scalar;
const Type* const kScalarData = &fixed::scalar_data;
const Type* const kNumeric = &fixed::numeric;
const Type* const kInteger = &fixed::integer;
const Type* const kFloat = &fixed::floating;
const Type* const kBoolean = &fixed::boolean;
const Type* const kString = &fixed::string;
const Type* const kNonEmptyString = &fixed::non_empty_string;
const Type* const kEnum = &fixed::enumeration;
const Type* const kPattern = &fixed::pattern;
const Type* const kRegexp = &fixed::regexp;
const Type* const kCollection = &fixed::collection;
const Type* const kArray = &fixed::array;
const Type* const kHash = &fixed::hash;
const Type* const kTuple = &fixed::tuple;
const Type* const kStruct = &fixed::structure;
const Type* const kVariant = &fixed::variant;
const Type* const kOptional = &fixed::optional;
const Type* const kNotUndef = &fixed::not_undef;
const Type* const kIterable = &fixed::iterable;
const Type* const kIterator = &fixed::iterator;
const Type* const kCallable = &fixed::callable;
const Type* const kType = &fixed::type_type;
const Type* const kInit = &fixed::init;
const Type* const kSensitive = &fixed::sensitive;
const Type* const kBinary = &fixed::binary;
const Type* const kSemVer = &fixed::sem_ver;
const Type* const kSemVerRange = &fixed::sem_ver_range;
const Type* const kTimespan = &fixed::timespan;
const Type* const kTimestamp = &fixed::timestamp;
const Type* const kUri = &fixed::uri;
const Type* const kCatalogEntry = &fixed::catalog_entry;
const Type* const kClass = &fixed::class_type;
const Type* const kResource = &fixed::resource;
const Type* const kRuntime = &fixed::runtime;
const Type* const kObject = &fixed::object;
const Type* const kTypeSet = &fixed::type_set;
const Type* const kData = &fixed::data;
const Type* const kRichData = &fixed::rich_data;
const Type* const kRichDataKey = &fixed::rich_data_key;
const Type* const kLookupKey = &fixed::lookup_key;
const Type* const kLookupValue = &fixed::lookup_value;
const Type* const kLookupContext = &fixed::lookup_context;
const Type* const kDeferred = &fixed::deferred;
const Type* const kError = &fixed::error;

namespace {

struct NamedType {
  std::string_view name;
  const Type* type;
};

// Sorted by name.
constexpr NamedType kByName[] = {
    {"annotation", &fixed::annotation},
    {"any", &fixed::any},
    {"array", &fixed::array},
    {"binary", &fixed::binary},
    {"boolean", &fixed::boolean},
    {"callable", &fixed::callable},
    {"catalogentry", &fixed::catalog_entry},
    {"class", &fixed::class_type},
    {"collection", &fixed::collection},
    {"data", &fixed::data},
    {"default", &fixed::default_type},
    {"deferred", &fixed::deferred},
    {"enum", &fixed::enumeration},
    {"error", &fixed::error},
    {"float", &fixed::floating},
    {"hash", &fixed::hash},
    {"init", &fixed::init},
    {"integer", &fixed::integer},
    {"iterable", &fixed::iterable},
    {"iterator", &fixed::iterator},
    {"notundef", &fixed::not_undef},
    {"numeric", &fixed::numeric},
    {"object", &fixed::object},
    {"optional", &fixed::optional},
    {"pattern", &fixed::pattern},
    {"pcore", &fixed::pcore},
    {"pcore::membername", &fixed::member_name},
    {"puppet::lookupcontext", &fixed::lookup_context},
    {"puppet::lookupkey", &fixed::lookup_key},
    {"puppet::lookupvalue", &fixed::lookup_value},
    {"regexp", &fixed::regexp},
    {"resource", &fixed::resource},
    {"richdata", &fixed::rich_data},
    {"richdatakey", &fixed::rich_data_key},
    {"runtime", &fixed::runtime},
    {"scalar", &fixed::scalar},
    {"scalardata", &fixed::scalar_data},
    {"semver", &fixed::sem_ver},
    {"semverrange", &fixed::sem_ver_range},
    {"sensitive", &fixed::sensitive},
    {"string", &fixed::string},
    {"struct", &fixed::structure},
    {"timespan", &fixed::timespan},
    {"timestamp", &fixed::timestamp},
    {"tuple", &fixed::tuple},
    {"type", &fixed::type_type},
    {"typealias", &fixed::unresolved_alias},
    {"typereference", &fixed::reference},
    {"typeset", &fixed::type_set},
    {"undef", &fixed::undef},
    {"uri", &fixed::uri},
    {"variant", &fixed::variant},
};
static_assert(std::ranges::is_sorted(kByName, [](const NamedType& a, const NamedType& b) {
  return a.name < b.name;
}));

// The resource types that are known without a module, sorted by name.
constexpr std::string_view kResourceTypes[] = {
    "Component", "Exec",     "File",    "Filebucket", "Group", "Node", "Notify", "Package",
    "Resources", "Schedule", "Service", "Stage",      "Tidy",  "User", "Whit"};

const Type* find_resource_type(std::string_view lower_case_name) {
  static const auto* resources = [] {
    auto* all = new std::vector<std::pair<Name, const Type*>>();
    static Arena* const arena = new Arena();  // lives as long as the process
    for (const std::string_view name : kResourceTypes) {
      const Type* type = resource(*arena, name);
      all->emplace_back(type->as<ResourceType>().key, type);
    }
    return all;
  }();
  for (const auto& [name, type] : *resources) {
    if (name.text() == lower_case_name) return type;
  }
  return nullptr;
}

}  // namespace

const Type* find_builtin(std::string_view lower_case_name) {
  const auto* found = std::ranges::lower_bound(kByName, lower_case_name, {}, &NamedType::name);
  if (found != std::end(kByName) && found->name == lower_case_name) return found->type;
  return find_resource_type(lower_case_name);
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const NamedType& entry : kByName) names.push_back(to_display_text(entry.type));
  names.insert(names.end(), std::begin(kResourceTypes), std::end(kResourceTypes));
  return names;
}

}  // namespace types

std::string_view name_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAny:
      return "Any";
    case TypeKind::kUnit:
      return "Unit";
    case TypeKind::kUndef:
      return "Undef";
    case TypeKind::kDefault:
      return "Default";
    case TypeKind::kScalar:
      return "Scalar";
    case TypeKind::kScalarData:
      return "ScalarData";
    case TypeKind::kNumeric:
      return "Numeric";
    case TypeKind::kInteger:
      return "Integer";
    case TypeKind::kFloat:
      return "Float";
    case TypeKind::kBoolean:
      return "Boolean";
    case TypeKind::kString:
      return "String";
    case TypeKind::kEnum:
      return "Enum";
    case TypeKind::kPattern:
      return "Pattern";
    case TypeKind::kRegexp:
      return "Regexp";
    case TypeKind::kCollection:
      return "Collection";
    case TypeKind::kArray:
      return "Array";
    case TypeKind::kHash:
      return "Hash";
    case TypeKind::kTuple:
      return "Tuple";
    case TypeKind::kStruct:
      return "Struct";
    case TypeKind::kVariant:
      return "Variant";
    case TypeKind::kOptional:
      return "Optional";
    case TypeKind::kNotUndef:
      return "NotUndef";
    case TypeKind::kIterable:
      return "Iterable";
    case TypeKind::kIterator:
      return "Iterator";
    case TypeKind::kCallable:
      return "Callable";
    case TypeKind::kType:
      return "Type";
    case TypeKind::kInit:
      return "Init";
    case TypeKind::kSensitive:
      return "Sensitive";
    case TypeKind::kBinary:
      return "Binary";
    case TypeKind::kSemVer:
      return "SemVer";
    case TypeKind::kSemVerRange:
      return "SemVerRange";
    case TypeKind::kTimespan:
      return "Timespan";
    case TypeKind::kTimestamp:
      return "Timestamp";
    case TypeKind::kUri:
      return "URI";
    case TypeKind::kCatalogEntry:
      return "CatalogEntry";
    case TypeKind::kClass:
      return "Class";
    case TypeKind::kResource:
      return "Resource";
    case TypeKind::kRuntime:
      return "Runtime";
    case TypeKind::kObject:
      return "Object";
    case TypeKind::kTypeSet:
      return "TypeSet";
    case TypeKind::kTypeAlias:
      return "TypeAlias";
    case TypeKind::kTypeReference:
      return "TypeReference";
  }
  return {};
}

}  // namespace bunraku
