// The standard library's functions on resources.
#include <algorithm>

#include "base/text/utf8.h"
#include "evaluation/comparison.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/families.h"
#include "types/built_in_types.h"
#include "types/type_text.h"
#include "types/written_reference.h"
#include "values/bounds.h"

namespace bunraku::stdlib {

namespace {

CatalogHost& catalog_of(Call& call, std::string_view function) {
  CatalogHost* catalog = call.evaluator.host().catalog;
  if (catalog == nullptr) {
    call.fail(make_diagnostic(Issue::kCatalogOperationNotSupportedWhenScripting, call.place.range(),
                              {std::string(function)}));
  }
  return *catalog;
}

// Makes a reference from a type of the language or from text such as "File[/etc/passwd]". Returns
// null when it has no title.
const Type* reference_of(Call& call, Value value) {
  if (value.is_type()) {
    const Type* type = resolve_alias(value.as_type());
    if (auto* resource = type->try_as<ResourceType>()) {
      return resource->title != nullptr && !resource->title->empty() ? type : nullptr;
    }
    if (auto* named = type->try_as<ClassType>()) return named->class_name ? type : nullptr;
    return nullptr;
  }
  if (!value.is_string()) return nullptr;
  const WrittenReference written = parse_reference(value.as_string());
  if (written.type.empty()) return nullptr;
  const std::string type_name = downcase(written.type);
  if (type_name == "class") return types::class_type(call.arena(), written.title);
  return types::resource(call.arena(), capitalize(type_name), written.title);
}

// The value of a parameter; undef when it is not set.
Value parameter(Call& call, CatalogHost& catalog, const Type* reference, std::string_view name) {
  auto* resource = reference->try_as<ResourceType>();
  if (resource == nullptr) {
    // A class is treated as a resource of the type Class.
    const std::string_view title = reference->as<ClassType>().class_name.text();
    resource = types::resource(call.arena(), "Class", title)->try_as<ResourceType>();
  }
  if (resource == nullptr) return Value();
  try {
    return catalog.parameter_of(*resource, name, call.place);
  } catch (const EvaluationError&) {
    return Value();  // the resource type has no parameter of this name
  }
}

[[noreturn]] void fail_untitled(Call& call, Value text) {
  call.fail(Issue::kUnusableReference,
            {"No title provided and " + inspect(text) + " is not a valid resource reference"});
}

// Returns whether the resource is declared with all of these parameters. The calling resource
// itself does not count.
bool has_parameters(Call& call, CatalogHost& catalog, const Type* reference, Value parameters) {
  if (catalog_reference_text(reference) == call.scope.resource_text) return false;
  if (!parameters.is_hash()) return true;
  for (const HashEntry& entry : parameters.as_hash()) {
    const Value actual = parameter(call, catalog, reference, to_s(entry.key));
    if (!ruby_equal(actual, entry.value)) return false;
  }
  return true;
}

bool is_of_type(const Type* reference, const ResourceType& wanted) {
  auto* resource = reference->try_as<ResourceType>();
  return resource != nullptr && resource->type_name == wanted.type_name;
}

// Returns whether the resource is declared with all of these parameters; for a type without a
// title, any resource of it.
bool is_defined_with(Call& call, Value reference_value, Value parameters) {
  if (!reference_value.is_truthy() && !reference_value.is_undef()) {
    call.fail(Issue::kWrongArgumentKind, {"Must specify a reference"});
  }
  if (reference_value.is_undef()) fail_untitled(call, Value::string(""));
  if (!reference_value.is_type() && !reference_value.is_string()) {
    call.fail(Issue::kUnusableReference,
              {"Reference is not understood: '" + class_of(reference_value) + "'"});
  }
  CatalogHost& catalog = catalog_of(call, "defined_with_params");
  if (const Type* reference = reference_of(call, reference_value)) {
    return catalog.is_declared(reference) && has_parameters(call, catalog, reference, parameters);
  }
  if (!reference_value.is_type()) fail_untitled(call, reference_value);
  auto* wanted = resolve_alias(reference_value.as_type())->try_as<ResourceType>();
  if (wanted == nullptr) {
    call.fail(Issue::kUnusableReference,
              {"Reference is not understood: '" + class_of(reference_value) + "'"});
  }
  const Value all = catalog.resource_references();
  return std::ranges::any_of(all.as_array(), [&](Value one) {
    return is_of_type(one.as_type(), *wanted) &&
           has_parameters(call, catalog, one.as_type(), parameters);
  });
}

Value defined_with_params(Call& call) {
  if (call.arguments.empty()) call.fail(Issue::kWrongArgumentKind, {"Must specify a reference"});
  return Value::boolean(is_defined_with(call, call.argument(0), call.argument(1)));
}

void create(Call& call, const std::string& type, Value title, Value parameters) {
  static const Name kCreateResources = "create_resources"_name;
  HashBuilder instances(call.arena(), 1);
  instances.set(title, parameters);
  const Value arguments[] = {Value::string(call.arena(), capitalize(type)), instances.finish()};
  call.evaluator.call_function(kCreateResources, arguments, nullptr, call.scope, call.place);
}

void ensure(Call& call, Value type, Value title, Value parameters) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (!type.is_truthy()) call.fail(Issue::kWrongArgumentKind, {"Must specify a type"});
  if (!title.is_truthy()) call.fail(Issue::kWrongArgumentKind, {"Must specify a title"});
  if (!parameters.is_truthy()) parameters = HashBuilder(call.arena()).finish();
  if (title.is_array()) {
    for (const Value item : title.as_array()) ensure(call, type, item, parameters);
    return;
  }
  const std::string type_name = to_s(type);
  const Value reference = Value::string(call.arena(), type_name + "[" + to_s(title) + "]");
  if (!is_defined_with(call, reference, parameters)) create(call, type_name, title, parameters);
}

Value merged(Call& call, Value first, Value second) {
  if (!first.is_hash()) fail_undefined_method(call, "merge", first);
  if (!second.is_hash()) fail_implicit_conversion(call, second, "Hash");
  HashBuilder result(call.arena(), first.as_hash().size + second.as_hash().size);
  result.set_all(first.as_hash());
  result.set_all(second.as_hash());
  return result.finish();
}

Value ensure_resource(Call& call) {
  ensure(call, call.argument(0), call.argument(1), call.argument(2));
  return Value();
}

void ensure_all(Call& call, Value type, const HashObject& resources, Value parameters) {
  for (const HashEntry& entry : resources) {
    const Value all = entry.value.is_truthy() ? merged(call, parameters, entry.value) : parameters;
    ensure(call, type, entry.key, all);
  }
}

Value ensure_resources(Call& call) {
  if (!call.argument(0).is_truthy()) call.fail(Issue::kWrongArgumentKind, {"Must specify a type"});
  if (!call.argument(1).is_truthy()) call.fail(Issue::kWrongArgumentKind, {"Must specify a title"});
  if (!call.arguments[1].is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"ensure_resources(): Requires second argument to be a Hash"});
  }
  Value parameters = call.argument(2);
  if (!parameters.is_truthy()) parameters = HashBuilder(call.arena()).finish();
  ensure_all(call, call.arguments[0], call.arguments[1].as_hash(), parameters);
  return Value();
}

