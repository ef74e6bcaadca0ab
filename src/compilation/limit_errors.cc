// Messages for exceeded limits.
#include "compilation/limit_errors.h"

#include <fmt/format.h>

namespace bunraku::compilation {
namespace {

std::string seconds_text(std::chrono::milliseconds timeout) {
  return fmt::format("{:g}", static_cast<double>(timeout.count()) / 1000);
}

std::string size_text(size_t bytes) {
  constexpr size_t kMebibyte = size_t{1} << 20;
  return bytes >= kMebibyte ? fmt::format("{} MiB", bytes / kMebibyte)
                            : fmt::format("{} bytes", bytes);
}

Diagnostic diagnostic_of(Limit limit, const RequestLimits& limits) {
  switch (limit) {
    case Limit::kTime:
      return make_diagnostic(Issue::kTimeLimit, {}, {seconds_text(limits.timeout)});
    case Limit::kMemory:
      return make_diagnostic(Issue::kMemoryLimit, {}, {size_text(limits.memory)});
    case Limit::kCancelled:
      break;
  }
  return make_diagnostic(Issue::kCancelled, {}, {});
}

}  // namespace

LimitReached limit_error(const LimitError& error, const RequestLimits& limits) {
  return {diagnostic_of(error.limit(), limits), error.limit()};
}

}  // namespace bunraku::compilation
