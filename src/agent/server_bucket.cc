#include "agent/server_bucket.h"

#include <fmt/format.h>

#include "apply/transaction/failure.h"

namespace bunraku::agent {

using apply::Failure;

Call ServerBucket::call_for(std::string_view algorithm, std::string_view digest) const {
  Call call;
  call.path = fmt::format("/file_bucket_file/{}/{}", algorithm, net::encode_percent(digest));
  call.query = {{"environment", environment_}};
  call.accept = "application/octet-stream";
  return call;
}

void ServerBucket::keep(const std::string& server, const std::string& path,
                        std::string_view algorithm, std::string_view digest,
                        const std::string& contents) {
  Call call = call_for(algorithm, digest);
  call.server = server;
  call.method = "HEAD";
  call.path += "/" + net::encode_percent(path, true);
  try {
    if (session_.find(call)) return;
    call.method = "PUT";
    call.content_type = "application/octet-stream";
    call.body = contents;
    session_.send(call);
  } catch (const ResponseError& error) {
    throw Failure(fmt::format("Could not back up {}: {}", path, error.server_text()));
  } catch (const RequestError& error) {
    throw Failure(fmt::format("Could not back up {}: {}", path, error.what()));
  }
}

std::optional<std::string> ServerBucket::contents(std::string_view algorithm,
                                                  std::string_view digest) {
  try {
    std::optional<net::Response> found = session_.find(call_for(algorithm, digest));
    if (!found) return std::nullopt;
    return std::move(found->body);
  } catch (const ResponseError& error) {
    throw Failure(error.server_text());
  } catch (const RequestError& error) {
    throw Failure(error.what());
  }
}

std::string ServerBucket::difference(std::string_view algorithm, std::string_view digest,
                                     const std::string& other) {
  Call call = call_for(algorithm, digest);
  call.query.emplace_back("diff_with", other);
  try {
    return session_.send(call).body;
  } catch (const ResponseError& error) {
    throw Failure(error.server_text());
  } catch (const RequestError& error) {
    throw Failure(error.what());
  }
}

}  // namespace bunraku::agent
