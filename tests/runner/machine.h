// Properties of the machine that would change the answers of cases.
#pragma once

#include <string>

namespace bunraku::cases {

// Hides the vendor's packages from this process and its children, because they change defaults of
// settings and facts. Does nothing on a machine without them. Requires root. Returns the reason why
// cases may fail when they cannot be hidden; otherwise an empty text.
std::string hide_vendor_packages();

}  // namespace bunraku::cases
