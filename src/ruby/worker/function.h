// Functions of modules written in Ruby.
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

// State of a native run that stopped partway, sent to the worker with the arguments: the results of
// the functions called, which are not called again, and the variables already set.
struct RubyReplay {
  std::vector<Value> results;
  std::vector<std::string> set_variables;
  std::string obstacle;  // the reason: "line 3: the method 'unpack'"; empty when it is not known
};

// The code of a function that can run natively within the supported part of Ruby.
class PlainCode {
 public:
  virtual ~PlainCode() = default;
  // The description that the prelude's functions.load or functions.load_3x would return for the
  // file.
  virtual Value description(Arena& arena) const = 0;
  // Runs a dispatch. Returns no value when a worker has to run the function from its beginning.
  // Throws whatever the called functions throw.
  virtual std::optional<Value> call(Call& call, size_t dispatch, RubyReplay& replay) const = 0;
};

// Calls a function for Ruby code. Errors have their bare message; the place is added where the Ruby
// code was called. `caller` is the calling function's file; empty: the environment.
Value call_from_ruby(Evaluator& evaluator, Scope& scope, std::string_view name,
                     std::span<const Value> arguments, const Block* block, const Place& place,
                     std::string_view caller);

// Has a worker load the file and report the function's signatures, against which the compiler
// checks arguments. The result belongs to the evaluator's compilation, which must outlive it.
// Throws EvaluationError when the file is wrong or Ruby cannot run; `place` is the code that needs
// the function. With `plain` a worker starts only where that code does not suffice; `obstacle` says
// why there is no such code, for profiles and errors, and may be empty.
std::unique_ptr<Function> make_ruby_function(Evaluator& evaluator, Name name, std::string file,
                                             RubyInterface interface, const Place& place,
                                             std::unique_ptr<PlainCode> plain = nullptr,
                                             std::string obstacle = {});

// For functions whose own method `call` chooses a dispatch: the index of the dispatch that accepts
// the arguments, and the check of its result against the declared return type. Both throw
// EvaluationError on a mismatch.
size_t select_ruby_dispatch(const Function& function, Call& call);
void check_ruby_result(const Function& function, size_t number, Value result);

}  // namespace bunraku
