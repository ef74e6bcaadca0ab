#include "types/object_schema.h"

#include <vector>

#include "types/built_in_types.h"

namespace bunraku {
namespace {

constexpr std::string_view kUriPattern =
#include "types/uri_pattern.inc"
    ;

// Builds the schema in an arena, which outlives it.
class SchemaBuilder {
 public:
  explicit SchemaBuilder(Arena& arena) : arena_(arena) {}

  ObjectSchema build() {
    auto* annotation = arena_.make<ObjectType>(types::kObject->as<ObjectType>());
    annotation->name = "Annotation";
    const Type* member_name = pattern("\\A[a-z_]\\w*\\z");
    const Type* qualified_name = pattern("\\A[A-Z][\\w]*(?:::[A-Z][\\w]*)*\\z");
    const Type* annotations = optional(types::hash(arena_, types::type_of_type(arena_, annotation),
                                                   types::hash(arena_, member_name, types::kAny)));
    const Type* function_type = types::type_of_type(arena_, types::kCallable);
    const Type* attribute = attribute_schema(annotations);
    const Type* function = structure({{"type", false, function_type},
                                      {"final", true, types::kBoolean},
                                      {"override", true, types::kBoolean},
                                      {"annotations", true, annotations}});
    const Type* object = object_schema_of(member_name, qualified_name, annotations);
    const Type* type_set = type_set_schema(qualified_name, annotations, object);
    const Type* class_mapping[] = {types::kRegexp, types::kNonEmptyString};
    const Type* class_name = variant({types::kNonEmptyString, types::tuple(arena_, class_mapping)});
    return {object,    attribute,      function,   function_type,
            type_set,  qualified_name, annotation, pattern(kUriPattern),
            class_name};
  }

 private:
  struct Element {
    std::string_view name;
    bool optional;
    const Type* value;
  };

  const Type* structure(std::initializer_list<Element> elements) {
    std::vector<StructElement> all;
    for (const Element& element : elements) {
      all.push_back(types::struct_element(arena_, element.name, element.optional, element.value));
    }
    return types::structure(arena_, all);
  }
  const Type* pattern(std::string_view source) {
    return types::pattern(arena_, std::span(&source, 1));
  }
  const Type* optional(const Type* type) { return types::optional(arena_, type); }
  const Type* variant(std::initializer_list<const Type*> options) {
    return types::variant(arena_, std::span(options.begin(), options.size()));
  }

  const Type* attribute_schema(const Type* annotations) {
    constexpr std::string_view kKinds[] = {"constant", "derived", "given_or_derived", "reference"};
    return structure({{"type", false, types::kType},
                      {"final", true, types::kBoolean},
                      {"override", true, types::kBoolean},
                      {"kind", true, types::enumeration(arena_, kKinds, false)},
                      {"value", true, types::kAny},
                      {"annotations", true, annotations}});
  }

  const Type* object_schema_of(const Type* member_name, const Type* qualified_name,
                               const Type* annotations) {
    const Type* members = types::hash(arena_, member_name, types::kNotUndef);
    const Type* function_name = variant({member_name, types::string_value(arena_, "[]")});
    const Type* functions = types::hash(arena_, function_name, types::kNotUndef);
    const Type* equality = variant({member_name, types::array(arena_, member_name)});
    return structure({{"name", true, qualified_name},
                      {"parent", true, types::kType},
                      {"type_parameters", true, members},
                      {"attributes", true, members},
                      {"constants", true, types::hash(arena_, member_name, types::kAny)},
                      {"functions", true, functions},
                      {"equality", true, equality},
                      {"equality_include_type", true, types::kBoolean},
                      {"checks", true, types::kAny},
                      {"annotations", true, annotations}});
  }

  const Type* type_set_schema(const Type* qualified_name, const Type* annotations,
                              const Type* object) {
    constexpr IntegerRange kNotEmpty{1, kMaxInteger};
    const Type* simple_name = pattern("\\A[A-Z]\\w*\\z");
    const Type* uri = pattern(kUriPattern);
    const Type* version = variant({types::kNonEmptyString, types::kSemVer});
    const Type* range = variant({types::kNonEmptyString, types::kSemVerRange});
    const Type* reference = structure({{"name", false, qualified_name},
                                       {"version_range", false, range},
                                       {"name_authority", true, uri},
                                       {"annotations", true, annotations}});
    const Type* type_or_object = variant({types::kType, object});
    return structure({{"pcore_uri", true, uri},
                      {"pcore_version", false, version},
                      {"name_authority", true, uri},
                      {"name", true, qualified_name},
                      {"version", true, version},
                      {"types", true, types::hash(arena_, simple_name, type_or_object, kNotEmpty)},
                      {"references", true, types::hash(arena_, simple_name, reference, kNotEmpty)},
                      {"annotations", true, annotations}});
  }

  Arena& arena_;
};

}  // namespace

const ObjectSchema& object_schema() {
  static Arena* const arena = new Arena();  // lives as long as the process
  static const ObjectSchema schema = SchemaBuilder(*arena).build();
  return schema;
}

}  // namespace bunraku
