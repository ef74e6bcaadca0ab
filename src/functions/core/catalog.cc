// Functions that add to the catalog or query it.
#include <fmt/core.h>

#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"
#include "values/changed_objects.h"
#include "values/flattened.h"

namespace bunraku {

namespace {

CatalogHost& catalog_of(Call& call, std::string_view function) {
  CatalogHost* catalog = call.evaluator.host().catalog;
  if (catalog == nullptr || call.evaluator.settings().tasks) {
    call.fail(make_diagnostic(Issue::kCatalogOperationNotSupportedWhenScripting, call.place.range(),
                              {std::string(function)}));
  }
  return *catalog;
}

// A name in lower case, without a leading ::.
Name lookup_name(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  return data_name(downcase(name));
}

Name class_name_of_resource(Call& call, const ResourceType& type) {
  constexpr std::string_view kWanted = " where a Resource['class', name] is expected";
  const std::string shown = type.type_name ? std::string(type.type_name.text()) : "";
  if (shown.empty())
    call.fail(Issue::kUnusableReference,
              {"Cannot use an unspecific Resource[]" + std::string(kWanted)});
  if (ruby_casecmp(shown, "class") != 0) {
    call.fail(Issue::kUnusableReference,
              {"Cannot use a Resource[" + shown + "]" + std::string(kWanted)});
  }
  if (type.title == nullptr) {
    call.fail(Issue::kUnusableReference,
              {"Cannot use an unspecific Resource['class']" + std::string(kWanted)});
  }
  return lookup_name(*type.title);
}

Name class_name_of(Call& call, Value value) {
  if (value.is_undef()) call.fail(Issue::kUnusableReference, {"Cannot use undef as a class name"});
  if (value.is_string()) {
    if (value.as_string().empty())
      call.fail(Issue::kUnusableReference, {"Cannot use empty string as a class name"});
    return lookup_name(value.as_string());
  }
  if (value.is_type()) {
    const Type* type = resolve_alias(value.as_type());
    if (auto* resource = type->try_as<ResourceType>())
      return class_name_of_resource(call, *resource);
    if (auto* named = type->try_as<ClassType>()) {
      if (!named->class_name)
        call.fail(Issue::kUnusableReference, {"Cannot use an unspecific Class[] Type"});
      return lookup_name(named->class_name.text());
    }
  }
  call.fail(make_diagnostic(Issue::kIllegalHostclassName, call.place.range(),
                            {with_upper_case_article(label(value))}));
}

template <CatalogHost::ClassCall kKind>
Value declare_classes(Call& call) {
  constexpr std::string_view kNames[] = {"include", "require", "contain"};
  CatalogHost& catalog = catalog_of(call, kNames[static_cast<size_t>(kKind)]);
  const std::span<const Value> given = flattened(call.arena(), call.arguments);
  Name* names = call.arena().make_array<Name>(given.size());
  for (size_t i = 0; i < given.size(); ++i) names[i] = class_name_of(call, given[i]);
  return catalog.include_classes(call.scope, kKind, {names, given.size()}, call.place);
}

// --- defined ------------------------------------------------------------------------------------

bool is_defined_name(Call& call, CatalogHost* catalog, std::string_view text) {
  if (text.starts_with('$') && text.size() > 1 && text[1] != '\n') {
    const std::string_view name = text.substr(1, text.find('\n') - 1);
    if (name == "module_name" || name == "caller_module_name") return true;
    if (call.evaluator.find_variable(data_name(name), call.scope) != nullptr) return true;
    if (const EvaluationError* error = call.evaluator.unloadable_class()) throw *error;
    return false;
  }
  if (text.empty()) return false;
  if (catalog == nullptr) catalog = &catalog_of(call, "defined");
  if (text == "main") return true;
  const Name name = lookup_name(text);
  return catalog->is_resource_type(name, call.place) || catalog->is_known_class(name);
}

bool is_defined_type(Call& call, CatalogHost& catalog, const Type* type) {
  type = resolve_alias(type);
  if (auto* resource = type->try_as<ResourceType>()) {
    if (!resource->type_name) {
      call.fail(Issue::kUnusableReference,
                {"The given resource type is a reference to all kind of types"});
    }
    return resource->title != nullptr
               ? catalog.is_declared(resource)
               : catalog.is_resource_type(lookup_name(resource->type_name.text()), call.place);
  }
  if (auto* named = type->try_as<ClassType>()) {
    if (!named->class_name)
      call.fail(Issue::kUnusableReference, {"The given class type is a reference to all classes"});
    return catalog.is_declared(named);
  }
  if (auto* of_type = type->try_as<TypeType>();
      of_type != nullptr && of_type->contained != nullptr) {
    const Type* contained = resolve_alias(of_type->contained);
    auto* named = contained->try_as<ClassType>();
    if (named == nullptr) return is_defined_type(call, catalog, contained);
    if (!named->class_name)
      call.fail(Issue::kUnusableReference, {"The given class type is a reference to all classes"});
    return catalog.is_known_class(lookup_name(named->class_name.text()));
  }
  return false;
}

Value defined(Call& call) {
  CatalogHost* catalog = call.evaluator.host().catalog;
  for (const Value value : call.arguments) {
    const bool found = value.is_string()
                           ? is_defined_name(call, catalog, value.as_string())
                           : is_defined_type(call, catalog_of(call, "defined"), value.as_type());
    if (found) return Value::boolean(true);
  }
  return Value::boolean(false);
}

// --- older functions ----------------------------------------------------------------------------

std::string ruby_text(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

std::string_view tag_text(Call& call, Value value) {
  return call.arena().copy(ruby_text(reference_as_text(call.arena(), value)));
}

std::span<const std::string_view> texts_of(Call& call) {
  const std::span<const Value> values = flattened(call.arena(), call.arguments);
  auto* texts = call.arena().make_array<std::string_view>(values.size());
  size_t count = 0;
  for (const Value value : values) {
    if (!value.is_undef()) texts[count++] = tag_text(call, value);
  }
  return {texts, count};
}

Value tag(Call& call) {
  catalog_of(call, "tag").add_tags(call.scope, texts_of(call));
  return Value();
}

// An array is not flattened here: its text is not a tag.
Value tagged(Call& call) {
  auto* texts = call.arena().make_array<std::string_view>(call.arguments.size());
  size_t count = 0;
  for (const Value value : call.arguments) texts[count++] = tag_text(call, value);
  const std::span<const std::string_view> tags(texts, count);
  return Value::boolean(catalog_of(call, "tagged").has_tags(call.scope, tags));
}

Value realize(Call& call) {
  CatalogHost& catalog = catalog_of(call, "realize");
  catalog.realize(call.scope, flattened(call.arena(), call.arguments), call.place);
  return Value();
}

// The titles that one entry of the hash declares: its key, or the elements of a key that is an
// array.
std::span<const Value> titles_of(Call& call, Value key) {
  ArrayBuilder titles(call.arena(), 1);
  const std::span<const Value> given =
      key.is_array() ? key.as_array() : std::span<const Value>(&key, 1);
  for (const Value title : given) titles.push(title);
  return titles.finish().as_array();
}

std::span<const EvaluatedParameter> parameters_of(Call& call, const HashObject* defaults,
                                                  Value given) {
  if (!given.is_hash()) {
    call.fail(Issue::kNoImplicitConversion,
              {fmt::format("no implicit conversion of {} into Hash", ruby_noun(given))});
  }
  HashBuilder merged(call.arena(), given.as_hash().size + (defaults ? defaults->size : 0));
  if (defaults != nullptr) merged.set_all(*defaults);
  merged.set_all(given.as_hash());
  const HashObject& all = merged.finish().as_hash();
  auto* parameters = call.arena().make_array<EvaluatedParameter>(all.size);
  size_t count = 0;
  // Parameters without a value are kept: the parameter's default takes their position.
  for (const HashEntry& entry : all) {
    new (&parameters[count++]) EvaluatedParameter{
        data_name(ruby_text(entry.key)), unshared(call.arena(), entry.value), false, call.place};
  }
  return {parameters, count};
}

Value create_resources(Call& call) {
  CatalogHost& catalog = catalog_of(call, "create_resources");
  if (call.arguments.size() > 3) {
    call.fail(Issue::kWrongArgumentCount,
              {"create_resources(): wrong number of arguments (" +
               std::to_string(call.arguments.size()) + "; must be 2 or 3)"});
  }
  if (!call.arguments[1].is_hash())
    call.fail(Issue::kWrongArgumentKind, {"create_resources(): second argument must be a hash"});
  if (call.arguments.size() == 3 && !call.arguments[2].is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"create_resources(): third argument, if provided, must be a hash"});
  }
  const HashObject* defaults = call.arguments.size() == 3 ? &call.arguments[2].as_hash() : nullptr;

