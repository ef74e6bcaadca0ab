// URIs: the objects that URI.parse returns.
#include <algorithm>
#include <string>

#include "base/diagnostics/diagnostic.h"
#include "base/text/number_text.h"
#include "ruby/erb/interpreter.h"
#include "values/uri.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

// Schemes whose classes in Ruby change or check parts, which a worker does.
constexpr std::string_view kSpecialSchemes[] = {"file", "ftp",    "ldap", "ldaps",
                                                "ws",   "mailto", "wss"};

// Only URIs with a host and paths alone are supported; a worker finds what is wrong with others.
const Uri& parse(Interpreter& ruby, std::string_view text) {
  constexpr std::string_view kUnsupported = "such a URI";
  const Uri* uri = nullptr;
  try {
    uri = parse_uri(ruby.arena(), text);
  } catch (const EvaluationError&) {
    ruby.fail_with(std::string(kUnsupported));
  }
  const bool is_path = uri->scheme.data() == nullptr && uri->host.data() == nullptr;
  const bool is_supported =
      uri->opaque.data() == nullptr && (is_path || !uri->host.empty()) &&
      std::ranges::find(kSpecialSchemes, uri->scheme) == std::end(kSpecialSchemes);
  if (!is_supported) ruby.fail_with(std::string(kUnsupported));
  return *uri;
}

Object part(Interpreter& ruby, std::string_view text) {
  return text.data() == nullptr ? Object() : ruby.string(text);
}

template <std::string_view Uri::* kPart>
Object part_of(Interpreter& ruby, Object self, const Arguments&) {
  return part(ruby, self.uri->*kPart);
}

// An address in brackets without them.
Object host_name(Interpreter& ruby, Object self, const Arguments&) {
  std::string_view host = self.uri->host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return part(ruby, host);
}

Object port(Interpreter& ruby, Object self, const Arguments&) {
  if (self.uri->port.data() == nullptr) return {};
  const std::optional<int64_t> number = parse_integer(self.uri->port);
  if (!number) ruby.fail_with("such a port");
  return ruby.integer(*number);
}

Object user(Interpreter& ruby, Object self, const Arguments&) {
  const std::string_view both = self.uri->userinfo;
  return part(ruby, both.substr(0, both.find(':')));
}

Object password(Interpreter& ruby, Object self, const Arguments&) {
  const std::string_view both = self.uri->userinfo;
  const size_t colon = both.find(':');
  return colon == both.npos ? Object() : ruby.string(both.substr(colon + 1));
}

Object text_of(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.string(ruby.to_s(self));
}

constexpr Method kUriMethods[] = {
    {Class::kTemplate, "URI", 1, 1, kNever,
     [](Interpreter& ruby, Object, const Arguments& arguments) {
       return make_uri(ruby, arguments[0]);
     }},
    {Class::kUriObject, "scheme", 0, 0, kNever, part_of<&Uri::scheme>},
    {Class::kUriObject, "userinfo", 0, 0, kNever, part_of<&Uri::userinfo>},
    {Class::kUriObject, "user", 0, 0, kNever, user},
    {Class::kUriObject, "password", 0, 0, kNever, password},
    {Class::kUriObject, "host", 0, 0, kNever, part_of<&Uri::host>},
    {Class::kUriObject, "hostname", 0, 0, kNever, host_name},
    {Class::kUriObject, "port", 0, 0, kNever, port},
    {Class::kUriObject, "path", 0, 0, kNever, part_of<&Uri::path>},
    {Class::kUriObject, "query", 0, 0, kNever, part_of<&Uri::query>},
    {Class::kUriObject, "fragment", 0, 0, kNever, part_of<&Uri::fragment>},
    {Class::kUriObject, "to_s", 0, 0, kNever, text_of},
};

}  // namespace

Object make_uri(Interpreter& ruby, const Object& text) {
  if (!text.is(Class::kString)) ruby.fail_with("a URI of such an object");
  Object object(Class::kUriObject);
  object.uri = &parse(ruby, text.string->text);
  return object;
}

std::span<const Method> uri_methods() {
  return kUriMethods;
}

}  // namespace bunraku::erb
