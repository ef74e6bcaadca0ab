// The reason why an operation on a resource failed.
#pragma once

#include <exception>
#include <memory>
#include <string>

namespace bunraku::apply {

// A failure of one resource, or of reading its attributes. The text is the reference's where it has
// one. The reference words two kinds differently: failures that a type or provider raises on
// purpose, and failures of the system (a missing directory, a program that cannot be run), which
// are wrapped: "Could not set 'file' on ensure: No such file …".
class Failure : public std::exception {
 public:
  explicit Failure(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  static Failure of_system(std::string message) {
    Failure failure(std::move(message));
    failure.is_of_system_ = true;
    return failure;
  }
  static Failure wrapping(std::string message, std::string inner) {
    Failure failure(std::move(message));
    failure.inner_ = std::make_shared<const std::string>(std::move(inner));
    return failure;
  }

  const char* what() const noexcept override { return message_->c_str(); }
  const std::string& message() const { return *message_; }
  bool is_of_system() const { return is_of_system_; }
  // The message of the wrapped failure; null when there is none.
  const std::string* inner() const { return inner_.get(); }
  // The message for the log, with that of the wrapped failure.
  std::string log_text() const {
    return inner_ == nullptr ? *message_ : *message_ + "\nWrapped exception:\n" + *inner_;
  }

 private:
  std::shared_ptr<const std::string> message_;
  std::shared_ptr<const std::string> inner_;
  bool is_of_system_ = false;
};

// A failure that ends the whole run: a dependency cycle, an unknown schedule, an invalid tag.
class RunFailure : public Failure {
 public:
  using Failure::Failure;
};

// "No such file or directory @ rb_sysopen - /x": an error number in Ruby's words. `call` may be
// empty.
std::string system_error_text(int error, const std::string& call, const std::string& path);

}  // namespace bunraku::apply
