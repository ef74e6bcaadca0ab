#include <filesystem>

#include "base/text/ascii.h"
#include "validation/validate.h"

namespace bunraku {
namespace {

// Most paths are in their normal form already.
std::string normal_form(std::string_view path) {
  if (path.find("//") == path.npos && path.find("/.") == path.npos && !path.starts_with('.')) {
    return std::string(path);
  }
  return std::filesystem::path(path).lexically_normal().string();
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (size_t end; (end = path.find('/')) != path.npos; path.remove_prefix(end + 1)) {
    parts.push_back(path.substr(0, end));
  }
  parts.push_back(path);
  return parts;
}

}  // namespace

ModuleLocation locate_in_modules(std::string_view path, std::span<const std::string> module_path,
                                 std::string_view initial_manifest) {
  const std::string text = normal_form(path);
  if (!text.ends_with(".pp") || text.ends_with("/.pp")) return {};
  if (!initial_manifest.empty() && text.starts_with(initial_manifest)) return {};
  for (const std::string& directory : module_path) {
    std::string parent = normal_form(directory);
    if (!parent.ends_with('/')) parent += '/';
    if (!text.starts_with(parent)) continue;
    // MODULE/manifests/DIRECTORIES.../FILE.pp
    const std::string below = to_lower(text.substr(parent.size()));
    const std::vector<std::string_view> parts = parts_of(below);
    const bool is_looked_into =
        parts.size() >= 3 && (parts[1] == "manifests" || parts[1] == "functions" ||
                              parts[1] == "types" || parts[1] == "plans");
    if (!is_looked_into) return {ModuleLocation::Kind::kMisplaced, {}};
    ModuleLocation location{ModuleLocation::Kind::kInModule, std::string(parts[0])};
    const auto add = [&](std::string_view name) { location.name_space.append("::").append(name); };
    for (size_t i = 2; i + 1 < parts.size(); ++i) add(parts[i]);
    const bool is_init = parts.size() == 3 && parts[2] == "init.pp";
    if (!is_init) add(parts.back().substr(0, parts.back().size() - 3));
    return location;
  }
  return {};
}

}  // namespace bunraku
