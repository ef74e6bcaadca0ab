// The memory of template renderers during a compilation.
#pragma once

#include <memory>

namespace bunraku {

class Evaluator;

// Initially empty. It belongs to the renderer of ERB templates; the evaluator never reads it.
std::shared_ptr<void>& template_memory(Evaluator& evaluator);

}  // namespace bunraku
