// A construct of a template or function that the interpreter does not support: a worker must run
// the code.
#pragma once

#include <string>
#include <string_view>

namespace bunraku::erb {

struct Obstacle {
  int line;
  std::string construct;  // "the method 'unpack'", "a 'while' loop"
  // The construct is a name alone, of no local variable and of no method that Ruby or Puppet
  // defines.
  std::string unknown_name = {};
};

[[noreturn]] inline void fail_with_obstacle(int line, std::string construct) {
  throw Obstacle{line, std::move(construct)};
}

}  // namespace bunraku::erb
