// One process that runs Ruby code: the system's `ruby` with our prelude, spoken to over a socket in
// frames of 4 bytes of length (little endian) and so many bytes of content.
//
// The process has a group of its own, no standard streams, a bound on its memory, and dies with us.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bunraku {

using RubyClock = std::chrono::steady_clock;

class RubyWorker {
 public:
  // Starts `program` (found along PATH) and sends it the prelude. Null, with the reason, when it
  // cannot be started; a process that dies at once is noticed by the first receive().
  static std::unique_ptr<RubyWorker> start(const std::string& program, size_t memory_limit,
                                           std::string& reason);
  // Kills the process and all that it started.
  ~RubyWorker();
  RubyWorker(const RubyWorker&) = delete;
  RubyWorker& operator=(const RubyWorker&) = delete;

  enum class Outcome : unsigned char { kDone, kDead, kTimeout };
  Outcome send(std::string_view content, RubyClock::time_point deadline);
  // Replaces `content`.
  Outcome receive(std::string& content, RubyClock::time_point deadline);

  // Is the process still there, as far as its socket shows?
  bool is_alive() const;
  // How it ended ("killed by signal 9", "exit status 1"), once kDead was seen; waits for its end.
  std::string end_text();
  pid_t process() const { return process_; }

  // Which modules its load path has, and whose generation; a worker serves only those.
  std::string configuration;
  uint64_t generation = 0;

 private:
  RubyWorker(int socket, pid_t process);
  Outcome wait_for(short events, RubyClock::time_point deadline);
  bool is_ready(short events, std::chrono::milliseconds timeout, int& error) const;
  // While one side runs the other one waits, so short calls are quickest where both use one
  // processor: the worker is bound to that of the caller, and set free when a call takes longer.
  void stay_with_caller();
  void set_free();
  void kill_group();

  int socket_;
  pid_t process_;
  bool is_reaped_ = false;
  int status_ = 0;
  int processor_ = -1;  // that it is bound to
  cpu_set_t processors_;
  std::string received_;  // bytes beyond the frame that was asked for
};

// The path of the program along PATH; empty when there is none that can be run.
std::string find_ruby(const std::string& program);

}  // namespace bunraku
