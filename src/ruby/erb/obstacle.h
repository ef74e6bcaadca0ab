// A construct of a template or function that the interpreter does not support: a worker must run
// the code.
#pragma once

#include <string>
#include <string_view>

namespace bunraku::erb {

struct Obstacle {
  int line;
  std::string construct;  // "the method 'unpack'", "a 'while' loop"
  // The name, if the construct is one without arguments that is neither a local variable nor a
  // method of the template, of Ruby or of Puppet.
  std::string unknown_name = {};
};

[[noreturn]] inline void fail_with_obstacle(int line, std::string construct) {
  throw Obstacle{line, std::move(construct)};
}

}  // namespace bunraku::erb
