// The file bucket of a server: earlier contents of files by their digests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/server_session.h"

namespace bunraku::agent {

// `algorithm` is the type of the digests, which are written as digits. All functions throw
// apply::Failure.
class ServerBucket {
 public:
  // The session must outlive this object. The environment must exist on the server; the bucket is
  // the same for all.
  ServerBucket(ServerSession& session, std::string environment)
      : session_(session), environment_(std::move(environment)) {}

  // Stores contents of the file `path` on `server` ("host:port"; empty: the session's), unless the
  // server has them.
  void keep(const std::string& server, const std::string& path, std::string_view algorithm,
            std::string_view digest, const std::string& contents);
  // Returns no value when the server has none.
  std::optional<std::string> contents(std::string_view algorithm, std::string_view digest);
  // The server's difference of two contents; empty when they are equal.
  std::string difference(std::string_view algorithm, std::string_view digest,
                         const std::string& other);

 private:
  Call call_for(std::string_view algorithm, std::string_view digest) const;

  ServerSession& session_;
  std::string environment_;
};

}  // namespace bunraku::agent
