// Literal hash keys, compared as Ruby compares them: 1, 1.0 and '1' are three keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace bunraku {

// Appends a text that is the same for equal keys and different for others. False when the key is
// not known before evaluation.
bool append_literal_key(std::string& to, const Expression& key);

// Whether an expression is what the reference takes for a literal: of an access, its keys alone,
// and not the one list of `Optional[[String]]`.
bool is_literal(const Expression& expression);

// The keys of one literal hash that were met so far. It keeps a digest and a pointer for each, in a
// table made once for all of them, so that the largest hash costs a key what a small one does.
class MetKeys {
 public:
  // For at most `count` keys.
  explicit MetKeys(size_t count);

  // Whether an equal key was added before. One that is not literal equals none.
  bool was_met(const Expression& key);

 private:
  struct Slot {
    uint64_t digest = 0;
    const Expression* key = nullptr;
  };

  bool is_equal_to_latest(const Expression& key);

  std::vector<Slot> slots_;  // open addressing; half of them stay empty
  std::string latest_;       // the key that was asked for, written down
  std::string other_;        // one with the same digest
};
// What a message shows of a literal key.
std::string literal_text(const Expression& key);

}  // namespace bunraku
