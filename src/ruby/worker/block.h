// Blocks passed between the compiler and workers, in either direction.
#pragma once

#include "evaluation/function.h"

namespace bunraku {

class RubySession;

// The number of arguments that a block takes; kMaxInteger is no bound.
IntegerRange parameter_range(const Block& block);

// A Ruby proc passed as block to a native function. It is valid until that call returns.
class RubyBlock final : public Block {
 public:
  // Takes `from` to `to` parameters; a `to` of -1 is no bound.
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
