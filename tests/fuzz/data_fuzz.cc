// Input: any bytes as YAML and JSON; data that could be parsed must be writable as JSON.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/memory/arena.h"

using namespace bunraku;

namespace {

template <typename Reader>
void read_and_write(Reader read) {
  try {
    Arena arena;
    std::string out;
    JsonWriter(out).data(read(arena));
  } catch (const DataError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  read_and_write([&](Arena& arena) { return read_json(text, arena); });
  read_and_write([&](Arena& arena) { return read_yaml(text, YamlOptions{}, arena); });
  return 0;
}
