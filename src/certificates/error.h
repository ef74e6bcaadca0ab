// What goes wrong with keys, certificates and the authority.
#pragma once

#include <exception>
#include <memory>
#include <string>

namespace bunraku::certificates {

// `status` is the status code of an HTTP answer: 400 for a request that breaks a rule, 404 for what
// is not there, 409 for what cannot be done as things stand, 500 for a fault of the authority's
// own.
class CertificateError : public std::exception {
 public:
  explicit CertificateError(std::string message, int status = 500)
      : message_(std::make_shared<const std::string>(std::move(message))), status_(status) {}
  const char* what() const noexcept override { return message_->c_str(); }
  int status() const { return status_; }

 private:
  std::shared_ptr<const std::string> message_;
  int status_;
};

}  // namespace bunraku::certificates
