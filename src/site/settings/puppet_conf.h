// Reading puppet.conf.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "site/settings/settings_file.h"

namespace bunraku {

// The sections, unknown settings among them. Throws EvaluationError, in the reference's words, for
// a line that is no setting and a section that cannot be.
std::vector<SettingsFileSection> parse_puppet_conf(std::string_view text, const std::string& path);

}  // namespace bunraku
