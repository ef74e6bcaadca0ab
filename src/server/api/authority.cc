// The calls of puppet-ca/v1.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/utf8.h"
#include "certificates/autosign.h"
#include "certificates/identifiers.h"
#include "certificates/names.h"
#include "server/api/routes.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

using certificates::Authority;
using certificates::CertificateError;
using certificates::CertificateState;
using certificates::CertificateStatus;

net::Response pem_answer(std::string pem) {
  return answer_of(200, "text/plain", std::move(pem));
}

// Returns whether the file is unchanged since the request's If-Modified-Since.
bool is_unchanged(const Call& call, const std::string& file) {
  const std::string* since = call.request.fields.find("If-Modified-Since");
  if (since == nullptr) return false;
  std::tm fields{};
  const char* end = strptime(since->c_str(), "%a, %d %b %Y %H:%M:%S", &fields);
  struct stat status{};
  if (end == nullptr || ::stat(file.c_str(), &status) != 0) return false;
  return status.st_mtim.tv_sec <= timegm(&fields);
}

void write_names(JsonWriter& json, const char* key, const std::vector<std::string>& names,
                 std::string_view prefix) {
  json.key(key), json.begin_array();
  for (const std::string& name : names) {
    if (name.starts_with(prefix)) json.string(name);
  }
  json.end_array();
}

void write_status(JsonWriter& json, const CertificateStatus& status,
                  const certificates::Identifiers& identifiers) {
  json.begin_object();
  json.member("name", status.name);
  json.member("state", certificates::name_of(status.state));
  write_names(json, "dns_alt_names", status.alternative_names, "DNS:");
  std::vector<std::string> names = status.alternative_names;
  std::ranges::stable_partition(names,
                                [](const std::string& name) { return name.starts_with("IP:"); });
  write_names(json, "subject_alt_names", names, "");
  json.key("authorization_extensions"), json.begin_object();
  for (const auto& [identifier, value] : status.authorization_extensions) {
    json.member(identifiers.name_of(identifier), value);
  }
  json.end_object();
  json.member("fingerprint", status.fingerprints.at("SHA256"));
  json.key("fingerprints"), json.begin_object();
  for (const auto& [algorithm, text] : status.fingerprints) json.member(algorithm, text);
  json.member("default", status.fingerprints.at("SHA256"));
  json.end_object();
  if (status.state != CertificateState::kRequested) {
    json.key("serial_number"), json.raw(status.serial);
    json.member("not_before", certificates::time_text(status.not_before));
    json.member("not_after", certificates::time_text(status.not_after));
  }
  json.end_object();
}

void log_action(const Call& call, const std::string& what) {
  call.shared.log->write(
      LogLevel::kInfo,
      fmt::format("Entity {} ({}) {}", call.client.is_authenticated ? call.client.name : "(none)",
                  call.client.address, what),
      call.id);
}

DataNode json_body(const Call& call, Arena& arena) {
  try {
    return read_json(call.request.body, arena);
  } catch (const DataError&) {
    throw TextError(400, "Request body is not JSON.");
  }
}

std::vector<std::string> names_in(const DataNode& body) {
  const DataNode* list = body.find("certnames");
  if (list == nullptr || !list->is(DataKind::kArray)) {
    throw TextError(400,
                    "Missing required key: 'certnames'. Please supply the list of certs you want "
                    "to clean.");
  }
  std::vector<std::string> names;
  for (const DataNode& name : list->items()) {
    if (!name.is(DataKind::kString)) throw TextError(400, "A certname is no string.");
    names.emplace_back(name.text_value());
  }
  return names;
}

std::optional<int64_t> ttl_in(const DataNode& body, const std::string& host) {
  const DataNode* ttl = body.find("cert_ttl");
  if (ttl == nullptr || ttl->is(DataKind::kNull)) return std::nullopt;
  constexpr int64_t kLongest = 1'576'800'000;
  if (!ttl->is(DataKind::kInteger) || ttl->integer_value() <= 0 ||
      ttl->integer_value() > kLongest) {
    throw TextError(400, fmt::format("cert_ttl specified for host {} must be an integer number of "
                                     "seconds up to 50 years",
                                     host));
  }
  return ttl->integer_value();
}

// --- certificates, requests, lists ---

net::Response answer_certificate(const Call& call, Authority& authority, const std::string& name) {
  if (name == "ca") {
    if (is_unchanged(call, authority.options().files.certificates))
      return answer_of(304, "text/plain", "");
    return pem_answer(authority.certificates_pem());
  }
  const auto pem = authority.certificate_pem(name);
  if (!pem) throw TextError(404, "Could not find certificate " + printable(name));
  return pem_answer(*pem);
}

