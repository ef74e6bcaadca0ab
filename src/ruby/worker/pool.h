// The idle workers of this process. Workers start when first needed and are kept for the next
// compilation with the same modules. Safe from any thread.
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
  // The time limit between two messages of Ruby code.
  std::chrono::milliseconds timeout{60'000};
  size_t memory_limit = size_t{2} << 30;  // bytes of address space
  // The generation of the environment's code (see compilation/generation.h). A worker that has
  // loaded one generation is not used for another.
  uint64_t generation = 0;
};

class RubyPool {
 public:
  static RubyPool& instance();

  // Returns a worker for `configuration` (a new worker's own configuration is empty), or null and
  // the reason when none can be started.
  std::unique_ptr<RubyWorker> take(const RubyOptions& options, const std::string& configuration,
                                   std::string& reason);
  // Returns an idle worker to the pool.
  void give_back(std::unique_ptr<RubyWorker> worker);
  // Ends all idle workers, and waits for them.
  void end();
  // Ends the idle workers that have loaded the generation.
  void discard(uint64_t generation);

 private:
  static constexpr size_t kMostIdle = 16;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RubyWorker>> idle_;  // sorted by last use, the oldest first
};

}  // namespace bunraku
