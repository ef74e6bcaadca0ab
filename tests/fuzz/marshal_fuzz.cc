// Input: any bytes as the output of a Ruby worker, read as values of a compilation and as data of a
// run. The result must be writable again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "apply/reports/datum.h"
#include "base/diagnostics/diagnostic.h"
#include "base/memory/arena.h"
#include "ruby/types/datum_marshal.h"
#include "ruby/worker/marshal.h"
#include "types/value_text.h"
#include "values/value.h"

using namespace bunraku;

namespace {

void read_value(std::string_view bytes) {
  Arena arena;
  HandleTable handles;
  handles.keep(Value::integer(1));
  handles.keep(Value::array(arena, {Value::string("lent")}));
  try {
    const Value value = MarshalReader(bytes, arena, handles, nullptr).read();
    std::string written;
    MarshalWriter(written, arena, handles).value(value);
    MarshalReader(written, arena, handles, nullptr).read();
  } catch (const EvaluationError&) {
  }
}

void read_datum(std::string_view bytes) {
  try {
    const apply::Datum datum = ruby_types::from_marshal(bytes);
    datum.to_text();
    datum.to_display();
    ruby_types::from_marshal(ruby_types::to_marshal(datum));
  } catch (const ruby_types::MarshalError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_value(bytes);
  read_datum(bytes);
  return 0;
}
