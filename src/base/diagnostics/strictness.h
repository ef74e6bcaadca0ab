// The reference's setting `strict`: the severity of questionable code.
#pragma once

#include <cstdint>

namespace bunraku {

enum class Strictness : uint8_t { kOff, kWarning, kError };

}  // namespace bunraku
