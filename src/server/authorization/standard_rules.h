// The rules of a server without an auth.conf, in the format of that file.
#pragma once

#include <string_view>

namespace bunraku::server {

extern const std::string_view kStandardRules;

}  // namespace bunraku::server
