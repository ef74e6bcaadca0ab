#include "apply/providers/package/gem_command.h"

#include <fmt/format.h>

#include <cstdlib>

#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "base/formats/hocon.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kAgentGem = "/opt/puppetlabs/puppet/bin/gem";
constexpr std::string_view kAgentLibraries = "/opt/puppetlabs/puppet/lib/pkgconfig";
constexpr std::string_view kServerProgram = "/opt/puppetlabs/bin/puppetserver";
constexpr std::string_view kServerConfiguration = "/etc/puppetlabs/puppetserver/puppetserver.conf";
constexpr std::string_view kServerGems = "/opt/puppetlabs/server/data/puppetserver/jruby-gems";
constexpr std::string_view kServerGemPath =
    "/opt/puppetlabs/server/data/puppetserver/jruby-gems:"
    "/opt/puppetlabs/server/data/puppetserver/vendored-jruby-gems:"
    "/opt/puppetlabs/puppet/lib/ruby/vendor_gems";

bool is_program(std::string_view path) {
  return !find_executable(path).empty();
}

std::string joined(const DataNode& list) {
  std::string all;
  if (!list.is(DataKind::kArray)) return all;
  for (const DataNode& item : list.items()) {
    if (!item.is(DataKind::kString)) continue;
    if (!all.empty()) all += ':';
    all += item.text_value();
  }
  return all;
}

// GEM_HOME and GEM_PATH of the server, from its configuration. Throws Failure.
std::vector<std::pair<std::string, std::string>> server_gem_environment() {
  std::string home(kServerGems);
  std::string path(kServerGemPath);
  const std::string file(kServerConfiguration);
  if (is_file(file)) {
    try {
      Arena arena;
      const DataNode root = read_hocon(read_file(file), arena);
      const DataNode* section = root.find("jruby-puppet");
      const DataNode* own_home = section == nullptr ? nullptr : section->find("gem-home");
      const DataNode* own_path = section == nullptr ? nullptr : section->find("gem-path");
      if (own_home != nullptr && own_home->is(DataKind::kString)) home = own_home->text_value();
      if (own_path != nullptr) path = joined(*own_path);
    } catch (const std::exception& error) {
      throw Failure(fmt::format("Could not list gems: {}: {}", file, error.what()));
    }
  }
  return {{"GEM_HOME", home}, {"GEM_PATH", path}};
}

// RubyGems looks for its configuration in HOME.
GemCommand command_of(std::string program) {
  GemCommand command;
  if (!program.empty()) command.words.push_back(std::move(program));
  if (const char* home = std::getenv("HOME")) command.environment.emplace_back("HOME", home);
  return command;
}

GemCommand agent_command() {
  GemCommand command = command_of(std::string(kAgentGem));
  command.environment.emplace_back("PKG_CONFIG_PATH", kAgentLibraries);
  return command;
}

}  // namespace

bool has_own_ruby(GemTarget target) {
  switch (target) {
    case GemTarget::kHost:
      return true;
    case GemTarget::kAgent:
      return is_program(kAgentGem);
    case GemTarget::kServer:
      return is_program(kServerProgram);
  }
  return false;
}

GemCommand gem_command(GemTarget target, std::string_view given) {
  if (target == GemTarget::kServer && has_own_ruby(target)) {
    GemCommand command = command_of(std::string(kServerProgram));
    command.words.emplace_back("gem");
    return command;
  }
  if (target == GemTarget::kAgent && has_own_ruby(target)) return agent_command();
  return command_of(find_executable(given.empty() || given == "default" ? "gem" : given));
}

GemCommand local_gem_command(GemTarget target, std::string_view given) {
  if (target != GemTarget::kServer || !has_own_ruby(target) || !has_own_ruby(GemTarget::kAgent)) {
    return gem_command(target, given);
  }
  GemCommand command = command_of(std::string(kAgentGem));
  for (auto& variable : server_gem_environment())
    command.environment.push_back(std::move(variable));
  return command;
}

}  // namespace bunraku::apply
