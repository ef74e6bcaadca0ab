// Functions of the modules openstacklib, neutron and nova.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/ip_address.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/modules/families.h"
#include "functions/modules/support.h"
#include "functions/stdlib/json_text.h"

namespace bunraku::modules {

namespace {

const Value* find(const HashObject& hash, std::string_view key) {
  return hash.find(key);
}

// --- addresses ----------------------------------------------------------------------------------

// Returns whether an address has a zone. Those are left to Ruby, which checks the interfaces of
// this machine.
bool has_zone(Value value) {
  return value.is_string() && value.as_string().find('%') != std::string_view::npos;
}

bool is_v6(std::string_view text) {
  std::string error;
  const auto address = IpAddress::parse(text, error);
  return address && address->is_v6();
}

// The arguments, or the items of the first one if it is an array.
std::span<const Value> flattened(std::span<const Value> arguments) {
  return !arguments.empty() && arguments[0].is_array() ? arguments[0].as_array() : arguments;
}

// Applies `change` to each argument. Returns an array, or one value for one argument.
template <typename Change>
Value changed(Call& call, Change change) {
  const std::span<const Value> all = flattened(call.arguments);
  ArrayBuilder results(call.arena(), all.size());
  for (const Value value : all) results.push(value.is_string() ? change(value) : value);
  return all.size() == 1 ? results[0] : results.finish();
}

Value normalize_ip_for_uri(Call& call) {
  const std::span<const Value> all = flattened(call.arguments);
  if (std::ranges::any_of(all, has_zone)) {
    return call_own_ruby(call, {"openstacklib", "normalize_ip_for_uri"});
  }
  return changed(call, [&](Value value) {
    const std::string_view ip = value.as_string();
    const size_t open = ip.find('[');
    const bool is_in_brackets = open != ip.npos && ip.find(']', open + 2) != ip.npos;
    if (!is_v6(ip) || is_in_brackets) return value;
    log_debug(call, fmt::format("IP {} is changed to [{}]", ip, ip));
    return Value::string(call.arena(), fmt::format("[{}]", ip));
  });
}

// The address in a memcached URI, split at blanks and brackets.
std::vector<std::string_view> address_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \t\r\f\v[]"), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Value inet6_prefix(Call& call) {
  const std::span<const Value> all = flattened(call.arguments);
  const bool is_odd = std::ranges::any_of(all, [](Value value) {
    return has_zone(value) ||
           (value.is_string() && value.as_string().find('\n') != std::string_view::npos);
  });
  if (is_odd) return call_own_ruby(call, {"openstacklib", "inet6_prefix"});
  return changed(call, [&](Value value) {
    constexpr std::string_view kPrefix = "inet6:";
    const std::string_view ip = value.as_string();
    if (ip.starts_with(kPrefix) && ip.size() > kPrefix.size()) return value;
    const std::vector<std::string_view> parts = address_parts(ip);
    if (parts.empty() || !is_v6(parts[0])) return value;
    log_debug(call, fmt::format("{} is changed to inet6:[{}]", ip, ip));
    std::string text = fmt::format("inet6:[{}]", parts[0]);
    for (size_t i = 1; i < parts.size(); ++i) text += parts[i];
    return Value::string(call.arena(), text);
  });
}

// --- connections --------------------------------------------------------------------------------

// Escapes all bytes for a URI except letters, digits and -._~.
std::string url_encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (consists_of({&c, 1}, "-._~")) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

// "user:password"; no value without a user.
std::optional<std::string> user_information(const HashObject& parts) {
  const Value* user = find(parts, "username");
  if (user == nullptr || user->as_string().empty()) return std::nullopt;
  std::string text = url_encoded(user->as_string());
  const Value* password = find(parts, "password");
  if (password != nullptr && !password->as_string().empty()) {
    text += ":" + url_encoded(password->as_string());
  }
  return text;
}

std::string query_text(const HashBuilder& query) {
  std::string text;
  for (const HashEntry& entry : query.items()) {
    if (!text.empty()) text += '&';
    text += text_of(entry.key) + "=" + text_of(entry.value);
  }
  return text;
}

// Returns whether all values are strings, except those of certain keys, which `other` accepts or
// rejects.
template <typename Other>
bool has_texts(const HashObject& parts, Other other) {
  return std::ranges::all_of(parts, [&](const HashEntry& entry) {
    if (!entry.key.is_string()) return false;
    const std::optional<bool> verdict = other(entry.key.as_string(), entry.value);
    return verdict ? *verdict : entry.value.is_string();
  });
}

std::optional<bool> boolean_of(std::string_view text) {
  const std::string lower = downcase(text);
  for (const std::string_view yes : {"1", "t", "y", "true", "yes"}) {
    if (lower == yes) return true;
  }
  for (const std::string_view no : {"", "0", "f", "n", "false", "no"}) {
    if (lower == no) return false;
  }
  if (text == "undef" || text == "undefined") return false;
  return std::nullopt;
}

bool is_transport(const HashObject& parts) {
  const bool has_right_types =
      has_texts(parts, [](std::string_view key, Value value) -> std::optional<bool> {
        if (key == "port") return value.is_string() || value.is_integer();
        if (key == "query") return value.is_hash();
        if (key != "hosts") return std::nullopt;
        return value.is_array() && std::ranges::all_of(value.as_array(), &Value::is_string);
      });
  if (!has_right_types || find(parts, "transport") == nullptr) return false;
  const Value* ssl = find(parts, "ssl");
  if (ssl != nullptr && !boolean_of(ssl->as_string())) return false;
  return (find(parts, "host") != nullptr) != (find(parts, "hosts") != nullptr);
}

// "user@host:port", separated by commas if there are several.
std::string host_list(Call& call, const HashObject& parts) {
  static const Name kNormalize("normalize_ip_for_uri");
  const Value* host = find(parts, "host");
  const Value asked[] = {host != nullptr ? *host : *find(parts, "hosts")};
  const Value answer =
      call.evaluator.call_function(kNormalize, asked, nullptr, call.scope, call.place);
  const Value* port = find(parts, "port");
  const std::optional<std::string> user = user_information(parts);
  std::string text;
  bool is_first = true;
  const Value single[] = {answer};
  for (const Value one : answer.is_array() ? answer.as_array() : std::span<const Value>(single)) {
    if (!std::exchange(is_first, false)) text += ',';
    if (user) text += *user + "@";
    text += text_of(one);
    if (port != nullptr) text += ":" + text_of(*port);
  }
  return text;
}

Value os_transport_url(Call& call) {
  const Value argument = call.argument(0);
  if (call.arguments.size() != 1 || !argument.is_hash() || !is_transport(argument.as_hash())) {
    return call_own_ruby(call, {"openstacklib", "os_transport_url"});
  }
  const HashObject& parts = argument.as_hash();
  std::string url = std::string(find(parts, "transport")->as_string()) + "://";
  url += host_list(call, parts);
  const Value* virtual_host = find(parts, "virtual_host");
  url += "/";
  if (virtual_host != nullptr) url += virtual_host->as_string();
  HashBuilder query(call.arena());
  if (const Value* more = find(parts, "query")) query.set_all(more->as_hash());
  if (const Value* ssl = find(parts, "ssl")) {
    query.set("ssl", Value::integer(*boolean_of(ssl->as_string()) ? 1 : 0));
  }
  if (query.size() > 0) url += "?" + query_text(query);
  return Value::string(call.arena(), url);
}

// Returns whether the parts need no checks by Ruby's URI, which are left to it.
bool is_plain_database(const HashObject& parts) {
  const bool has_right_types =
      has_texts(parts, [](std::string_view key, Value value) -> std::optional<bool> {
        return key == "extra" ? std::optional(value.is_hash()) : std::nullopt;
      });
  if (!has_right_types) return false;
  const Value *dialect = find(parts, "dialect"), *database = find(parts, "database"),
              *host = find(parts, "host"), *port = find(parts, "port");
  if (dialect == nullptr || database == nullptr) return false;
  const std::string_view scheme = dialect->as_string();
  if (scheme.empty() || !is_letter(scheme[0]) || !consists_of(scheme, "+-.")) return false;
  if (!consists_of(database->as_string(), "_-.")) return false;
  if (host == nullptr)
    return port == nullptr && find(parts, "username") == nullptr && scheme != "file" &&
           scheme != "postgres";
  if (host->as_string().empty() || !consists_of(host->as_string(), "-.")) return false;
  if (port == nullptr) return true;
  const std::string_view number = port->as_string();
  return !number.empty() && number.size() <= 5 && number[0] != '0' &&
         std::ranges::all_of(number, is_digit);
}

Value os_database_connection(Call& call) {
  const auto in_ruby = [&] {
    return call_own_ruby(call, {"openstacklib", "os_database_connection"});
  };
  const Value argument = call.argument(0);
  if (call.arguments.size() != 1 || !argument.is_hash() || !is_plain_database(argument.as_hash())) {
    return in_ruby();
  }
  const HashObject& parts = argument.as_hash();
  HashBuilder extra(call.arena());
  if (const Value* more = find(parts, "extra")) extra.set_all(more->as_hash());
  if (const Value* charset = find(parts, "charset")) extra.set("charset", *charset);
  const std::string query = query_text(extra);
  if (!consists_of(query, "_-.=&/~:")) return in_ruby();
  std::string url = downcase(find(parts, "dialect")->as_string()) + ":";
  if (const Value* host = find(parts, "host")) {
    url += "//";
    if (const auto user = user_information(parts)) url += *user + "@";
    url += host->as_string();
    if (const Value* port = find(parts, "port")) url += ":" + std::string(port->as_string());
    url += "/";
  } else {
    url += "///";
  }
  url += find(parts, "database")->as_string();
  if (extra.size() > 0) url += "?" + query;
  return Value::string(call.arena(), url);
}

Value is_service_default(Call& call) {
  if (call.arguments.size() != 1)
    return call_own_ruby(call, {"openstacklib", "is_service_default"});
  const Value value = call.arguments[0];
  return Value::boolean(value.is_string() && value.as_string() == "<SERVICE DEFAULT>");
}

// --- ranges of networks -------------------------------------------------------------------------

struct IdRange {
  int64_t first, second;
};

// Parses "1:200".
std::optional<IdRange> id_range(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  const auto first = plain_number(text.substr(0, colon)),
             second = plain_number(text.substr(colon + 1));
  if (!first || !second) return std::nullopt;
  return IdRange{*first, *second};
}

// Returns the ranges if `is_valid` accepts each except undef. The module's code reports mistakes.
template <typename Valid>
Value checked_ranges(Call& call, std::string_view function, Valid is_valid) {
  const Value argument = call.argument(0);
  const Value single[] = {argument};
  const std::span<const Value> all =
      argument.is_array() ? argument.as_array() : std::span<const Value>(single);
  const bool are_valid = std::ranges::all_of(all, [&](Value range) {
    return range.is_undef() || (range.is_string() && is_valid(range.as_string()));
  });
  if (!are_valid) return call_own_ruby(call, {"neutron", function});
  return argument.is_array() ? argument : Value::array(call.arena(), {argument});
}

Value validate_tunnel_id_ranges(Call& call) {
  return checked_ranges(call, "validate_tunnel_id_ranges", [](std::string_view text) {
    const auto range = id_range(text);
    return range && range->second >= range->first && range->second - range->first <= 1'000'000;
  });
}

Value validate_vni_ranges(Call& call) {
  constexpr int64_t kMost = 16'777'215;
  return checked_ranges(call, "validate_vni_ranges", [](std::string_view text) {
    const auto range = id_range(text);
    return range && range->second >= range->first && range->second <= kMost;
  });
}

bool is_network_range(std::string_view text) {
  constexpr int64_t kMost = 4094;
  if (text.find('\n') != text.npos) return false;
  const size_t last = text.rfind(':');
  if (last == text.npos) return true;
  // Parses "physnet:1:200" or "1:200".
  const size_t before = last == 0 ? text.npos : text.rfind(':', last - 1);
  const size_t start = before == text.npos ? 0 : before + 1;
  if (before == 0) return false;
  const auto first = plain_number(text.substr(start, last - start)),
             second = plain_number(text.substr(last + 1));
  return first && second && *first <= *second && *second <= kMost;
}

Value validate_network_vlan_ranges(Call& call) {
  return checked_ranges(call, "validate_network_vlan_ranges", is_network_range);
}

Value validate_vxlan_udp_port(Call& call) {
  const Value value = call.argument(0);
  const std::optional<int64_t> port = value.is_integer()  ? value.as_integer()
                                      : value.is_string() ? plain_number(value.as_string())
                                                          : std::nullopt;
  const bool is_valid = port && (*port == 4789 || (*port > 49151 && *port <= 65535));
  return is_valid ? Value() : call_own_ruby(call, {"neutron", "validate_vxlan_udp_port"});
}

// --- JSON ---------------------------------------------------------------------------------------

std::optional<Value> pairs_of(Call& call, Value value) {
  HashBuilder pairs(call.arena());
  for (const Value item : value.as_array()) {
    if (!item.is_string()) return std::nullopt;
    const std::string_view text = item.as_string();
    const size_t colon = text.find(':');
    if (colon == text.npos) return value;
    const std::string_view rest = text.substr(colon + 1);
    const std::string_view second = rest.substr(0, rest.find(':'));
    // Empty parts at the end are ignored.
    const bool has_second = rest.find_first_not_of(':') != rest.npos;
    if (text.find_first_not_of(':') == text.npos) return std::nullopt;
    pairs.set(Value::string(call.arena(), text.substr(0, colon)),
              has_second ? Value::string(call.arena(), second) : Value());
  }
  return pairs.finish();
}

Value convert_to_json_string(Call& call) {
  const auto in_ruby = [&] { return call_own_ruby(call, {"neutron", "convert_to_json_string"}); };
  Value value = call.argument(0);
  if (value.is_array()) {
    const std::optional<Value> pairs = pairs_of(call, value);
    if (!pairs) return in_ruby();
    value = *pairs;
  }
  if (!stdlib::is_plain_data(value)) return in_ruby();
  return Value::string(call.arena(), stdlib::to_json_text(call, value, {}));
}

Value to_array_of_json_strings(Call& call) {
  const Value list = call.argument(0);
  const bool is_plain = call.arguments.size() == 1 && list.is_array() &&
                        std::ranges::all_of(list.as_array(), [](Value item) {
                          return item.is_hash() && stdlib::is_plain_data(item);
                        });
  if (!is_plain) return call_own_ruby(call, {"nova", "to_array_of_json_strings"});
  ArrayBuilder texts(call.arena(), list.as_array().size());
  for (const Value item : list.as_array()) {
    texts.push(Value::string(call.arena(), stdlib::to_json_text(call, item, {})));
  }
  return texts.finish();
}

constexpr Overload kNormalizeIpForUri[] = {{"(Any *$args)", normalize_ip_for_uri}};
constexpr Overload kInet6Prefix[] = {{"(Any *$args)", inet6_prefix}};
constexpr Overload kIsServiceDefault[] = {{"(Any *$args)", is_service_default}};
constexpr Overload kOsTransportUrl[] = {{"(Any *$args)", os_transport_url}};
constexpr Overload kOsDatabaseConnection[] = {{"(Any *$args)", os_database_connection}};
constexpr Overload kTunnelIdRanges[] = {{"(Any *$args)", validate_tunnel_id_ranges}};
constexpr Overload kVniRanges[] = {{"(Any *$args)", validate_vni_ranges}};
constexpr Overload kNetworkVlanRanges[] = {{"(Any *$args)", validate_network_vlan_ranges}};
constexpr Overload kVxlanUdpPort[] = {{"(Any *$args)", validate_vxlan_udp_port}};
constexpr Overload kConvertToJsonString[] = {{"(Any *$args)", convert_to_json_string}};
constexpr Overload kToArrayOfJsonStrings[] = {{"(Any *$args)", to_array_of_json_strings}};

constexpr NativeFunctionInfo kOpenstackFunctions[] = {
    {"normalize_ip_for_uri", kNormalizeIpForUri, "Addresses of IPv6 in brackets.",
     "normalize_ip_for_uri('fe80::1')"},
    {"inet6_prefix", kInet6Prefix, "Addresses of IPv6 as `inet6:[ADDRESS]`.",
     "inet6_prefix('fe80::1')"},
    {"is_service_default", kIsServiceDefault, "Is the value `<SERVICE DEFAULT>`?",
     "is_service_default('<SERVICE DEFAULT>')"},
    {"os_transport_url", kOsTransportUrl, "The address of a message queue from its parts.",
     "os_transport_url({ 'transport' => 'rabbit', 'host' => 'queue' })"},
    {"os_database_connection", kOsDatabaseConnection, "The address of a database from its parts.",
     "os_database_connection({ 'dialect' => 'mysql', 'host' => 'db', 'database' => 'nova' })"},
    {"validate_tunnel_id_ranges", kTunnelIdRanges, "Fails for ranges of tunnels that are none.",
     "validate_tunnel_id_ranges(['1:1000'])"},
    {"validate_vni_ranges", kVniRanges, "Fails for ranges of VXLAN networks that are none.",
     "validate_vni_ranges(['1:1000'])"},
    {"validate_network_vlan_ranges", kNetworkVlanRanges, "Fails for ranges of VLANs that are none.",
     "validate_network_vlan_ranges(['physnet1:1:100'])"},
    {"validate_vxlan_udp_port", kVxlanUdpPort, "Fails for ports that VXLAN does not use.",
     "validate_vxlan_udp_port(4789)"},
    {"convert_to_json_string", kConvertToJsonString, "A value, or pairs `key:value`, as JSON.",
     "convert_to_json_string(['a:b'])"},
    {"to_array_of_json_strings", kToArrayOfJsonStrings, "Hashes as texts of JSON.",
     "to_array_of_json_strings([{ 'a' => 1 }])"},
};

}  // namespace

std::span<const NativeFunctionInfo> openstack_functions() {
  return kOpenstackFunctions;
}

}  // namespace bunraku::modules
