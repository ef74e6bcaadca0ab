// Words for limits.
#include "compilation/limit_errors.h"

#include <fmt/format.h>

namespace bunraku::compilation {
namespace {

std::string size_text(size_t bytes) {
  constexpr size_t kMebibyte = size_t{1} << 20;
  return bytes >= kMebibyte ? fmt::format("{} MiB", bytes / kMebibyte)
                            : fmt::format("{} bytes", bytes);
}

std::string message_of(Limit limit, const RequestLimits& limits) {
  switch (limit) {
    case Limit::kTime:
      return fmt::format("The compilation did not end within {:g} seconds",
                         static_cast<double>(limits.timeout.count()) / 1000);
    case Limit::kMemory:
      return fmt::format("The compilation needs more than the {} of memory that it may take",
                         size_text(limits.memory));
    case Limit::kCancelled:
      break;
  }
  return "The compilation was cancelled";
}

}  // namespace

LimitReached limit_error(const LimitError& error, const RequestLimits& limits) {
  return {make_diagnostic(Issue::kRuntimeError, {}, {message_of(error.limit(), limits)}),
          error.limit()};
}

}  // namespace bunraku::compilation
