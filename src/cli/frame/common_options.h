// The options that every command accepts (design: "Common options").
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics/log.h"
#include "base/system/limits.h"
#include "base/system/terminal.h"
#include "cli/frame/command.h"
#include "ruby/worker/pool.h"

namespace bunraku {

struct CommonOptions {
  // Settings from the command line, in its order: --set K=V, --environment, --strict and their
  // like.
  std::vector<std::pair<std::string, std::string>> settings;
  // Names that no setting has; a warning each.
  std::vector<std::string> unknown_settings;

  std::string facts;          // a file or directory; files below; empty when not given
  bool has_no_facts = false;  // the node has none, and that is meant
  std::string trusted;
  std::string server_facts;
  std::string enc;
  std::string vars;
  std::string store;  // a URL; empty when not given

  RubyOptions ruby;
  RequestLimits limits;  // memory: of all compilations together
  std::string format;    // empty: the command's default
  LogOptions log;
  ColorChoice color = ColorChoice::kAuto;
  bool help = false;
  bool help_all = false;  // with the common options, --help --all
  bool version = false;
};

struct OptionGroupHelp {
  OptionGroup group;
  std::string_view title;
  std::vector<CommandOption> options;
};

// The common options by groups, storing into `target`.
std::vector<OptionGroupHelp> common_options(CommonOptions& target);

// Adds a setting from the command line, or notes that it is unknown.
void store_setting(CommonOptions& target, std::string_view name, std::string_view value);

}  // namespace bunraku
