#include "agent/lock_files.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/system/file_system.h"

using namespace bunraku;
using namespace bunraku::agent;

namespace {

// A path in a new directory, which is removed at the end.
class Place {
 public:
  Place() {
    std::string pattern = "/tmp/bunraku-locks-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~Place() {
    ::unlink(path().c_str());
    ::rmdir(directory_.c_str());
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  std::string path() const { return directory_ + "/lock"; }

 private:
  std::string directory_;
};

}  // namespace

TEST_CASE("a lock is one process's until it is released") {
  const Place place;
  {
    PidLock lock(place.path());
    CHECK(lock.take());
    CHECK(read_file(place.path()) == std::to_string(getpid()));
    CHECK(lock.is_held());
    const pid_t child = fork();
    if (child == 0) {
      // A child can neither take the lock nor release its parent's.
      PidLock other(place.path());
      const bool is_taken = other.take();
      lock.release();
      _exit(is_taken || !is_file(place.path()) ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK_FALSE(exists(place.path()));
}

TEST_CASE("a lock that is left over does not count") {
  const Place place;
  for (const char* contents : {"", "word", "-1", "1", "999999999"}) {
    write_file(place.path(), contents);
    PidLock lock(place.path());
    CHECK_FALSE(lock.is_held());
    CHECK(lock.take());
  }
}

TEST_CASE("runs are disabled with a reason") {
  const Place place;
  const DisabledLock lock(place.path());
  CHECK_FALSE(lock.is_set());
  lock.set("a \"reason\"");
  lock.set("another one");
  CHECK(lock.is_set());
  CHECK(lock.message() == "a \"reason\"");
  CHECK(read_file(place.path()) == "{\"disabled_message\":\"a \\\"reason\\\"\"}");
  lock.clear();
  lock.clear();
  CHECK_FALSE(lock.is_set());
  write_file(place.path(), "no json");
  CHECK(lock.is_set());
  CHECK(lock.message().empty());
}
