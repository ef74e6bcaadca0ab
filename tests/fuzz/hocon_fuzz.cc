// Input: any bytes as HOCON; data that could be parsed must be writable as JSON, and equal when
// that is read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/formats/hocon.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"

using namespace bunraku;

namespace {

std::string as_json(const DataNode& node) {
  std::string text;
  JsonWriter(text).data(node);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Arena arena;
  std::string written;
  try {
    written = as_json(read_hocon({reinterpret_cast<const char*>(data), size}, arena));
  } catch (const DataError&) {
    return 0;  // malformed HOCON, or text and numbers that JSON cannot represent
  }
  if (as_json(read_json(written, arena)) != written) std::abort();
  return 0;
}
