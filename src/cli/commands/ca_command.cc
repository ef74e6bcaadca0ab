// `bunraku ca`: manages the authority in the files of this host, or on another host over the
// network. A server may run concurrently: both respect the authority's lock.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/duration.h"
#include "base/text/lists.h"
#include "certificates/authority.h"
#include "certificates/names.h"
#include "cli/commands/ca_access.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "server/bootstrap.h"
#include "server/configuration.h"

namespace bunraku {
namespace {

using certificates::Authority;
using certificates::CertificateError;
using certificates::CertificateState;
using certificates::CertificateStatus;
using server::Configuration;

// The reference's exit code when some or all names failed.
constexpr int kExitPartly = 24;

struct CaOptions {
  std::vector<std::string> names;  // of --certname, not split yet
  bool all = false;
  std::string ttl;
  std::string alternative_names;
  std::string ca_name;
  std::string root_name;
  std::string key;
  std::string bundle;
  std::string lists;
  bool ca_client = false;
  bool force = false;
  bool expired = false;
  bool revoked = false;
  bool removes_duplicates = false;
  bool removes_expired = false;
  bool removes_entries = false;
  std::vector<std::string> serials;
  bool infra = false;
  std::string server;  // managed instead of the files of this host
};

std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (const std::string& list : lists)
    std::ranges::move(split_list(list), std::back_inserter(parts));
  return parts;
}

std::optional<int64_t> seconds_of(const std::string& ttl) {
  if (ttl.empty()) return std::nullopt;
  const std::optional<int64_t> seconds = duration_seconds(ttl);
  if (!seconds) {
    throw UsageError("--ttl takes a number with s, m, h, d or y, not '" + ttl + "'");
  }
  return seconds;
}

Configuration load(Session& session) {
  return server::load_configuration(
      [&](const server::Directories& directories) {
        return session.load_settings("server", directories);
      },
      "");
}

Authority open(const Configuration& configuration) {
  Authority authority(configuration.authority);
  if (!authority.exists()) {
    throw CertificateError("There is no authority in " + configuration.authority.files.directory +
                           "; `bunraku ca setup` makes one");
  }
  return authority;
}

std::unique_ptr<CaAccess> access_to(const CaOptions& options, const Configuration& configuration) {
  return options.server.empty() ? local_authority(configuration)
                                : remote_authority(configuration, options.server);
}

std::vector<std::string> required_names(const CaOptions& options) {
  std::vector<std::string> names = split(options.names);
  if (names.empty()) throw UsageError("Missing option: --certname NAME[,NAME…]");
  return names;
}

// --- setup and import ---

int set_up(const CaOptions& options, Session& session) {
  Configuration configuration = load(session);
  if (!options.ca_name.empty()) configuration.authority.name = options.ca_name;
  const Authority authority(configuration.authority);
  if (authority.exists()) {
    throw CertificateError("There is an authority already in " +
                           configuration.authority.files.directory);
  }
  const std::string root =
      options.root_name.empty() ? "Puppet Root CA: " + configuration.certname : options.root_name;
  authority.create_chain(root);
  server::prepare_certificates(configuration);
  session.print(fmt::format("Generation succeeded. Find your files in {}\n",
                            configuration.authority.files.directory));
  return kExitSuccess;
}

int import(const CaOptions& options, Session& session) {
  if (options.key.empty() || options.bundle.empty() || options.lists.empty()) {
    throw UsageError("Missing options: --private-key, --cert-bundle and --crl-chain are needed");
  }
  const Configuration configuration = load(session);
  const Authority authority(configuration.authority);
  authority.import(read_file(options.key), read_file(options.bundle), read_file(options.lists));
  server::prepare_certificates(configuration);
  session.print(fmt::format("Import succeeded. Find your files in {}\n",
                            configuration.authority.files.directory));
  return kExitSuccess;
}

// --- list ---

void write_status(JsonWriter& json, const CertificateStatus& status,
                  const certificates::Identifiers& identifiers) {
  json.begin_object();
  json.member("name", status.name);
  json.member("state", certificates::name_of(status.state));
  json.key("subject_alt_names"), json.begin_array();
  for (const std::string& name : status.alternative_names) json.string(name);
  json.end_array();
  json.key("authorization_extensions"), json.begin_object();
  for (const auto& [identifier, value] : status.authorization_extensions) {
    json.member(identifiers.name_of(identifier), value);
  }
  json.end_object();
  json.member("fingerprint", status.fingerprints.at("SHA256"));
  if (status.state != CertificateState::kRequested) {
    json.key("serial_number"), json.raw(status.serial);
    json.member("not_before", certificates::time_text(status.not_before));
    json.member("not_after", certificates::time_text(status.not_after));
  }
  json.end_object();
}

std::string line_of(const CertificateStatus& status, size_t width,
                    const certificates::Identifiers& identifiers) {
  std::string line = fmt::format("    {:<{}}   (SHA256)  {}", status.name, width,
                                 status.fingerprints.at("SHA256"));
  std::string names;
  for (const std::string& name : status.alternative_names) {
    if (name == "DNS:" + status.name) continue;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  }
  if (!names.empty()) line += fmt::format("\talt names: [{}]", names);
  std::string extensions;
  for (const auto& [identifier, value] : status.authorization_extensions) {
    extensions += fmt::format("{}{}: {}", extensions.empty() ? "" : ", ",
                              identifiers.name_of(identifier), value);
  }
  if (!extensions.empty()) line += fmt::format("\tauthorization extensions: [{}]", extensions);
  return line + "\n";
}

int list(const CaOptions& options, Session& session) {
  const Configuration configuration = load(session);
  const std::unique_ptr<CaAccess> authority = access_to(options, configuration);
  const std::vector<std::string> wanted = split(options.names);
  std::vector<CertificateStatus> statuses = authority->statuses(
      options.all || !wanted.empty() ? std::nullopt : std::optional(CertificateState::kRequested));
  std::set<std::string> missing(wanted.begin(), wanted.end());
  std::erase_if(statuses, [&](const CertificateStatus& status) {
    const bool is_wanted = wanted.empty() || std::ranges::find(wanted, status.name) != wanted.end();
    missing.erase(status.name);
    return !is_wanted;
  });
  size_t width = 0;
  for (const CertificateStatus& status : statuses) width = std::max(width, status.name.size());
  const std::array<std::pair<CertificateState, const char*>, 3> groups{
      {{CertificateState::kRequested, "Requested"},
       {CertificateState::kSigned, "Signed"},
       {CertificateState::kRevoked, "Revoked"}}};
  const bool is_json = session.format_or("text") == "json";
  std::string text;
  if (is_json) {
    JsonWriter json(text, JsonForm::kPretty);
    json.begin_object();
    for (const auto& [state, title] : groups) {
      json.key(certificates::name_of(state)), json.begin_array();
      for (const CertificateStatus& status : statuses) {
        if (status.state == state) write_status(json, status, configuration.identifiers);
      }
      json.end_array();
    }
    json.key("missing"), json.begin_array();
    for (const std::string& name : missing) json.string(name);
    json.end_array();
    json.end_object();
    text += '\n';
  } else {
    for (const auto& [state, title] : groups) {
      std::string lines;
      for (const CertificateStatus& status : statuses) {
        if (status.state == state) lines += line_of(status, width, configuration.identifiers);
      }
      if (!lines.empty()) text += fmt::format("{} Certificates:\n{}", title, lines);
    }
    if (!missing.empty()) {
      text += "Missing Certificates:\n";
      for (const std::string& name : missing) text += fmt::format("    {}\n", name);
    }
    if (text.empty()) text = "No certificates to list\n";
  }
  session.print(text);
  return missing.empty() ? kExitSuccess : kExitFailure;
}

// --- sign, revoke, clean ---

int sign(const CaOptions& options, Session& session) {
  const Configuration configuration = load(session);
  const std::unique_ptr<CaAccess> authority = access_to(options, configuration);
  std::vector<std::string> names;
  if (options.all) {
    for (const CertificateStatus& status : authority->statuses(CertificateState::kRequested)) {
      names.push_back(status.name);
    }
    if (names.empty()) {
      session.warn("No waiting certificate requests to sign");
      return kExitPartly;
    }
  } else {
    names = required_names(options);
  }
  size_t failures = 0;
  for (const std::string& name : names) {
    try {
      authority->sign(name, seconds_of(options.ttl));
      session.print(fmt::format("Successfully signed certificate request for {}\n", name));
    } catch (const CertificateError& error) {
      session.warn(error.what());
      ++failures;
    }
  }
  return failures == 0 ? kExitSuccess : failures == names.size() ? kExitFailure : kExitPartly;
}

int revoke(const CaOptions& options, bool cleans, Session& session) {
  const Configuration configuration = load(session);
  const std::vector<std::string> names = required_names(options);
  const std::unique_ptr<CaAccess> authority = access_to(options, configuration);
  size_t failures = 0;
  const std::vector<std::string> unknown = authority->revoke(names);
  for (const std::string& name : names) {
    const bool was_revoked = std::ranges::find(unknown, name) == unknown.end();
    const bool was_removed = cleans && authority->remove(name);
    if (was_revoked) session.print(fmt::format("Certificate for {} has been revoked\n", name));
    if (was_removed) session.print(fmt::format("Cleaned files related to {}\n", name));
    if (!was_revoked && !was_removed) {
      session.warn(fmt::format("Could not find certificate for {}", name));
      ++failures;
    }
  }
  return failures == 0 ? kExitSuccess : failures == names.size() ? kExitFailure : kExitPartly;
}

// --- generate ---

int generate(const CaOptions& options, Session& session) {
  const Configuration configuration = load(session);
  Authority authority = open(configuration);
  size_t failures = 0;
  const std::vector<std::string> names = required_names(options);
  for (const std::string& name : names) {
    try {
      certificates::HostFiles files =
          certificates::HostFiles::below(configuration.settings.text("ssldir"), name);
      files.owner = configuration.authority.files.owner();
      if (!options.force && (is_file(files.certificate) || authority.status(name))) {
        throw CertificateError(
            fmt::format("There is a certificate of {} already; --force makes another one", name));
      }
      const certificates::Key key =
          certificates::load_or_make_key(files, configuration.authority.key);
      session.print(fmt::format("Successfully saved private key for {} to {}\n", name, files.key));
      certificates::Request::Content content;
      content.name = name;
      content.alternative_names =
          certificates::alternative_names_of(options.alternative_names, name);
      if (options.ca_client) content.extensions.emplace_back(certificates::kCliAuth, "true");
      const certificates::Certificate certificate =
          authority.issue(certificates::Request::make(content, key),
                          {.ttl = seconds_of(options.ttl), .is_trusted = true});
      create_directory(std::string(parent_directory(files.certificate)));
      write_file(files.certificate, certificate.pem());
      session.print(fmt::format("Successfully signed certificate request for {}\n", name));
      session.print(
          fmt::format("Successfully saved certificate for {} to {}\n", name, files.certificate));
    } catch (const CertificateError& error) {
      session.warn(error.what());
      ++failures;
    }
  }
  return failures == 0 ? kExitSuccess : failures == names.size() ? kExitFailure : kExitPartly;
}

// --- delete, prune, enable, migrate ---

int remove(const CaOptions& options, Session& session) {
  const Configuration configuration = load(session);
  Authority authority = open(configuration);
  const std::vector<std::string> wanted = split(options.names);
  if (wanted.empty() && !options.all && !options.expired && !options.revoked) {
    throw UsageError("Missing option: --certname, --expired, --revoked or --all");
  }
  const std::time_t now = std::time(nullptr);
  size_t count = 0;
  for (const CertificateStatus& status : authority.statuses(std::nullopt)) {
    const bool is_certificate = status.state != CertificateState::kRequested;
    const bool is_named = std::ranges::find(wanted, status.name) != wanted.end();
    const bool is_expired = options.expired && is_certificate && status.not_after < now;
    const bool is_revoked = options.revoked && status.state == CertificateState::kRevoked;
    if (!options.all && !is_named && !is_expired && !is_revoked) continue;
    if (authority.remove(status.name)) ++count;
  }
  session.print(fmt::format("{} certificate{} deleted.\n", count, count == 1 ? "" : "s"));
  return count == 0 ? kExitPartly : kExitSuccess;
}

int prune(const CaOptions& options, Session& session) {
  const Configuration configuration = load(session);
  Authority authority = open(configuration);
  std::vector<std::string> serials;
  if (options.removes_entries) {
    serials = split(options.serials);
    for (const std::string& name : split(options.names)) {
      if (const auto status = authority.status(name)) serials.push_back(status->serial);
    }
    for (const std::string& serial : serials) {
      if (serial.find_first_not_of("0123456789") != std::string::npos) {
        throw UsageError("--serial takes decimal numbers, not '" + serial + "'");
      }
    }
    if (serials.empty()) throw UsageError("--remove-entries needs --serial or --certname");
  }
  const Authority::Pruned pruned = authority.prune(options.removes_expired, serials);
  server::prepare_certificates(configuration);
  session.print(
      fmt::format("Removed {} duplicated, {} expired and {} chosen entries from the CRL\n",
                  pruned.duplicates, pruned.expired, pruned.entries));
  return kExitSuccess;
}

int enable(const CaOptions& options, Session& session) {
  if (!options.infra) throw UsageError("Missing option: --infracrl");
  const Configuration configuration = load(session);
  open(configuration).enable_infra_list();
  session.print("Infra CRL files created.\n");
  return kExitSuccess;
}

// With owners and modes; `target` does not exist yet.
void copy_directory(const std::filesystem::path& source, const std::filesystem::path& target) {
  namespace fs = std::filesystem;
  fs::copy(source, target, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  const auto keep_owner = [&](const fs::path& from) {
    const fs::path to = target / from.lexically_relative(source);
    struct stat status = {};
    const bool is_kept =
        lstat(from.c_str(), &status) == 0 &&
        lchown(to.c_str(), status.st_uid, status.st_gid) == 0 &&
        (S_ISLNK(status.st_mode) || chmod(to.c_str(), status.st_mode & 07777) == 0);
    if (!is_kept) {
      throw fs::filesystem_error("cannot keep the owner", to,
                                 std::error_code(errno, std::generic_category()));
    }
  };
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source)) {
    keep_owner(entry.path());
  }
  keep_owner(source);
}

