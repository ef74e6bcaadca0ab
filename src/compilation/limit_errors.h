// What went over a limit, as an error that is reported like any other.
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

// Does the work; a limit of the request that it reaches becomes an EvaluationError.
template <typename Work>
decltype(auto) within(const RequestLimits& limits, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const LimitError& error) {
    throw limit_error(error, limits);
  }
}

}  // namespace bunraku::compilation
