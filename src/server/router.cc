// The table of routes.
#include "server/router.h"

#include <array>

#include "server/api/routes.h"

namespace bunraku::server {
namespace {

using Keyed = net::Response (*)(const Call&, const std::string&);
using Plain = net::Response (*)(const Call&);

struct Entry {
  std::string_view name;     // the segment after the prefix
  std::string_view methods;  // "GET POST"
  Keyed keyed;               // the rest of the path is a required key
  Plain plain;               // the path must end here
  Lane lane;
};

constexpr std::array<Entry, 15> kV3{{
    {"catalog", "GET POST", answer_catalog, nullptr, Lane::kCompilations},
    {"node", "GET", answer_node, nullptr, Lane::kCompilations},
    {"facts", "PUT", store_facts, nullptr, Lane::kQuick},
    {"file_metadata", "GET", answer_file_metadata, nullptr, Lane::kQuick},
    {"file_metadatas", "GET", answer_file_metadatas, nullptr, Lane::kQuick},
    {"file_content", "GET", answer_file_content, nullptr, Lane::kQuick},
    {"static_file_content", "GET", answer_static_file_content, nullptr, Lane::kQuick},
    {"file_bucket_file", "GET HEAD PUT", answer_bucket, nullptr, Lane::kQuick},
    {"report", "PUT", store_report, nullptr, Lane::kQuick},
    {"environments", "GET", nullptr, answer_environments, Lane::kQuick},
    {"environment_modules", "GET", nullptr, answer_environment_modules, Lane::kQuick},
    {"environment_classes", "GET", nullptr, answer_environment_classes, Lane::kQuick},
    {"environment_transports", "GET", nullptr, answer_environment_transports, Lane::kQuick},
    {"tasks", "GET", answer_task, answer_tasks, Lane::kQuick},
    {"plans", "GET", answer_plan, answer_plans, Lane::kQuick},
}};

struct AuthorityEntry {
  std::string_view name;
  std::string_view methods;
};
constexpr std::array<AuthorityEntry, 9> kAuthority{{{"certificate", "GET"},
                                                    {"certificate_revocation_list", "GET PUT"},
                                                    {"certificate_request", "GET PUT DELETE"},
                                                    {"certificate_status", "GET PUT DELETE"},
                                                    {"certificate_statuses", "GET"},
                                                    {"certificate_renewal", "POST"},
                                                    {"clean", "PUT"},
                                                    {"sign", "POST"},
                                                    {"expirations", "GET"}}};

bool has_method(std::string_view methods, std::string_view method) {
  while (!methods.empty()) {
    const size_t space = methods.find(' ');
    if (methods.substr(0, space) == method) return true;
    methods = space == std::string_view::npos ? std::string_view() : methods.substr(space + 1);
  }
  return false;
}

Route find_v3(std::string_view method, std::string_view rest) {
  const size_t slash = rest.find('/');
  const std::string_view name = rest.substr(0, slash);
  const std::string key(slash == std::string_view::npos ? "" : rest.substr(slash + 1));
  for (const Entry& entry : kV3) {
    if (entry.name != name || !has_method(entry.methods, method)) continue;
    Route route{"puppet-v3-" + std::string(name), entry.lane, true, nullptr};
    if (entry.plain != nullptr && slash == std::string_view::npos) route.answer = entry.plain;
    if (entry.keyed != nullptr && !key.empty()) {
      route.answer = [handler = entry.keyed, key](const Call& call) { return handler(call, key); };
    }
    if (route.answer) return route;
  }
  return {"none", Lane::kQuick, true, nullptr};
}

Route find_authority(std::string_view method, std::string_view rest) {
  const size_t slash = rest.find('/');
  const std::string name(rest.substr(0, slash));
  const std::string key(slash == std::string_view::npos ? "" : rest.substr(slash + 1));
  for (const AuthorityEntry& entry : kAuthority) {
    if (entry.name != name || !has_method(entry.methods, method)) continue;
    // Making keys and signatures is slow for this lane, but short.
    return {"puppet-ca-v1-" + name, Lane::kQuick, false,
            [name, key](const Call& call) { return answer_authority(call, name, key); }};
  }
  return {"none", Lane::kQuick, false, nullptr};
}

}  // namespace

bool is_store_path(std::string_view path) {
  return path.starts_with("/pdb/") || path.starts_with("/metrics/v2") ||
         path.starts_with("/status/v1/services/puppetdb-status");
}

Route find_route(std::string_view method, std::string_view path) {
  const auto after = [&](std::string_view prefix) { return path.substr(prefix.size()); };
  if (path.starts_with("/puppet/v3/")) return find_v3(method, after("/puppet/v3/"));
  if (path.starts_with("/puppet-ca/v1/")) return find_authority(method, after("/puppet-ca/v1/"));
  if ((path == "/puppet/v4/catalog" || path == "/puppet/v4/catalog/") && method == "POST") {
    return {"puppet-v4-catalog", Lane::kCompilations, false, answer_catalog_v4};
  }
  // The handler supplies the function if there is a store.
  if (is_store_path(path)) return {"puppetdb", Lane::kStore, false, nullptr};
  if (path.starts_with("/status/v1/") && method == "GET") {
    return {"status-v1", Lane::kQuick, false,
            [rest = std::string(after("/status/v1/"))](const Call& call) {
              return answer_status(call, rest);
            }};
  }
  const bool is_flush = path == "/puppet-admin-api/v1/environment-cache" ||
                        (path == "/puppet-admin-api/v1/jruby-pool" && method == "DELETE");
  if (is_flush) {
    return {"puppet-admin-api-v1", Lane::kQuick, false,
            method == "DELETE" ? std::function<net::Response(const Call&)>(flush_environments)
                               : [](const Call&) {
                                   net::Response response = text_answer(405, "Method not allowed.");
                                   response.fields.add("Allow", "DELETE");
                                   return response;
                                 }};
  }
  if (path == "/metrics" && method == "GET")
    return {"metrics", Lane::kQuick, false, answer_metrics};
  if ((path == "/bunraku" || path == "/bunraku/") && method == "GET") {
    return {"page", Lane::kQuick, false, answer_page};
  }
  return {"none", Lane::kQuick, path.starts_with("/puppet/"), nullptr};
}

}  // namespace bunraku::server
