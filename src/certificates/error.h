// Errors of keys, certificates and the authority.
#pragma once

#include <exception>
#include <memory>
#include <string>

namespace bunraku::certificates {

// `status` is the HTTP status of an answer: 400 for a request that violates a rule, 404 for missing
// objects, 409 for conflicts with the present state, 500 for a failure of the authority itself.
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