// The second argument with a default for `ensure`, which also stands in place of its synonym.
Value package_parameters(Call& call, std::string_view state, std::string_view synonym) {
  HashBuilder parameters(call.arena());
  parameters.set("ensure", Value::string(state));
  if (call.argument(1).is_hash()) {
    parameters.set_all(call.arguments[1].as_hash());
    Value* given = parameters.find(Value::string("ensure"));
    if (given->is_string() && given->as_string() == synonym) *given = Value::string(state);
  }
  return parameters.finish();
}

Value ensure_packages(Call& call) {
  const Value parameters = package_parameters(call, "installed", "present");
  const Value type = Value::string("package"), packages = call.arguments[0];
  if (packages.is_hash()) {
    ensure_all(call, type, packages.as_hash(), parameters);
  } else {
    ensure(call, type, packages, parameters);
  }
  return Value();
}

// As in version 9: a package declared as `present` is not declared again as `installed`.
void ensure_package(Call& call, Value name, Value attributes) {
  static const Value kEnsure = Value::string("ensure");
  static const Value kPresent = Value::string("present");
  HashBuilder parameters(call.arena());
  parameters.set(kEnsure, Value::string("installed"));
  parameters.set_all(attributes.as_hash());
  Value& state = *parameters.find(kEnsure);
  if (state.is_string() && (state.as_string() == "present" || state.as_string() == "installed")) {
    HashBuilder wanted(call.arena(), 1);
    wanted.set(kEnsure, kPresent);
    const std::string reference = "Package[" + std::string(name.as_string()) + "]";
    const bool is_present =
        is_defined_with(call, Value::string(call.arena(), reference), wanted.finish());
    state = is_present ? kPresent : Value::string("installed");
  }
  ensure(call, Value::string("package"), name, parameters.finish());
}

