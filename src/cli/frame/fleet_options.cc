#include "cli/frame/fleet_options.h"

#include <fmt/format.h>

#include <charconv>
#include <csignal>

#include "base/regex/regex.h"
#include "cli/frame/node_facts.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

std::atomic<bool> was_interrupted{false};

void note_interrupt(int number) {
  was_interrupted.store(true);
  std::signal(number, SIG_DFL);
}

bool read_number(std::string_view text, uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Reports a missing environment first, if one is needed, then the missing nodes.
[[noreturn]] void fail_without_nodes(const FleetOptions& options, const Session& session,
                                     std::string problem) {
  if (options.needs_environment) {
    check_environment_exists(Settings(session.settings_sources("server")));
  }
  throw UsageError(std::move(problem));
}

}  // namespace

void take_fleet_options(Command& command, std::string_view facts_name, FleetOptions& options) {
  command.argument(facts_name,
                   "directories with a file of facts for each node, named after it, and exports of "
                   "PuppetDB",
                   options.facts);
  command.option("--nodes FILE", "a list of nodes: a name and a file of facts on each line",
                 options.nodes);
  command.option("--only PATTERN",
                 "only nodes with such names: \"web*\", or \"/^web\\d+/\"; may be repeated",
                 options.only);
  command.option("--shard I/N", "only the I-th of N parts; a node's part follows from its name",
                 options.shard);
  command.option("--jobs N", "compile N nodes at a time; as many as there are processors otherwise",
                 options.jobs);
}

NodeList fleet_nodes(const FleetOptions& options, const Session& session) {
  std::vector<std::string> facts = options.facts;
  if (facts.empty() && options.nodes.empty()) {
    facts = repository_facts(session);
    const std::string& given = session.options().facts;
    if (!given.empty()) facts = {given};
  }
  if (facts.empty() && options.nodes.empty()) {
    fail_without_nodes(options, session,
                       "there are no facts: name the directory that holds the nodes' facts, a list "
                       "with --nodes, or keep them in facts/ of the repository");
  }
  if (options.jobs < 0 || options.jobs > 1024) throw UsageError("--jobs takes a number from 1");
  uint32_t index = 1, count = 1;
  if (!options.shard.empty()) {
    const std::string_view shard = options.shard;
    const size_t slash = shard.find('/');
    if (slash == std::string_view::npos || !read_number(shard.substr(0, slash), index) ||
        !read_number(shard.substr(slash + 1), count) || index < 1 || index > count) {
      throw UsageError(
          fmt::format("--shard takes a part and how many there are, \"2/5\", not \"{}\"", shard));
    }
  }
  NodeList list;
  for (const std::string& path : facts) list.add(path);
  if (!options.nodes.empty()) list.add_listed(options.nodes);
  list.finish();
  if (list.nodes().empty()) {
    if (!options.nodes.empty()) facts.push_back(options.nodes);
    fail_without_nodes(options, session,
                       fmt::format("there are no facts of nodes in {}", fmt::join(facts, ", ")));
  }
  if (!options.only.empty()) {
    try {
      list.keep_only(options.only);
    } catch (const RegexError& error) {
      throw UsageError(fmt::format("--only: {}", error.what()));
    }
  }
  if (list.nodes().empty() && !options.only.empty()) {
    throw UsageError(fmt::format("--only: there is no node '{}'", fmt::join(options.only, "', '")));
  }
  if (count > 1) list.keep_shard(index, count);
  return list;
}

InterruptGuard::InterruptGuard() {
  was_interrupted.store(false);
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptGuard::flag() {
  return was_interrupted;
}

}  // namespace bunraku
