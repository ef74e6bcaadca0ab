// Metrics, in the form that dashboards read: beans of PuppetDB by their names.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/formats/json.h"
#include "net/url.h"
#include "store/http/api.h"
#include "store/http/responses.h"
#include "store/time_text.h"

namespace bunraku::store {
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

// What is measured, with how it is read.
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
    // What waits has been tried.
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

// "DOMAIN:name=NAME"
const Bean* find_bean(std::string_view text) {
  constexpr std::string_view kName = ":name=";
  const auto found = std::ranges::find_if(kBeans, [&](const Bean& bean) {
    return text.size() == bean.domain.size() + kName.size() + bean.name.size() &&
           text.starts_with(bean.domain) && text.substr(bean.domain.size()).starts_with(kName) &&
           text.ends_with(bean.name);
  });
  return found == kBeans.end() ? nullptr : &*found;
}

void write_request(JsonWriter& json, std::string_view type, std::string_view bean,
                   std::string_view attribute) {
  json.key("request");
  json.begin_object();
  if (!bean.empty()) json.member("mbean", bean);
  if (!attribute.empty()) json.member("attribute", attribute);
  json.member("type", type);
  json.end_object();
}

// Beans by their domains.
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

}  // namespace

net::Response Api::answer_metrics(std::string_view path) {
  constexpr std::string_view kRead = "/metrics/v2/read/";
  int64_t status = 200;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  if (path == "/metrics/v2/version" || path == "/metrics/v2") {
    write_request(json, "version", "", "");
    json.key("value");
    json.begin_object();
    json.member("agent", "1.7.0");
    json.member("protocol", "7.2");
    json.end_object();
  } else if (path == "/metrics/v2/list") {
    write_request(json, "list", "", "");
    write_list(json);
  } else if (path.starts_with(kRead)) {
    std::string name = net::decode_percent(path.substr(kRead.size())).value_or("");
    const size_t colon = name.find(':');
    const size_t slash = name.find('/', colon == std::string::npos ? 0 : colon);
    std::string attribute;
    if (slash != std::string::npos) attribute = name.substr(slash + 1), name.resize(slash);
    write_request(json, "read", name, attribute);
    const Bean* bean = find_bean(name);
    if (bean == nullptr) {
      json.member("error", fmt::format("javax.management.InstanceNotFoundException : {}", name));
      status = 404;
    } else if (!attribute.empty() && attribute != bean->attribute) {
      json.member("error", fmt::format("javax.management.AttributeNotFoundException : No such "
                                       "attribute: {}",
                                       attribute));
      status = 404;
    } else {
      const std::string value = fmt::format("{}", bean->read(store_, counts_));
      json.key("value");
      json.raw(attribute.empty() ? fmt::format("{{\"{}\":{}}}", bean->attribute, value) : value);
    }
  } else {
    return text_response(404, "Not Found");
  }
  json.member("timestamp", now_microseconds() / 1'000'000);
  json.member("status", status);
  json.end_object();
  return json_response(200, std::move(text));
}

}  // namespace bunraku::store
