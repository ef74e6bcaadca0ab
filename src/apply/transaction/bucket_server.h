// A bucket for old contents of files on a server. Sources of files that come from a server are one,
// too.
#pragma once

#include <string>
#include <string_view>

namespace bunraku::apply {

class BucketServer {
 public:
  virtual ~BucketServer() = default;
  // Keeps old contents of the file `path` on `server` ("host:port"; empty: the run's own), unless
  // they are there already. `digest` is their digest of the type `algorithm`, in digits. Throws
  // Failure.
  virtual void keep(const std::string& server, const std::string& path, std::string_view algorithm,
                    const std::string& digest, const std::string& contents) = 0;
};

}  // namespace bunraku::apply