void check_package_name(const Call& call, Value name) {
  const bool is_empty = (name.is_string() && name.as_string().empty()) ||
                        (name.is_array() && name.as_array().empty()) ||
                        (name.is_hash() && name.as_hash().size == 0);
  if (is_empty) {
    call.fail(Issue::kWrongArgumentKind,
              {"ensure_packages(): Empty String provided for package name"});
  }
  if (name.is_integer() || name.is_float() || name.is_boolean() || name.is_undef()) {
    fail_undefined_method(call, "empty?", name);
  }
}

// The function of the older interface.
Value ensure_packages_before(Call& call, std::string_view state, std::string_view synonym,
                             bool skips_declared) {
  if (call.arguments.empty() || call.arguments.size() > 2) {
    fail_count(call, "ensure_packages", "1 or 2");
  }
  if (call.arguments.size() == 2 && !call.arguments[1].is_hash()) {
    call.fail(Issue::kWrongArgumentKind,
              {"ensure_packages(): Requires second argument to be a Hash"});
  }
  const Value parameters = package_parameters(call, state, synonym);
  const Value type = Value::string("package"), packages = call.arguments[0];
  if (packages.is_hash()) {
    ensure_all(call, type, packages.as_hash(), parameters);
    return Value();
  }
  // Ruby's Array() makes an empty array of a reference to a resource.
  const std::span<const Value> names = packages.is_array()
                                           ? std::span(packages.as_array())
                                           : std::span(&packages, packages.is_type() ? 0 : 1);
  for (const Value name : names) {
    check_package_name(call, name);
    const std::string reference = "Package[" + to_s(name) + "]";
    if (skips_declared && is_defined_with(call, Value::string(call.arena(), reference),
                                          HashBuilder(call.arena()).finish())) {
      continue;
    }
    ensure(call, type, name, parameters);
  }
  return Value();
}

Value ensure_packages_of_4(Call& call) {
  return ensure_packages_before(call, "present", "installed", true);
}

Value ensure_packages_of_5(Call& call) {
  return ensure_packages_before(call, "present", "installed", false);
}

Value ensure_packages_of_8(Call& call) {
  return ensure_packages_before(call, "installed", "present", false);
}

Value attributes_of_all(Call& call) {
  return call.arguments.size() > 1 ? call.arguments[1] : HashBuilder(call.arena()).finish();
}

Value ensure_named_packages(Call& call) {
  const Value attributes = attributes_of_all(call);
  const Value names = call.arguments[0];
  if (names.is_string()) {
    ensure_package(call, names, attributes);
  } else {
    for (const Value name : names.as_array()) ensure_package(call, name, attributes);
  }
  return Value();
}

Value ensure_described_packages(Call& call) {
  const Value attributes = attributes_of_all(call);
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    ensure_package(call, entry.key, merged(call, attributes, entry.value));
  }
  return Value();
}

Value getparam(Call& call) {
  if (!call.argument(0).is_truthy())
    call.fail(Issue::kWrongArgumentKind, {"Must specify a reference"});
  if (!call.argument(1).is_string())
    call.fail(Issue::kWrongArgumentKind, {"Must specify name of a parameter"});
  const std::string_view name = call.arguments[1].as_string();
  const Type* reference = reference_of(call, call.arguments[0]);
  if (name.empty()) return Value::string("");
  if (reference == nullptr) {
    if (call.arguments[0].is_type()) return Value::string("");
    fail_untitled(call, Value::string(call.arena(), to_s(call.arguments[0])));
  }
  CatalogHost& catalog = catalog_of(call, "getparam");
  if (!catalog.is_declared(reference)) return Value::string("");
  const Value value = parameter(call, catalog, reference, name);
  return value.is_undef() ? Value::string("") : value;
}

Value str2resource(Call& call) {
  const std::string text(call.arguments[0].as_string());
  const Type* reference = reference_of(call, call.arguments[0]);
  if (reference == nullptr) fail_untitled(call, call.arguments[0]);
  if (!catalog_of(call, "str2resource").is_declared(reference)) {
    call.fail(Issue::kUnusableReference,
              {"stdlib::str2resource(): could not find " + text +
               ", this is parse order dependent and values should not be quoted"});
  }
  return Value::type(reference);
}

