// The table of settings: every name that the reference knows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

enum class SettingKind : uint8_t {
  kString,
  kBoolean,
  kInteger,
  kFile,             // made absolute
  kFileOrDirectory,  // as a file; a slash at the end marks a directory
  kPathList,         // files separated by colons
  kDuration,         // "30m", converted to seconds
  kTtl,              // a duration or "unlimited"
  kList              // separated by commas
};

struct SettingInfo {
  std::string_view name;
  std::string_view section;
  SettingKind kind;
  std::string_view default_value;
  bool has_default;  // false: no value, unless one is set
};

// Sorted by name.
std::span<const SettingInfo> all_settings();
// Returns null when there is no such setting. A hyphen counts as an underscore.
const SettingInfo* find_setting(std::string_view name);
// "Setting 'srict' is unknown; did you mean 'strict'?"
std::string unknown_setting_message(std::string_view name);

}  // namespace bunraku
