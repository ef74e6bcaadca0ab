// Metrics for dashboards: PuppetDB's beans by their names.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "net/url.h"
#include "store/http/api.h"
#include "store/http/responses.h"
#include "store/time_text.h"

namespace bunraku::store {

// One request of Jolokia's protocol.
struct MetricRequest {
  std::string type;       // read, list, search, version
  std::string bean;       // a name for read, a pattern with "*" for search
  std::string attribute;  // empty: the whole bean
};

namespace {

double number(Store& store, std::string_view sql) {
  double value = 0;
  store.read([&](Connection& connection) {
    const auto rows = connection.query(sql);
    value = rows->next() ? static_cast<double>(rows->integer(0)) : 0;
  });
  return value;
}

double active_nodes(Store& store) {
  return number(store, "SELECT count(*) FROM node WHERE deactivated IS NULL AND expired IS NULL");
}

double resources(Store& store) {
  return number(store,
                "SELECT coalesce(sum(resource_count), 0) FROM catalog c JOIN node n ON n.id = "
                "c.node_id WHERE deactivated IS NULL AND expired IS NULL");
}

double waiting(Store& store) {
  return store.keeper() == nullptr ? 0 : static_cast<double>(store.keeper()->depth());
}

// A measured value, with the function that reads it.
struct Bean {
  std::string_view domain, name;
  std::string_view attribute;
  double (*read)(Store& store, const ApiCounts& counts);
};

constexpr std::string_view kPopulation = "puppetlabs.puppetdb.population";
constexpr std::string_view kQueue = "puppetlabs.puppetdb.mq";
constexpr std::string_view kStorage = "puppetlabs.puppetdb.storage";
constexpr std::string_view kLetters = "puppetlabs.puppetdb.dlo";
constexpr std::string_view kValue = "Value", kCount = "Count";

template <std::atomic<uint64_t> ApiCounts::* count>
double counted(Store&, const ApiCounts& counts) {
  return static_cast<double>((counts.*count).load());
}

constexpr std::array<Bean, 14> kBeans{{
    {kPopulation, "num-nodes", kValue,
     [](Store& store, const ApiCounts&) { return active_nodes(store); }},
    {kPopulation, "num-active-nodes", kValue,
     [](Store& store, const ApiCounts&) { return active_nodes(store); }},
    {kPopulation, "num-inactive-nodes", kValue,
     [](Store& store, const ApiCounts&) {
       return number(
           store, "SELECT count(*) FROM node WHERE deactivated IS NOT NULL OR expired IS NOT NULL");
     }},
    {kPopulation, "num-resources", kValue,
     [](Store& store, const ApiCounts&) { return resources(store); }},
    {kPopulation, "avg-resources-per-node", kValue,
     [](Store& store, const ApiCounts&) {
       const double nodes = active_nodes(store);
       return nodes == 0 ? 0 : resources(store) / nodes;
     }},
    {kPopulation, "pct-resource-dupes", kValue,
     [](Store& store, const ApiCounts&) {
       const double all = resources(store);
       const double distinct = number(store, "SELECT count(*) FROM resource_content");
       return all == 0 ? 0 : std::max(0.0, (all - distinct) / all);
     }},
    {kQueue, "global.seen", kCount, counted<&ApiCounts::seen>},
    {kQueue, "global.processed", kCount, counted<&ApiCounts::processed>},
    {kQueue, "global.discarded", kCount, counted<&ApiCounts::discarded>},
    {kQueue, "global.fatal", kCount, counted<&ApiCounts::failed>},
    // Every waiting command has been tried once.
    {kQueue, "global.depth", kCount, [](Store& store, const ApiCounts&) { return waiting(store); }},
    {kQueue, "global.awaiting-retry", kCount,
     [](Store& store, const ApiCounts&) { return waiting(store); }},
    {kStorage, "duplicate-pct", kValue,
     [](Store&, const ApiCounts& counts) {
       const auto processed = static_cast<double>(counts.processed.load());
       return processed == 0 ? 0 : static_cast<double>(counts.unchanged.load()) / processed;
     }},
    {kLetters, "puppetlabs.puppetdb.dlo.global.messages", kCount,
     [](Store& store, const ApiCounts&) {
       return number(store, "SELECT count(*) FROM dead_letter");
     }},
}};

// Finds a bean by "DOMAIN:name=NAME".
const Bean* find_bean(std::string_view text) {
  constexpr std::string_view kName = ":name=";
  const auto found = std::ranges::find_if(kBeans, [&](const Bean& bean) {
    return text.size() == bean.domain.size() + kName.size() + bean.name.size() &&
           text.starts_with(bean.domain) && text.substr(bean.domain.size()).starts_with(kName) &&
           text.ends_with(bean.name);
  });
  return found == kBeans.end() ? nullptr : &*found;
}

// Parses Jolokia's form of a request in the path: "read/BEAN/ATTRIBUTE".
MetricRequest request_of_path(std::string_view path) {
  MetricRequest request;
  const size_t slash = path.find('/');
  request.type = path.substr(0, slash);
  if (request.type.empty()) request.type = "version";
  if (slash == std::string_view::npos) return request;
  request.bean = net::decode_percent(path.substr(slash + 1)).value_or("");
  const size_t colon = request.bean.find(':');
  const size_t end = request.bean.find('/', colon == std::string::npos ? 0 : colon);
  if (end != std::string::npos) {
    request.attribute = request.bean.substr(end + 1);
    request.bean.resize(end);
  }
  return request;
}

MetricRequest request_of_data(const DataNode& data) {
  const auto text = [&](std::string_view key) {
    const DataNode* value = data.find(key);
    return value != nullptr && value->is(DataKind::kString) ? std::string(value->text_value())
                                                            : std::string();
  };
  return {text("type"), text("mbean"), text("attribute")};
}

void write_request(JsonWriter& json, const MetricRequest& request) {
  json.key("request");
  json.begin_object();
  if (!request.bean.empty()) json.member("mbean", request.bean);
  if (!request.attribute.empty()) json.member("attribute", request.attribute);
  json.member("type", request.type);
  json.end_object();
}

// Writes the beans by their domains.
void write_list(JsonWriter& json) {
  json.key("value");
  json.begin_object();
  std::string_view domain;
  for (const Bean& bean : kBeans) {
    if (bean.domain != domain) {
      if (!domain.empty()) json.end_object();
      json.key(domain = bean.domain);
      json.begin_object();
    }
    json.key(fmt::format("name={}", bean.name));
    json.begin_object();
    json.key("op");
    json.begin_object();
    json.end_object();
    json.key("attr");
    json.begin_object();
    json.key(bean.attribute);
    json.begin_object();
    json.key("rw"), json.boolean(false);
    json.member("type", bean.attribute == kCount ? "long" : "java.lang.Object");
    json.member("desc", "Attribute exposed for management");
    json.end_object();
    json.end_object();
    json.member("class", bean.attribute == kCount ? "com.codahale.metrics.JmxReporter$JmxCounter"
                                                  : "com.codahale.metrics.JmxReporter$JmxGauge");
    json.member("desc", "Information on the management interface of the MBean");
    json.end_object();
  }
  json.end_object();
  json.end_object();
}

std::string name_of(const Bean& bean) {
  return fmt::format("{}:name={}", bean.domain, bean.name);
}

void write_found(JsonWriter& json, const std::string& pattern) {
  json.key("value");
  json.begin_array();
  for (const Bean& bean : kBeans) {
    const std::string name = name_of(bean);
    if (::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0) json.string(name);
  }
  json.end_array();
}

void write_version(JsonWriter& json) {
  json.key("value");
  json.begin_object();
  json.member("agent", "1.7.0");
  json.member("protocol", "7.2");
  json.end_object();
}

}  // namespace

// Returns the status for the answer.
int64_t Api::write_metric(JsonWriter& json, std::string_view name, std::string_view attribute) {
  const Bean* bean = find_bean(name);
  if (bean == nullptr) {
    json.member("error", fmt::format("javax.management.InstanceNotFoundException : {}", name));
    return 404;
  }
  if (!attribute.empty() && attribute != bean->attribute) {
    json.member("error",
                fmt::format("javax.management.AttributeNotFoundException : No such attribute: {}",
                            attribute));
    return 404;
  }
  const std::string value = fmt::format("{}", bean->read(store_, counts_));
  json.key("value");
  json.raw(attribute.empty() ? fmt::format("{{\"{}\":{}}}", bean->attribute, value) : value);
  return 200;
}

void Api::write_metric_answer(JsonWriter& json, const MetricRequest& request) {
  int64_t status = 200;
  json.begin_object();
  write_request(json, request);
  if (request.type == "version") {
    write_version(json);
  } else if (request.type == "list") {
    write_list(json);
  } else if (request.type == "search") {
    write_found(json, request.bean);
  } else if (request.type == "read") {
    status = write_metric(json, request.bean, request.attribute);
  } else {
    json.member("error", fmt::format("java.lang.IllegalArgumentException : Invalid type '{}' for "
                                     "a request",
                                     request.type));
    status = 400;
  }
  json.member("timestamp", now_microseconds() / 1'000'000);
  json.member("status", status);
  json.end_object();
}

net::Response Api::answer_metrics(const net::Request& request, std::string_view path) {
  constexpr std::string_view kBase = "/metrics/v2";
  path.remove_prefix(kBase.size());
  if (!path.empty() && !path.starts_with('/')) return text_response(404, "Not Found");
  path.remove_prefix(std::min<size_t>(1, path.size()));
  std::string text;
  JsonWriter json(text);
  if (request.method != "POST") {
    const MetricRequest asked = request_of_path(path);
    constexpr std::string_view kTypes[] = {"version", "list", "search", "read"};
    if (std::ranges::find(kTypes, asked.type) == std::end(kTypes)) {
      return text_response(404, "Not Found");
    }
    write_metric_answer(json, asked);
    return json_response(200, std::move(text));
  }
  Arena arena;
  DataNode body;
  try {
    body = read_json(request.body, arena);
  } catch (const DataError& error) {
    return text_response(400, error.what());
  }
  if (!body.is(DataKind::kArray)) {
    write_metric_answer(json, request_of_data(body));
    return json_response(200, std::move(text));
  }
  json.begin_array();
  for (const DataNode& one : body.items()) write_metric_answer(json, request_of_data(one));
  json.end_array();
  return json_response(200, std::move(text));
}

}  // namespace bunraku::store
