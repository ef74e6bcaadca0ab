#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "evaluation/evaluator.h"

// The tests run on a stack as large as the program's, because they test the bounds of nesting.
int main(int argc, char** argv) {
  // The tests compare messages in the reference's format.
  setenv("BUNRAKU_LOG_FORMAT", "one-line", 1);
  doctest::Context context(argc, argv);
  int result = 0;
  auto task = [&] { result = context.run(); };
  bunraku::run_on_large_stack(task);
  return result;
}
