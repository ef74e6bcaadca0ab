#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "evaluation/evaluator.h"

// The tests have the stack that the program has: how deep values may be nested is tested too.
int main(int argc, char** argv) {
  // What the tests compare are the reference's lines.
  setenv("BUNRAKU_LOG_FORMAT", "one-line", 1);
  doctest::Context context(argc, argv);
  int result = 0;
  auto task = [&] { result = context.run(); };
  bunraku::run_on_large_stack(task);
  return result;
}
