// Ruby functions of modules that run natively where their code is within the supported part of
// Ruby.
#pragma once

#include <memory>
#include <string>

#include "evaluation/function.h"
#include "ruby/worker/function.h"

namespace bunraku {

// Makes the function that the file at `path` defines. Its code runs natively, or in a worker where
// it is outside the supported part of Ruby. Throws as make_ruby_function() does.
std::unique_ptr<Function> make_module_function(Evaluator& evaluator, Name name, std::string path,
                                               RubyInterface interface, const Place& place);

}  // namespace bunraku
