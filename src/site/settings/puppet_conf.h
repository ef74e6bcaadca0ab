// Reading puppet.conf.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "site/settings/settings_file.h"

namespace bunraku {

// Returns the sections, with unknown settings. Throws EvaluationError with the reference's message
// for a malformed line or an invalid section.
std::vector<SettingsFileSection> parse_puppet_conf(std::string_view text, const std::string& path);

}  // namespace bunraku
