// The flat facts that nodes sent before facts had structure. Puppet 8 leaves them out, so that code
// which still reads them meets an unknown variable.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// Where the value of the fact is today, as keys behind $facts: "['os']['family']" for osfamily.
// Empty when there was no such fact, or none stands for it.
std::string path_of_legacy_fact(std::string_view name);

}  // namespace bunraku
