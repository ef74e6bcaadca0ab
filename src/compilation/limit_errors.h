// Converts exceeded limits to ordinary errors.
#pragma once

#include <utility>

#include "base/diagnostics/diagnostic.h"
#include "base/system/limits.h"

namespace bunraku::compilation {

class LimitReached : public EvaluationError {
 public:
  LimitReached(Diagnostic diagnostic, Limit limit)
      : EvaluationError(std::move(diagnostic), ErrorKind::kError), limit_(limit) {}
  Limit limit() const { return limit_; }

 private:
  Limit limit_;
};

LimitReached limit_error(const LimitError& error, const RequestLimits& limits);

// Does the work. An exceeded limit of the request becomes an EvaluationError.
template <typename Work>
decltype(auto) within(const RequestLimits& limits, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const LimitError& error) {
    throw limit_error(error, limits);
  }
}

}  // namespace bunraku::compilation
