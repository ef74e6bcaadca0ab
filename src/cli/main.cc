#include <string>
#include <vector>

#include "base/system/stack.h"
#include "cli/frame/program.h"

// Everything runs on a large stack, whatever the limit of the process is.
int main(int count, char** words) {
  int exit_code = 1;
  auto program = [&] {
    exit_code =
        bunraku::run_program(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
  };
  bunraku::run_on_large_stack(program);
  return exit_code;
}
