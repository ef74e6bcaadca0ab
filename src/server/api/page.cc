// The page for browsers: failures, nodes with their last catalogs and reports, requests to sign,
// environments. The page has no scripts; all text is escaped.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/system/file_system.h"
#include "base/system/version.h"
#include "base/text/counts.h"
#include "certificates/objects.h"
#include "server/api/page_style.h"
#include "server/api/routes.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

using Nodes = std::map<std::string, NodeRecord>;

constexpr size_t kMostRows = 2000;
constexpr size_t kMostNames = 200;  // in one group of failures

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

std::string utc(std::time_t time, const char* form) {
  std::tm fields{};
  gmtime_r(&time, &fields);
  std::array<char, 32> text{};
  const size_t size = std::strftime(text.data(), text.size(), form, &fields);
  return {text.data(), size};
}

std::string duration(int64_t seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{} h", seconds / 3600);
  return fmt::format("{} days", seconds / 86400);
}

// The age of a time, which is itself shown as a tooltip.
std::string ago(std::time_t time, std::time_t now) {
  if (time == 0) return "never";
  return fmt::format("<time datetime=\"{}\" title=\"{}\">{} ago</time>",
                     utc(time, "%Y-%m-%dT%H:%M:%SZ"), utc(time, "%Y-%m-%d %H:%M:%S UTC"),
                     duration(std::max<int64_t>(0, now - time)));
}

bool has_failed_run(const NodeRecord& record) {
  return record.report_status == "failed";
}

bool is_bad(const NodeRecord& record) {
  return !record.failure.empty() || has_failed_run(record);
}

// --- the parts of the page ---

std::string tile(std::string_view state, std::string_view target, const std::string& value,
                 std::string_view label) {
  const std::string inner = fmt::format("<b>{}</b><span>{}</span>", value, label);
  return target.empty()
             ? fmt::format("<div class=\"tile {}\">{}</div>", state, inner)
             : fmt::format("<a class=\"tile {}\" href=\"#{}\">{}</a>", state, target, inner);
}

std::string section(std::string_view id, std::string_view title, size_t count,
                    std::string_view tools, std::string_view columns, const std::string& rows,
                    std::string_view when_empty) {
  std::string text = fmt::format(
      "<section id=\"{0}-section\"><div class=\"head\"><h2>{1} <small>{2}</small></h2>{3}</div>",
      id, title, count_text(count), tools);
  if (rows.empty()) {
    text += fmt::format("<p>{}</p>", when_empty);
  } else {
    text += fmt::format(
        "<div class=\"scroll\"><table id=\"{}\"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>"
        "</div>",
        id, columns, rows);
  }
  return text + "</section>\n";
}

std::string node_row(const std::string& name, const NodeRecord& record, std::time_t now) {
  std::string status = record.report_status;
  const bool is_known = status == "failed" || status == "changed" || status == "unchanged";
  if (!status.empty()) {
    status =
        fmt::format("<span class=\"mark {}\">{}</span>", is_known ? status : "", escaped(status));
  }
  const bool was_compiled = record.last_catalog != 0 && record.failure.empty();
  return fmt::format(
      "<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
      is_bad(record) ? "bad" : "good", escaped(name), escaped(record.environment),
      ago(record.last_catalog, now), was_compiled ? std::to_string(record.resources) : "",
      was_compiled ? fmt::format("{:.2f} s", record.compile_seconds) : "",
      record.failure.empty() ? status : "<span class=\"mark failed\">no catalog</span> " + status,
      ago(record.last_report, now));
}

// The rows of nodes, those with problems first.
std::string node_rows(const Nodes& nodes, const std::string& filter, size_t& shown) {
  const std::time_t now = std::time(nullptr);
  std::string rows;
  for (const bool asks_bad : {true, false}) {
    for (const auto& [name, record] : nodes) {
      if (is_bad(record) != asks_bad || name.find(filter) == std::string::npos) continue;
      if (shown == kMostRows) return rows;
      ++shown;
      rows += node_row(name, record, now);
    }
  }
  return rows;
}

