// Reading puppet.conf.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

struct PuppetConfSection {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;  // unknown names among them
};

// Sections in the order of the file; what stands before the first is in "main". Owner and mode in
// braces behind a value are dropped. Throws EvaluationError, in the reference's words, for a line
// that is no setting, a section that cannot be, and settings that belong into environment.conf.
std::vector<PuppetConfSection> parse_puppet_conf(std::string_view text, const std::string& path);

}  // namespace bunraku
