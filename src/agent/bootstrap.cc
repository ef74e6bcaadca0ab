// The steps that lead to a certificate.
#include "agent/bootstrap.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <thread>

#include "agent/lock_files.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"

namespace bunraku::agent {

using certificates::Certificate;
using certificates::CertificateError;
using certificates::Key;

namespace {

constexpr std::time_t kForever = std::numeric_limits<std::time_t>::max();
constexpr const char* kDigest = "SHA256";

std::time_t deadline_of(const Settings& settings, const char* name) {
  if (settings.text(name) == "unlimited") return kForever;
  return std::time(nullptr) + settings.integer(name);
}

std::string upper_pairs(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':') continue;
    if (result.size() % 3 == 2) result += ':';
    result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string date_text(std::time_t time) {
  std::tm fields = {};
  gmtime_r(&time, &fields);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &fields);
  return text;
}

}  // namespace

class Bootstrap::StepError : public std::exception {
 public:
  explicit StepError(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

Bootstrap::Bootstrap(const Settings& settings, ServerSession& session, apply::RunLog& log,
                     BootstrapOptions options)
    : settings_(settings),
      session_(session),
      log_(log),
      options_(std::move(options)),
      host_(settings),
      certificate_deadline_(deadline_of(settings, "maxwaitforcert")),
      lock_deadline_(deadline_of(settings, "maxwaitforlock")) {}

Credentials Bootstrap::run() {
  return run(Goal::kCertificate);
}

Credentials Bootstrap::run_for_authorities() {
  return run(Goal::kAuthorities);
}

Credentials Bootstrap::run(Goal goal) {
  while (true) {
    Credentials credentials;
    bool is_done = false;
    lock_and_attempt(goal, credentials, is_done);
    if (is_done) return credentials;
    wait();
  }
}

// Makes one attempt under the lock. The lock is not held between attempts, so that the directory
// can be cleaned then.
void Bootstrap::lock_and_attempt(Goal goal, Credentials& credentials, bool& is_done) {
  PidLock lock(settings_.text("ssl_lockfile"));
  host_.make_directories();
  const int64_t interval = settings_.integer("waitforlock");
  while (!lock.take()) {
    if (interval < 1) {
      throw BootstrapError(
          "Another puppet instance is already running and the waitforlock setting is set to 0; "
          "exiting",
          false);
    }
    if (std::time(nullptr) >= lock_deadline_) {
      throw BootstrapError(
          "Another puppet instance is already running and the maxwaitforlock timeout has been "
          "exceeded; exiting",
          false);
    }
    log_.log(LogLevel::kInfo,
             "Another puppet instance is already running; waiting for it to finish");
    log_.log(LogLevel::kInfo, fmt::format("Will try again in {} seconds.", interval));
    std::this_thread::sleep_for(std::chrono::seconds(interval));
  }
  std::string message;
  try {
    is_done = attempt(goal, credentials);
    return;
  } catch (const StepError& error) {
    message = error.what();
  } catch (const CertificateError& error) {
    message = error.what();
  } catch (const RequestError& error) {
    message = error.what();
  } catch (const FileError& error) {
    message = error.what();
  }
  log_.log(LogLevel::kErr, message);
  if (options_.is_onetime) throw BootstrapError(message, false);
}

bool Bootstrap::attempt(Goal goal, Credentials& credentials) {
  log_.log(LogLevel::kDebug, "Loading CA certs");
  const bool has_new_authorities = need_authorities(credentials);
  log_.log(LogLevel::kDebug, "Loading CRLs");
  need_revocations(credentials, has_new_authorities);
  if (goal == Goal::kAuthorities) {
    session_.use(credentials);
    return true;
  }
  log_.log(LogLevel::kDebug, "Loading/generating private key");
  if (!need_certificate(credentials)) return false;
  session_.use(credentials);
  show_chain(credentials);
  return true;
}

std::string Bootstrap::fetch(const std::string& path, std::optional<std::time_t> since) {
  Call call;
  call.service = Service::kAuthority;
  call.accept = "text/plain";
  call.path = path;
  call.modified_since = since;
  return session_.send(call).body;
}

bool Bootstrap::needs_refresh(std::optional<std::time_t> last, const char* setting) const {
  if (!last) return true;
  if (settings_.text(setting).empty()) return false;
  return std::time(nullptr) > *last + settings_.integer(setting);
}

// Returns true when the authorities have changed, so that their revocation lists are needed, too.
bool Bootstrap::need_authorities(Credentials& credentials) {
  const std::optional<std::string> known = host_.authorities();
  if (!known) {
    download_authorities(credentials);
    return false;
  }
  credentials.authorities = *known;
  session_.use(credentials);
  const std::optional<std::time_t> last = modification_time(host_.files().authorities);
  return needs_refresh(last, "ca_refresh_interval") && refresh_authorities(credentials, last);
}

void Bootstrap::download_authorities(Credentials& credentials) {
  Credentials unverified;
  unverified.verifies_server = false;
  session_.use(unverified);
  std::string pem;
  try {
    pem = fetch("/certificate/ca", std::nullopt);
  } catch (const ResponseError& error) {
    if (error.status() == 404) throw StepError("CA certificate is missing from the server");
    throw StepError(fmt::format("Could not download CA certificate: {}", error.what()));
  }
  const std::string expected = settings_.text("ca_fingerprint");
  if (!expected.empty()) {
    const std::string digits = certificates::fingerprint_digits(kDigest, pem);
    if (digits != upper_pairs(expected)) {
      throw StepError(fmt::format("CA bundle with digest ({}) {} did not match expected digest {}",
                                  kDigest, digits, upper_pairs(expected)));
    }
    log_.log(LogLevel::kInfo,
             fmt::format("Verified CA bundle with digest ({}) {}", kDigest, digits));
  }
  host_.save_authorities(pem);
  credentials.authorities = *host_.authorities();
  session_.use(credentials);
}

bool Bootstrap::refresh_authorities(Credentials& credentials, std::optional<std::time_t> since) {
  log_.log(LogLevel::kInfo, "Refreshing CA certificate");
  try {
    const std::string pem = fetch("/certificate/ca", since);
    host_.save_authorities(pem);
    credentials.authorities = *host_.authorities();
    session_.use(credentials);
    log_.log(LogLevel::kInfo, fmt::format("Refreshed CA certificate: {}",
                                          certificates::fingerprint_digits(kDigest, pem)));
    return true;
  } catch (const ResponseError& error) {
    if (error.status() == 304) {
      log_.log(LogLevel::kInfo, "CA certificate is unmodified, using existing CA certificate");
    } else {
      log_.log(LogLevel::kInfo,
               fmt::format("Failed to refresh CA certificate, using existing CA certificate: {}",
                           error.what()));
    }
  } catch (const RequestError& error) {
    log_.log(LogLevel::kWarning,
             fmt::format("Failed to refresh CA certificate, using existing CA certificate: {}",
                         error.what()));
  }
  return false;
}

void Bootstrap::need_revocations(Credentials& credentials, bool is_forced) {
  if (host_.revocation() == certificates::RevocationCheck::kNone) {
    log_.log(LogLevel::kInfo, "Certificate revocation is disabled, skipping CRL download");
    return;
  }
  credentials.checks_only_leaf = host_.revocation() == certificates::RevocationCheck::kLeaf;
  const std::optional<std::string> known = host_.revocations();
  if (!known) {
    try {
      download_revocations(credentials, std::nullopt);
    } catch (const ResponseError& error) {
      if (error.status() == 404) throw StepError("CRL is missing from the server");
      throw StepError(fmt::format("Could not download CRLs: {}", error.what()));
    }
    return;
  }
  credentials.revocations = *known;
  session_.use(credentials);
  const std::optional<std::time_t> last = modification_time(host_.files().revocations);
  if (is_forced || needs_refresh(last, "crl_refresh_interval")) {
    refresh_revocations(credentials, last);
  }
}

void Bootstrap::download_revocations(Credentials& credentials, std::optional<std::time_t> since) {
  const std::string pem = fetch("/certificate_revocation_list/ca", since);
  check_revocations_text(pem);
  Credentials next = credentials;
  next.revocations = pem;
  session_.use(next);
  host_.save_revocations(pem);
  credentials = std::move(next);
}

void Bootstrap::refresh_revocations(Credentials& credentials, std::optional<std::time_t> since) {
  log_.log(LogLevel::kInfo, "Refreshing CRL");
  try {
    download_revocations(credentials, since);
    set_modification_time(host_.files().revocations, std::time(nullptr));
    log_.log(LogLevel::kInfo,
             fmt::format("Refreshed CRL: {}",
                         certificates::fingerprint_digits(kDigest, credentials.revocations)));
  } catch (const ResponseError& error) {
    if (error.status() == 304) {
      log_.log(LogLevel::kInfo, "CRL is unmodified, using existing CRL");
    } else {
      log_.log(LogLevel::kInfo,
               fmt::format("Failed to refresh CRL, using existing CRL: {}", error.what()));
    }
  } catch (const RequestError& error) {
    log_.log(LogLevel::kWarning,
             fmt::format("Failed to refresh CRL, using existing CRL: {}", error.what()));
  }
}

// Returns false when the certificate is not signed yet.
bool Bootstrap::need_certificate(Credentials& credentials) {
  std::optional<Key> key = host_.key();
  if (key) {
    if (const std::optional<std::string> certificate = host_.certificate()) {
      accept(*key, *certificate, credentials);
      const int64_t interval = settings_.integer("hostcert_renewal_interval");
      const Certificate own = Certificate::from_pem(*certificate);
      if (interval > 0 && std::time(nullptr) >= own.not_after() - interval) {
        renew(*key, credentials);
      }
      return true;
    }
  } else {
    if (settings_.text("key_type") == "ec") {
      log_.log(LogLevel::kInfo, fmt::format("Creating a new EC SSL key for {} using curve {}",
                                            host_.name(), settings_.text("named_curve")));
    } else {
      log_.log(LogLevel::kInfo, fmt::format("Creating a new RSA SSL key for {}", host_.name()));
    }
    key = host_.make_key();
  }
  submit_request(*key);
  return download_certificate(*key, credentials);
}

void Bootstrap::submit_request(const Key& key) {
  log_.log(LogLevel::kDebug, "Generating and submitting a CSR");
  Call call;
  call.service = Service::kAuthority;
  call.method = "PUT";
  call.path = "/certificate_request/" + net::encode_percent(host_.name());
  call.accept = "text/plain";
  call.content_type = "text/plain";
  call.body = host_.make_request(key, log_).pem();
  try {
    session_.send(call);
    host_.save_request(call.body);
  } catch (const ResponseError& error) {
    // 400: the server already has a request or certificate of this host.
    if (error.status() != 400) {
      throw StepError(
          fmt::format("Failed to submit the CSR, HTTP response was {}", error.status()));
    }
  }
}

bool Bootstrap::download_certificate(const Key& key, Credentials& credentials) {
  log_.log(LogLevel::kDebug, "Downloading client certificate");
  std::string pem;
  try {
    pem = fetch("/certificate/" + net::encode_percent(host_.name()), std::nullopt);
  } catch (const ResponseError& error) {
    if (error.status() != 404) {
      throw StepError(
          fmt::format("Failed to retrieve certificate for {}: {}", host_.name(), error.what()));
    }
    log_.log(LogLevel::kInfo,
             fmt::format("Certificate for {} has not been signed yet", host_.name()));
    options_.print(
        fmt::format("Couldn't fetch certificate from CA server; you might still need to "
                    "sign this agent's certificate ({}).",
                    host_.name()));
    return false;
  }
  log_.log(LogLevel::kInfo, fmt::format("Downloaded certificate for {} from {}", host_.name(),
                                        session_.url_of(Service::kAuthority)));
  accept(key, pem, credentials);
  host_.save_certificate(pem);
  host_.delete_request();
  return true;
}

void Bootstrap::accept(const Key& key, const std::string& certificate, Credentials& credentials) {
  host_.check(key, certificate, credentials.authorities, credentials.revocations);
  credentials.certificate = certificate;
  credentials.key = key.private_pem();
}

void Bootstrap::renew(const Key& key, Credentials& credentials) {
  log_.log(LogLevel::kDebug, "Renewing client certificate");
  session_.use(credentials);
  Call call;
  call.service = Service::kAuthority;
  call.method = "POST";
  call.path = "/certificate_renewal";
  call.accept = "text/plain";
  call.content_type = "text/plain";
  try {
    const std::string pem = session_.send(call).body;
    accept(key, pem, credentials);
    host_.save_certificate(pem);
    const Certificate own = Certificate::from_pem(pem);
    log_.log(LogLevel::kInfo,
             fmt::format("Renewed client certificate: {}, not before '{}', not after '{}'",
                         certificates::fingerprint_digits(kDigest, own.pem()),
                         date_text(own.not_before()), date_text(own.not_after())));
  } catch (const ResponseError& error) {
    if (error.status() == 404) {
      log_.log(LogLevel::kInfo, "Certificate autorenewal has not been enabled on the server.");
    } else {
      log_.log(LogLevel::kWarning, fmt::format("Failed to automatically renew certificate: {} {}",
                                               error.status(), error.what()));
    }
  } catch (const std::exception& error) {
    log_.log(LogLevel::kWarning,
             fmt::format("Unable to automatically renew certificate: {}", error.what()));
  }
}

void Bootstrap::wait() {
  const int64_t interval = options_.wait_for_certificate;
  if (interval < 1) give_up("Exiting now because the waitforcert setting is set to 0.");
  if (std::time(nullptr) > certificate_deadline_) {
    give_up(fmt::format(
        "Couldn't fetch certificate from CA server; you might still need to sign this agent's "
        "certificate ({}). Exiting now because the maxwaitforcert timeout has been exceeded.",
        host_.name()));
  }
  log_.log(LogLevel::kInfo, fmt::format("Will try again in {} seconds.", interval));
  session_.close();
  std::this_thread::sleep_for(std::chrono::seconds(interval));
}

void Bootstrap::give_up(const std::string& message) {
  if (options_.is_daemon) {
    log_.log(LogLevel::kErr, message);
  } else {
    options_.print(message);
  }
  throw BootstrapError(message, true);
}

void Bootstrap::show_chain(const Credentials& credentials) {
  if (!log_.takes(LogLevel::kDebug)) return;
  const std::optional<Key> key = host_.key();
  if (!key) return;
  const std::vector<Certificate> chain =
      host_.check(*key, credentials.certificate, credentials.authorities, credentials.revocations);
  for (size_t i = chain.size(); i-- > 0;) {
    log_.log(
        LogLevel::kDebug,
        fmt::format("Verified {} certificate '{}' fingerprint ({}) {}", i == 0 ? "client" : "CA",
                    certificates::subject_text(chain[i]), kDigest, chain[i].fingerprint(kDigest)));
  }
}

}  // namespace bunraku::agent