std::string node_names(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    list += (i == 0 ? "" : ", ") + escaped(names[i]);
  }
  if (names.size() > kMostNames) list += ", …";
  if (names.size() < 4) return list;
  return fmt::format("<details><summary>{} and {} more</summary>{}</details>",
                     escaped(names.front()), count_text(names.size() - 1), list);
}

std::string group_rows(const std::map<std::string, std::vector<std::string>>& groups,
                       std::string_view kind) {
  std::vector<std::pair<std::string, const std::vector<std::string>*>> sorted;
  for (const auto& [reason, names] : groups) sorted.emplace_back(reason, &names);
  std::ranges::stable_sort(sorted, std::greater{},
                           [](const auto& one) { return one.second->size(); });
  std::string rows;
  for (const auto& [reason, names] : sorted) {
    rows += fmt::format(
        "<tr class=\"bad\"><td class=\"number\">{}</td><td>{}</td><td class=\"reason\">{}</td>"
        "<td>{}</td></tr>\n",
        names->size(), kind, escaped(reason), node_names(*names));
  }
  return rows;
}

std::string failure_rows(const Nodes& nodes, size_t& count) {
  std::map<std::string, std::vector<std::string>> catalogs;
  std::map<std::string, std::vector<std::string>> runs;
  for (const auto& [name, record] : nodes) {
    // Failures of the same cause differ only in the node's name at the end.
    if (!record.failure.empty()) {
      catalogs[record.failure.substr(0, record.failure.rfind(" on node "))].push_back(name);
    } else if (has_failed_run(record)) {
      runs[record.report_failure.empty() ? "The run failed" : record.report_failure].push_back(
          name);
    }
  }
  count = catalogs.size() + runs.size();
  return group_rows(catalogs, "catalog") + group_rows(runs, "run");
}

std::string request_rows(const std::vector<certificates::CertificateStatus>& requests) {
  std::string rows;
  for (const certificates::CertificateStatus& status : requests) {
    std::string others;
    for (const std::string& name : status.alternative_names) {
      others += (others.empty() ? "" : ", ") + escaped(name);
    }
    rows += fmt::format(
        "<tr><td>{0}</td><td>{1}</td><td><code>{2}</code></td>"
        "<td><code>bunraku ca sign --certname {0}</code></td></tr>\n",
        escaped(status.name), others, status.fingerprints.at("SHA256"));
  }
  return rows;
}

std::string environment_rows(const Call& call, const Nodes& nodes, size_t& count) {
  const std::map<std::string, uint64_t> generations =
      call.shared.code->current()->known_generations();
  std::string rows;
  for (const auto& [name, directory] : call.shared.code->environments()) {
    ++count;
    const auto known = generations.find(name);
    const auto users = std::ranges::count_if(
        nodes, [&](const auto& node) { return node.second.environment == name; });
    rows += fmt::format(
        "<tr><td>{}</td><td><code>{}</code></td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td></tr>",
        escaped(name), escaped(directory),
        known == generations.end() ? "not in use" : std::to_string(known->second), users);
  }
  return rows;
}

// The expiry dates of the server's and the authority's certificates.
std::string certificate_line(const Call& call) {
  std::string line;
  const auto add = [&](const char* what, const std::string& pem) {
    const auto all = certificates::Certificate::all_from_pem(pem);
    if (all.empty()) return;
    line += fmt::format("{} ends {}. ", what, utc(all.front().not_after(), "%Y-%m-%d"));
  };
  try {
    const std::string& own = call.site.configuration.host_files.certificate;
    if (is_file(own)) add("The server's certificate", read_file(own));
    if (call.site.authority != nullptr) {
      add("The authority's certificate", call.site.authority->certificates_pem());
    }
  } catch (const std::exception& error) {
    line += escaped(error.what());
  }
  return line;
}

