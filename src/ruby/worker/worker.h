// One process that runs Ruby code: the system's `ruby` with our prelude. The two sides exchange
// frames over a socket: 4 bytes with the length (little endian), then the content.
//
// The process has its own group, no standard streams and a memory limit, and dies with this
// process.
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
  // Starts `program` (found along PATH) and sends it the prelude. Returns null and the reason when
  // it cannot be started; the first receive() notices a process that dies at once.
  static std::unique_ptr<RubyWorker> start(const std::string& program, size_t memory_limit,
                                           std::string& reason);
  // Kills the process and all processes that it has started.
  ~RubyWorker();
  RubyWorker(const RubyWorker&) = delete;
  RubyWorker& operator=(const RubyWorker&) = delete;

  enum class Outcome : unsigned char { kDone, kDead, kTimeout };
  Outcome send(std::string_view content, RubyClock::time_point deadline);
  // Replaces `content` with the next message.
  Outcome receive(std::string& content, RubyClock::time_point deadline);

  // Waits for the message that the process sends after a compilation if it can serve another one.
  // Returns false when it has ended instead, as it does when code has changed it, or does not
  // answer until the deadline.
  bool is_ready_again(RubyClock::time_point deadline);
  // Lets the process end by itself, so that code runs that was registered for its end (at_exit);
  // waits for the end.
  void end_orderly(RubyClock::time_point deadline);
  // Describes how it ended ("killed by signal 9", "exit status 1"). Call it after kDead; it waits
  // for the end.
  std::string end_text();
  pid_t process() const { return process_; }

  // The modules on the worker's load path and the generation of their code; it serves no others.
  std::string configuration;
  uint64_t generation = 0;

 private:
  RubyWorker(int socket, pid_t process);
  Outcome wait_for(short events, RubyClock::time_point deadline);
  bool is_ready(short events, std::chrono::milliseconds timeout, int& error) const;
  // While one side runs the other waits, so short calls are fastest when both use one processor.
  // The worker is bound to the caller's processor, and released when a call takes longer.
  void stay_with_caller();
  void set_free();
  void kill_group();

  int socket_;
  pid_t process_;
  bool is_reaped_ = false;
  int status_ = 0;
  int processor_ = -1;  // the processor that the worker is bound to; -1: none
  cpu_set_t processors_;
  std::string received_;  // bytes received after the end of the current frame
};

// The path of the program along PATH; empty when no executable is found.
std::string find_ruby(const std::string& program);

}  // namespace bunraku
