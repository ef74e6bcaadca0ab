// A file bucket on a server: it stores earlier contents of files. File sources on a server
// implement it, too.
#pragma once

#include <string>
#include <string_view>

namespace bunraku::apply {

class BucketServer {
 public:
  virtual ~BucketServer() = default;
  // Stores the earlier contents of the file `path` on `server` ("host:port"; empty: the run's own),
  // unless the server has them. `digest` are the digits of their digest of the type `algorithm`.
  // Throws Failure.
  virtual void keep(const std::string& server, const std::string& path, std::string_view algorithm,
                    const std::string& digest, const std::string& contents) = 0;
};

}  // namespace bunraku::apply
