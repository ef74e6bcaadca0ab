// The last applied catalog, stored for times when the server cannot be reached.
#pragma once

#include <optional>
#include <string>

#include "site/settings/settings.h"

namespace bunraku::agent {

class CatalogCache {
 public:
  CatalogCache(const Settings& settings, const std::string& node);
  // Returns no value when there is none. Throws FileError.
  std::optional<std::string> load() const;
  // Throws FileError.
  void save(const std::string& catalog) const;

 private:
  std::string path_;
};

}  // namespace bunraku::agent
