// The rules of a server that has no auth.conf, in the form of one.
#pragma once

#include <string_view>

namespace bunraku::server {

extern const std::string_view kStandardRules;

}  // namespace bunraku::server
