#include <string>
#include <vector>

#include "cli/frame/program.h"

int main(int count, char** words) {
  return bunraku::run_program(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
}
