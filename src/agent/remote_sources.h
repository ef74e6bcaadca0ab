// Files on a server: their metadata and contents, for resources with a `source` and for plug-in
// synchronisation. Metadata in a static catalog are not requested again. The surrounding program
// accesses files on web servers.
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
  // All must outlive this object.
  RemoteSources(ServerSession& session, HostAccess& access, const Settings& settings)
      : session_(session), access_(access), settings_(settings) {}

  // Sets the environment of the following requests.
  void set_environment(std::string environment) { environment_ = std::move(environment); }
  // Stores the metadata in a static catalog.
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
