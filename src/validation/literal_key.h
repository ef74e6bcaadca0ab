// Literal hash keys, compared as in Ruby: 1, 1.0 and '1' are three keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace bunraku {

// Appends a text that is equal for equal keys only. Returns false when the key is not known before
// evaluation.
bool append_literal_key(std::string& to, const Expression& key);

// Returns whether the reference treats an expression as a literal: for an access only its keys
// matter, except the one list of `Optional[[String]]`.
bool is_literal(const Expression& expression);

// The keys of one literal hash so far. It stores a digest and a pointer per key, in a table
// allocated once, so that the cost per key does not grow with the hash.
class MetKeys {
 public:
  // The maximum number of keys is `count`.
  explicit MetKeys(size_t count);

  // Returns whether an equal key was added before, and adds the key. A key that is not literal
  // equals none.
  bool was_met(const Expression& key);

 private:
  struct Slot {
    uint64_t digest = 0;
    const Expression* key = nullptr;
  };

  bool is_equal_to_latest(const Expression& key);

  std::vector<Slot> slots_;  // open addressing; at least half of them are empty
  std::string latest_;       // the text of the current key
  std::string other_;        // the text of a key with the same digest
};
// The text of a literal key for messages.
std::string literal_text(const Expression& key);

}  // namespace bunraku
