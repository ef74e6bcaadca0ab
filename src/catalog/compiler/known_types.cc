// The search of resource types.
#include "catalog/compiler/known_types.h"

#include <fmt/format.h>

#include "base/memory/data_names.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "site/environment/module_names.h"
#include "types/type_text.h"
#include "types/written_reference.h"

namespace bunraku {
namespace {

// The directory of kept descriptions of Ruby types.
std::string ruby_types_directory(Value settings) {
  const Value* vardir = settings.is_hash() ? settings.as_hash().find("vardir") : nullptr;
  if (vardir == nullptr || !vardir->is_string() || vardir->as_string().empty()) return {};
  return join_path(vardir->as_string(), "bunraku/types");
}

// Returns whether the type is written as Resource[name]; messages then show it with capitals.
bool is_reference(const Place& place) {
  const auto* resource =
      place.expression != nullptr ? place.expression->try_as<ResourceExpression>() : nullptr;
  return resource != nullptr && resource->type_name->kind == NodeKind::kAccessExpression;
}

}  // namespace

KnownTypes::KnownTypes(CompilerState& state)
    : state_(state),
      ruby_types_(state.environment, state.loader, state.evaluator,
                  ruby_types_directory(state.options.settings)) {}

Name KnownTypes::shown_type(Name type_key) {
  const auto [found, is_new] = shown_types_.try_emplace(type_key, type_key);
  if (is_new) found->second = Name(capitalized_segments(type_key.text()));
  return found->second;
}

const NativeType* KnownTypes::find(Name type_key, const Place& place) {
  if (const auto found = native_types_.find(type_key); found != native_types_.end()) {
    return found->second;
  }
  const NativeType* native = nullptr;
  if (type_key.text().find(':') == std::string_view::npos) {
    native = find_native_type(type_key);
    if (native == nullptr) native = ruby_types_.load_generated(type_key);
    if (native == nullptr || !native->file_digest.empty()) {
      const std::string file = fmt::format("lib/puppet/type/{}.rb", type_key.text());
      const Module* module = state_.environment.find_module_with(file);
      if (module != nullptr) {
        const std::string path = state_.environment.path_in(module, file);
        const bool is_native =
            native != nullptr && state_.loader.digest(path) == native->file_digest;
        if (!is_native) native = ruby_types_.load(type_key, path, place);
      } else if (native != nullptr && native->needs_module) {
        native = nullptr;
      }
    }
  }
  native_types_[type_key] = native;
  return native;
}

bool KnownTypes::is_resource_type(Name lower_case_name, const Place& place) {
  return find(lower_case_name, place) != nullptr ||
         state_.definitions.find_define(lower_case_name) != nullptr;
}

void KnownTypes::fail_unknown_resource_type(Name name, const Place& place,
                                            std::string_view prefix) {
  std::vector<std::string> known = state_.definitions.define_names();
  for (const NativeType& type : native_types()) known.emplace_back(type.name.text());
  for (std::string& type : names_in_modules(state_.environment, NameKind::kResourceType)) {
    known.push_back(std::move(type));
  }
  const std::string shown =
      is_reference(place) ? capitalized_segments(name.text()) : std::string(name.text());
  fail_unknown(Issue::kUnknownDeclaredType, {fmt::format("{}{}", prefix, shown)}, name.text(),
               std::move(known));
}

void KnownTypes::fail_untitled(Name type_key, const NativeType* native, const Definition* define) {
  const std::string name = native != nullptr   ? fmt::format(":{}", type_key.text())
                           : define != nullptr ? fmt::format("\"{}\"", type_key.text())
                                               : "nil";
  fail(Issue::kUntitledReference, {name});
}

// A component is found as a class; the title of a component or whit is the text of the reference to
// the actual resource.
ResourceName KnownTypes::native_resource_name(Name type_key, std::string_view title) {
  static const Name kComponent("component"), kWhit("whit");
  if (type_key != kComponent && type_key != kWhit) return {type_key, title};
  const WrittenReference written = parse_reference(title);
  ResourceName name{catalog_type_key(type_key), title};
  if (!written.type.empty()) {
    name = {catalog_type_key(data_name(downcase(written.type))), state_.arena.copy(written.title)};
  }
  if (name.type_key == "class"_name) name.title = state_.arena.copy(class_title(name.title));
  return name;
}

}  // namespace bunraku
