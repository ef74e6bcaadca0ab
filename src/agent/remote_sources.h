// Files that a server has: their metadata and contents, for resources with a `source`, and for the
// synchronisation of plug-ins. What a static catalog says of files is not asked for again. Files on
// web servers are left to the program around.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/host_access.h"
#include "agent/server_session.h"
#include "apply/transaction/bucket_server.h"
#include "apply/transaction/context.h"
#include "base/formats/data.h"
#include "catalog/document/catalog_document.h"

namespace bunraku::agent {

class RemoteSources : public apply::FileSources, public apply::BucketServer {
 public:
  // All must outlive it.
  RemoteSources(ServerSession& session, HostAccess& access, const Settings& settings)
      : session_(session), access_(access), settings_(settings) {}

  // The environment whose files are meant from now on.
  void set_environment(std::string environment) { environment_ = std::move(environment); }
  // Takes the metadata that a static catalog holds.
  void set_catalog(const CatalogDocument& document);

  std::optional<apply::SourceMetadata> find(const std::string& source,
                                            const apply::SourceQuery& query) override;
  std::optional<std::vector<apply::SourceMetadata>> list(const std::string& source,
                                                         const apply::SourceQuery& query) override;
  void read(const apply::SourceMetadata& file,
            const std::function<void(std::string_view)>& take) override;
  void keep(const std::string& server, const std::string& path, std::string_view algorithm,
            const std::string& digest, const std::string& contents) override;

 private:
  net::Response ask(const std::string& source, Call call);

  ServerSession& session_;
  HostAccess& access_;
  const Settings& settings_;
  std::string environment_ = "production";
  std::string code_id_;
  std::unordered_map<std::string, apply::SourceMetadata> known_;
  std::unordered_map<std::string, std::vector<apply::SourceMetadata>> known_trees_;
};

}  // namespace bunraku::agent