// Fails when a class or defined type is used from another module.
Value assert_private(Call& call) {
  if (call.arguments.size() > 1) {
    call.fail(Issue::kWrongArgumentCount,
              {"assert_private(): Wrong number of arguments given (" +
               std::to_string(call.arguments.size()) + "}) for 0 or 1)"});
  }
  const Scope& scope = call.scope;
  const std::string_view caller = scope.parent() == nullptr ? "" : scope.parent()->module_name;
  if (scope.module_name == caller && scope.kind() != Scope::Kind::kTop) return Value();
  if (call.argument(0).is_string() && !call.arguments[0].as_string().empty()) {
    call.fail(Issue::kPrivateCode, {std::string(call.arguments[0].as_string())});
  }
  std::string name(scope.class_name.text());
  const bool is_define = scope.kind() == Scope::Kind::kDefine;
  if (is_define) name = downcase(scope.resource_text.substr(0, scope.resource_text.find('[')));
  call.fail(Issue::kPrivateCode, {(is_define ? "Definition " : "Class ") + name + " is private"});
}

constexpr Overload kDefinedWithParams[] = {{"(Any *$arguments)", defined_with_params}};
constexpr Overload kEnsureResource[] = {{"(Any *$arguments)", ensure_resource}};
constexpr Overload kEnsureResources[] = {{"(Any *$arguments)", ensure_resources}};
constexpr Overload kEnsurePackages[] = {
    {"(Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages, "
     "Hash $default_attributes = default) >> Undef",
     ensure_packages}};
constexpr Overload kNewerEnsurePackages[] = {
    {"(Variant[String[1], Array[String[1]]] $packages, "
     "Hash $default_attributes = default) >> Undef",
     ensure_named_packages},
    {"(Hash[String[1], Any] $packages, Hash $default_attributes = default) >> Undef",
     ensure_described_packages}};
constexpr Overload kEnsurePackagesOf4[] = {{"(Any *$arguments)", ensure_packages_of_4}};
constexpr Overload kEnsurePackagesOf5[] = {{"(Any *$arguments)", ensure_packages_of_5}};
constexpr Overload kEnsurePackagesOf8[] = {{"(Any *$arguments)", ensure_packages_of_8}};
constexpr Overload kGetparam[] = {{"(Any *$arguments)", getparam}};
constexpr Overload kStr2resource[] = {{"(String $res_string) >> Any", str2resource}};
constexpr Overload kAssertPrivate[] = {{"(Any *$arguments)", assert_private}};

constexpr NativeFunctionInfo kResourceFunctions[] = {
    {"defined_with_params", kDefinedWithParams, "Is a resource declared with these parameters?",
     "notify { 'a': message => 'hello' }\n"
     "defined_with_params(Notify['a'], { 'message' => 'hello' })",
     true},
    {"ensure_resource", kEnsureResource,
     "Declares a resource unless it is declared with the same "
     "parameters already.",
     "ensure_resource('notify', 'a', { 'message' => 'hello' })", true},
    {"ensure_resources", kEnsureResources,
     "Declares resources from a hash of titles, unless they are "
     "declared with the same parameters already.",
     "ensure_resources('notify', { 'a' => {} })", true},
    {"ensure_packages", kEnsurePackages, "Declares packages unless they are declared already.",
     "ensure_packages(['vim'])"},
    {"stdlib::ensure_packages", kNewerEnsurePackages,
     "Declares packages unless they are declared already.", "stdlib::ensure_packages(['vim'])"},
    {"getparam", kGetparam, "The value of a resource's parameter; empty text when there is none.",
     "notify { 'a': message => 'hello' }\ngetparam(Notify['a'], 'message')", true},
    {"stdlib::str2resource", kStr2resource, "The resource that text such as `Notify[a]` names.",
     "notify { 'a': }\nstdlib::str2resource('Notify[a]')"},
    {"assert_private", kAssertPrivate,
     "Fails when the class or define around it is used from another "
     "module.",
     "class example { assert_private() }", true},
};

constexpr std::string_view kAboutPackages = "Declares packages unless they are declared already.";
constexpr NativeFunctionInfo kOlderFunctions[kOlderVersions] = {
    {"ensure_packages", kEnsurePackagesOf4, kAboutPackages, "ensure_packages(['vim'])", true},
    {"ensure_packages", kEnsurePackagesOf5, kAboutPackages, "ensure_packages(['vim'])", true},
    {"ensure_packages", kEnsurePackagesOf8, kAboutPackages, "ensure_packages(['vim'])", true},
    {"ensure_packages", kNewerEnsurePackages, kAboutPackages, "ensure_packages(['vim'])"},
};

}  // namespace

std::span<const NativeFunctionInfo> resource_functions() {
  return kResourceFunctions;
}

std::span<const NativeFunctionInfo> older_functions(size_t version) {
  return std::span(kOlderFunctions).subspan(version, 1);
}

}  // namespace bunraku::stdlib
