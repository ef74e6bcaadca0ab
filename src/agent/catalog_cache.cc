// client_data/catalog/NAME.json
#include "agent/catalog_cache.h"

#include <sys/stat.h>

#include "base/system/file_system.h"
#include "base/system/safe_name.h"

namespace bunraku::agent {
namespace {

constexpr mode_t kDirectoryMode = 0750;
constexpr uint32_t kCatalogMode = 0640;  // a catalog holds secrets

}  // namespace

CatalogCache::CatalogCache(const Settings& settings, const std::string& node)
    : path_(join_path(settings.text("client_datadir"),
                      "catalog/" + safe_file_name(node) + ".json")) {}

std::optional<std::string> CatalogCache::load() const {
  if (!is_file(path_)) return std::nullopt;
  return read_file(path_);
}

void CatalogCache::save(const std::string& catalog) const {
  const std::string directory(parent_directory(path_));
  const std::string parent(parent_directory(directory));
  create_directory(std::string(parent_directory(parent)));
  mkdir(parent.c_str(), kDirectoryMode);
  mkdir(directory.c_str(), kDirectoryMode);
  write_file(path_, catalog, kCatalogMode);
}

}  // namespace bunraku::agent