// Also to another file system.
void move_directory(const std::string& source, const std::string& target) {
  std::error_code error;
  std::filesystem::rename(source, target, error);
  if (!error) return;
  if (error != std::errc::cross_device_link) {
    throw std::filesystem::filesystem_error("cannot rename", source, target, error);
  }
  try {
    copy_directory(source, target);
  } catch (...) {
    std::filesystem::remove_all(target, error);
    throw;
  }
  std::filesystem::remove_all(source);
}

int migrate(Session& session) {
  const Configuration configuration = load(session);
  const std::string old = join_path(configuration.settings.text("ssldir"), "ca");
  std::string directory = configuration.authority.files.directory;
  if (directory == old) directory = default_cadir(configuration.settings.text("confdir"));
  if (std::filesystem::is_symlink(old)) {
    session.print(fmt::format("The authority is already in {}\n", directory));
    return kExitSuccess;
  }
  if (!is_directory(old)) throw CertificateError("There is no authority in " + old);
  if (exists(directory)) throw CertificateError("There is something in " + directory + " already");
  create_directory(std::string(parent_directory(directory)));
  move_directory(old, directory);
  std::filesystem::create_directory_symlink(directory, old);
  session.print(fmt::format("CA dir migrated to {}; {} is a link to it\n", directory, old));
  return kExitSuccess;
}

