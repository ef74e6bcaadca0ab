// The programs with which the providers of Ruby packages call RubyGems.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::apply {

// The code that uses the installed gems: programs of the host, the Ruby code that an agent runs
// (`puppet_gem`), or that of a server (`puppetserver_gem`).
enum class GemTarget { kHost, kAgent, kServer };

struct GemCommand {
  // The program with its first arguments; empty: the host has none.
  std::vector<std::string> words;
  // Variables added to the environment.
  std::vector<std::pair<std::string, std::string>> environment;
};

// The command of the target. `given` is the `command` of a resource of kHost: a path or a name;
// empty or "default": gem. Agents and servers have the Ruby of the reference's packages where these
// are installed; otherwise their Ruby code is run with the host's Ruby.
GemCommand gem_command(GemTarget target, std::string_view given = {});

// The command that lists the installed gems. For the server of the reference's packages it is the
// agent's, with the server's directories, because the server's takes several seconds. Throws
// Failure when the server's configuration cannot be read.
GemCommand local_gem_command(GemTarget target, std::string_view given = {});

// Returns whether the target has a Ruby of its own on this host; the host itself always has.
bool has_own_ruby(GemTarget target);

}  // namespace bunraku::apply
