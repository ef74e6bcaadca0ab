#include "site/settings/settings_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text/suggestion.h"

namespace bunraku {
namespace {

constexpr SettingInfo setting(std::string_view name, std::string_view section, SettingKind kind,
                              const char* default_value) {
  return {name, section, kind, default_value == nullptr ? "" : default_value,
          default_value != nullptr};
}

constexpr SettingInfo kSettings[] = {
#define SETTING(name, section, kind, default_value) \
  setting(#name, #section, SettingKind::k##kind, default_value),
#include "site/settings/settings.def"
#undef SETTING
};

}  // namespace

std::span<const SettingInfo> all_settings() {
  return kSettings;
}

const SettingInfo* find_setting(std::string_view name) {
  std::string key(name);
  std::ranges::replace(key, '-', '_');
  const SettingInfo* found = std::ranges::lower_bound(kSettings, key, {}, &SettingInfo::name);
  return found != std::end(kSettings) && found->name == key ? found : nullptr;
}

std::string unknown_setting_message(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SettingInfo& info : kSettings) names.push_back(info.name);
  std::string_view close = closest_name(name, names);
  std::string message = fmt::format("Setting '{}' is unknown", name);
  if (!close.empty()) message += fmt::format("; did you mean '{}'?", close);
  return message;
}

}  // namespace bunraku
