// Functions that modules have in Ruby.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"

namespace bunraku {

// The reference's two interfaces for functions.
enum class RubyInterface : uint8_t {
  kCurrent,  // lib/puppet/functions: Puppet::Functions.create_function
  kLegacy,   // lib/puppet/parser/functions: newfunction
};

// What is given to Ruby beside the arguments when a part of a function has run without it: what the
// functions gave that were called, which are not called again, and the variables that are set.
struct RubyReplay {
  std::vector<Value> results;
  std::vector<std::string> set_variables;
};

// The code of a function that can run without Ruby, as far as it is known.
class PlainCode {
 public:
  virtual ~PlainCode() = default;
  // What the prelude's functions.load, or functions.load_3x, gives for the file.
  virtual Value description(Arena& arena) const = 0;
  // The result; nothing when Ruby has to run it from its beginning. Throws what the code calls
  // throws.
  virtual std::optional<Value> call(Call& call, size_t dispatch, RubyReplay& replay) const = 0;
};

// What Ruby code of a function calls: what is raised has its bare message; the place is added where
// that code was called. `caller` is the function's file; empty: the environment.
Value call_from_ruby(Evaluator& evaluator, Scope& scope, std::string_view name,
                     std::span<const Value> arguments, const Block* block, const Place& place,
                     std::string_view caller);

// Has a worker load the file and report the function's overloads, whose arguments are checked on
// our side. For the evaluator's compilation, which must outlive it. Throws EvaluationError: what is
// wrong with the file, or that Ruby cannot be run; `place` is what asked for the function. With
// plain code a worker is needed only where that does not suffice.
std::unique_ptr<Function> make_ruby_function(Evaluator& evaluator, Name name, std::string file,
                                             RubyInterface interface, const Place& place,
                                             std::unique_ptr<PlainCode> plain = nullptr);

// For a function whose own method `call` looks for a dispatch by itself: the number of that which
// takes the arguments, and whether its result is what it promises. Throw EvaluationError when not.
size_t select_ruby_dispatch(const Function& function, Call& call);
void check_ruby_result(const Function& function, size_t number, Value result);

}  // namespace bunraku
