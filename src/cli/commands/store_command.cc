// `store ...`: maintains and serves the store.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <mutex>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/text/counts.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "cli/frame/stored_facts.h"
#include "store/configuration.h"
#include "store/database/sqlite.h"
#include "store/http/serve.h"
#include "store/lifecycle/archive.h"
#include "store/lifecycle/check.h"
#include "store/lifecycle/garbage.h"
#include "store/schema/migrations.h"
#include "store/store.h"

namespace bunraku {

namespace {

struct StoreCommandOptions {
  std::string file;
  std::string listen;
  std::string config;
  bool is_encrypted = false;
};

// The store's own settings: the file in --config, or store.ini beside puppet.conf.
store::Configuration read_settings(const StoreCommandOptions& options, Session& session) {
  const Settings settings = session.load_settings("server");
  const std::string file = join_path(settings.text("confdir"), "store.ini");
  store::Configuration found;
  if (!options.config.empty()) {
    found = store::read_configuration(options.config);
  } else if (exists(file)) {
    found = store::read_configuration(file);
  }
  for (const std::string& notice : found.notices) session.warn(notice);
  return found;
}

using StoreAction = std::function<int(store::Store&, const StoreCommandOptions&, Session&)>;

int with_store(const StoreCommandOptions& options, Session& session, const store::StoreOptions& how,
               const StoreAction& action) {
  const Settings settings = session.load_settings("server");
  try {
    store::Store store(store_url(session.options().store, settings), how);
    return action(store, options, session);
  } catch (const store::StoreError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const FileError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const net::NetError& error) {
    return session.fail(ErrorKind::kError, error.what());
  }
}

int check(store::Store& store, const StoreCommandOptions&, Session& session) {
  const std::vector<std::string> problems = store::check_store(store);
  if (session.format_or("text") == "json") {
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    json.begin_object();
    json.key("problems");
    json.begin_array();
    for (const std::string& problem : problems) json.string(problem);
    json.end_array();
    json.end_object();
    session.print(text + "\n");
  } else {
    for (const std::string& problem : problems) session.print(problem + "\n");
    if (problems.empty()) session.print("The store is whole.\n");
  }
  return problems.empty() ? kExitSuccess : kExitFailure;
}

int vacuum(store::Store& store, const StoreCommandOptions& options, Session& session) {
  const store::GarbageCounts counts =
      store::collect_garbage(store, read_settings(options, session).lifetimes);
  store.maintain([](store::Connection& connection) {
    connection.script("VACUUM");
    connection.script("ANALYZE");
    if (connection.dialect() == store::Dialect::kSqlite) {
      connection.script("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  });
  session.print(fmt::format(
      "{} nodes expired, {} nodes purged, {} reports and {} events removed, {} shared rows "
      "removed\n",
      counts.expired_nodes, counts.purged_nodes, counts.reports, counts.events,
      counts.shared_rows));
  return kExitSuccess;
}

int backup(store::Store& store, const StoreCommandOptions& options, Session& session) {
  if (store.url().dialect != store::Dialect::kSqlite) {
    return session.fail(ErrorKind::kError,
                        "A store in PostgreSQL is backed up with pg_dump, or with `bunraku store "
                        "export`");
  }
  if (exists(options.file)) {
    return session.fail(ErrorKind::kError, fmt::format("{} is there already", options.file));
  }
  store.maintain(
      [&](store::Connection& connection) { store::backup_sqlite(connection, options.file); });
  session.print(fmt::format("The store was copied to {}\n", options.file));
  return kExitSuccess;
}

std::string text_of(const store::ArchiveCounts& counts) {
  const auto text = [](int64_t count) { return count_text(static_cast<size_t>(count)); };
  return fmt::format("{} factsets, {} catalogs and {} reports", text(counts.facts),
                     text(counts.catalogs), text(counts.reports));
}

int export_all(store::Store& store, const StoreCommandOptions& options, Session& session) {
  const store::ArchiveCounts counts = store::export_archive(store, options.file);
  session.print(fmt::format("{} were written to {}\n", text_of(counts), options.file));
  return kExitSuccess;
}

int import_all(store::Store& store, const StoreCommandOptions& options, Session& session) {
  const store::ArchiveCounts counts = store::import_archive(store, options.file);
  for (const std::string& problem : counts.problems) session.warn(problem);
  session.print(fmt::format("{} were read from {}\n", text_of(counts), options.file));
  return counts.problems.empty() ? kExitSuccess : kExitFailure;
}

int migrate(Session& session) {
  const Settings settings = session.load_settings("server");
  try {
    const auto connection = store::open_connection(
        store::parse_database_url(store_url(session.options().store, settings)));
    const int64_t steps = store::migrate(*connection);
    session.print(fmt::format("The store has schema version {} ({} taken)\n",
                              store::newest_schema(), counted(static_cast<size_t>(steps), "step")));
  } catch (const store::StoreError& error) {
    return session.fail(ErrorKind::kError, error.what());
  }
  return kExitSuccess;
}

net::ListenAddress listen_address(const std::string& text, bool is_encrypted) {
  net::ListenAddress address;
  address.host = "127.0.0.1";
  address.is_encrypted = is_encrypted;
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos) address.host = text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || port.empty()) {
    throw UsageError("--listen takes HOST:PORT, not '" + text + "'");
  }
  return address;
}

net::TlsSettings tls_settings(const store::ListenSettings& listen, const Settings& settings) {
  const auto file = [&](const std::string& own, const char* setting) {
    return own.empty() ? settings.text(setting) : own;
  };
  net::TlsSettings tls;
  tls.certificate = read_file(file(listen.certificate, "hostcert"));
  tls.key = read_file(file(listen.key, "hostprivkey"));
  tls.authorities = read_file(file(listen.authorities, "localcacert"));
  const std::string revocations = file(listen.revocations, "hostcrl");
  tls.checks_revocation = exists(revocations);
  if (tls.checks_revocation) tls.revocations = read_file(revocations);
  tls.client_authentication = net::ClientAuthentication::kNeeded;
  return tls;
}

// The addresses in --listen and --ssl, or in the configuration; by default this machine's port
// without TLS.
std::vector<net::ListenAddress> addresses(const StoreCommandOptions& options,
                                          const store::ListenSettings& listen) {
  if (!options.listen.empty() || options.is_encrypted) {
    const std::string otherwise = options.is_encrypted ? "0.0.0.0:8081" : "127.0.0.1:8080";
    return {
        listen_address(options.listen.empty() ? otherwise : options.listen, options.is_encrypted)};
  }
  std::vector<net::ListenAddress> found;
  if (listen.port) {
    found.push_back({listen.host.empty() ? "127.0.0.1" : listen.host, *listen.port, false});
  }
  if (listen.ssl_port) {
    found.push_back(
        {listen.ssl_host.empty() ? "0.0.0.0" : listen.ssl_host, *listen.ssl_port, true});
  }
  if (found.empty()) found.push_back(listen_address("127.0.0.1:8080", false));
  return found;
}

int serve(store::Store& store, const StoreCommandOptions& options, Session& session) {
  store::Configuration configuration = read_settings(options, session);
  store::ServeOptions serving;
  serving.addresses = addresses(options, configuration.listen);
  serving.lifetimes = configuration.lifetimes;
  serving.garbage_interval = configuration.garbage_interval;
  serving.spool = join_path(session.load_settings("server").text("vardir"), "store/spool");
  serving.largest_command = configuration.largest_command;
  serving.read_url = configuration.read_url;
  store.set_fact_filter(configuration.fact_filter);
  serving.access = std::move(configuration.access);
  if (std::ranges::any_of(serving.addresses, &net::ListenAddress::is_encrypted)) {
    const Settings settings = session.load_settings("server");
    serving.tls = tls_settings(configuration.listen, settings);
    for (auto* list :
         {&serving.access.queries, &serving.access.commands, &serving.access.administration}) {
      list->push_back(settings.text("certname"));
    }
  }
  serving.log = [&session](LogLevel level, const std::string& text) {
    LogRecord record;
    record.level = level;
    record.message = text;
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    session.log().log(record);
  };
  serving.ready = [](const std::vector<net::ListenAddress>& addresses) {
    for (const net::ListenAddress& address : addresses) {
      fmt::print(stderr, "bunraku store: listening on {}:{}\n", address.host, address.port);
    }
    std::fflush(stderr);
  };
  return store::serve_store(store, serving) ? kExitSuccess : kExitFailure;
}

Command make_one(const std::string& name, std::string summary) {
  Command command("store " + name, std::move(summary));
  command.takes(OptionGroup::kStore);
  command.example("bunraku store " + name +
                      (name == "export" || name == "import" ? " puppetdb-export.tgz"
                       : name == "backup"                   ? " /var/backups/store.db"
                                                            : ""),
                  "of the store below vardir");
  return command;
}

}  // namespace

std::vector<Command> make_store_commands() {
  std::vector<Command> commands;
  const auto add = [&](const std::string& name, std::string summary, StoreAction action,
                       bool is_read_only, const std::string& file_help) {
    auto options = std::make_shared<StoreCommandOptions>();
    Command command = make_one(name, std::move(summary));
    if (!file_help.empty()) command.argument("FILE", file_help, options->file);
    if (name == "check") command.formats({"text", "json"});
    if (name == "serve" || name == "vacuum") {
      command.option("--store-config PATH",
                     "the store's settings: an ini file, or a directory of them, as PuppetDB has; "
                     "store.ini beside puppet.conf unless given",
                     options->config);
    }
    if (name == "serve") {
      command.option("--listen HOST:PORT", "where to listen; 127.0.0.1:8080 unless given",
                     options->listen);
      command.flag("--ssl",
                   "TLS with the certificates of the settings, for clients that show one too; on "
                   "0.0.0.0:8081 unless --listen is given",
                   options->is_encrypted);
    }
    store::StoreOptions how;
    how.is_read_only = is_read_only;
    command.run([=, action = std::move(action)](Session& session) {
      return with_store(*options, session, how, action);
    });
    commands.push_back(std::move(command));
  };
  add("serve", "Serves the store with PuppetDB's routes", serve, false, "");
  add("check", "Looks for what is damaged in the store", check, true, "");
  add("vacuum", "Expires and purges what is old, and shrinks the store", vacuum, false, "");
  add("backup", "Copies a SQLite store while it is in use", backup, false, "the copy to make");
  add("export", "Writes all nodes to an archive in PuppetDB's format", export_all, true,
      "the .tgz file to write");
  add("import", "Reads an archive in PuppetDB's format", import_all, false,
      "a .tgz file, or the directory that it was unpacked to");
  Command command = make_one("migrate", "Brings the schema of the store up to date");
  command.run([](Session& session) { return migrate(session); });
  commands.push_back(std::move(command));
  return commands;
}

}  // namespace bunraku
