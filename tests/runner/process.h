#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace bunraku::cases {

struct ProcessResult {
  std::string out;
  std::string err;
  int exit = 0;    // the exit code
  int signal = 0;  // or the signal that ended it
  bool timed_out = false;
};

// Runs a program to its end without standard input. After `seconds` it is killed, with its
// children. Throws std::runtime_error when it cannot be started.
ProcessResult run(const std::vector<std::string>& command, const std::filesystem::path& directory,
                  const std::vector<std::string>& environment, int seconds);

// A program that answers each line of input with one line.
class Conversation {
 public:
  explicit Conversation(const std::vector<std::string>& command);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // Throws std::runtime_error when the program has ended.
  std::string ask(const std::string& line);

 private:
  pid_t pid_ = -1;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

}  // namespace bunraku::cases
