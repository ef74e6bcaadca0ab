#include "site/environment/module_names.h"

#include <span>

#include "base/text/replacement.h"
#include "site/environment/environment.h"

namespace bunraku {
namespace {

struct Home {
  std::string_view directory;
  std::string_view extension;
  bool has_module_name;  // names are prefixed with the module's
};

constexpr Home kClassHomes[] = {{"manifests/", ".pp", true}};
constexpr Home kFunctionHomes[] = {{"functions/", ".pp", true},
                                   {"lib/puppet/functions/", ".rb", false},
                                   {"lib/puppet/parser/functions/", ".rb", false}};
constexpr Home kDataTypeHomes[] = {{"types/", ".pp", true}};
constexpr Home kResourceTypeHomes[] = {{"lib/puppet/type/", ".rb", false}};

std::span<const Home> homes_of(NameKind kind) {
  switch (kind) {
    case NameKind::kClass:
      return kClassHomes;
    case NameKind::kFunction:
      return kFunctionHomes;
    case NameKind::kDataType:
      return kDataTypeHomes;
    case NameKind::kResourceType:
      return kResourceTypeHomes;
  }
  return {};
}

// manifests/server/config.pp of ntp defines ntp::server::config, manifests/init.pp defines ntp.
std::string name_of(std::string_view path, const Home& home, std::string_view module) {
  if (path == "manifests/init.pp") return std::string(module);
  path.remove_prefix(home.directory.size());
  path.remove_suffix(home.extension.size());
  std::string name = qualified_name(path);
  if (home.has_module_name) name.insert(0, std::string(module) + "::");
  return name;
}

}  // namespace

std::string qualified_name(std::string_view path) {
  return replaced(path, "/", "::");
}

std::vector<std::string> names_in_modules(const Environment& environment, NameKind kind) {
  std::vector<std::string> names;
  const auto add = [&](const Module* module) {
    const std::string_view module_name = module == nullptr ? "environment" : module->name.text();
    for (const std::string& path : environment.files_of(module)) {
      for (const Home& home : homes_of(kind)) {
        if (!path.starts_with(home.directory) || !path.ends_with(home.extension)) continue;
        names.push_back(name_of(path, home, module_name));
      }
    }
  };
  // Manifests of the environment itself are initial manifests, whose file names have no meaning.
  if (kind != NameKind::kClass) add(nullptr);
  for (const Module& module : environment.modules()) add(&module);
  return names;
}

}  // namespace bunraku
