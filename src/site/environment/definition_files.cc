#include "site/environment/definition_files.h"

#include <fmt/format.h>

#include "site/environment/environment.h"

namespace bunraku {
namespace {

// mod::a::b is the file a/b in the module mod.
struct QualifiedPath {
  std::string_view module;
  std::string path;
};

QualifiedPath split_name(std::string_view name) {
  const size_t end = name.find("::");
  if (end == std::string_view::npos) return {{}, std::string(name)};
  QualifiedPath split{name.substr(0, end), {}};
  std::string_view rest = name.substr(end + 2);
  for (size_t at; (at = rest.find("::")) != std::string_view::npos; rest.remove_prefix(at + 2)) {
    split.path.append(rest.substr(0, at)).append("/");
  }
  split.path.append(rest);
  return split;
}

constexpr std::string_view kEnvironmentNamespace = "environment";

}  // namespace

std::string whole_path(std::string_view name) {
  const QualifiedPath split = split_name(name);
  return split.module.empty() ? split.path : fmt::format("{}/{}", split.module, split.path);
}

OwnFile own_file(const Environment& environment, std::string_view kind, std::string_view name) {
  const QualifiedPath split = split_name(name);
  const Module* module = split.module.empty() ? nullptr : environment.find_module(split.module);
  if (module != nullptr) return {module, fmt::format("{}/{}.pp", kind, split.path), true};
  const bool is_possible = split.module.empty() || split.module == kEnvironmentNamespace;
  return {nullptr, fmt::format("{}/{}.pp", kind, whole_path(name)), is_possible};
}

std::string ruby_type_file(std::string_view lower_case_name) {
  return fmt::format("lib/puppet/datatypes/{}.rb", whole_path(lower_case_name));
}

}  // namespace bunraku
