// Functions of modules in Ruby that run without Ruby, as far as their code is known.
#pragma once

#include <memory>
#include <string>

#include "evaluation/function.h"
#include "ruby/worker/function.h"

namespace bunraku {

// The function that the file at `path` defines: its code runs without Ruby, or, where it does what
// is not known, by a worker. Throws as make_ruby_function() does.
std::unique_ptr<Function> make_module_function(Evaluator& evaluator, Name name, std::string path,
                                               RubyInterface interface, const Place& place);

}  // namespace bunraku
