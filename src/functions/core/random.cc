#include "functions/core/random.h"

#include <array>

#include "base/text/digest.h"
#include "evaluation/evaluator.h"
#include "evaluation/fact_reads.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"

namespace bunraku {

namespace {

// Seeds with the digest as one big number, whose lowest word is the last four bytes.
MersenneTwister seeded_with_bytes(std::string_view bytes) {
  std::array<uint32_t, 8> words{};
  size_t count = bytes.size() / 4;
  for (size_t i = 0; i < count; ++i) {
    uint32_t word = 0;
    for (size_t j = 0; j < 4; ++j) {
      word = word << 8 | static_cast<unsigned char>(bytes[bytes.size() - 4 * (i + 1) + j]);
    }
    words[i] = word;
  }
  while (count > 1 && words[count - 1] == 0) --count;
  return MersenneTwister(std::span<const uint32_t>(words.data(), count));
}

void append_joined(std::string& out, std::span<const Value> items, std::string_view delimiter,
                   Nesting& nesting) {
  const NestingGuard guard(nesting, "An array");
  bool is_first = true;
  for (const Value item : items) {
    if (!is_first) out += delimiter;
    is_first = false;
    if (item.is_array()) {
      append_joined(out, item.as_array(), delimiter, nesting);
    } else {
      append_ruby_to_s(out, item);
    }
    check_length(out.size());
  }
}

}  // namespace

MersenneTwister seeded_with_md5(std::string_view text) {
  return seeded_with_bytes(digest_bytes(DigestAlgorithm::kMd5, text));
}

MersenneTwister seeded_with_sha256(std::string_view text) {
  return seeded_with_bytes(digest_bytes(DigestAlgorithm::kSha256, text));
}

std::string fully_qualified_name(const Call& call) {
  static const Name kFacts = "facts"_name;
  const PartialFactRead partial;
  const Value* facts = call.evaluator.find_variable(kFacts, call.scope);
  if (facts == nullptr || !facts->is_hash()) return {};
  if (FactReads* reads = FactReads::current()) {
    reads->part(*facts, std::array{Value::string("networking"), Value::string("fqdn")});
  }
  const Value* networking = facts->as_hash().find("networking");
  if (networking == nullptr || !networking->is_hash()) return {};
  const Value* name = networking->as_hash().find("fqdn");
  return name != nullptr && name->is_string() ? std::string(name->as_string()) : std::string();
}

void append_joined(std::string& out, Value value, std::string_view delimiter) {
  Nesting nesting;
  append_joined(out, {&value, 1}, delimiter, nesting);
}

}  // namespace bunraku
