#include "server/authorization/rules.h"

#include <doctest/doctest.h>

using namespace bunraku;
using server::Client;
using server::Rules;

namespace {

Client named(const std::string& name) {
  Client client;
  client.is_authenticated = true;
  client.name = name;
  return client;
}

bool allows(const Rules& rules, std::string_view method, std::string_view path,
            const Client& client) {
  const net::Parameters none;
  return rules.decide({method, path, &none}, client).is_allowed;
}

Rules with_allowed(const std::string& entry) {
  return Rules::parse("authorization: { version: 1, rules: [ { name: a, sort-order: 1, allow: " +
                          entry + ", match-request: { path: \"/x\", type: path } } ] }",
                      "auth.conf", certificates::Identifiers());
}

bool is_allowed_by(const std::string& entry, const std::string& name) {
  return allows(with_allowed(entry), "GET", "/x", named(name));
}

}  // namespace

TEST_CASE("nodes get their own catalogs and no others") {
  const Rules rules = Rules::standard();
  CHECK(allows(rules, "POST", "/puppet/v3/catalog/a.test", named("a.test")));
  CHECK_FALSE(allows(rules, "POST", "/puppet/v3/catalog/a.test", named("b.test")));
  CHECK_FALSE(allows(rules, "POST", "/puppet/v3/catalog/a.test", named("test")));
  CHECK_FALSE(allows(rules, "POST", "/puppet/v3/catalog/test", named("a.test")));
  CHECK_FALSE(allows(rules, "POST", "/puppet/v3/catalog/a.test", Client()));
  CHECK_FALSE(allows(rules, "GET", "/puppet/v3/report/a.test", named("a.test")));
  CHECK_FALSE(allows(rules, "POST", "/puppet/v4/catalog", named("a.test")));
  CHECK_FALSE(allows(rules, "DELETE", "/puppet-admin-api/v1/environment-cache", named("a.test")));
}

TEST_CASE("an alternative name is no identity") {
  Client client = named("san.test");
  client.extensions.emplace_back("2.5.29.17", "a.test");
  CHECK_FALSE(allows(Rules::standard(), "GET", "/puppet/v3/node/a.test", client));
}

TEST_CASE("the authority is open to those who manage it") {
  const Rules rules = Rules::standard();
  CHECK(allows(rules, "PUT", "/puppet-ca/v1/certificate_request/a", Client()));
  CHECK(allows(rules, "GET", "/puppet-ca/v1/certificate/ca", Client()));
  CHECK_FALSE(allows(rules, "GET", "/puppet-ca/v1/certificate_statuses/any", named("a")));
  CHECK_FALSE(allows(rules, "PUT", "/puppet-ca/v1/certificate_status/a", named("a")));
  Client manager = named("ca");
  manager.extensions.emplace_back(certificates::kCliAuth, "true");
  CHECK(allows(rules, "GET", "/puppet-ca/v1/certificate_statuses/any", manager));
  CHECK(allows(rules, "PUT", "/puppet-ca/v1/clean", manager));
}

TEST_CASE("names are compared as a whole") {
  CHECK(is_allowed_by("foo.test", "foo.test"));
  CHECK(is_allowed_by("foo.test", "FOO.test"));
  CHECK_FALSE(is_allowed_by("foo.test", "test"));
  CHECK_FALSE(is_allowed_by("foo.test", "bar.foo.test"));
  CHECK_FALSE(is_allowed_by("host", "a.host"));
  CHECK(is_allowed_by("\"*.x.com\"", "a.x.com"));
  CHECK(is_allowed_by("\"*.x.com\"", "x.com"));
  CHECK_FALSE(is_allowed_by("\"*.x.com\"", "com"));
  CHECK_FALSE(is_allowed_by("\"*.x.com\"", "ax.com"));
  CHECK(is_allowed_by("\"/^web\\\\d+$/\"", "web12"));
  CHECK_FALSE(is_allowed_by("\"/^web\\\\d+$/\"", "xweb12"));
}

TEST_CASE("deny goes before allow, and the first rule decides") {
  const Rules rules = Rules::parse(
      "authorization: { version: 1, rules: ["
      "{ name: b, sort-order: 2, allow: \"*\", match-request: { path: \"/\", type: path } },"
      "{ name: a, sort-order: 1, allow: \"*\", deny: bad.test,"
      "  match-request: { path: \"/x\", type: path, method: [get] } } ] }",
      "auth.conf", certificates::Identifiers());
  CHECK_FALSE(allows(rules, "GET", "/x", named("bad.test")));
  CHECK(allows(rules, "GET", "/x", named("good.test")));
  CHECK(allows(rules, "PUT", "/x", named("bad.test")));
}

TEST_CASE("files with mistakes are refused") {
  const auto fails = [](const std::string& rule) {
    CHECK_THROWS_AS(Rules::parse("authorization: { version: 1, rules: [ " + rule + " ] }",
                                 "auth.conf", certificates::Identifiers()),
                    server::RuleError);
  };
  fails(
      "{ name: a, sort-order: 1, allow: \"agent9.*\", match-request: { path: \"/\", type: path } "
      "}");
  fails("{ name: a, sort-order: 1, allow: \"*\", match-request: { type: path } }");
  fails(
      "{ name: a, sort-order: 1, allow: \"*\", allow-unauthenticated: true, match-request: { path: "
      "\"/\", type: path } }");
  fails("{ name: a, sort-order: 1000, allow: \"*\", match-request: { path: \"/\", type: path } }");
  fails("{ name: a, sort-order: 1, allow: \"$1\", match-request: { path: \"/\", type: path } }");
  fails(
      "{ name: a, sort-order: 1, unknown: 1, allow: \"*\", match-request: { path: \"/\", type: "
      "path } }");
}
