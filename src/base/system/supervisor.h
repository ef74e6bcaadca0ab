// The other side of process.h: the launcher and the supervisors of programs. It runs in forked
// processes, possibly of a process with threads, so that only functions are called that POSIX
// allows there: no allocations, locks or exceptions.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace bunraku::supervision {

// The request to the launcher, one packet per program: its descriptors are the supervisor's socket,
// the working directory, and the program's streams.
struct LaunchRequest {
  uint32_t streams;
  int32_t numbers[8];  // of the streams in the program
};
constexpr size_t kMostDescriptors = 2 + 8;

// The first message to the supervisor, followed by `size` bytes: the groups (gid_t each), and texts
// with a zero byte at their ends: path, directory, words, environment.
struct ProgramHead {
  uint64_t size;
  uint64_t address_space;  // 0: no limit
  uint32_t groups, words, variables;
  uint32_t has_identity, has_umask, leaves_descendants, ends_descendants;
  uid_t user;
  gid_t group;
  mode_t umask;
};

// Messages from the supervisor.
enum class Event : uint32_t { kStarted, kFailed, kEnded };
struct Report {
  Event event;
  int32_t value;  // the process, errno, or the status of waitpid()
};

// The main loop of the launcher, until its socket is closed.
[[noreturn]] void serve(int socket);

}  // namespace bunraku::supervision
