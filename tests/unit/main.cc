#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "evaluation/evaluator.h"

// The tests have the stack that the program has: how deep values may be nested is tested too.
int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  int result = 0;
  auto task = [&] { result = context.run(); };
  bunraku::run_on_large_stack(task);
  return result;
}
