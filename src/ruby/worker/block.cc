#include "ruby/worker/block.h"

#include <algorithm>
#include <vector>

#include "ruby/worker/session.h"
#include "types/built_in_types.h"

namespace bunraku {

IntegerRange parameter_range(const Block& block) {
  const CallableType* type = block.signature().type;
  if (type == nullptr || type->parameters == nullptr) return kAnySize;
  return type->parameters->size;
}

RubyBlock::RubyBlock(RubySession& session, Arena& arena, int64_t number, int64_t from, int64_t to)
    : session_(session), number_(number) {
  constexpr int64_t kMostParameters = 1000;
  from = std::clamp<int64_t>(from, 0, kMostParameters);
  const bool is_open = to < 0;
  to = is_open ? kMaxInteger : std::clamp(to, from, kMostParameters);
  maximum_ = is_open ? SIZE_MAX : static_cast<size_t>(to);
  const size_t count = is_open ? static_cast<size_t>(from) + 1 : static_cast<size_t>(to);
  std::vector<const Type*> types(count, types::kAny);
  std::vector<SignatureParameter> parameters;
  for (size_t i = 0; i < count; ++i) {
    const bool is_optional = i >= static_cast<size_t>(from);
    parameters.push_back({arena.copy("p" + std::to_string(i)), types::kAny, is_optional && !is_open,
                          is_open && i + 1 == count});
  }
  signature_.parameters = arena.copy(std::span<const SignatureParameter>(parameters));
  signature_.type = types::callable(arena, arena.copy(std::span<const Type* const>(types)), from,
                                    to, nullptr, nullptr);
}

Value RubyBlock::call(std::span<const Value> arguments) const {
  std::vector<Value> all = {Value::integer(number_)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  RubyRequest request;
  request.method = "core.call_proc";
  request.arguments = all;
  request.subject = "A Ruby block";
  return session_.call(request);
}

}  // namespace bunraku
