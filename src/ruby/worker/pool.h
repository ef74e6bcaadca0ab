// The workers of this process that are idle. They start when first needed and are
// kept for the next compilation with the same modules. Safe from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ruby/worker/worker.h"

namespace bunraku {

enum class RubyUse : unsigned char { kAuto, kNever };

struct RubyOptions {
  RubyUse use = RubyUse::kAuto;  // kNever: needing Ruby is an error
  std::string program = "ruby";
  // How long Ruby code may run before it asks or answers something.
  std::chrono::milliseconds timeout{60'000};
  size_t memory_limit = size_t{2} << 30;  // bytes of address space
  // Of the environment's code (see compilation/generation.h): a worker that has loaded one
  // generation serves no other.
  uint64_t generation = 0;
};

class RubyPool {
 public:
  static RubyPool& instance();

  // A worker for `configuration` (empty in one that has just started). Null, with the reason, when
  // none can be started.
  std::unique_ptr<RubyWorker> take(const RubyOptions& options, const std::string& configuration,
                                   std::string& reason);
  // Gives back a worker that is at rest.
  void give_back(std::unique_ptr<RubyWorker> worker);
  // Ends all that are at rest, and waits for them.
  void end();
  // Ends those at rest that have served the generation.
  void discard(uint64_t generation);

 private:
  static constexpr size_t kMostIdle = 16;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RubyWorker>> idle_;  // the longest unused first
};

}  // namespace bunraku
