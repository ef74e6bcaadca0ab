// The bucket of a server: old contents of files by their digests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/server_session.h"

namespace bunraku::agent {

// `algorithm` is the type of the digests, which are given in digits. All functions throw
// apply::Failure.
class ServerBucket {
 public:
  // The session must outlive it. The environment must be one of the server's; its bucket is the
  // same for all.
  ServerBucket(ServerSession& session, std::string environment)
      : session_(session), environment_(std::move(environment)) {}

  // Keeps contents of the file `path` on `server` ("host:port"; empty: the session's), unless they
  // are there already.
  void keep(const std::string& server, const std::string& path, std::string_view algorithm,
            std::string_view digest, const std::string& contents);
  // Nothing when the server has none.
  std::optional<std::string> contents(std::string_view algorithm, std::string_view digest);
  // What the server says of the difference of two contents; empty when they are equal.
  std::string difference(std::string_view algorithm, std::string_view digest,
                         const std::string& other);

 private:
  Call call_for(std::string_view algorithm, std::string_view digest) const;

  ServerSession& session_;
  std::string environment_;
};

}  // namespace bunraku::agent
