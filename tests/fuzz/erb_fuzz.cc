// Input: any bytes as an ERB template. It is compiled and, if it needs no Ruby, rendered, within
// two seconds and 256 MB.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "base/system/limits.h"
#include "erb_scope.h"
#include "ruby/erb/template.h"

using namespace bunraku;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const WorkLimits limits({std::chrono::seconds(2), size_t{256} << 20, nullptr});
  try {
    const auto compiled = std::make_shared<const erb::Template>(
        std::string_view(reinterpret_cast<const char*>(data), size));
    if (compiled->obstacle() != nullptr) return 0;
    Variables variables;
    std::string text;
    int line = 0;
    compiled->render(variables, text, line);
  } catch (const erb::Obstacle&) {
  } catch (const erb::Failure&) {
  } catch (const EvaluationError&) {
  } catch (const LimitError&) {
  }
  return 0;
}