std::string tiles(const Call& call, const Nodes& nodes, size_t requests) {
  const auto bad_catalogs =
      std::ranges::count_if(nodes, [](const auto& node) { return !node.second.failure.empty(); });
  const auto bad_runs =
      std::ranges::count_if(nodes, [](const auto& node) { return has_failed_run(node.second); });
  uint64_t compiled = 0;
  double seconds = 0;
  for (const auto& [environment, timing] : call.shared.metrics.compilations()) {
    compiled += timing.count;
    seconds += timing.seconds;
  }
  size_t queued = 0;
  for (const net::LaneState& lane : call.shared.network_state().lanes) queued += lane.queued;
  const double mean = compiled == 0 ? 0 : seconds / static_cast<double>(compiled);
  return "<div class=\"tiles\">" + tile("", "nodes-section", count_text(nodes.size()), "nodes") +
         tile(bad_catalogs == 0 ? "good" : "bad", "failures-section", count_text(bad_catalogs),
              "without a catalog") +
         tile(bad_runs == 0 ? "good" : "bad", "failures-section", count_text(bad_runs),
              "failed runs") +
         tile(requests == 0 ? "" : "warn", "requests-section", count_text(requests),
              "certificates to sign") +
         tile("", "", count_text(compiled), "compilations") +
         tile("", "", compiled == 0 ? "–" : fmt::format("{:.0f} ms", mean * 1000),
              "a compilation, on average") +
         tile(queued == 0 ? "" : "warn", "", count_text(queued), "requests waiting") + "</div>\n";
}

std::string heading(const Call& call) {
  const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::steady_clock::now() - call.shared.started);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>Bunraku: {0}</title><style>{1}</style></head>\n<body><header><h1>{0} "
      "<span>Bunraku server</span></h1><p>Version {2}, running for {3}. State of "
      "{4}.</p></header><main>\n",
      escaped(call.site.configuration.certname), kPageStyle, kVersion, duration(uptime.count()),
      utc(std::time(nullptr), "%Y-%m-%d %H:%M:%S UTC"));
}

}  // namespace

net::Response answer_page(const Call& call) {
  const Nodes nodes = call.shared.nodes.all();
  std::vector<certificates::CertificateStatus> requests;
  if (call.site.authority != nullptr) {
    requests = call.site.authority->statuses(certificates::CertificateState::kRequested);
  }
  const std::string* asked = call.parameter("node");
  const std::string filter = asked == nullptr ? std::string() : *asked;
  size_t shown = 0;
  size_t groups = 0;
  size_t environments = 0;
  const std::string node_table = node_rows(nodes, filter, shown);
  const std::string failures = failure_rows(nodes, groups);
  const std::string environment_table = environment_rows(call, nodes, environments);
  std::string page = heading(call) + tiles(call, nodes, requests.size());
  page += section("failures", "Failures", groups, "",
                  "<th class=\"number\">Nodes</th><th>Of</th><th>Reason</th><th>Names</th>",
                  failures, "Every node has its catalog, and no run has failed.");
  if (call.site.authority != nullptr) {
    page +=
        section("requests", "Certificates to sign", requests.size(), "",
                "<th>Name</th><th>Other names</th><th>Fingerprint (SHA256)</th><th>Command</th>",
                request_rows(requests), "No request waits.");
  }
  page += section(
      "nodes", "Nodes", nodes.size(),
      fmt::format("<form><input name=\"node\" value=\"{}\" placeholder=\"part of a name\" "
                  "aria-label=\"Part of a node's name\"><button>Find</button></form>",
                  escaped(filter)),
      "<th>Name</th><th>Environment</th><th>Last catalog</th><th class=\"number\">Resources</th>"
      "<th class=\"number\">Compiled in</th><th>Last run</th><th>Last report</th>",
      node_table,
      nodes.empty() ? "No node has asked since the start." : "No node has such a name.");
  if (shown == kMostRows && nodes.size() > kMostRows) {
    page += fmt::format("<p>{} nodes are shown.</p>\n", count_text(kMostRows));
  }
  page += section("environments", "Environments", environments, "",
                  "<th>Name</th><th>Directory</th><th class=\"number\">Generation</th>"
                  "<th class=\"number\">Nodes</th>",
                  environment_table, "There is no environment.");
  page += fmt::format("</main><footer><p>{}</p></footer></body></html>\n", certificate_line(call));
  net::Response response = answer_of(200, "text/html;charset=utf-8", std::move(page));
  response.fields.add("Content-Security-Policy",
                      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
                      "base-uri 'none'; frame-ancestors 'none'");
  response.fields.add("X-Content-Type-Options", "nosniff");
  response.fields.add("Referrer-Policy", "no-referrer");
  return response;
}

}  // namespace bunraku::server
