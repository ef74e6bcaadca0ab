// `bunraku server` and `bunraku server status`.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "base/system/file_system.h"
#include "base/system/temporary_directory.h"
#include "certificates/error.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "net/http_client.h"
#include "server/server.h"
#include "store/error.h"

namespace bunraku {
namespace {

struct ServerCommandOptions {
  bool is_demo = false;
  bool has_no_authority = false;
  std::string listen;
  std::string conf_d;
  std::string access_log;
};

// Parses "HOST:PORT", "[::1]:PORT" or "PORT".
net::ListenAddress parse_listen(const std::string& text) {
  net::ListenAddress address;
  const size_t colon = text.rfind(':');
  std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (!host.empty()) address.host = host;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || port.empty()) {
    throw UsageError("--listen takes HOST:PORT, not '" + text + "'");
  }
  return address;
}

// The directories of a demonstration, which are removed at its end.
class DemoSite {
 public:
  DemoSite() {
    environments_ = find_examples();
    if (!environments_.empty()) return;
    environments_ = join_path(directory_.path(), "environments");
    create_directory(join_path(environments_, "production/manifests"));
    write_file(join_path(environments_, "production/manifests/site.pp"),
               "notify { \"Hello, ${trusted['certname']}\": }\n");
  }
  DemoSite(const DemoSite&) = delete;
  DemoSite& operator=(const DemoSite&) = delete;

  SettingsSources sources() const {
    SettingsSources sources;
    sources.section = "server";
    sources.command_line = {{"confdir", join_path(directory_.path(), "conf")},
                            {"vardir", join_path(directory_.path(), "var")},
                            {"codedir", join_path(directory_.path(), "code")},
                            {"ssldir", join_path(directory_.path(), "ssl")},
                            {"environmentpath", environments_},
                            {"certname", "localhost"},
                            {"dns_alt_names", "localhost,puppet"},
                            {"autosign", "true"},
                            {"keylength", "2048"}};
    return sources;
  }
  // With --noop, since the agent of root would apply the example's catalog to this host.
  std::string agent_command(uint16_t port) const {
    const std::string agent = join_path(directory_.path(), "agent");
    return fmt::format(
        "bunraku agent --test --noop --server localhost --serverport {0} --certname "
        "demo.example.com "
        "--confdir {1}/conf --codedir {1}/code --vardir {1}/var --logdir {1}/log --rundir {1}/run "
        "--publicdir {1}/public --ssldir {1}/ssl",
        port, agent);
  }

 private:
  // The examples in the repository of the program's build.
  static std::string find_examples() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const std::string path =
        absolute_path((program.parent_path() / "../../examples/environments").string());
    return is_directory(path) ? path : std::string();
  }

  const TemporaryDirectory directory_{"bunraku-demo"};
  std::string environments_;
};

int serve(const ServerCommandOptions& command_line, Session& session) {
  server::ServerOptions options;
  std::optional<DemoSite> demo;
  if (command_line.is_demo) {
    demo.emplace();
    options.load_settings = [&](const server::Directories&) { return Settings(demo->sources()); };
    options.listen = net::ListenAddress{"127.0.0.1", 0, true};
  } else {
    options.load_settings = [&](const server::Directories& directories) {
      return session.load_settings("server", directories);
    };
  }
  if (!command_line.listen.empty()) options.listen = parse_listen(command_line.listen);
  options.conf_d = command_line.conf_d;
  options.has_authority = !command_line.has_no_authority;
  const LogLevel level = session.options().log.level;
  options.log_level = level == LogLevel::kNotice ? LogLevel::kInfo : level;
  options.logs_json = session.options().log.format == LogFormat::kJson;
  options.access_log = command_line.access_log;
  options.store_url = session.options().store;
  options.ready = [&](const net::ListenAddress& address, const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
    if (demo)
      std::fprintf(stderr, "Try it (`puppet agent` takes the same options):\n  %s\n",
                   demo->agent_command(address.port).c_str());
  };
  try {
    return server::run_server(options) ? kExitSuccess : kExitFailure;
  } catch (const server::ConfigurationError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const certificates::CertificateError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const net::NetError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const store::StoreError& error) {
    return session.fail(ErrorKind::kError, error.what());
  }
}

int show_status(const std::string& given, Session& session) {
  const Settings settings = session.load_settings("server");
  const std::string name = server::certname_of(settings);
  const std::string url = given.empty() ? fmt::format("https://{}:8140", name) : given;
  const certificates::HostFiles files =
      certificates::HostFiles::below(settings.text("ssldir"), name);
  net::ClientSettings client_settings;
  client_settings.connect_timeout = std::chrono::seconds(10);
  client_settings.read_timeout = std::chrono::seconds(10);
  if (is_file(files.authorities)) {
    client_settings.tls.authorities = read_file(files.authorities);
    if (is_file(files.revocations)) client_settings.tls.revocations = read_file(files.revocations);
  }
  try {
    net::HttpClient client(client_settings);
    net::ClientRequest request;
    request.url = url + "/status/v1/services?level=debug";
    request.fields.add("Accept", "application/json");
    const net::Response response = client.send(request);
    session.print(response.body + "\n");
    return response.status == 200 ? kExitSuccess : kExitFailure;
  } catch (const net::NetError& error) {
    return session.fail(ErrorKind::kError, error.what());
  }
}

}  // namespace

Command make_server_command() {
  auto options = std::make_shared<ServerCommandOptions>();
  Command command("server", "Serves catalogs, files and certificates to agents");
  command.flag("--demo", "serve the example control repository from temporary directories",
               options->is_demo);
  command.option("--listen HOST:PORT",
                 "where to listen; 0.0.0.0:8140 unless webserver.conf says otherwise",
                 options->listen);
  command.flag("--no-ca", "leave certificates to the authority of another server",
               options->has_no_authority);
  command.option("--conf-d DIR",
                 "the directory of webserver.conf, auth.conf, ca.conf; beside the confdir",
                 options->conf_d);
  command.option("--access-log FILE", "a line for each request", options->access_log);
  command.takes(OptionGroup::kEnvironment);
  command.ignores_repository();
  command.takes(OptionGroup::kStore);
  command.details(
      "Makes its certificate authority and its own certificate at the first start, and writes one "
      "line to standard error when it is ready. Changed environments are noticed; SIGHUP reads the "
      "configuration anew and keeps the port; SIGTERM ends requests under way and exits with 0.");
  command.example("bunraku server", "serves /etc/puppetlabs/code/environments on port 8140");
  command.example("bunraku server --demo", "prints the command with which an agent connects");
  command.run([options](Session& session) { return serve(*options, session); });
  return command;
}

Command make_server_status_command() {
  auto url = std::make_shared<std::string>();
  Command command("server status", "What a running server says of itself");
  command.argument("[URL]", "https://HOST:PORT; this host's server on port 8140 otherwise", *url);
  command.example("bunraku server status", "prints the status services as JSON");
  command.example("bunraku server status https://puppet.example.com:8140", "asks another server");
  command.run([url](Session& session) { return show_status(*url, session); });
  return command;
}

}  // namespace bunraku
