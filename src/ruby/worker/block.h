// Blocks on both sides of the border.
#pragma once

#include "evaluation/function.h"

namespace bunraku {

class RubySession;

// How many arguments a block takes; kMaxInteger without bound.
IntegerRange parameter_range(const Block& block);

// A Ruby proc that was given to a function of ours, for as long as that call goes on.
class RubyBlock final : public Block {
 public:
  // Of so many parameters; `to` -1 is without bound.
  RubyBlock(RubySession& session, Arena& arena, int64_t number, int64_t from, int64_t to);

  const Signature& signature() const override { return signature_; }
  Value call(std::span<const Value> arguments) const override;
  size_t parameter_count() const override { return maximum_; }

 private:
  RubySession& session_;
  int64_t number_;
  size_t maximum_;
  Signature signature_;
};

}  // namespace bunraku
