// Lock files that mark a run in progress, a running daemon, or disabled runs. Names and contents
// are the reference's, so that both programs and other tools respect them.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace bunraku::agent {

// A file with the process identifier of its owner. A file is ignored when its process has ended or
// is another program.
class PidLock {
 public:
  explicit PidLock(std::string path) : path_(std::move(path)) {}
  // Releases the lock.
  ~PidLock() { release(); }
  PidLock(const PidLock&) = delete;
  PidLock& operator=(const PidLock&) = delete;

  // Returns false when another process holds it. Throws FileError when the file cannot be written.
  bool take();
  void release();
  // Returns whether any process holds it.
  bool is_held() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  pid_t owner_ = 0;  // the process that took the lock; children forked later do not release it
};

// Removes a lock that the ended process `owner` has left.
void remove_lock_of(const std::string& path, pid_t owner);

// The lock of `--disable`.
class DisabledLock {
 public:
  explicit DisabledLock(std::string path) : path_(std::move(path)) {}
  bool is_set() const;
  // The reason stored in the lock; empty when there is none.
  std::string message() const;
  // Leaves an existing lock unchanged. Throws FileError.
  void set(const std::string& message) const;
  void clear() const;

 private:
  std::string path_;
};

}  // namespace bunraku::agent
