// `bunraku ssl`: this host's key and certificates.
#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "agent/certificate_actions.h"
#include "base/system/file_system.h"
#include "certificates/error.h"
#include "cli/commands/agent_commands.h"
#include "cli/commands/apply_support.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

struct SslOptions {
  bool cleans_authorities = false;
  std::string target;
};

// A device's settings are those below its own directory.
Settings load(const SslOptions& options, Session& session) {
  if (options.target.empty()) return session.load_settings("agent");
  const Settings own = session.load_settings("agent");
  const std::string directory = join_path(own.text("devicedir"), options.target);
  auto values = session.options().settings;
  values.emplace_back("certname", options.target);
  values.emplace_back("confdir", directory);
  values.emplace_back("vardir", directory);
  values.emplace_back("ssldir", join_path(directory, "ssl"));
  return Settings({std::move(values), "agent"});
}

using Action = void (*)(agent::CertificateActions&, const SslOptions&, Session&);

int run_action(Action action, const SslOptions& options, bool is_verbose, Session& session) {
  const Settings settings = load(options, session);
  ConsoleSink sink(session, false, is_verbose);
  apply::RunLog log(sink);
  agent::ServerSession server(settings, log);
  agent::BootstrapOptions bootstrap;
  bootstrap.wait_for_certificate = settings.integer("waitforcert");
  bootstrap.is_onetime = settings.is_true("onetime");
  bootstrap.is_daemon = true;
  bootstrap.print = [&](const std::string& line) {
    session.print(line + "\n");
    session.flush();
  };
  try {
    agent::CertificateActions actions(settings, server, log, bootstrap);
    action(actions, options, session);
    return kExitSuccess;
  } catch (const agent::BootstrapError& error) {
    if (error.is_logged()) return kExitFailure;
    return session.fail(ErrorKind::kError, fmt::format("Could not run: {}", error.what()));
  } catch (const certificates::CertificateError& error) {
    return session.fail(ErrorKind::kError, fmt::format("Could not run: {}", error.what()));
  } catch (const agent::RequestError& error) {
    return session.fail(ErrorKind::kError, fmt::format("Could not run: {}", error.what()));
  }
}

Command make_command(const char* name, const char* summary, const char* details, Action action,
                     const std::shared_ptr<SslOptions>& options) {
  Command command(fmt::format("ssl {}", name), summary);
  command.option("--target CERTNAME", "the certificate of a device in place of this host's",
                 options->target);
  command.details(details);
  command.example(fmt::format("bunraku ssl {} --certname web01.example.com --server "
                              "puppet.example.com",
                              name),
                  summary);
  command.takes(OptionGroup::kEnvironment);
  command.ignores_repository();
  const bool is_verbose = std::string_view(name) == "bootstrap";
  command.run([options, action, is_verbose](Session& session) {
    return run_action(action, *options, is_verbose, session);
  });
  return command;
}

}  // namespace

std::vector<Command> make_ssl_commands() {
  auto options = std::make_shared<SslOptions>();
  std::vector<Command> commands;
  commands.push_back(make_command(
      "bootstrap", "Requests this host's certificate and waits until it is signed",
      "Fetches the authorities' certificates and lists of revoked certificates, makes a key, "
      "requests a certificate and asks for it every --waitforcert seconds until it is signed. With "
      "--waitforcert 0 it asks once. Exits with 1 when there is no certificate.",
      [](agent::CertificateActions& actions, const SslOptions&, Session&) { actions.bootstrap(); },
      options));
  commands.push_back(make_command(
      "submit_request", "Requests this host's certificate",
      "Makes a key where there is none, and sends a request for a certificate to the authority. "
      "The certificate is kept when it is signed at once.",
      [](agent::CertificateActions& actions, const SslOptions&, Session&) {
        actions.submit_request();
      },
      options));
  commands.push_back(make_command(
      "generate_request", "Writes a request for this host's certificate, without a server",
      "Makes a key where there is none, and writes a request for a certificate below the directory "
      "of requests.",
      [](agent::CertificateActions& actions, const SslOptions&, Session&) {
        actions.generate_request();
      },
      options));
  commands.push_back(make_command(
      "download_cert", "Fetches this host's certificate",
      "Fetches the certificate from the authority and keeps it when it belongs to the key and is "
      "accepted. Exits with 1 when it has not been signed yet.",
      [](agent::CertificateActions& actions, const SslOptions&, Session&) {
        actions.download_certificate();
      },
      options));
  commands.push_back(make_command(
      "verify", "Checks this host's key and certificate",
      "Checks that the key and the certificate are there and belong together, that a known "
      "authority issued the certificate, and that it is not revoked.",
      [](agent::CertificateActions& actions, const SslOptions&, Session&) { actions.verify(); },
      options));
  commands.push_back(make_command(
      "show", "Prints this host's certificate",
      "Prints the full text of the certificate, which must pass the checks of `ssl verify`.",
      [](agent::CertificateActions& actions, const SslOptions&, Session& session) {
        session.print(actions.show());
      },
      options));
  Command clean = make_command(
      "clean", "Removes this host's key, certificate and request",
      "Removes the files of this host's certificate. A host that is its own authority must have "
      "removed the certificate there before.",
      [](agent::CertificateActions& actions, const SslOptions& given, Session&) {
        actions.clean(given.cleans_authorities);
      },
      options);
  clean.flag("--localca", "remove the local copies of the authorities' certificates and lists, too",
             options->cleans_authorities);
  commands.push_back(std::move(clean));
  return commands;
}

}  // namespace bunraku
