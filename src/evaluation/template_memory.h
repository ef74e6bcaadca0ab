// What those who render templates keep for as long as a compilation goes on.
#pragma once

#include <memory>

namespace bunraku {

class Evaluator;

// Empty at first. Belongs to the renderer of ERB templates; the evaluator does not look into it.
std::shared_ptr<void>& template_memory(Evaluator& evaluator);

}  // namespace bunraku