  const std::string type = ruby_text(call.arguments[0]);
  ResourceForm form = ResourceForm::kRegular;
  std::string_view type_name = type;
  if (type_name.starts_with("@@")) {
    form = ResourceForm::kExported;
    type_name.remove_prefix(2);
  } else if (type_name.starts_with('@')) {
    form = ResourceForm::kVirtual;
    type_name.remove_prefix(1);
  }
  const Name key = lookup_name(type_name);
  const bool is_class = key.text() == "class";
  if (is_class && form != ResourceForm::kRegular) {
    call.evaluator.fail(Issue::kClassNotVirtualizable, call.place);
  }
  const HashObject& instances = call.arguments[1].as_hash();
  if (instances.size > 0 && !is_class && !catalog.is_resource_type(key, call.place)) {
    call.fail(Issue::kUnknownDeclaredType, {downcase(type_name)});
  }
  for (const HashEntry& instance : instances) {
    ResourceRequest request;
    request.form = form;
    request.type_name = key;
    request.titles = titles_of(call, instance.key);
    request.parameters = parameters_of(call, defaults, instance.value);
    request.place = call.place;
    request.is_from_function = true;
    catalog.create_resources(call.scope, request);
  }
  return Value();
}

Value import(Call& call) {
  call.evaluator.fail(Issue::kDiscontinuedImport, call.place);
}

constexpr Overload kImport[] = {{"(Any *$args)", import}};
constexpr Overload kInclude[] = {
    {"(Any +$names)", declare_classes<CatalogHost::ClassCall::kInclude>}};
constexpr Overload kRequire[] = {
    {"(Any +$names)", declare_classes<CatalogHost::ClassCall::kRequire>}};
constexpr Overload kContain[] = {
    {"(Any +$names)", declare_classes<CatalogHost::ClassCall::kContain>}};
constexpr Overload kDefined[] = {
    {"(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals)", defined}};
constexpr Overload kTag[] = {{"(Any $tag, Any *$tags)", tag}};
constexpr Overload kTagged[] = {{"(Any $tag, Any *$tags)", tagged}};
constexpr Overload kRealize[] = {{"(Any $reference, Any *$references)", realize}};
constexpr Overload kCreateResources[] = {
    {"(Any $type, Any $resources, Any *$defaults)", create_resources}};

constexpr NativeFunctionInfo kCatalogFunctions[] = {
    {"import", kImport, "Was for reading other manifests, and is an error now.", "include 'other'"},
    {"include", kInclude,
     "Declares classes, each at most once: it does not matter how often and where one is included. "
     "Takes names, Class references and arrays of them, and returns references to the classes.",
     "class example { notice('evaluated once') }\ninclude example\ninclude 'example'"},
    {"require", kRequire,
     "Declares classes as `include` does, and lets the class or define around the call depend on "
     "them.",
     "class example {}\nrequire example"},
    {"contain", kContain,
     "Declares classes as `include` does, and makes them part of the class or define around the "
     "call: what comes before or after that comes before or after them too.",
     "class inner {}\nclass outer { contain inner }\ninclude outer"},
    {"defined", kDefined,
     "Is one of these known? A name is that of a resource type or class, `'$name'` that of a "
     "variable; a reference with a title asks if the resource has been declared by now, Class['x'] "
     "if the class has.",
     "defined('file', Notify['x'])"},
    {"tag", kTag, "Adds tags to the class or define around the call and to all that is in it.",
     "tag('web', 'frontend')", true},
    {"tagged", kTagged, "Does the class or define around the call have all of these tags?",
     "tag('web')\ntagged('web')", true},
    {"realize", kRealize, "Makes virtual resources real, by references to them.",
     "@notify { 'hello': }\nrealize(Notify['hello'])", true},
    {"create_resources", kCreateResources,
     "Declares a resource for each entry of a hash from titles to parameters. A third argument "
     "holds parameters for all of them. `@` before the type's name makes them virtual, `@@` "
     "exported.",
     "create_resources('notify', { 'a' => { 'message' => 'hello' } })", true},
};

}  // namespace

std::span<const NativeFunctionInfo> catalog_functions() {
  return kCatalogFunctions;
}

}  // namespace bunraku
