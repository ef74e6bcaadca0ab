// The page for a browser: nodes, their last catalogs and reports, requests to sign, environments.
// Nothing on it runs a script; all text is escaped.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "server/api/routes.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

constexpr size_t kMostRows = 2000;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string when(std::time_t time) {
  if (time == 0) return "never";
  std::tm fields{};
  gmtime_r(&time, &fields);
  std::array<char, 32> text{};
  const size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &fields);
  return {text.data(), size};
}

std::string node_rows(const std::map<std::string, NodeRecord>& nodes) {
  std::string rows;
  size_t count = 0;
  for (const auto& [name, record] : nodes) {
    if (++count > kMostRows) break;
    rows += fmt::format(
        "<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2f} s</td><td>{}</td>"
        "<td>{}</td></tr>\n",
        record.failure.empty() ? "good" : "bad", escaped(name), escaped(record.environment),
        when(record.last_catalog), record.resources, record.compile_seconds,
        escaped(record.report_status), when(record.last_report));
  }
  return rows;
}

std::string failure_rows(const std::map<std::string, NodeRecord>& nodes) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& [name, record] : nodes) {
    if (record.failure.empty()) continue;
    // Nodes fail for the same reason; their names at the end differ.
    groups[record.failure.substr(0, record.failure.rfind(" on node "))].push_back(name);
  }
  std::string rows;
  for (const auto& [failure, names] : groups) {
    rows +=
        fmt::format("<tr class=\"bad\"><td>{}</td><td>{}</td><td>{}{}</td></tr>\n", names.size(),
                    escaped(failure), escaped(names.front()), names.size() > 1 ? ", …" : "");
  }
  return rows;
}

std::string request_rows(const Call& call) {
  std::string rows;
  if (call.site.authority == nullptr) return rows;
  for (const auto& status :
       call.site.authority->statuses(certificates::CertificateState::kRequested)) {
    rows += fmt::format(
        "<tr><td>{0}</td><td><code>{1}</code></td><td><code>bunraku ca sign --certname {0}</code>"
        "</td></tr>\n",
        escaped(status.name), status.fingerprints.at("SHA256"));
  }
  return rows;
}

constexpr std::string_view kStyle =
    "body{font:14px "
    "sans-serif;margin:2em;color:#222}table{border-collapse:collapse;margin-bottom:2em}"
    "td,th{padding:.3em .8em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    ".bad td:first-child{border-left:4px solid #c33}.good td:first-child{border-left:4px solid "
    "#3a3}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}td,th{border-color:#444}"
    "}";

}  // namespace

net::Response answer_page(const Call& call) {
  const std::map<std::string, NodeRecord> nodes = call.shared.nodes.all();
  std::string page = fmt::format(
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Bunraku: {0}</title>"
      "<style>{1}</style></head><body><h1>Bunraku server {0}</h1>",
      escaped(call.site.configuration.certname), kStyle);
  const std::string failures = failure_rows(nodes);
  if (!failures.empty()) {
    page +=
        "<h2>Failures</h2><table id=\"failures\"><tr><th>Nodes</th><th>Reason</th><th>Of</th>"
        "</tr>" +
        failures + "</table>";
  }
  page += fmt::format(
      "<h2>Nodes ({})</h2><table id=\"nodes\"><tr><th>Name</th><th>Environment</th><th>Last catalog"
      "</th><th>Resources</th><th>Compiled in</th><th>Last run</th><th>Last "
      "report</th></tr>{}</table>",
      nodes.size(), node_rows(nodes));
  page +=
      "<h2>Certificates to sign</h2><table id=\"requests\"><tr><th>Name</th><th>Fingerprint "
      "(SHA256)</th><th>Command</th></tr>" +
      request_rows(call) + "</table>";
  page +=
      "<h2>Environments</h2><table id=\"environments\"><tr><th>Name</th><th>Directory</th>"
      "<th>Generation</th></tr>";
  const std::map<std::string, uint64_t> generations =
      call.shared.code->current()->known_generations();
  for (const auto& [name, directory] : call.shared.code->environments()) {
    const auto known = generations.find(name);
    page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", escaped(name),
                        escaped(directory),
                        known == generations.end() ? "" : std::to_string(known->second));
  }
  page += "</table></body></html>\n";
  net::Response response = answer_of(200, "text/html;charset=utf-8", std::move(page));
  response.fields.add("Content-Security-Policy",
                      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  return response;
}

}  // namespace bunraku::server
