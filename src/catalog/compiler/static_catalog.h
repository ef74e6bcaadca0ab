// Static catalogs: they include the metadata of files, so that agents need not request it, and get
// the contents of the time of compilation.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "site/file_serving/file_metadata.h"

namespace bunraku {

class Catalog;
class JsonWriter;
class LogSink;
class Mounts;

struct StaticCatalogOptions {
  std::string_view checksum_type;
  // The directory of the environment as in the settings. Files outside it are not included.
  std::string environment_directory;
  LogSink* log = nullptr;
};

class StaticMetadata {
 public:
  // Writes "metadata" and "recursive_metadata" of the catalog's JSON; nothing when there is no
  // metadata.
  void write(JsonWriter& json) const;

 private:
  friend class MetadataCollector;

  struct Source {
    std::string name;
    std::vector<FileMetadata> files;
  };
  std::vector<std::pair<std::string_view, FileMetadata>> files_;               // by title
  std::vector<std::pair<std::string_view, std::vector<Source>>> directories_;  // by title
};

// Collects the metadata for all File resources whose sources are `puppet:` URLs of modules in the
// environment (by the rules of the reference's catalog compiler). Throws EvaluationError, at the
// resource, for a missing source and for invalid attributes.
StaticMetadata collect_file_metadata(Catalog& catalog, const Mounts& mounts,
                                     const StaticCatalogOptions& options);

// Returns the first checksum type of the agent's list that is known here. Throws EvaluationError
// when there is none.
std::string_view common_checksum_type(const std::vector<std::string>& agent_types);

}  // namespace bunraku
