// The flat facts that nodes sent before facts were structured. Puppet 8 omits them, so that code
// which still reads them gets an unknown variable.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// The location of the fact's value today, as keys after $facts: "['os']['family']" for osfamily.
// Empty when there was no such fact, or none replaces it.
std::string path_of_legacy_fact(std::string_view name);

}  // namespace bunraku
