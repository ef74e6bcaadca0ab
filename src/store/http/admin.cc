// Requests of operators: garbage collection, deletion of a node, archives, statistics.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "net/url.h"
#include "store/http/api.h"
#include "store/http/responses.h"
#include "store/http/summary.h"
#include "store/lifecycle/archive.h"
#include "store/query/fields.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

[[noreturn]] void refuse(std::string_view reason) {
  throw RequestError(400, fmt::format("Invalid command: {}", reason));
}

// Reads one entry of `clean`: a name, or a name with its settings.
void read_part(const DataNode& node, GarbageParts& parts, Lifetimes& lifetimes) {
  const bool has_settings =
      node.is(DataKind::kArray) && node.items().size() == 2 && node.items()[1].is(DataKind::kHash);
  const DataNode& name_node = has_settings ? node.items()[0] : node;
  if (!name_node.is(DataKind::kString)) refuse("clean takes names of what is collected");
  const std::string_view name = name_node.text_value();
  if (has_settings) {
    const DataNode* limit = node.items()[1].find("batch_limit");
    if (name != "purge_nodes" || limit == nullptr || !limit->is(DataKind::kInteger)) {
      refuse("only purge_nodes takes settings: {\"batch_limit\": NUMBER}");
    }
    lifetimes.nodes_at_once = std::max<int64_t>(limit->integer_value(), 0);
  }
  if (name == "expire_nodes") {
    parts.expired_nodes = true;
  } else if (name == "purge_nodes") {
    parts.purged_nodes = true;
  } else if (name == "purge_reports") {
    parts.reports = true;
  } else if (name == "purge_resource_events") {
    parts.events = true;
  } else if (name == "gc_packages") {
    parts.packages = true;
  } else if (name == "gc_catalogs") {
    parts.contents = true;
  } else if (name == "gc_fact_paths") {
    parts.fact_paths = true;
  } else if (name != "other") {  // has no meaning here
    refuse(fmt::format("clean knows no '{}'", name));
  }
}

// The contents of the form field of this name; no value when it is missing.
std::optional<std::string> form_part(const net::Request& request, std::string_view name) {
  constexpr std::string_view kBoundary = "boundary=";
  const std::string_view type = request.fields.get("Content-Type");
  const size_t at = type.find(kBoundary);
  if (!type.starts_with("multipart/form-data") || at == std::string_view::npos) return {};
  std::string_view boundary = type.substr(at + kBoundary.size());
  boundary = boundary.substr(0, boundary.find(';'));
  if (boundary.size() >= 2 && boundary.front() == '"' && boundary.back() == '"') {
    boundary = boundary.substr(1, boundary.size() - 2);
  }
  if (boundary.empty()) return {};
  const std::string mark = fmt::format("--{}", boundary), end = "\r\n" + mark;
  const std::string_view body = request.body;
  size_t begin = body.find(mark);
  while (begin != std::string_view::npos) {
    const size_t headers = body.find("\r\n", begin + mark.size());
    const size_t content = body.find("\r\n\r\n", begin + mark.size());
    if (headers == std::string_view::npos || content == std::string_view::npos) return {};
    const size_t after = body.find(end, content + 2);
    if (after == std::string_view::npos) return {};
    const std::string_view fields = body.substr(headers, content - headers);
    if (fields.find(fmt::format(" name=\"{}\"", name)) != std::string_view::npos) {
      const size_t first = content + 4;
      return std::string(body.substr(first, std::max(after, first) - first));
    }
    begin = after + 2;
  }
  return {};
}

// An open file without a name, accessible to this user only.
Descriptor scratch_file() {
  const char* directory = std::getenv("TMPDIR");
  std::string path =
      fmt::format("{}/bunraku-archive-XXXXXX", directory == nullptr ? "/var/tmp" : directory);
  Descriptor file(mkostemp(path.data(), O_CLOEXEC));
  if (!file.is_open()) {
    throw StoreError(StoreErrorKind::kUnavailable,
                     fmt::format("No temporary file can be made in {}",
                                 directory == nullptr ? "/var/tmp" : directory));
  }
  unlink(path.c_str());
  return file;
}

}  // namespace

