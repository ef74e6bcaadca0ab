// Properties of all values, checked on random ones.

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/formats/json.h"
#include "conversion/conversion.h"
#include "random_values.h"
#include "serialization/serialization.h"
#include "types/interpolation.h"
#include "types/type_text.h"

using namespace bunraku;
using namespace bunraku::testing;

namespace {

std::string written(Value value, TypeForm form) {
  std::string out;
  JsonWriter json(out);
  write_rich_data(json, value, true, form);
  return out;
}

Value made(Arena& arena, const char* type, Value from) {
  return new_instance(arena, parse_type(arena, type, nullptr), {&from, 1}, nullptr);
}

}  // namespace

TEST_CASE("value properties: a type makes the value of its text again") {
  for (const ScalarKind& kind : scalar_kinds()) {
    CAPTURE(kind.type);
    CHECK(rc::check([&kind] {
      Arena arena;
      const Value value = kind.make(arena);
      const Value text = to_formatted_string(arena, value, Value::undef());
      RC_LOG() << text.as_string();
      RC_ASSERT(identical(made(arena, kind.type, text), value));
    }));
  }
}

TEST_CASE("value properties: a float is what its text for programs says") {
  CHECK(rc::check([](int64_t digits) {
    Arena arena;
    // The reference cannot parse floats with a positive exponent.
    const Value value = Value::floating(static_cast<double>(digits) / 1048576 / 4096);
    const Value text = to_formatted_string(arena, value, Value::string("%p"));
    RC_LOG() << text.as_string();
    RC_ASSERT(identical(made(arena, "Float", text), value));
  }));
}

TEST_CASE("value properties: what is written is read back equal") {
  for (const TypeForm form : {TypeForm::kText, TypeForm::kPcore}) {
    CHECK(rc::check([form] {
      Arena arena;
      const Value value = rich_value(arena, 3);
      // The alias Data would be infinite in a catalog.
      RC_PRE(form == TypeForm::kText || interpolated(value).find("Data") == std::string::npos);
      const std::string text = written(value, form);
      RC_LOG() << text;
      const Value again = read_rich_data_json(arena, text, "test", nullptr);
      // In catalogs, references and strings with the same text cannot be told apart.
      if (form == TypeForm::kText) RC_ASSERT(identical(again, value));
      RC_ASSERT(written(again, form) == text);
    }));
  }
}

TEST_CASE("value properties: hashes keep the order in which keys came first") {
  CHECK(rc::check([](const std::vector<uint8_t>& keys) {
    Arena arena;
    HashBuilder builder(arena);
    std::vector<int64_t> expected;
    for (size_t i = 0; i < keys.size(); ++i) {
      builder.set(Value::integer(keys[i]), Value::integer(static_cast<int64_t>(i)));
      if (std::ranges::find(expected, keys[i]) == expected.end()) {
        expected.push_back(keys[i]);
      }
    }
    const Value hash = builder.finish();
    RC_ASSERT(hash.as_hash().size == expected.size());
    size_t at = 0;
    for (const HashEntry& entry : hash.as_hash())
      RC_ASSERT(entry.key.as_integer() == expected[at++]);
    // Hashes that are written and read also keep their order.
    const Value again = read_rich_data_json(arena, written(hash, TypeForm::kText), "test", nullptr);
    at = 0;
    for (const HashEntry& entry : again.as_hash()) {
      RC_ASSERT(entry.key.as_integer() == expected[at++]);
    }
  }));
}

TEST_CASE("value properties: a key that is set again keeps its place and gets the new value") {
  CHECK(rc::check([](const std::vector<uint8_t>& keys) {
    Arena arena;
    HashBuilder builder(arena);
    std::vector<int64_t> last(256, -1);
    for (size_t i = 0; i < keys.size(); ++i) {
      last[keys[i]] = static_cast<int64_t>(i);
      builder.set(Value::integer(keys[i]), Value::integer(static_cast<int64_t>(i)));
    }
    const Value hash = builder.finish();
    for (const HashEntry& entry : hash.as_hash()) {
      RC_ASSERT(entry.value.as_integer() == last[static_cast<size_t>(entry.key.as_integer())]);
      RC_ASSERT(hash.as_hash().find(entry.key) == &entry.value);
    }
  }));
}
