// `facts fetch`: fetches facts of nodes from a store, or from a server with PuppetDB's query API.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "agent/client_settings.h"
#include "base/system/file_system.h"
#include "base/text/counts.h"
#include "cli/commands/facts_commands.h"
#include "cli/frame/node_facts.h"
#include "cli/frame/session.h"
#include "cli/frame/stored_facts.h"
#include "store/error.h"

namespace bunraku {
namespace {

struct FetchOptions {
  std::vector<std::string> nodes;
  std::string server;
  std::string directory;
  bool saves = false;
};

// This host's certificate is used where it exists; without one, the system's authorities are
// trusted.
net::ClientSettings fetch_settings(const Settings& settings) {
  net::ClientSettings client = agent::client_settings(settings);
  const auto read = [&settings](std::string_view name) {
    const std::string path = settings.text(name);
    return is_file(path) ? read_file(path) : std::string();
  };
  client.tls.authorities = read("localcacert");
  if (client.tls.authorities.empty()) {
    client.tls.uses_system_authorities = true;
    client.tls.checks_revocation = false;
  } else {
    client.tls.certificate = read("hostcert");
    client.tls.key = read("hostprivkey");
    client.tls.revocations = read("hostcrl");
    client.tls.checks_revocation = !client.tls.revocations.empty();
  }
  return client;
}

std::string ask_server(const FetchOptions& options, const Settings& settings) {
  std::string url = options.server;
  while (url.ends_with('/')) url.pop_back();
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    throw UsageError(
        fmt::format("--server takes the URL of a PuppetDB or of `bunraku store serve`, such as "
                    "https://puppetdb.example.com:8081, not '{}'",
                    options.server));
  }
  net::HttpClient client(fetch_settings(settings));
  net::ClientRequest request;
  request.url = url + "/pdb/query/v4?query=" + net::encode_percent(facts_query(options.nodes));
  request.fields.add("Accept", "application/json");
  const net::Response response = client.send(request);
  if (response.status == 200) return response.body;
  throw FileError(FileErrorKind::kOther, url,
                  fmt::format("the server answers {}: {}", response.status, response.body));
}

// The requested names that were not found.
std::vector<std::string> missing_nodes(const FetchOptions& options,
                                       const std::vector<StoredNode>& found) {
  std::vector<std::string> missing = options.nodes;
  std::erase_if(missing, [&](const std::string& name) {
    return std::ranges::any_of(found, [&](const StoredNode& node) { return node.name == name; });
  });
  return missing;
}

void write_files(const std::vector<StoredNode>& nodes, const std::string& directory,
                 Session& session) {
  for (const StoredNode& node : nodes) {
    save_facts(directory, node.name, node.facts, [](std::string_view) { return true; });
  }
  session.print(fmt::format("{} in {}\n", counted(nodes.size(), "node"), directory));
}

// Without --server and --store, this host's store is queried, so it must exist.
void check_there_is_a_store(const FetchOptions& options, const Settings& settings,
                            const Session& session) {
  if (!options.server.empty() || !session.options().store.empty()) return;
  const std::string url = store_url("", settings);
  const std::string path = url.substr(url.find(':') + 1);
  if (is_file(path)) return;
  throw UsageError(fmt::format(
      "name what to ask: --server URL (a PuppetDB, or `bunraku store serve`) or --store "
      "URL; this host has no store of its own at {}",
      path));
}

int fetch(const FetchOptions& options, Session& session) {
  const Settings settings = session.load_settings("user");
  check_there_is_a_store(options, settings, session);
  try {
    const std::vector<StoredNode> nodes =
        options.server.empty()
            ? stored_nodes(store_url(session.options().store, settings), options.nodes)
            : read_stored_nodes(ask_server(options, settings));
    const std::vector<std::string> missing = missing_nodes(options, nodes);
    const bool prints = options.nodes.size() == 1 && options.directory.empty() && !options.saves;
    if (prints && !nodes.empty()) session.print(nodes.front().facts);
    if (!prints) write_files(nodes, directory_for_facts(session, options.directory), session);
    if (missing.empty() && !(options.nodes.empty() && nodes.empty())) return kExitSuccess;
    const std::string where =
        options.server.empty() ? store_url(session.options().store, settings) : options.server;
    return session.fail(ErrorKind::kError,
                        missing.empty() ? fmt::format("{} has facts of no node", where)
                                        : fmt::format("{} has no facts of {}", where,
                                                      fmt::format("{}", fmt::join(missing, ", "))));
  } catch (const store::StoreError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const net::NetError& error) {
    return session.fail(ErrorKind::kError, fmt::format("{}: {}", options.server, error.what()));
  }
}

}  // namespace

Command make_facts_fetch_command() {
  auto options = std::make_shared<FetchOptions>();
  Command command("facts fetch", "Facts of nodes from a store or a server, to compile with");
  command.details(
      "Asks the store (--store) or a server that speaks PuppetDB's query API: a PuppetDB, or "
      "`bunraku store serve`. Servers are shown this host's certificate (hostcert) where there is "
      "one.\n\n"
      "The facts of a single node are printed. With --save, and those of several nodes, or of all "
      "when none is named, they become facts/NODE.json of the repository, readable by their owner "
      "alone.\n\n"
      "Exit codes: 0; 1 when nothing is known of a node, or the store or server gives no answer.");
  command.argument("[NODE...]", "the nodes; all when none is named", options->nodes);
  command.option("--server URL", "ask this server, https://puppetdb.example.com:8081",
                 options->server);
  command.flag("--save", "write the facts of a single node to a file, too", options->saves);
  command.option("--into DIR", "write files into DIR in place of the repository's facts/",
                 options->directory);
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kStore);
  command.example("bunraku facts fetch --server http://localhost:8080",
                  "facts of all nodes, into facts/ of the repository");
  command.example("bunraku facts fetch web01.example.com --store sqlite:nodes.db > web01.json",
                  "facts of one node, from a store");
  command.run([options](Session& session) { return fetch(*options, session); });
  return command;
}

}  // namespace bunraku
