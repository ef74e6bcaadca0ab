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
  // Settings on the command line, in order: --set K=V, --environment, --strict and similar options.
  std::vector<std::pair<std::string, std::string>> settings;
  // Names that are not settings; each causes a warning.
  std::vector<std::string> unknown_settings;

  std::string facts;          // a file or directory, like the following; empty when not given
  bool has_no_facts = false;  // the option that declares a node without facts
  std::string trusted;
  std::string server_facts;
  std::string enc;
  std::string vars;
  std::string store;  // a URL; empty when not given

  RubyOptions ruby;
  RequestLimits limits;  // the memory limit applies to all compilations together
  std::string format;    // empty: the command's default
  LogOptions log;
  ColorChoice color = ColorChoice::kAuto;
  bool help = false;
  bool help_all = false;  // --help --all: includes the common options
  bool version = false;
};

struct OptionGroupHelp {
  OptionGroup group;
  std::string_view title;
  std::vector<CommandOption> options;
};

// The common options by groups; their values are stored in `target`.
std::vector<OptionGroupHelp> common_options(CommonOptions& target);

// Adds a setting from the command line, or records that it is unknown.
void store_setting(CommonOptions& target, std::string_view name, std::string_view value);

}  // namespace bunraku
