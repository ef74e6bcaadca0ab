// State and metrics, in the forms that monitors and dashboards read.
#include <fmt/format.h>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "net/url.h"
#include "store/http/api.h"
#include "store/http/responses.h"
#include "store/query/fields.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

void write_service(JsonWriter& json, bool is_running, size_t queued) {
  json.begin_object();
  json.member("service_version", kProtocolVersion);
  json.member("service_status_version", 1);
  json.member("detail_level", "info");
  json.member("state", is_running ? "running" : "error");
  json.key("status");
  json.begin_object();
  json.key("maintenance_mode?"), json.boolean(false);
  json.member("queue_depth", static_cast<int64_t>(queued));
  json.key("read_db_up?"), json.boolean(is_running);
  json.key("write_db_up?"), json.boolean(is_running);
  json.key("write_dbs_up?"), json.boolean(is_running);
  json.key("write_db");
  json.begin_object();
  json.key("default");
  json.begin_object();
  json.key("up?"), json.boolean(is_running);
  json.end_object();
  json.end_object();
  json.end_object();
  json.key("active_alerts");
  json.begin_array();
  json.end_array();
  json.member("service_name", "puppetdb-status");
  json.end_object();
}

double number(Connection& connection, std::string_view sql) {
  const auto rows = connection.query(sql);
  return rows->next() ? static_cast<double>(rows->integer(0)) : 0;
}

constexpr std::string_view kActive = "deactivated IS NULL AND expired IS NULL";

}  // namespace

net::Response Api::answer_status(std::string_view path) {
  bool is_running = true;
  try {
    store_.read([](Connection& connection) { connection.query("SELECT 1")->next(); });
  } catch (const StoreError&) {
    is_running = false;
  }
  const int status = is_running ? 200 : 503;
  const size_t queued = store_.keeper() == nullptr ? 0 : store_.keeper()->depth();
  if (path.starts_with("/status/v1/simple")) {
    return text_response(status, is_running ? "running" : "error");
  }
  std::string text;
  JsonWriter json(text);
  if (path == "/status/v1/services/puppetdb-status") {
    write_service(json, is_running, queued);
  } else if (path == "/status/v1/services" || path == "/status/v1/services/") {
    json.begin_object();
    json.key("puppetdb-status");
    write_service(json, is_running, queued);
    json.end_object();
  } else {
    return text_response(404, "Not Found");
  }
  return json_response(status, std::move(text));
}

// The value of a bean as JSON; empty when there is none.
std::string Api::metric(std::string_view bean) {
  constexpr std::string_view kPopulation = "puppetlabs.puppetdb.population:name=";
  constexpr std::string_view kQueue = "puppetlabs.puppetdb.mq:name=global.";
  constexpr std::string_view kStorage = "puppetlabs.puppetdb.storage:name=";
  constexpr std::string_view kLetters = "puppetlabs.puppetdb.dlo:name=global.";
  double value = 0;
  if (bean.starts_with(kPopulation)) {
    const std::string_view name = bean.substr(kPopulation.size());
    bool is_known = true;
    store_.read([&](Connection& connection) {
      const double nodes =
          number(connection, fmt::format("SELECT count(*) FROM node WHERE {}", kActive));
      const std::string resources = fmt::format(
          "SELECT coalesce(sum(resource_count), 0) FROM catalog c JOIN node n ON n.id = c.node_id "
          "WHERE {}",
          kActive);
      if (name == "num-nodes" || name == "num-active-nodes") {
        value = nodes;
      } else if (name == "num-inactive-nodes") {
        value = number(connection, "SELECT count(*) FROM node") - nodes;
      } else if (name == "num-resources") {
        value = number(connection, resources);
      } else if (name == "avg-resources-per-node") {
        value = nodes == 0 ? 0 : number(connection, resources) / nodes;
      } else if (name == "pct-resource-dupes") {
        const double all = number(connection, resources);
        const double distinct = number(connection, "SELECT count(*) FROM resource_content");
        value = all == 0 ? 0 : std::max(0.0, (all - distinct) / all);
      } else {
        is_known = false;
      }
    });
    return is_known ? fmt::format("{{\"Value\":{}}}", value) : "";
  }
  if (bean.starts_with(kQueue)) {
    const std::string_view name = bean.substr(kQueue.size());
    const uint64_t count = name == "seen"        ? counts_.seen.load()
                           : name == "processed" ? counts_.processed.load()
                           : name == "discarded" ? counts_.discarded.load()
                           : name == "fatal"     ? counts_.failed.load()
                           : name == "depth"
                               ? (store_.keeper() == nullptr ? 0 : store_.keeper()->depth())
                               : 0;
    return fmt::format("{{\"Count\":{}}}", count);
  }
  if (bean == std::string(kStorage) + "duplicate-pct") {
    const auto processed = static_cast<double>(counts_.processed.load());
    value = processed == 0 ? 0 : static_cast<double>(counts_.unchanged.load()) / processed;
    return fmt::format("{{\"Value\":{}}}", value);
  }
  if (bean == std::string(kLetters) + "messages") {
    store_.read([&](Connection& connection) {
      value = number(connection, "SELECT count(*) FROM dead_letter");
    });
    return fmt::format("{{\"Count\":{}}}", value);
  }
  return {};
}

net::Response Api::answer_metrics(const net::Request&, std::string_view path) {
  constexpr std::string_view kRead = "/metrics/v2/read/";
  const int64_t now = now_microseconds() / 1'000'000;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (path == "/metrics/v2/version" || path == "/metrics/v2") {
    json.key("value");
    json.begin_object();
    json.member("agent", "1.7.0");
    json.member("protocol", "7.2");
    json.end_object();
  } else if (path == "/metrics/v2/list") {
    json.key("value");
    json.begin_object();
    json.key("puppetlabs.puppetdb.population");
    json.begin_object();
    for (const std::string_view name :
         {"num-nodes", "num-active-nodes", "num-inactive-nodes", "num-resources",
          "avg-resources-per-node", "pct-resource-dupes"}) {
      json.key(fmt::format("name={}", name));
      json.begin_object();
      json.end_object();
    }
    json.end_object();
    json.end_object();
  } else if (path.starts_with(kRead)) {
    std::string bean = net::decode_percent(path.substr(kRead.size())).value_or("");
    const size_t slash = bean.find('/', bean.find(':') == std::string::npos ? 0 : bean.find(':'));
    std::string attribute;
    if (slash != std::string::npos) attribute = bean.substr(slash + 1), bean.resize(slash);
    const std::string value = metric(bean);
    json.key("request");
    json.begin_object();
    json.member("mbean", bean);
    json.member("type", "read");
    json.end_object();
    if (value.empty()) {
      json.member("error", fmt::format("javax.management.InstanceNotFoundException : {}", bean));
      json.member("status", 404);
      json.end_object();
      return json_response(200, std::move(text));
    }
    Arena arena;
    const DataNode data = read_json(value, arena);
    const DataNode* part = attribute.empty() ? nullptr : data.find(attribute);
    json.key("value"), json.data(part == nullptr ? data : *part);
  } else {
    return text_response(404, "Not Found");
  }
  json.member("timestamp", now);
  json.member("status", 200);
  json.end_object();
  return json_response(200, std::move(text));
}

}  // namespace bunraku::store
