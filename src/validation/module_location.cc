#include <filesystem>

#include "validation/validate.h"

namespace bunraku {
namespace {

std::string down_cased(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

}  // namespace

ModuleLocation locate_in_modules(std::string_view path, std::span<const std::string> module_path,
                                 std::string_view initial_manifest) {
  namespace fs = std::filesystem;
  const fs::path file = fs::path(path).lexically_normal();
  if (file.extension() != ".pp") return {};
  const std::string text = file.string();
  if (!initial_manifest.empty() && text.starts_with(initial_manifest)) return {};
  for (const std::string& directory : module_path) {
    std::string parent = fs::path(directory).lexically_normal().string();
    if (!parent.ends_with('/')) parent += '/';
    if (!text.starts_with(parent)) continue;
    // MODULE/manifests/DIRECTORIES.../FILE.pp
    std::vector<std::string> parts;
    for (const fs::path& part : fs::path(down_cased(text.substr(parent.size())))) {
      parts.push_back(part.string());
    }
    const bool is_looked_into =
        parts.size() >= 3 && (parts[1] == "manifests" || parts[1] == "functions" ||
                              parts[1] == "types" || parts[1] == "plans");
    if (!is_looked_into) return {ModuleLocation::Kind::kMisplaced, {}};
    ModuleLocation location{ModuleLocation::Kind::kInModule, parts[0]};
    for (size_t i = 2; i + 1 < parts.size(); ++i) location.name_space += "::" + parts[i];
    const bool is_init = parts.size() == 3 && parts[2] == "init.pp";
    if (!is_init) location.name_space += "::" + parts.back().substr(0, parts.back().size() - 3);
    return location;
  }
  return {};
}

}  // namespace bunraku
