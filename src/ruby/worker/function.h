// Functions that modules have in Ruby.
#pragma once

#include <memory>
#include <string>

#include "evaluation/function.h"

namespace bunraku {

// The reference's two interfaces for functions.
enum class RubyInterface : uint8_t {
  kCurrent,  // lib/puppet/functions: Puppet::Functions.create_function
  kLegacy,   // lib/puppet/parser/functions: newfunction
};

// Has a worker load the file and report the function's overloads, whose arguments are checked on
// our side. For the evaluator's compilation, which must outlive it. Throws EvaluationError: what is
// wrong with the file, or that Ruby cannot be run; `place` is what asked for the function.
std::unique_ptr<Function> make_ruby_function(Evaluator& evaluator, Name name, std::string file,
                                             RubyInterface interface, const Place& place);

// For a function whose own method `call` looks for a dispatch by itself: the number of that which
// takes the arguments, and whether its result is what it promises. Throw EvaluationError when not.
size_t select_ruby_dispatch(const Function& function, Call& call);
void check_ruby_result(const Function& function, size_t number, Value result);

}  // namespace bunraku
