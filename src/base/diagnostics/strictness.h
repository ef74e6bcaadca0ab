// The reference's setting `strict`: what doubtful things are.
#pragma once

#include <cstdint>

namespace bunraku {

enum class Strictness : uint8_t { kOff, kWarning, kError };

}  // namespace bunraku
