#include "site/settings/settings_check.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/diagnostics/diagnostic_renderer.h"

namespace bunraku {
namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, {}, {std::move(message)}),
                        ErrorKind::kError);
}

// These settings belong in environment.conf and must not be in any section of puppet.conf.
void check_environment_settings(const Settings& settings) {
  std::string found;
  for (const std::string_view name : {"modulepath", "manifest", "config_version"}) {
    const bool is_there = std::ranges::any_of(
        settings.sections(),
        [&](const SettingsFileSection& section) { return section.find(name) != nullptr; });
    if (is_there) found += fmt::format("{}{}", found.empty() ? "" : ", ", name);
  }
  if (!found.empty()) fail(fmt::format("Cannot set {} settings in puppet.conf", found));
}

void check_node_name_fact(const Settings& settings) {
  if (settings.text("node_name_fact").empty() ||
      settings.text("node_name_value") == settings.text("certname")) {
    return;
  }
  fail("Cannot specify both the node_name_value and node_name_fact settings");
}

void check_proxy_password(const Settings& settings) {
  const std::string password = settings.text("http_proxy_password");
  if (password.find_first_of("@!# /") == std::string::npos) return;
  fail(
      fmt::format("Passwords set in the http_proxy_password setting must be valid as part of a "
                  "URL, and any reserved characters must be URL-encoded. We received: {}",
                  password));
}

void check_checksum_types(const Settings& settings) {
  constexpr std::string_view kKnown[] = {"sha256",  "sha256lite", "sha384",   "sha512",
                                         "sha224",  "sha1",       "sha1lite", "md5",
                                         "md5lite", "mtime",      "ctime"};
  for (const std::string& type : settings.list("supported_checksum_types")) {
    if (std::ranges::find(kKnown, type) != std::end(kKnown)) continue;
    std::string known;
    for (const std::string_view name : kKnown) {
      known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name);
    }
    fail(fmt::format(
        "Invalid value '{}' for parameter supported_checksum_types. Allowed values are {}", type,
        known));
  }
}

void check_default_manifest(const Settings& settings) {
  if (!settings.is_true("disable_per_environment_manifest")) return;
  if (settings.text("default_manifest").starts_with('/')) return;
  fail(std::string(kDefaultManifestMustBeAbsolute));
}

// A setting to check. Reading it checks its value; `check` adds conditions with other settings.
struct FirstSetting {
  std::string_view name;
  void (*check)(const Settings&) = nullptr;
};

// In the reference's order.
constexpr FirstSetting kFirst[] = {
    {"disable_warnings"},
    {"strict"},
    {"disable_i18n"},
    {"autoflush"},
    {"daemonize"},
    {"http_proxy_password", check_proxy_password},
    {"filetimeout"},
    {"supported_checksum_types", check_checksum_types},
    {"disable_per_environment_manifest", check_default_manifest},
    {"node_name_fact", check_node_name_fact},
    {"pluginsync"},
    {"log_level"},
    {"data_binding_terminus"},
    {"certname"},
    {"factpath"},
    {"storeconfigs"},
};

}  // namespace

void check_first_settings(SettingsSources sources) {
  sources.section = "user";
  const Settings settings(std::move(sources));
  // Reports its own mistakes without context, because it controls how errors are reported.
  settings.text("trace");
  try {
    check_environment_settings(settings);
    for (const FirstSetting& first : kFirst) {
      if (!settings.is_set(first.name)) continue;
      settings.text(first.name);
      if (first.check != nullptr) first.check(settings);
    }
  } catch (const EvaluationError& error) {
    throw EvaluationError(
        make_diagnostic(Issue::kDefaultSettingsFailed, {}, {}, error.diagnostic()),
        ErrorKind::kError);
  }
}

}  // namespace bunraku
