// The error of a look-up that finds nothing.
#pragma once

#include "evaluation/host.h"

namespace bunraku {

// Throws a look-up error about the names of the request. The message has no place, as the
// reference's; a label shows who asked, and a note how to find out where was looked.
[[noreturn]] void fail_missing_key(const LookupRequest& request);

}  // namespace bunraku
