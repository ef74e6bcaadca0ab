// Files that say that a run is under way, that a daemon runs, or that runs are disabled: the
// reference's names and contents, which both programs and other tools respect.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace bunraku::agent {

// A file with the process identifier of its owner. What a process that is gone, or another program,
// has left does not count.
class PidLock {
 public:
  explicit PidLock(std::string path) : path_(std::move(path)) {}
  // Releases it.
  ~PidLock() { release(); }
  PidLock(const PidLock&) = delete;
  PidLock& operator=(const PidLock&) = delete;

  // False when another process has it. Throws FileError when the file cannot be written.
  bool take();
  void release();
  // Held by any process?
  bool is_held() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  pid_t owner_ = 0;  // the process that took it: a child that was forked since does not release it
};

// Removes a lock that the process `owner` has left behind.
void remove_lock_of(const std::string& path, pid_t owner);

// The lock of `--disable`.
class DisabledLock {
 public:
  explicit DisabledLock(std::string path) : path_(std::move(path)) {}
  bool is_set() const;
  // The reason that was given; empty when there is none.
  std::string message() const;
  // An earlier lock is left as it is. Throws FileError.
  void set(const std::string& message) const;
  void clear() const;

 private:
  std::string path_;
};

}  // namespace bunraku::agent
