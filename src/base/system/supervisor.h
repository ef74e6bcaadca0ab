// The other side of process.h: the launcher and the supervisors of programs. It runs in forked
// processes, perhaps of a process with threads, so that only what POSIX allows there is called:
// nothing allocates, locks or throws.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace bunraku::supervision {

// To the launcher, a packet for each program: its descriptors are the supervisor's socket, the
// working directory, and the program's streams.
struct LaunchRequest {
  uint32_t streams;
  int32_t numbers[8];  // of the streams in the program
};
constexpr size_t kMostDescriptors = 2 + 8;

// To the supervisor, before anything else, followed by `size` bytes: the groups (gid_t each), and
// texts that end with a zero byte: path, directory, words, environment.
struct ProgramHead {
  uint64_t size;
  uint64_t address_space;  // 0: no limit
  uint32_t groups, words, variables;
  uint32_t has_identity, has_umask, leaves_descendants, ends_descendants;
  uid_t user;
  gid_t group;
  mode_t umask;
};

// From the supervisor.
enum class Event : uint32_t { kStarted, kFailed, kEnded };
struct Report {
  Event event;
  int32_t value;  // the process, errno, or the status as of waitpid()
};

// What the launcher does until its socket is closed.
[[noreturn]] void serve(int socket);

}  // namespace bunraku::supervision
