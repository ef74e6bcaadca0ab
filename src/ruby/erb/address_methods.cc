// IP addresses and networks: IPAddr.
#include <string>

#include "base/text/ip_address.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

std::string_view error_class_of(std::string_view error) {
  for (const std::string_view start :
       {"invalid length", "invalid mask", "leading zeros", "address family"}) {
    if (error.starts_with(start)) return "IPAddr::InvalidPrefixError";
  }
  return "IPAddr::InvalidAddressError";
}

IpAddress parse(Interpreter& ruby, std::string_view text) {
  // Addresses with a zone or in brackets are left to a worker.
  if (text.empty() || text.find_first_of("%[]") != text.npos) ruby.fail_with("such an address");
  std::string error;
  const std::optional<IpAddress> address = IpAddress::parse(text, error);
  if (!address) ruby.fail(error + std::string(text), false, error_class_of(error));
  return *address;
}

Object object_of(Interpreter& ruby, const IpAddress& address) {
  Object object(Class::kAddress);
  object.address = ruby.arena().make<AddressObject>(address);
  return object;
}

// The address with its mask, which the next one of a network has lost.
const IpAddress& network_of(Interpreter& ruby, const Object& self) {
  if (self.address->has_lost_mask) ruby.fail_with("the mask of a next address");
  return self.address->address;
}

// IPAddr#succ keeps the mask.
Object next_address(Interpreter& ruby, Object self, const Arguments&) {
  const IpAddress& address = self.address->address;
  const std::optional<IpAddress> next = address.first().next();
  if (!next) ruby.fail_with("the address behind the last one");
  const bool is_network = !address.first().begins_with(address.last());
  Object object(Class::kAddress);
  object.address =
      ruby.arena().make<AddressObject>(*next, is_network || self.address->has_lost_mask);
  return object;
}

// The address that an argument is, or that its text says.
IpAddress address_of(Interpreter& ruby, const Object& object) {
  if (object.is(Class::kAddress)) return network_of(ruby, object);
  if (!object.is(Class::kString)) ruby.fail_with("such an object in place of an address");
  return parse(ruby, object.string->text);
}

Object text_of_address(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.string(self.address->address.text());
}

Object number_of(Interpreter& ruby, Object self, const Arguments&) {
  const std::optional<int64_t> number = self.address->address.number();
  if (!number) ruby.fail_with("the number of an address beyond 63 bits");
  return ruby.integer(*number);
}

Object range_of(Interpreter& ruby, Object self, const Arguments&) {
  const IpAddress& network = network_of(ruby, self);
  Object range(Class::kRange);
  range.range = ruby.arena().make<RangeObject>(object_of(ruby, network.first()),
                                               object_of(ruby, network.last()), false);
  return range;
}

// Versions of Ruby differ in whether a network includes a wider one.
Object includes(Interpreter& ruby, Object self, const Arguments& arguments) {
  const IpAddress other = address_of(ruby, arguments[0]);
  if (!other.first().begins_with(other.last())) ruby.fail_with("a network within another one");
  const std::string text = other.text();
  if (text.starts_with("::ffff:")) ruby.fail_with("such an address");
  return ruby.boolean(network_of(ruby, self).includes(other));
}

Object masked(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string mask(ruby.to_s(arguments[0]));
  return object_of(ruby, parse(ruby, self.address->address.text() + "/" + mask));
}

Object is_equal(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kAddress)) ruby.fail_with("an address and something else");
  return ruby.boolean(self.address->address.begins_with(arguments[0].address->address));
}

constexpr Method kAddressMethods[] = {
    {Class::kAddress, "to_s", 0, 0, kNever, text_of_address},
    {Class::kAddress, "to_i", 0, 0, kNever, number_of},
    {Class::kAddress, "to_range", 0, 0, kNever, range_of},
    {Class::kAddress, "include?", 1, 1, kNever, includes},
    {Class::kAddress, "===", 1, 1, kNever, includes},
    {Class::kAddress, "succ", 0, 0, kNever, next_address},
    {Class::kAddress, "mask", 1, 1, kNever, masked},
    {Class::kAddress, "==", 1, 1, kNever, is_equal},
    {Class::kAddress, "prefix", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.integer(network_of(ruby, self).prefix_length());
     }},
    {Class::kAddress, "ipv4?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(!self.address->address.is_v6());
     }},
    {Class::kAddress, "ipv6?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(self.address->address.is_v6());
     }},
};

}  // namespace

Object make_address(Interpreter& ruby, const Arguments& arguments) {
  if (arguments.size() != 1) ruby.fail_with("'IPAddr.new' in this form");
  return object_of(ruby, parse(ruby, ruby.text_of(arguments[0])));
}

std::span<const Method> address_methods() {
  return kAddressMethods;
}

}  // namespace bunraku::erb
