// What the commands of the store share.
#pragma once

#include <string>

#include "cli/frame/session.h"
#include "site/settings/settings.h"

namespace bunraku {

// The store that --store names, or the SQLite file below vardir.
std::string store_url(const std::string& given, const Settings& settings);

}  // namespace bunraku
