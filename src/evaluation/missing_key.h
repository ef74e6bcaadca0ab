// The error of a look-up that finds nothing.
#pragma once

#include "base/diagnostics/diagnostic.h"
#include "evaluation/host.h"

namespace bunraku {

// The diagnostic of a look-up that found none of its names. As in the reference, its message has no
// place; a label shows the request, and a note explains how to list the searched places.
Diagnostic missing_key(const LookupRequest& request);

}  // namespace bunraku
