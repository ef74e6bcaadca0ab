#include "base/system/version.h"

namespace bunraku {

// BUNRAKU_VERSION is defined by the build (see CMakeLists.txt).
const std::string_view kVersion = BUNRAKU_VERSION;

}  // namespace bunraku
