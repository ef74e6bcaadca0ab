#include "base/system/reads.h"

#include "base/text/digest.h"

namespace bunraku {
namespace {

thread_local ReadObserver* observer = nullptr;

}  // namespace

ReadObserver* ReadObserver::current() {
  return observer;
}

ObservedReads::ObservedReads(ReadObserver* inner) : outer_(observer) {
  observer = inner;
}

ObservedReads::~ObservedReads() {
  observer = outer_;
}

std::string read_digest(std::string_view bytes) {
  // Half of the digest is enough to distinguish files.
  return digest_bytes(DigestAlgorithm::kSha256, bytes).substr(0, 16);
}

std::string names_digest(std::span<const std::string> names) {
  std::string all;
  for (const std::string& name : names) all.append(name).push_back('\0');
  return read_digest(all);
}

const std::string& LateDigest::get() const {
  std::call_once(is_made_, [this] {
    if (has_bytes_) digest_ = read_digest(bytes_);
  });
  return digest_;
}

void report_untracked(std::string_view reason) {
  if (observer != nullptr) observer->untracked(reason);
}

}  // namespace bunraku
