// Obtains a host's certificates: loads, fetches and refreshes authorities and revocation lists,
// makes a key, requests a certificate, waits for it, and renews it in time.
#pragma once

#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/host_certificates.h"
#include "agent/server_session.h"
#include "apply/transaction/context.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

// The host could not get certificates. The reason has been logged unless `is_logged` is false.
class BootstrapError : public std::exception {
 public:
  BootstrapError(std::string message, bool is_logged)
      : message_(std::make_shared<const std::string>(std::move(message))), is_logged_(is_logged) {}
  const char* what() const noexcept override { return message_->c_str(); }
  bool is_logged() const { return is_logged_; }

 private:
  std::shared_ptr<const std::string> message_;
  bool is_logged_;
};

struct BootstrapOptions {
  int64_t wait_for_certificate = 120;  // seconds; 0: do not wait
  bool is_onetime = false;             // the first error ends the process
  // Prints a line on standard output; a daemon has none and logs some of the lines.
  std::function<void(const std::string&)> print;
  bool is_daemon = false;
};

class Bootstrap {
 public:
  // All must outlive this object.
  Bootstrap(const Settings& settings, ServerSession& session, apply::RunLog& log,
            BootstrapOptions options);

  // Returns when the host has a valid certificate, which the session uses from then on. Waits for
  // the certificate to be signed. Throws BootstrapError.
  Credentials run();
  // Obtains only authorities and revocation lists.
  Credentials run_for_authorities();

  const HostCertificates& host() const { return host_; }

 private:
  enum class Goal : uint8_t { kAuthorities, kCertificate };
  // The error of a step that may succeed when it is repeated.
  class StepError;

  Credentials run(Goal goal);
  void lock_and_attempt(Goal goal, Credentials& credentials, bool& is_done);
  bool attempt(Goal goal, Credentials& credentials);
  bool need_authorities(Credentials& credentials);
  void download_authorities(Credentials& credentials);
  bool refresh_authorities(Credentials& credentials, std::optional<std::time_t> since);
  void need_revocations(Credentials& credentials, bool is_forced);
  void download_revocations(Credentials& credentials, std::optional<std::time_t> since);
  void refresh_revocations(Credentials& credentials, std::optional<std::time_t> since);
  bool need_certificate(Credentials& credentials);
  void submit_request(const certificates::Key& key);
  bool download_certificate(const certificates::Key& key, Credentials& credentials);
  void renew(const certificates::Key& key, Credentials& credentials);
  void accept(const certificates::Key& key, const std::string& certificate,
              Credentials& credentials);
  bool needs_refresh(std::optional<std::time_t> last, const char* setting) const;
  std::string fetch(const std::string& path, std::optional<std::time_t> since);
  void wait();
  void show_chain(const Credentials& credentials);
  [[noreturn]] void give_up(const std::string& message);

  const Settings& settings_;
  ServerSession& session_;
  apply::RunLog& log_;
  BootstrapOptions options_;
  HostCertificates host_;
  std::time_t certificate_deadline_;
  std::time_t lock_deadline_;
};

}  // namespace bunraku::agent