net::Response answer_list(const Call& call, Authority& authority) {
  if (call.request.method == "PUT") {
    authority.update_lists(call.request.body);
    log_action(call, "updated the CRLs");
    return text_answer(200, "Successfully updated CRLs.");
  }
  if (is_unchanged(call, authority.revocations_file())) return answer_of(304, "text/plain", "");
  return pem_answer(authority.revocations_for_agents_pem());
}

net::Response answer_request(const Call& call, Authority& authority, const std::string& name) {
  if (call.request.method == "GET") {
    const auto pem = authority.request_pem(name);
    if (!pem) throw TextError(404, "Could not find certificate_request " + printable(name));
    return pem_answer(*pem);
  }
  if (call.request.method == "DELETE") {
    if (!authority.remove_request(name)) {
      throw TextError(
          404, fmt::format("No certificate request for {} at expected path {}/{}.pem",
                           printable(name), authority.options().files.requests, printable(name)));
    }
    net::Response response;
    response.status = 204;
    return response;
  }
  const Settings& settings = call.site.configuration.settings;
  const certificates::Autosign autosign(settings.text("autosign"));
  try {
    const bool is_signed = authority.submit(
        name, call.request.body, [&](const std::string& host, const std::string& pem) {
          const certificates::AutosignDecision decision = autosign.decide(host, pem);
          for (const std::string& line : decision.messages) {
            call.shared.log->write(LogLevel::kWarning, line, call.id);
          }
          return decision.is_signed;
        });
    call.shared.log->write(LogLevel::kNotice,
                           is_signed ? fmt::format("Signed certificate request for {}", name)
                                     : fmt::format("{} has a waiting certificate request", name),
                           call.id);
  } catch (const CertificateError& error) {
    // The agent does not show this answer and waits forever.
    call.shared.log->write(LogLevel::kErr, error.what(), call.id);
    throw;
  }
  return answer_of(200, "text/plain", "");
}

// --- states ---

net::Response change_status(const Call& call, Authority& authority, const std::string& name) {
  const std::string_view type = call.request.fields.get("Content-Type");
  const std::string_view bare = type.substr(0, type.find(';'));
  if (!bare.empty() && bare != "application/json" && bare != "text/pson" && bare != "pson") {
    throw TextError(415, "Unsupported media type.");
  }
  Arena arena;
  const DataNode body = json_body(call, arena);
  const DataNode* state = body.find("desired_state");
  if (state == nullptr || !state->is(DataKind::kString)) {
    throw TextError(400, "Missing required parameter \"desired_state\"");
  }
  if (state->text_value() == "signed") {
    if (!authority.status(name)) throw TextError(404, "Invalid certificate subject.");
    authority.sign(name, {.ttl = ttl_in(body, name), .is_trusted = false});
    log_action(call, fmt::format("signed 1 certificate: {}", name));
  } else if (state->text_value() == "revoked") {
    if (!authority.status(name)) throw TextError(404, "Invalid certificate subject.");
    if (!authority.revoke({name}).empty()) {
      throw TextError(
          409,
          fmt::format("Cannot revoke certificate for host {} without a signed certificate", name));
    }
    log_action(call, fmt::format("revoked 1 certificate: {}", name));
  } else {
    throw TextError(400, fmt::format("State {} invalid; Must specify desired state of 'signed' or "
                                     "'revoked' for host {}.",
                                     printable(state->text_value()), name));
  }
  net::Response response;
  response.status = 204;
  return response;
}

net::Response answer_status_of(const Call& call, Authority& authority, const std::string& name) {
  if (call.request.method == "PUT") return change_status(call, authority, name);
  if (call.request.method == "DELETE") {
    if (!authority.remove(name)) throw TextError(404, "Resource not found.");
    log_action(call, fmt::format("deleted the certificate of {}", name));
    net::Response response;
    response.status = 204;
    return response;
  }
  const auto status = authority.status(name);
  if (!status) throw TextError(404, "Resource not found.");
  std::string text;
  JsonWriter json(text);
  write_status(json, *status, call.site.configuration.identifiers);
  return answer_of(200, "application/json", std::move(text));
}

net::Response answer_statuses(const Call& call, Authority& authority, const std::string& key) {
  if (key.empty()) {
    if (!call.path.ends_with('/')) throw TextError(404, "Not Found");
    throw TextError(400, "Missing URL Segment");
  }
  std::optional<CertificateState> state;
  if (const std::string* wanted = call.parameter("state")) {
    if (*wanted == "requested") state = CertificateState::kRequested;
    if (*wanted == "signed") state = CertificateState::kSigned;
    if (*wanted == "revoked") state = CertificateState::kRevoked;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const CertificateStatus& status : authority.statuses(state)) {
    write_status(json, status, call.site.configuration.identifiers);
  }
  json.end_array();
  return answer_of(200, "application/json", std::move(text));
}

// --- many at once ---

