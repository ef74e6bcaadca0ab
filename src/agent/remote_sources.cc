// Metadata and contents of files on a server.
#include "agent/remote_sources.h"

#include <fmt/format.h>

#include "agent/server_bucket.h"
#include "apply/transaction/failure.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"

namespace bunraku::agent {
namespace {

using apply::Failure;
using apply::SourceMetadata;
using apply::SourceQuery;

struct PuppetUrl {
  std::string server;  // "host:port"; empty: the run's own
  std::string path;    // "/modules/demo/a.txt"
};

bool is_on_web(const std::string& source) {
  return source.starts_with("http:") || source.starts_with("https:");
}

PuppetUrl parse_source(const std::string& source) {
  constexpr std::string_view kScheme = "puppet://";
  if (!source.starts_with(kScheme)) {
    throw Failure(fmt::format("Could not retrieve file metadata for {}: no URL of a file", source));
  }
  const std::string rest = source.substr(kScheme.size());
  const size_t slash = std::min(rest.find('/'), rest.size());
  return {rest.substr(0, slash), rest.substr(slash)};
}

std::string text_of(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kString) ? std::string(found->text_value())
                                                          : std::string();
}

int64_t integer_of(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kInteger) ? found->integer_value() : 0;
}

SourceMetadata metadata_of(const DataNode& node, const std::string& source) {
  SourceMetadata metadata;
  metadata.source = source;
  metadata.relative_path = text_of(node, "relative_path");
  metadata.type = text_of(node, "type");
  metadata.destination = text_of(node, "destination");
  if (const DataNode* checksum = node.find("checksum")) {
    metadata.checksum_type = text_of(*checksum, "type");
    metadata.checksum = text_of(*checksum, "value");
  }
  metadata.owner = integer_of(node, "owner");
  metadata.group = integer_of(node, "group");
  metadata.mode = integer_of(node, "mode");
  metadata.content_uri = text_of(node, "content_uri");
  if (metadata.type.empty()) throw DataError("metadata of a file without a type");
  return metadata;
}

// Throws for paths that lead out of the synchronised directory, so that a server cannot write
// elsewhere.
void check_relative_path(const std::string& path) {
  size_t begin = 0;
  while (begin <= path.size()) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (path.compare(begin, end - begin, "..") == 0) {
      throw DataError(fmt::format("the path '{}' leads out of its directory", path));
    }
    begin = end + 1;
  }
  if (path.starts_with('/')) throw DataError(fmt::format("the path '{}' is absolute", path));
}

std::vector<SourceMetadata> tree_of(const DataNode& node, const std::string& source) {
  if (!node.is(DataKind::kArray)) throw DataError("the metadata is no array");
  std::vector<SourceMetadata> tree;
  for (const DataNode& item : node.items()) {
    tree.push_back(metadata_of(item, source));
    check_relative_path(tree.back().relative_path);
  }
  return tree;
}

net::Parameters metadata_parameters(const SourceQuery& query) {
  return {{"links", query.follows_links ? "follow" : "manage"},
          {"checksum_type", query.checksum_type.empty() ? "sha256" : query.checksum_type},
          {"source_permissions",
           query.source_permissions.empty() ? "ignore" : query.source_permissions}};
}

std::string metadata_problem(const std::string& source, const std::string& detail) {
  return fmt::format("Could not retrieve file metadata for {}: {}", source, detail);
}

}  // namespace

void RemoteSources::set_catalog(const CatalogDocument& document) {
  known_.clear();
  known_trees_.clear();
  code_id_ = document.code_id.value_or("");
  const auto each = [](const DataNode& entries, const auto& take) {
    if (!entries.is(DataKind::kHash)) return;
    for (const DataEntry& entry : entries.entries()) {
      if (entry.value.is(DataKind::kHash)) take(entry.value);
    }
  };
  each(document.metadata, [&](const DataNode& node) {
    const std::string source = text_of(node, "source");
    known_.insert_or_assign(source, metadata_of(node, source));
  });
  each(document.recursive_metadata, [&](const DataNode& node) {
    for (const DataEntry& entry : node.entries()) {
      const std::string source(entry.key.text_value());
      known_trees_.insert_or_assign(source, tree_of(entry.value, source));
    }
  });
}

