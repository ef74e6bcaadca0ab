// Failures of the store.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

namespace bunraku::store {

enum class StoreErrorKind : uint8_t {
  kUnavailable,  // the database cannot be reached, is locked too long, or its disk is full
  kConflict,     // another writer interfered: the transaction may be retried
  kInput,        // an invalid command or query; the message is for its sender
  kTime,         // a query exceeded its time limit
  kDatabase      // any other error of the database
};

class StoreError : public std::exception {
 public:
  StoreError(StoreErrorKind kind, std::string message)
      : kind_(kind), message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }
  StoreErrorKind kind() const { return kind_; }

 private:
  StoreErrorKind kind_;
  std::shared_ptr<const std::string> message_;
};

}  // namespace bunraku::store