net::Response clean(const Call& call, Authority& authority) {
  Arena arena;
  const DataNode body = json_body(call, arena);
  const DataNode* is_async = body.find("async");
  if (is_async != nullptr && is_async->is(DataKind::kBoolean) && is_async->boolean_value()) {
    throw TextError(400, "Async mode is not currently supported.");
  }
  const std::vector<std::string> names = names_in(body);
  std::vector<std::string> unknown = authority.revoke(names);
  for (const std::string& name : names) {
    if (authority.remove(name)) std::erase(unknown, name);
  }
  log_action(call, fmt::format("cleaned {} certificates", names.size() - unknown.size()));
  if (unknown.empty()) return text_answer(200, "Successfully cleaned all certs.");
  std::string list;
  JsonWriter json(list);
  json.begin_array();
  for (const std::string& name : unknown) json.string(name);
  json.end_array();
  return text_answer(200, "The following certs do not exist and cannot be revoked: " + list);
}

net::Response sign_many(const Call& call, Authority& authority, bool signs_all) {
  std::vector<std::string> names;
  std::optional<int64_t> ttl;
  Arena arena;
  if (signs_all) {
    for (const CertificateStatus& status : authority.statuses(CertificateState::kRequested)) {
      names.push_back(status.name);
    }
  } else {
    try {
      const DataNode body = json_body(call, arena);
      names = names_in(body);
      ttl = ttl_in(body, "");
    } catch (const TextError& error) {
      std::string text;
      JsonWriter json(text);
      json.begin_object();
      json.member("kind", "schema-violation");
      json.member("submitted", replace_invalid_utf8(call.request.body));
      json.member("error", error.what());
      json.end_object();
      return json_answer(422, std::move(text));
    }
  }
  std::map<std::string, std::vector<std::string>> results{
      {"signed", {}}, {"no-csr", {}}, {"signing-errors", {}}};
  for (const std::string& name : names) {
    if (!authority.request_pem(name)) {
      results["no-csr"].push_back(name);
      continue;
    }
    try {
      authority.sign(name, {.ttl = ttl, .is_trusted = false});
      results["signed"].push_back(name);
    } catch (const CertificateError& error) {
      call.shared.log->write(LogLevel::kErr, error.what(), call.id);
      results["signing-errors"].push_back(name);
    }
  }
  log_action(call, fmt::format("signed {} certificates", results["signed"].size()));
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const char* key : {"signed", "no-csr", "signing-errors"})
    write_names(json, key, results[key], "");
  json.end_object();
  return json_answer(200, std::move(text));
}

net::Response answer_expirations(Authority& authority) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("ca-certs"), json.begin_object();
  for (const auto& certificate :
       certificates::Certificate::all_from_pem(authority.certificates_pem())) {
    json.member(certificate.common_name(), certificates::time_text(certificate.not_after()));
  }
  json.end_object();
  json.key("crls"), json.begin_object();
  for (const auto& list : certificates::RevocationList::all_from_pem(authority.revocations_pem())) {
    std::string issuer = list.issuer();
    if (issuer.starts_with("/CN=")) issuer.erase(0, 4);
    json.member(issuer, certificates::time_text(list.next_update()));
  }
  json.end_object();
  json.end_object();
  return json_answer(200, std::move(text));
}

net::Response renew(const Call& call, Authority& authority) {
  if (!authority.options().allows_renewal) throw TextError(404, "Not Found");
  if (!call.client.certificate) {
    throw TextError(400, "No valid certificate found in renewal request");
  }
  const certificates::Certificate renewed = authority.renew(*call.client.certificate);
  log_action(call, fmt::format("renewed the certificate of {}", renewed.common_name()));
  return pem_answer(renewed.pem());
}

}  // namespace

net::Response answer_authority(const Call& call, const std::string& name, const std::string& key) {
  if (call.site.authority == nullptr) throw TextError(404, "Not Found");
  Authority& authority = *call.site.authority;
  const bool needs_name = name == "certificate" || name.starts_with("certificate_request") ||
                          name == "certificate_status";
  if (needs_name && key.empty()) throw TextError(404, "Not Found");
  try {
    if (name == "certificate") return answer_certificate(call, authority, key);
    if (name == "certificate_revocation_list") return answer_list(call, authority);
    if (name == "certificate_request") return answer_request(call, authority, key);
    if (name == "certificate_status") return answer_status_of(call, authority, key);
    if (name == "certificate_statuses") return answer_statuses(call, authority, key);
    if (name == "clean") return clean(call, authority);
    if (name == "sign") return sign_many(call, authority, key == "all");
    if (name == "expirations") return answer_expirations(authority);
    if (name == "certificate_renewal") return renew(call, authority);
  } catch (const CertificateError& error) {
    throw TextError(error.status(), error.what());
  }
  throw TextError(404, "Not Found");
}

}  // namespace bunraku::server
