// Input: the file of a function, and behind a zero byte a file of its module that it may require as
// `require_relative '../../x'`. The function is compiled for both interfaces and, where it needs no
// Ruby, called, within two seconds and 256 MB.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_overlay.h"
#include "base/system/limits.h"
#include "erb_scope.h"
#include "ruby/erb/function_file.h"

using namespace bunraku;

namespace {

void call_all(const erb::FunctionFile& file) {
  for (size_t dispatch = 0; dispatch < file.function().dispatches.size(); ++dispatch) {
    Variables scope;
    HashBuilder hash(scope.arena());
    hash.set("key", Value::array(scope.arena(), {Value::integer(1), Value::string("text")}));
    const std::vector<Value> all = {Value::string("10.0.0.0/8"), hash.finish(), Value::integer(3)};
    const size_t count = file.function().dispatches[dispatch].parameters.size();
    const std::span<const Value> given(all.data(), std::min(count, all.size()));
    try {
      file.call(scope, dispatch, given);
    } catch (const erb::Obstacle&) {
    } catch (const erb::Failure&) {
    } catch (const EvaluationError&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(input.find('\0'), input.size());
  FileOverlay overlay;
  overlay.set("/m/lib/x.rb", std::string(input.substr(std::min(end + 1, input.size()))));
  const OverlaidFiles overlaid(&overlay);
  const WorkLimits limits({std::chrono::seconds(2), size_t{256} << 20, nullptr});
  try {
    for (const bool is_legacy : {false, true}) {
      const erb::FunctionFile file(input.substr(0, end), "/m/lib/puppet/functions/f.rb", is_legacy);
      if (file.obstacle() == nullptr) call_all(file);
    }
  } catch (const LimitError&) {
  }
  return 0;
}