using Action = std::function<int(const CaOptions&, Session&)>;

Command make(std::string name, std::string summary, const std::shared_ptr<CaOptions>& options,
             const Action& action) {
  Command command(std::move(name), std::move(summary));
  command.details(
      "Works on the files of the authority (setting cadir) of this host, also while a server uses "
      "them. Exit codes: 0 all was done, 1 nothing was, 24 some of it was, or there was nothing to "
      "do.");
  command.run([options, action](Session& session) {
    try {
      return action(*options, session);
    } catch (const CertificateError& error) {
      return session.fail(ErrorKind::kError, error.what());
    } catch (const server::ConfigurationError& error) {
      return session.fail(ErrorKind::kError, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      return session.fail(ErrorKind::kError, error.what());
    }
  });
  return command;
}

void add_server(Command& command, CaOptions& options) {
  command.option("--ca-server HOST[:PORT]",
                 "the authority of a running server, instead of the files of this host; needs a "
                 "certificate with pp_cli_auth",
                 options.server);
}

void add_names(Command& command, CaOptions& options) {
  command.option("--certname NAMES", "names with commas between", options.names);
}

}  // namespace

std::vector<Command> make_ca_commands() {
  std::vector<Command> commands;
  const auto begin = [&](const char* name, const char* summary,
                         const Action& action) -> std::shared_ptr<CaOptions> {
    auto options = std::make_shared<CaOptions>();
    commands.push_back(make(name, summary, options, action));
    return options;
  };
  auto options = begin(
      "ca setup", "Makes a root, an intermediate authority and the server's certificate", set_up);
  commands.back().option("--ca-name NAME", "common name of the signing authority",
                         options->ca_name);
  commands.back().option("--root-ca-name NAME", "common name of the root", options->root_name);
  commands.back().example("bunraku ca setup --set certname=puppet.example.com",
                          "before the server's first start");

  options = begin("ca import", "Takes over the key and chain of an authority", import);
  commands.back().option("--private-key FILE", "the key of the signing authority", options->key);
  commands.back().option("--cert-bundle FILE", "its certificate first, the root last",
                         options->bundle);
  commands.back().option("--crl-chain FILE", "a list of revoked certificates of each",
                         options->lists);
  commands.back().example(
      "bunraku ca import --private-key ca.key --cert-bundle ca.pem --crl-chain crls.pem",
      "after checking that they belong together");

  options = begin("ca list", "Requests that wait, and certificates", list);
  add_names(commands.back(), *options);
  commands.back().flag("--all", "certificates too, and not only requests", options->all);
  add_server(commands.back(), *options);
  commands.back().formats({"text", "json"});
  commands.back().example("bunraku ca list --all --format json", "everything, for programs");

  options = begin("ca sign", "Signs requests", sign);
  add_names(commands.back(), *options);
  commands.back().flag("--all", "all that wait", options->all);
  commands.back().option("--ttl TTL", "how long they are valid: 90d, 5y", options->ttl);
  add_server(commands.back(), *options);
  commands.back().example("bunraku ca sign --all --ca-server puppet.example.com",
                          "over the network");
  commands.back().example("bunraku ca sign --certname web01.example.com", "signs one request");

  options =
      begin("ca revoke", "Revokes certificates",
            [](const CaOptions& given, Session& session) { return revoke(given, false, session); });
  add_names(commands.back(), *options);
  add_server(commands.back(), *options);
  commands.back().example("bunraku ca revoke --certname web01.example.com",
                          "every certificate of that name");

  options =
      begin("ca clean", "Revokes certificates and deletes their files",
            [](const CaOptions& given, Session& session) { return revoke(given, true, session); });
  add_names(commands.back(), *options);
  add_server(commands.back(), *options);
  commands.back().example("bunraku ca clean --certname web01.example.com,web02.example.com",
                          "two hosts that are gone");

  options = begin("ca generate", "Makes keys and certificates for hosts", generate);
  add_names(commands.back(), *options);
  commands.back().option("--subject-alt-names NAMES", "DNS names, and addresses as IP:ADDRESS",
                         options->alternative_names);
  commands.back().flag("--ca-client", "may manage the authority over the network",
                       options->ca_client);
  commands.back().flag("--force", "also where there is a certificate already", options->force);
  commands.back().option("--ttl TTL", "how long they are valid: 90d, 5y", options->ttl);
  commands.back().example(
      "bunraku ca generate --certname lb.example.com --subject-alt-names puppet", "for a balancer");

  options = begin("ca delete", "Deletes files of certificates", remove);
  add_names(commands.back(), *options);
  commands.back().flag("--expired", "of certificates that have expired", options->expired);
  commands.back().flag("--revoked", "of revoked certificates", options->revoked);
  commands.back().flag("--all", "of all", options->all);
  commands.back().example("bunraku ca delete --expired", "nothing is revoked by it");

  options = begin("ca prune", "Removes entries from the list of revoked certificates", prune);
  commands.back().flag("--remove-duplicates", "entries that are there twice (always done)",
                       options->removes_duplicates);
  commands.back().flag("--remove-expired", "of certificates that have expired",
                       options->removes_expired);
  commands.back().flag("--remove-entries", "of --serial and --certname", options->removes_entries);
  commands.back().option("--serial NUMBERS", "decimal, with commas between", options->serials);
  add_names(commands.back(), *options);
  commands.back().example("bunraku ca prune --remove-expired", "makes the list smaller for agents");

  options = begin("ca enable", "Creates the files of the list for infrastructure", enable);
  commands.back().flag("--infracrl", "the list that agents get instead of the full one",
                       options->infra);
  commands.back().example("bunraku ca enable --infracrl",
                          "enable-infra-crl in ca.conf then uses it");

  begin("ca migrate", "Moves an authority out of the ssldir",
        [](const CaOptions&, Session& session) { return migrate(session); });
  commands.back().example("bunraku ca migrate", "leaves a link at the old place");
  return commands;
}

}  // namespace bunraku
