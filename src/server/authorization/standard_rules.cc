// The standard rules.
#include "server/authorization/standard_rules.h"

namespace bunraku::server {

// The reference's rules, except that paths match whole names and not prefixes of longer ones.
const std::string_view kStandardRules = R"rules(authorization: { version: 1, rules: [
  { name: "puppetlabs v3 catalog from agents", sort-order: 500, allow: "$1"
    match-request: { path: "^/puppet/v3/catalog/([^/]+)$", type: regex, method: [get, post] } }
  { name: "puppetlabs v4 catalog for services", sort-order: 500, deny: "*"
    match-request: { path: "^/puppet/v4/catalog/?$", type: regex, method: post } }
  { name: "puppetlabs node", sort-order: 500, allow: "$1"
    match-request: { path: "^/puppet/v3/node/([^/]+)$", type: regex, method: get } }
  { name: "puppetlabs report", sort-order: 500, allow: "$1"
    match-request: { path: "^/puppet/v3/report/([^/]+)$", type: regex, method: put } }
  { name: "puppetlabs facts", sort-order: 500, allow: "$1"
    match-request: { path: "^/puppet/v3/facts/([^/]+)$", type: regex, method: put } }
  { name: "puppetlabs environments", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet/v3/environments/?$", type: regex, method: get } }
  { name: "puppetlabs file", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet/v3/file_(content|metadata|metadatas)/", type: regex, method: [get, post] } }
  { name: "puppetlabs file bucket file", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet/v3/file_bucket_file/", type: regex, method: [get, head, post, put] } }
  { name: "puppetlabs static file content", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet/v3/static_file_content/", type: regex, method: get } }
  { name: "puppet tasks information", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet/v3/tasks(/|$)", type: regex, method: get } }
  { name: "puppetlabs certificate", sort-order: 500, allow-unauthenticated: true
    match-request: { path: "^/puppet-ca/v1/certificate/[^/]+$", type: regex, method: get } }
  { name: "puppetlabs crl", sort-order: 500, allow-unauthenticated: true
    match-request: { path: "^/puppet-ca/v1/certificate_revocation_list/ca$", type: regex, method: get } }
  { name: "puppetlabs csr", sort-order: 500, allow-unauthenticated: true
    match-request: { path: "^/puppet-ca/v1/certificate_request/[^/]+$", type: regex, method: [get, put] } }
  { name: "puppetlabs certificate renewal", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet-ca/v1/certificate_renewal/?$", type: regex, method: post } }
  { name: "puppetlabs cert status", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
    match-request: { path: "^/puppet-ca/v1/certificate_status/[^/]+$", type: regex, method: [get, put, delete] } }
  { name: "puppetlabs cert statuses", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
    match-request: { path: "^/puppet-ca/v1/certificate_statuses/", type: regex, method: get } }
  { name: "puppetlabs CRL update", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
    match-request: { path: "^/puppet-ca/v1/certificate_revocation_list/?$", type: regex, method: put } }
  { name: "puppetlabs cert clean", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
    match-request: { path: "^/puppet-ca/v1/clean/?$", type: regex, method: put } }
  { name: "puppetlabs cert sign", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
    match-request: { path: "^/puppet-ca/v1/sign(/all)?/?$", type: regex, method: post } }
  { name: "puppetlabs CA cert and CRL expirations", sort-order: 500, allow: "*"
    match-request: { path: "^/puppet-ca/v1/expirations/?$", type: regex, method: get } }
  { name: "puppetlabs status service - full", sort-order: 500, allow-unauthenticated: true
    match-request: { path: "^/status/v1/services(/|$)", type: regex, method: get } }
  { name: "puppetlabs status service - simple", sort-order: 500, allow-unauthenticated: true
    match-request: { path: "^/status/v1/simple(/|$)", type: regex, method: get } }
  { name: "bunraku store", sort-order: 500, allow: "*"
    match-request: { path: "^/(pdb|metrics/v2)(/|$)", type: regex } }
  { name: "puppetlabs deny all", sort-order: 999, deny: "*"
    match-request: { path: "/", type: path } }
] })rules";

}  // namespace bunraku::server
