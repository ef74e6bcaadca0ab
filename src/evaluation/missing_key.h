// The error of a look-up that finds nothing.
#pragma once

#include "base/diagnostics/diagnostic.h"
#include "evaluation/host.h"

namespace bunraku {

// The problem of a request whose names no data has. Its message has no place, as the reference's; a
// label shows who asked, and a note how to find out where was looked.
Diagnostic missing_key(const LookupRequest& request);

}  // namespace bunraku
