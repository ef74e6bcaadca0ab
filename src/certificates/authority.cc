// The authority: requests, signing, and queries about certificates.
#include "certificates/authority.h"

#include <algorithm>

#include "base/system/file_system.h"
#include "certificates/authority_files.h"
#include "certificates/identifiers.h"
#include "certificates/names.h"

namespace bunraku::certificates {
namespace {

// The problem with the name of a host that requests a certificate; empty when it is valid.
std::string host_name_problem(const std::string& name) {
  if (name == "ca") {
    return "A host cannot be named 'ca': agents ask for the authority's certificate by this name";
  }
  return name_problem(name);
}

constexpr std::time_t kBackdated = 24 * 3600;  // the clocks of agents may be slow

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

bool is_below(std::string_view identifier, std::string_view arc) {
  return identifier.starts_with(arc);
}

bool is_permitted(const std::string& identifier, bool is_trusted) {
  if (identifier == kCliAuth) return is_trusted;
  return is_below(identifier, kRegistrationArc) || is_below(identifier, kPrivateArc) ||
         is_below(identifier, kAuthorizationArc);
}

std::vector<std::string> other_names(const Request& request) {
  std::vector<std::string> names = request.alternative_names();
  std::erase(names, "DNS:" + request.common_name());
  return names;
}

// "DNS:NAME" and other requested names, without duplicates.
std::vector<std::string> names_for(const Request& request) {
  std::vector<std::string> names = other_names(request);
  names.insert(names.begin(), "DNS:" + request.common_name());
  return names;
}

}  // namespace

std::string_view name_of(CertificateState state) {
  switch (state) {
    case CertificateState::kRequested:
      return "requested";
    case CertificateState::kSigned:
      return "signed";
    case CertificateState::kRevoked:
      return "revoked";
  }
  return "";
}

Authority::Authority(AuthorityOptions options) : options_(std::move(options)) {}

std::string Authority::path_of(const std::string& directory, const std::string& name) const {
  if (!is_host_name(name)) throw CertificateError(name_problem(name), 400);
  return join_path(directory, name + ".pem");
}

Certificate Authority::signing_certificate() const {
  return Certificate::from_pem(read_file(options_.files.certificates));
}
Key Authority::signing_key() const {
  return Key::from_pem(read_file(options_.files.key));
}

std::string Authority::certificates_pem() const {
  return read_file(options_.files.certificates);
}
std::string Authority::revocations_pem() const {
  return read_file(options_.files.revocations);
}
std::string Authority::revocations_for_agents_pem() const {
  return read_file(revocations_file());
}
const std::string& Authority::revocations_file() const {
  return options_.uses_infra_list ? options_.files.infra_revocations : options_.files.revocations;
}

std::optional<std::string> Authority::certificate_pem(const std::string& name) const {
  if (!is_host_name(name)) return std::nullopt;
  return read_if_there(path_of(options_.files.signed_certificates, name));
}

std::optional<std::string> Authority::request_pem(const std::string& name) const {
  if (!is_host_name(name)) return std::nullopt;
  return read_if_there(path_of(options_.files.requests, name));
}

CertificateStatus Authority::status_of(const Certificate& certificate, const std::string& name,
                                       const RevocationList& list) const {
  CertificateStatus status;
  status.name = name;
  status.serial = certificate.serial_decimal();
  status.state =
      list.has_serial(status.serial) ? CertificateState::kRevoked : CertificateState::kSigned;
  status.alternative_names = certificate.alternative_names();
  status.not_before = certificate.not_before();
  status.not_after = certificate.not_after();
  for (const auto& extension : certificate.extensions()) {
    if (is_below(extension.first, kAuthorizationArc)) {
      status.authorization_extensions.push_back(extension);
    }
  }
  for (const char* algorithm : {"SHA1", "SHA256", "SHA512"}) {
    status.fingerprints[algorithm] = certificate.fingerprint(algorithm);
  }
  return status;
}

namespace {

CertificateStatus status_of_request(const Request& request, const std::string& name) {
  CertificateStatus status;
  status.name = name;
  status.state = CertificateState::kRequested;
  status.alternative_names = request.alternative_names();
  for (const auto& extension : request.extensions()) {
    if (is_below(extension.first, kAuthorizationArc)) {
      status.authorization_extensions.push_back(extension);
    }
  }
  for (const char* algorithm : {"SHA1", "SHA256", "SHA512"}) {
    status.fingerprints[algorithm] = request.fingerprint(algorithm);
  }
  return status;
}

// The names of the files NAME.pem in a directory.
std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  if (!is_directory(directory)) return names;
  for (const DirectoryEntry& entry : list_directory(directory)) {
    if (entry.is_directory || !entry.name.ends_with(".pem")) continue;
    std::string name = entry.name.substr(0, entry.name.size() - 4);
    if (is_host_name(name)) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

std::optional<CertificateStatus> Authority::status(const std::string& name) const {
  if (const auto pem = certificate_pem(name)) {
    return status_of(Certificate::from_pem(*pem), name, own_list());
  }
  if (const auto pem = request_pem(name)) return status_of_request(Request::from_pem(*pem), name);
  return std::nullopt;
}

std::vector<CertificateStatus> Authority::statuses(std::optional<CertificateState> state) const {
  std::vector<CertificateStatus> all;
  const auto add = [&](CertificateStatus status) {
    if (!state || status.state == *state) all.push_back(std::move(status));
  };
  const RevocationList list = own_list();
  if (!state || *state == CertificateState::kRequested) {
    for (const std::string& name : names_in(options_.files.requests)) {
      if (const auto pem = request_pem(name)) add(status_of_request(Request::from_pem(*pem), name));
    }
  }
  if (!state || *state != CertificateState::kRequested) {
    for (const std::string& name : names_in(options_.files.signed_certificates)) {
      if (const auto pem = certificate_pem(name)) {
        add(status_of(Certificate::from_pem(*pem), name, list));
      }
    }
  }
  return all;
}

std::vector<InventoryEntry> Authority::inventory() const {
  std::vector<InventoryEntry> entries;
  const std::string text = read_if_there(options_.files.inventory).value_or("");
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (auto entry = parse_inventory_line(std::string_view(text).substr(begin, end - begin))) {
      entries.push_back(std::move(*entry));
    }
    begin = end + 1;
  }
  return entries;
}

bool Authority::submit(const std::string& name, std::string_view pem,
                       const std::function<bool(const std::string&, const std::string&)>& decides) {
  const Request request = Request::from_pem(pem);
  const std::string subject = request.common_name();
  const std::string canonical = request.pem();
  {
    const Lock lock(options_.files);
    const std::optional<CertificateStatus> known = status(name);
    if (known && !options_.allows_duplicates) {
      throw CertificateError(name + " already has a " + std::string(name_of(known->state)) +
                                 " certificate; ignoring certificate request",
                             400);
    }
    if (subject != name) {
      throw CertificateError(
          "Instance name \"" + subject + "\" does not match requested key \"" + name + "\"", 400);
    }
    if (const std::string problem = host_name_problem(name); !problem.empty()) {
      throw CertificateError(problem, 400);
    }
    if (!request.has_valid_signature()) {
      throw CertificateError(
          "CSR contains a public key that does not correspond to the signing key", 400);
    }
    if (names_in(options_.files.requests).size() >= options_.most_requests) {
      throw CertificateError("Too many certificate requests wait to be signed", 503);
    }
    options_.files.make_directory(options_.files.requests);
    options_.files.write(path_of(options_.files.requests, name), canonical, kPublicMode);
  }
  // Outside the lock, because a program may decide and take some time.
  if (!decides(name, canonical)) return false;
  try {
    sign(name, {});
  } catch (const CertificateError& error) {
    throw CertificateError(error.what(), error.status() == 409 ? 400 : error.status());
  }
  return true;
}

// Checks in the reference's order: alternative names, authorization, other extensions, the key.
void Authority::check_request(const Request& request, const SigningOptions& options) const {
  const std::string name = request.common_name();
  if (const std::string problem = host_name_problem(name); !problem.empty()) {
    throw CertificateError(problem, 409);
  }
  std::vector<std::string> others = other_names(request);
  std::ranges::stable_partition(others,
                                [](const std::string& other) { return other.starts_with("IP:"); });
  if (!others.empty() && !options_.allows_alternative_names && !options.is_trusted) {
    throw CertificateError(
        "CSR '" + name + "' contains extra subject alternative names (" + joined(others) +
            "), which are disallowed. To allow subject alternative names, set "
            "allow-subject-alt-names to true in your ca.conf file. Then restart the puppetserver "
            "and try signing this certificate again.",
        409);
  }
  for (const std::string& other : others) {
    if (other.find('*') != std::string::npos) {
      throw CertificateError(
          "Cert subjectAltName contains a wildcard, which is not allowed: " + other, 409);
    }
    if (!is_alternative_name(other)) {
      throw CertificateError("CSR '" + name + "' contains the alternative name '" + other +
                                 "', which is neither a DNS name nor an address",
                             409);
    }
  }
  std::vector<std::string> refused;
  for (const auto& [identifier, value] : request.extensions()) {
    const bool is_authorization = is_below(identifier, kAuthorizationArc);
    if (is_authorization && !options_.allows_authorization_extensions && !options.is_trusted) {
      throw CertificateError(
          "CSR '" + name +
              "' contains an authorization extension, which is disallowed. To allow authorization "
              "extensions, set allow-authorization-extensions to true in your ca.conf file. Then "
              "restart the puppetserver and try signing this certificate again.",
          409);
    }
    if (!is_permitted(identifier, options.is_trusted)) refused.push_back(identifier);
  }
  if (!refused.empty()) {
    throw CertificateError("Found extensions that are not permitted: " + joined(refused), 409);
  }
  if (!request.has_valid_signature()) {
    throw CertificateError("CSR contains a public key that does not correspond to the signing key",
                           409);
  }
}

std::string Authority::take_serial() {
  std::string serial = read_if_there(options_.files.serial).value_or("0001");
  while (!serial.empty() &&
         (serial.back() == '\n' || serial.back() == ' ' || serial.back() == '\r')) {
    serial.pop_back();
  }
  // The next number is written before this one is used, so that none is used twice.
  options_.files.write(options_.files.serial, next_hex(serial), kPublicMode);
  return serial;
}

Certificate Authority::issue_locked(const std::string& name, evp_pkey_st* key, Issuing issuing) {
  const Certificate issuer = signing_certificate();
  const Key issuer_key = signing_key();
  issuing.serial_hex = take_serial();
  Certificate certificate = issue_host_certificate(name, key, issuing, issuer, issuer_key);
  append_line(options_.files, options_.files.inventory, inventory_line(certificate));
  options_.files.make_directory(options_.files.signed_certificates);
  options_.files.write(path_of(options_.files.signed_certificates, name), certificate.pem(),
                       kPublicMode);
  return certificate;
}

Certificate Authority::issue(const Request& request, const SigningOptions& options) {
  check_request(request, options);
  Issuing issuing;
  const std::time_t now = std::time(nullptr);
  const bool renews =
      options_.allows_renewal && request.attribute(std::string(kAutoRenew)).value_or("") == "true";
  issuing.not_before = now - kBackdated;
  issuing.not_after = now + options.ttl.value_or(renews ? options_.renewal_ttl : options_.ttl);
  issuing.alternative_names = names_for(request);
  issuing.extensions = request.extensions();
  if (renews) issuing.extensions.emplace_back(kAutoRenew, "true");
  const Lock lock(options_.files);
  return issue_locked(request.common_name(), public_key_of(request), std::move(issuing));
}

Certificate Authority::sign(const std::string& name, const SigningOptions& options) {
  const std::optional<std::string> pem = request_pem(name);
  if (!pem) {
    throw CertificateError(
        "Cannot sign certificate for host " + name + " without a certificate request", 409);
  }
  Certificate certificate = issue(Request::from_pem(*pem), options);
  remove_file(path_of(options_.files.requests, name));
  return certificate;
}

Certificate Authority::renew(const Certificate& certificate) {
  const std::string problem = verification_problem(
      certificate, Certificate::all_from_pem(certificates_pem()), revocations_pem());
  if (!problem.empty()) {
    throw CertificateError("The certificate cannot be renewed: " + problem, 403);
  }
  const std::string name = certificate.common_name();
  if (!is_host_name(name)) throw CertificateError(name_problem(name), 403);
  Issuing issuing;
  const std::time_t now = std::time(nullptr);
  issuing.not_before = now - kBackdated;
  issuing.not_after = now + options_.renewal_ttl;
  issuing.alternative_names = certificate.alternative_names();
  issuing.extensions = certificate.extensions();
  const Lock lock(options_.files);
  return issue_locked(name, public_key_of(certificate), std::move(issuing));
}

bool Authority::remove_request(const std::string& name) {
  const Lock lock(options_.files);
  return is_host_name(name) && remove_file(path_of(options_.files.requests, name));
}

bool Authority::remove(const std::string& name) {
  if (!is_host_name(name)) return false;
  const Lock lock(options_.files);
  const bool had_request = remove_file(path_of(options_.files.requests, name));
  return remove_file(path_of(options_.files.signed_certificates, name)) || had_request;
}

}  // namespace bunraku::certificates