net::Response Api::answer_admin(const net::Request& request, std::string_view path,
                                std::string_view query) {
  const bool is_get = request.method == "GET", is_post = request.method == "POST";
  if (path == "/pdb/admin/v1/cmd" && is_post) return answer_admin_command(request.body);
  if (path == "/pdb/admin/v1/archive" && is_get) return send_archive(query);
  if (path == "/pdb/admin/v1/archive" && is_post) return take_archive(request);
  if (path == "/pdb/admin/v1/summary-stats" && is_get) {
    return json_response(200, summary_json(store_));
  }
  return text_response(404, "Not Found");
}

net::Response Api::answer_admin_command(const std::string& text) {
  try {
    Arena arena;
    DataNode body;
    try {
      body = read_json(text, arena);
    } catch (const DataError& error) {
      refuse(fmt::format("the body is no JSON: {}", error.what()));
    }
    const DataNode* command = body.find("command");
    const DataNode* version = body.find("version");
    const DataNode* payload = body.find("payload");
    const std::string name = command == nullptr ? "" : plain_text(*command);
    if (name != "clean" && name != "delete") {
      refuse("Valid commands types are: 'clean' and 'delete'");
    }
    if (version == nullptr || !version->is(DataKind::kInteger) || version->integer_value() != 1) {
      refuse(fmt::format("the version of {} is 1", name));
    }
    if (name == "clean") return clean(payload);
    const DataNode* certname = payload == nullptr ? nullptr : payload->find("certname");
    if (certname == nullptr || !certname->is(DataKind::kString)) refuse("delete takes a certname");
    delete_node(store_, std::string(certname->text_value()));
    return json_response(200, fmt::format("{{\"deleted\":{}}}", json_of(*certname)));
  } catch (const RequestError& error) {
    return error_response(error.status(), error.what());
  }
}

net::Response Api::clean(const DataNode* payload) {
  if (payload == nullptr || !payload->is(DataKind::kArray)) {
    refuse("clean takes an array of what is collected; an empty one is everything");
  }
  GarbageParts parts;
  Lifetimes lifetimes = options_.lifetimes;
  if (!payload->items().empty()) {
    parts = {false, false, false, false, false, false, false};
    for (const DataNode& part : payload->items()) read_part(part, parts, lifetimes);
  }
  const std::unique_lock lock(cleaning_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return json_response(409,
                         R"({"kind":"conflict","msg":"Another cleanup is already in progress",)"
                         R"("details":null})");
  }
  collect_garbage(store_, lifetimes, parts);
  return json_response(200, "{\"ok\":true}");
}

net::Response Api::send_archive(std::string_view query) {
  for (const auto& [name, value] : net::parse_parameters(query)) {
    // A client that requests an anonymized archive must not get real names and values.
    if (name == "anonymization_profile" && value != "none") {
      return error_response(400, fmt::format("Archives are not anonymized here: the "
                                             "anonymization_profile '{}' is not supported",
                                             value));
    }
  }
  Descriptor file = scratch_file();
  write_archive(options_.reading == nullptr ? store_ : *options_.reading, file.number());
  struct stat status{};
  if (fstat(file.number(), &status) != 0) {
    throw StoreError(StoreErrorKind::kUnavailable, "The archive cannot be read");
  }
  net::Response response;
  response.fields.add("Content-Type", "application/octet-stream");
  response.fields.add(
      "Content-Disposition",
      fmt::format("attachment; filename=puppetdb-export-{}.tgz", time_text(now_microseconds())));
  response.file =
      std::make_shared<net::FileBody>(std::move(file), static_cast<uint64_t>(status.st_size));
  return response;
}

net::Response Api::take_archive(const net::Request& request) {
  const std::optional<std::string> archive = form_part(request, "archive");
  if (!archive) {
    return error_response(400, "The body is no form with an archive: curl -F archive=@FILE");
  }
  const ArchiveCounts counts = import_archive_bytes(store_, *archive);
  for (const std::string& problem : counts.problems) log(LogLevel::kErr, problem);
  log(LogLevel::kNotice,
      fmt::format("An archive of {} factsets, {} catalogs and {} reports was read", counts.facts,
                  counts.catalogs, counts.reports));
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("ok"), json.boolean(counts.problems.empty());
  if (!counts.problems.empty()) {
    json.key("problems");
    json.begin_array();
    for (const std::string& problem : counts.problems) json.string(problem);
    json.end_array();
  }
  json.end_object();
  return json_response(counts.problems.empty() ? 200 : 400, std::move(text));
}

}  // namespace bunraku::store
