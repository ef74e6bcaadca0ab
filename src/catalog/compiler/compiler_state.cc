// The state of a compilation.
#include "catalog/compiler/compiler_state.h"

#include "base/text/utf8.h"
#include "types/built_in_types.h"

namespace bunraku {
namespace {

Host make_host(Loader& loader, CatalogHost& catalog, LogSink* log) {
  Host host;
  host.functions = &loader;
  host.types = &loader;
  host.catalog = &catalog;
  host.modules = &loader;
  host.log = log;
  return host;
}

}  // namespace

CompilerState::CompilerState(const Environment& environment, const TargetNode& node, Arena& arena,
                             const CompilerOptions& options, CatalogHost& host, LogSink* log)
    : arena(arena),
      environment(environment),
      node(node),
      options(options),
      loader(environment, arena, log),
      evaluator(arena, make_host(loader, host, log), options.evaluation),
      definitions(environment, loader, evaluator),
      catalog(arena) {
  loader.set_evaluator(evaluator);
}

CatalogScope& CompilerState::scope_of(Scope& scope) {
  if (scope.catalog == nullptr) scope.catalog = arena.make<CatalogScope>();
  return *scope.catalog;
}

Value CompilerState::reference_to(const Resource& resource) const {
  if (resource.type_key == "class"_name) {
    return Value::type(types::class_type(arena, downcase(resource.title)));
  }
  return Value::type(types::resource(arena, resource.type.text(), resource.title));
}

const Resource* CompilerState::node_resource() const {
  return node_scope != nullptr && node_scope->catalog != nullptr ? node_scope->catalog->resource
                                                                 : nullptr;
}

}  // namespace bunraku
