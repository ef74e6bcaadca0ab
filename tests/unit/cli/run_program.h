// Runs a command line within the test and captures its output.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/frame/program.h"

namespace bunraku {

// Captures the output to a descriptor during its lifetime.
class Capture {
 public:
  explicit Capture(int descriptor)
      : descriptor_(descriptor), saved_(dup(descriptor)), file_(std::tmpfile()) {
    if (file_ == nullptr) throw std::runtime_error("no temporary file");
    dup2(fileno(file_), descriptor);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() {
    restore();
    std::fclose(file_);
  }
  std::string text() {
    restore();
    if (std::fseek(file_, 0, SEEK_SET) != 0) throw std::runtime_error("no way back");
    std::string text;
    for (int c; (c = std::fgetc(file_)) != EOF;) text += static_cast<char>(c);
    return text;
  }

 private:
  void restore() {
    if (saved_ < 0) return;
    dup2(saved_, descriptor_);
    close(saved_);
    saved_ = -1;
  }
  int descriptor_;
  int saved_;
  std::FILE* file_;
};

struct ProgramResult {
  int exit_code;
  std::string output;
  std::string log;
};

inline ProgramResult run(std::vector<std::string> words) {
  std::fflush(stdout);
  std::fflush(stderr);
  Capture output(STDOUT_FILENO);
  Capture log(STDERR_FILENO);
  const int exit_code = run_program(words);
  return {exit_code, output.text(), log.text()};
}

}  // namespace bunraku
