// The standard library's functions on addresses and interfaces.
#include "base/memory/data_names.h"
#include "base/text/ip_address.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/checks.h"
#include "functions/stdlib/families.h"

namespace bunraku::stdlib {

namespace {

IpAddress address_of(Call& call, Value value) {
  if (!value.is_string())
    call.fail(Issue::kWrongArgumentValue, {"address family must be specified"});
  std::string error;
  std::optional<IpAddress> address = IpAddress::parse(value.as_string(), error);
  if (!address) call.fail(Issue::kWrongArgumentValue, {error});
  return *address;
}

Value ip_in_range(Call& call) {
  const IpAddress address = address_of(call, call.arguments[0]);
  Value range = call.arguments[1];
  const std::span<const Value> ranges = range.is_array() ? range.as_array() : std::span(&range, 1);
  bool found = false;
  for (const Value one : ranges) found = address_of(call, one).includes(address) || found;
  return Value::boolean(found);
}

Value enclose_ipv6(Call& call) {
  if (call.arguments.size() != 1) {
    call.fail(Issue::kWrongArgumentCount, {"enclose_ipv6(): Wrong number of arguments given " +
                                           std::to_string(call.arguments.size()) + " for 1"});
  }
  Value given = call.arguments[0];
  if (!given.is_string() && !given.is_array()) {
    call.fail(Issue::kWrongArgumentValue, {"enclose_ipv6(): Wrong argument type given " +
                                           class_of(given) + " expected String or Array"});
  }
  const std::span<const Value> items = given.is_array() ? given.as_array() : std::span(&given, 1);
  HashBuilder seen(call.arena());
  ArrayBuilder result(call.arena());
  for (const Value item : items) {
    if (item.is_undef()) continue;
    Value enclosed = item;
    const std::string text = to_s(item);
    if (text != "*") {
      std::string error;
      std::optional<IpAddress> address = IpAddress::parse(text, error);
      if (!address)
        call.fail(Issue::kWrongArgumentValue,
                  {"enclose_ipv6(): Wrong argument given " + text + " is not an ip address."});
      if (address->is_v6()) enclosed = Value::string(call.arena(), "[" + address->text() + "]");
    }
    if (seen.find(enclosed) != nullptr) continue;
    seen.set(enclosed, Value());
    result.push(enclosed);
  }
  return result.finish();
}

// The value of a legacy fact; undef when it does not exist.
Value fact_variable(Call& call, const std::string& name) {
  const Value* value = call.evaluator.find_variable(data_name(name), call.scope);
  return value == nullptr ? Value() : *value;
}

Value has_interface(Call& call, std::span<const Value> arguments) {
  const Value interfaces = fact_variable(call, "interfaces");
  if (interfaces.is_undef()) {
    if (call.evaluator.settings().strict_variables)
      call.fail(Issue::kUndefinedVariable, {"interfaces", ""});
    return Value::boolean(false);
  }
  const std::string list = to_s(interfaces);
  const std::vector<std::string_view> names = ruby_split(list, ",");
  if (arguments.size() == 1) {
    for (const std::string_view name : names) {
      if (arguments[0].is_string() && arguments[0].as_string() == name) return Value::boolean(true);
    }
    return Value::boolean(false);
  }
  const std::string kind = to_s(arguments[0]);
  if (identical(fact_variable(call, kind), arguments[1])) return Value::boolean(true);
  for (const std::string_view name : names) {
    const Value value = fact_variable(call, kind + "_" + downcase(name));
    if (identical(value, arguments[1])) return Value::boolean(true);
  }
  return Value::boolean(false);
}

Value has_interface_with(Call& call) {
  if (call.arguments.empty() || call.arguments.size() > 2) {
    fail_count(call, "has_interface_with", "1 or 2");
  }
  return has_interface(call, call.arguments);
}

Value has_ip_address(Call& call) {
  if (call.arguments.size() != 1) fail_count(call, "has_ip_address", "1");
  warn_of_autoloader(call, "has_interface_with");
  const Value arguments[] = {Value::string("ipaddress"), call.arguments[0]};
  return has_interface(call, arguments);
}

Value has_ip_network(Call& call) {
  if (call.arguments.size() != 1) fail_count(call, "has_ip_network", "1");
  warn_of_autoloader(call, "has_interface_with");
  const Value arguments[] = {Value::string("network"), call.arguments[0]};
  return has_interface(call, arguments);
}

constexpr Overload kIpInRange[] = {
    {"(String $ipaddress, Variant[String, Array] $range) >> Boolean", ip_in_range}};
constexpr Overload kEncloseIpv6[] = {{"(Any *$arguments)", enclose_ipv6}};
constexpr Overload kHasInterfaceWith[] = {{"(Any *$arguments)", has_interface_with}};
constexpr Overload kHasIpAddress[] = {{"(Any *$arguments)", has_ip_address}};
constexpr Overload kHasIpNetwork[] = {{"(Any *$arguments)", has_ip_network}};

constexpr NativeFunctionInfo kNetworkFunctions[] = {
    {"stdlib::ip_in_range", kIpInRange, "Is an address within a network, or one of several?",
     "stdlib::ip_in_range('10.1.2.3', '10.0.0.0/8')"},
    {"enclose_ipv6", kEncloseIpv6, "Addresses with those of IPv6 in square brackets, each once.",
     "enclose_ipv6(['::1', '127.0.0.1'])", true},
    {"has_interface_with", kHasInterfaceWith,
     "Has the node a network interface with this name, or "
     "with this value of a legacy fact?",
     "$interfaces = 'lo'\nhas_interface_with('lo')", true},
    {"has_ip_address", kHasIpAddress, "Has an interface of the node this address?",
     "$interfaces = 'lo'\nhas_ip_address('127.0.0.1')", true},
    {"has_ip_network", kHasIpNetwork, "Has an interface of the node an address in this network?",
     "$interfaces = 'lo'\nhas_ip_network('127.0.0.0')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> network_functions() {
  return kNetworkFunctions;
}

}  // namespace bunraku::stdlib