// Sends a request. Throws Failure for an answer that is neither a success nor 404.
net::Response RemoteSources::ask(const std::string& source, Call call) {
  call.query.emplace_back("environment", environment_);
  try {
    const std::optional<net::Response> found = session_.find(call);
    if (found) return *found;
    net::Response missing;
    missing.status = 404;
    return missing;
  } catch (const ResponseError& error) {
    throw Failure(metadata_problem(source, error.server_text()));
  } catch (const RequestError& error) {
    throw Failure(metadata_problem(source, error.what()));
  }
}

std::optional<SourceMetadata> RemoteSources::find(const std::string& source,
                                                  const SourceQuery& query) {
  if (const auto known = known_.find(source); known != known_.end()) return known->second;
  if (is_on_web(source)) return access_.find_on_web(settings_, source, query.checksum_type);
  const PuppetUrl url = parse_source(source);
  Call call;
  call.server = url.server;
  call.service = Service::kFiles;
  call.path = "/file_metadata" + net::encode_percent(url.path, true);
  call.query = metadata_parameters(query);
  const net::Response response = ask(source, std::move(call));
  if (response.status == 404) return std::nullopt;
  try {
    Arena arena;
    return metadata_of(read_json(response.body, arena), source);
  } catch (const DataError& error) {
    throw Failure(metadata_problem(source, error.what()));
  }
}

std::optional<std::vector<SourceMetadata>> RemoteSources::list(const std::string& source,
                                                               const SourceQuery& query) {
  if (const auto known = known_trees_.find(source); known != known_trees_.end()) {
    return known->second;
  }
  if (is_on_web(source)) throw Failure("cannot lookup multiple files");
  const PuppetUrl url = parse_source(source);
  Call call;
  call.server = url.server;
  call.service = Service::kFiles;
  call.path = "/file_metadatas" + net::encode_percent(url.path, true);
  call.query = {{"recurse", "true"}, {"max_files", std::to_string(query.max_files)}};
  if (query.recursion_limit) {
    call.query.emplace_back("recurselimit", std::to_string(*query.recursion_limit));
  }
  for (const std::string& pattern : query.ignored) call.query.emplace_back("ignore", pattern);
  for (auto& parameter : metadata_parameters(query)) call.query.push_back(std::move(parameter));
  const net::Response response = ask(source, std::move(call));
  if (response.status == 404) return std::nullopt;
  try {
    Arena arena;
    return tree_of(read_json(response.body, arena), source);
  } catch (const DataError& error) {
    throw Failure(metadata_problem(source, error.what()));
  }
}

void RemoteSources::read(const SourceMetadata& file,
                         const std::function<void(std::string_view)>& take) {
  if (is_on_web(file.content_uri)) {
    access_.read_from_web(settings_, file.content_uri, take);
    return;
  }
  const bool is_static = !file.content_uri.empty() && !code_id_.empty();
  const PuppetUrl url = parse_source(is_static ? file.content_uri : file.source);
  Call call;
  call.server = url.server;
  call.service = Service::kFiles;
  call.accept = "application/octet-stream";
  call.path =
      (is_static ? "/static_file_content" : "/file_content") + net::encode_percent(url.path, true);
  call.query.emplace_back("environment", environment_);
  if (is_static) call.query.emplace_back("code_id", code_id_);
  try {
    take(session_.send(call).body);
  } catch (const ResponseError& error) {
    throw Failure(error.server_text());
  } catch (const RequestError& error) {
    throw Failure(error.what());
  }
}

void RemoteSources::keep(const std::string& server, const std::string& path,
                         std::string_view algorithm, const std::string& digest,
                         const std::string& contents) {
  ServerBucket(session_, environment_).keep(server, path, algorithm, digest, contents);
}

}  // namespace bunraku::agent
