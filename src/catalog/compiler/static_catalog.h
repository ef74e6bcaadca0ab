// Static catalogs: what agents have to know of files is reported with the catalog, so that they
// need not ask for it, and get the contents as they were when it was compiled.
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
  // The directory of the environment as the settings name it. Files outside it are not notified of.
  std::string environment_directory;
  LogSink* log = nullptr;
};

class StaticMetadata {
 public:
  // "metadata" and "recursive_metadata" of the catalog's JSON; nothing where there is none.
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

// Of all File resources whose sources are `puppet:` URLs of modules in the environment (the rules
// are those of the reference's catalog compiler). Throws EvaluationError, at the resource, for a
// source that is not there, and attributes that cannot be understood.
StaticMetadata collect_file_metadata(Catalog& catalog, const Mounts& mounts,
                                     const StaticCatalogOptions& options);

// The first of an agent's types of checksums that is known here. Throws EvaluationError when there
// is none.
std::string_view common_checksum_type(const std::vector<std::string>& agent_types);

}  // namespace bunraku
