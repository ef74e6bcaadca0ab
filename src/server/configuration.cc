// Reads puppet.conf's settings and conf.d.
#include "server/configuration.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/formats/hocon.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/duration.h"
#include "base/text/utf8.h"

namespace bunraku::server {
namespace {

// An object in a file of conf.d, with the path of keys to it for messages.
class ConfSection {
 public:
  ConfSection(const DataNode& node, std::string file, std::string name,
              Configuration& configuration)
      : node_(node), file_(std::move(file)), name_(std::move(name)), configuration_(configuration) {
    if (!node.is(DataKind::kHash)) fail("is not a map");
  }

  std::string text(const DataNode& node) const {
    switch (node.kind()) {
      case DataKind::kString:
        return std::string(node.text_value());
      case DataKind::kInteger:
        return std::to_string(node.integer_value());
      case DataKind::kBoolean:
        return node.boolean_value() ? "true" : "false";
      default:
        fail("has a value that is neither a text nor a number");
    }
  }
  bool boolean(const DataNode& node) const {
    const std::string value = text(node);
    if (value == "true" || value == "false") return value == "true";
    fail("has a value '" + value + "' that is neither true nor false");
  }
  int64_t integer(const DataNode& node, int64_t least, int64_t most) const {
    const std::string value = text(node);
    const bool is_number = !value.empty() && value.size() < 19 &&
                           value.find_first_not_of("0123456789") == std::string::npos;
    const int64_t number = is_number ? std::stoll(value) : -1;
    if (number < least || number > most) {
      fail("has a value '" + value + "' that is no number from " + std::to_string(least) + " to " +
           std::to_string(most));
    }
    return number;
  }
  int64_t duration(const DataNode& node) const {
    const auto seconds = duration_seconds(text(node));
    if (!seconds) fail("has a value '" + text(node) + "' that is no duration");
    return *seconds;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw ConfigurationError(file_ + ": '" + name_ + "' " + what);
  }
  void ignore(std::string_view key) const {
    configuration_.notices.push_back(file_ + ": '" + name_ + "." + std::string(key) +
                                     "' has no meaning here and is ignored");
  }
  std::span<const DataEntry> entries() const { return node_.entries(); }

 private:
  const DataNode& node_;
  std::string file_;
  std::string name_;
  Configuration& configuration_;
};

std::chrono::milliseconds milliseconds(const ConfSection& section, const DataNode& node) {
  return std::chrono::milliseconds(section.integer(node, 0, 86'400'000));
}

void read_webserver(const ConfSection& section, Configuration& configuration) {
  std::optional<std::string> host;
  std::optional<int64_t> port;
  bool has_own_certificate = false;
  bool has_list = false;
  for (const DataEntry& entry : section.entries()) {
    const std::string key(entry.key.text_value());
    const DataNode& value = entry.value;
    if (key == "ssl-host") {
      configuration.host = section.text(value);
    } else if (key == "ssl-port") {
      configuration.port = static_cast<uint16_t>(section.integer(value, 0, 65535));
    } else if (key == "host") {
      host = section.text(value);
    } else if (key == "port") {
      port = section.integer(value, 0, 65535);
    } else if (key == "ssl-cert") {
      configuration.host_files.certificate = section.text(value);
      has_own_certificate = true;
    } else if (key == "ssl-key") {
      configuration.host_files.key = section.text(value);
    } else if (key == "ssl-ca-cert") {
      configuration.host_files.authorities = section.text(value);
    } else if (key == "ssl-cert-chain") {
      configuration.certificate_chain = section.text(value);
    } else if (key == "ssl-crl-path") {
      configuration.host_files.revocations = section.text(value);
      has_list = true;
    } else if (key == "client-auth") {
      const std::string mode = section.text(value);
      if (mode == "need") {
        configuration.client_authentication = net::ClientAuthentication::kNeeded;
      } else if (mode == "none") {
        configuration.client_authentication = net::ClientAuthentication::kNone;
      } else if (mode != "want") {
        section.fail("has a client-auth '" + mode + "' that is neither need, want nor none");
      }
    } else if (key == "idle-timeout-milliseconds") {
      configuration.limits.idle = milliseconds(section, value);
    } else if (key == "request-header-max-size") {
      configuration.limits.header_size = static_cast<size_t>(section.integer(value, 1024, 1 << 20));
    } else if (key == "request-body-max-size") {
      configuration.limits.body_size =
          static_cast<uint64_t>(section.integer(value, 1, int64_t{1} << 40));
    } else if (key == "shutdown-timeout-seconds") {
      configuration.limits.drain = std::chrono::seconds(section.integer(value, 0, 86400));
    } else if (key == "gzip-enable") {
      configuration.compresses = section.boolean(value);
    } else if (key != "default-server") {
      section.ignore(key);
    }
  }
  if (port)
    configuration.plain =
        net::ListenAddress{host.value_or("localhost"), static_cast<uint16_t>(*port), false};
  if (has_own_certificate && !has_list) {
    configuration.checks_revocation = false;
    configuration.notices.emplace_back(
        "webserver: ssl-cert is set and ssl-crl-path is not: revoked certificates are accepted");
  }
}

// Reads the settings of one server, or of several in a map, of which the default one is used.
void read_webservers(const ConfSection& section, const std::string& file,
                     Configuration& configuration) {
  const bool has_several = !section.entries().empty() &&
                           std::ranges::all_of(section.entries(), [](const DataEntry& one) {
                             return one.value.is(DataKind::kHash);
                           });
  if (!has_several) return read_webserver(section, configuration);
  const auto is_default = [&](const DataEntry& entry) {
    const DataNode* marked = entry.value.find("default-server");
    return section.entries().size() == 1 || entry.key.text_value() == "default" ||
           (marked != nullptr && section.text(*marked) == "true");
  };
  bool is_found = false;
  for (const DataEntry& entry : section.entries()) {
    const std::string name(entry.key.text_value());
    if (is_found || !is_default(entry)) {
      section.ignore(name);
      continue;
    }
    is_found = true;
    read_webserver(ConfSection(entry.value, file, "webserver." + name, configuration),
                   configuration);
  }
  if (!is_found) section.fail("has several servers, and none is the default ('default-server')");
}

void read_authority(const ConfSection& section, Configuration& configuration) {
  certificates::AuthorityOptions& options = configuration.authority;
  for (const DataEntry& entry : section.entries()) {
    const std::string key(entry.key.text_value());
    const DataNode& value = entry.value;
    if (key == "allow-subject-alt-names") {
      options.allows_alternative_names = section.boolean(value);
    } else if (key == "allow-authorization-extensions") {
      options.allows_authorization_extensions = section.boolean(value);
    } else if (key == "allow-auto-renewal") {
      options.allows_renewal = section.boolean(value);
    } else if (key == "auto-renewal-cert-ttl") {
      options.renewal_ttl = section.duration(value);
    } else if (key == "ca-ttl") {
      options.ttl = section.duration(value);
    } else if (key == "enable-infra-crl") {
      options.uses_infra_list = section.boolean(value);
    } else if (key == "infra-nodes-path") {
      options.files.infra_inventory = section.text(value);
    } else if (key == "infra-node-serials-path") {
      options.files.infra_serials = section.text(value);
    } else if (key == "infra-crl-path") {
      options.files.infra_revocations = section.text(value);
    } else if (key == "certificate-status") {
      section.fail(
          "has a 'certificate-status', which is no longer supported; use rules of auth.conf");
    } else {
      section.ignore(key);
    }
  }
}

// "confdir" for server-conf-dir and its old name master-conf-dir; empty for other keys.
std::string_view directory_setting(std::string_view key) {
  if (!key.starts_with("server-") && !key.starts_with("master-")) return {};
  key.remove_prefix(7);
  constexpr std::pair<std::string_view, std::string_view> kSettings[] = {{"conf-dir", "confdir"},
                                                                         {"code-dir", "codedir"},
                                                                         {"var-dir", "vardir"},
                                                                         {"run-dir", "rundir"},
                                                                         {"log-dir", "logdir"}};
  const auto* found =
      std::ranges::find(kSettings, key, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kSettings) ? std::string_view() : found->second;
}

void read_puppet(const ConfSection& section, Configuration& configuration) {
  for (const DataEntry& entry : section.entries()) {
    const std::string key(entry.key.text_value());
    if (key == "max-active-instances") {
      configuration.compile_workers = static_cast<size_t>(section.integer(entry.value, 1, 1024));
    } else if (key == "max-queued-requests") {
      const int64_t most = section.integer(entry.value, 0, 1'000'000);
      if (most > 0) configuration.longest_queue = static_cast<size_t>(most);
    } else if (key == "max-retry-delay") {
      configuration.longest_retry_delay = section.integer(entry.value, 0, 86400);
    } else if (key == "environment-class-cache-enabled") {
      configuration.caches_classes = section.boolean(entry.value);
    } else if (const std::string_view setting = directory_setting(key); !setting.empty()) {
      configuration.directories.emplace_back(setting, section.text(entry.value));
    } else {
      section.ignore(key);
    }
  }
}

void read_versioned_code(const ConfSection& section, Configuration& configuration) {
  for (const DataEntry& entry : section.entries()) {
    const std::string key(entry.key.text_value());
    if (key == "code-id-command") {
      configuration.code_id_command = section.text(entry.value);
    } else if (key == "code-content-command") {
      configuration.code_content_command = section.text(entry.value);
    } else {
      section.ignore(key);
    }
  }
  if (configuration.code_id_command.empty() != configuration.code_content_command.empty()) {
    section.fail("needs both code-id-command and code-content-command, or neither");
  }
}

void read_file_of(const std::string& path, Configuration& configuration) {
  Arena arena;
  DataNode root;
  try {
    root = read_hocon(read_file(path), arena);
  } catch (const DataError& error) {
    throw ConfigurationError(path + ": " + error.what());
  }
  for (const DataEntry& entry : root.entries()) {
    const std::string name(entry.key.text_value());
    const auto section = [&] { return ConfSection(entry.value, path, name, configuration); };
    if (name == "webserver") {
      read_webservers(section(), path, configuration);
    } else if (name == "certificate-authority") {
      read_authority(section(), configuration);
    } else if (name == "jruby-puppet") {
      read_puppet(section(), configuration);
    } else if (name == "versioned-code") {
      read_versioned_code(section(), configuration);
    } else if (name != "authorization") {
      configuration.notices.push_back(path + ": '" + name + "' has no meaning here and is ignored");
    }
  }
}

// Returns whether the authority is enabled in services.d of the reference's package: by a line of
// ca.cfg (in old releases bootstrap.cfg) that names the service, or the disabled one.
bool has_authority_service(const std::string& conf_d) {
  constexpr std::string_view kService = "certificate-authority-service/certificate-authority-";
  bool has_service = true;
  for (const char* name : {"../bootstrap.cfg", "../services.d/ca.cfg"}) {
    const std::string path = join_path(conf_d, name);
    if (!is_file(path)) continue;
    const std::string text = read_file(path);
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      begin = end + 1;
      const size_t service = line.substr(0, line.find('#')).find(kService);
      const size_t disabled =
          line.substr(0, line.find('#')).find("certificate-authority-disabled-");
      if (service != std::string_view::npos) return true;
      if (disabled != std::string_view::npos) has_service = false;
    }
  }
  return has_service;
}

certificates::AuthorityOptions authority_options(const Settings& settings,
                                                 const std::string& certname) {
  certificates::AuthorityOptions options;
  options.files = certificates::AuthorityFiles::below(settings.text("cadir"));
  options.files.certificates = settings.text("cacert");
  options.files.key = settings.text("cakey");
  options.files.public_key = settings.text("capub");
  options.files.revocations = settings.text("cacrl");
  options.files.inventory = settings.text("cert_inventory");
  options.files.serial = settings.text("serial");
  options.files.requests = settings.text("csrdir");
  options.files.signed_certificates = settings.text("signeddir");
  options.name = settings.is_set("ca_name") ? settings.text("ca_name") : "Puppet CA: " + certname;
  options.key.bits = static_cast<int>(settings.integer("keylength"));
  options.key.is_elliptic = settings.text("key_type") == "ec";
  options.key.curve = settings.text("named_curve");
  options.ttl = settings.integer("ca_ttl");
  options.allows_duplicates = settings.is_true("allow_duplicate_certs");
  return options;
}

}  // namespace

std::string certname_of(const Settings& settings) {
  std::string name = settings.text("certname");
  if (name.empty()) {
    std::array<char, 256> buffer{};
    name = ::gethostname(buffer.data(), buffer.size() - 1) == 0 ? buffer.data() : "localhost";
  }
  return downcase(name);
}

std::string find_conf_d(const std::string& confdir) {
  const std::string own = join_path(confdir, "puppetserver/conf.d");
  if (is_directory(own)) return own;
  const std::string beside =
      join_path(std::string(parent_directory(confdir)), "puppetserver/conf.d");
  return is_directory(beside) ? beside : std::string();
}

Configuration load_configuration(const std::function<Settings(const Directories&)>& load,
                                 const std::string& conf_d) {
  Settings settings = load({});
  const std::string directory = conf_d.empty() ? find_conf_d(settings.text("confdir")) : conf_d;
  Configuration configuration = read_configuration(std::move(settings), directory);
  if (configuration.directories.empty()) return configuration;
  return read_configuration(load(configuration.directories), directory);
}

Configuration read_configuration(Settings settings, const std::string& conf_d) {
  Configuration configuration(std::move(settings));
  const Settings& known = configuration.settings;
  configuration.conf_d = conf_d;
  configuration.certname = certname_of(known);
  configuration.host_files =
      certificates::HostFiles::below(known.text("ssldir"), configuration.certname);
  configuration.authority = authority_options(known, configuration.certname);
  const std::string mapping = known.text("trusted_oid_mapping_file");
  if (is_file(mapping)) {
    try {
      configuration.identifiers.add_mapping(read_file(mapping), mapping);
    } catch (const std::exception& error) {
      throw ConfigurationError(error.what());
    }
  }
  configuration.rules = Rules::standard();
  if (conf_d.empty()) return configuration;
  configuration.has_authority = has_authority_service(conf_d);
  for (const DirectoryEntry& entry : list_directory(conf_d)) {
    if (!entry.is_directory && entry.name.ends_with(".conf")) {
      read_file_of(join_path(conf_d, entry.name), configuration);
    }
  }
  const std::string auth = join_path(conf_d, "auth.conf");
  if (is_file(auth)) {
    try {
      configuration.rules = Rules::parse(read_file(auth), auth, configuration.identifiers);
    } catch (const RuleError& error) {
      throw ConfigurationError(error.what());
    }
    for (const std::string& warning : configuration.rules.warnings()) {
      configuration.notices.push_back(auth + ": " + warning);
    }
  }
  return configuration;
}

}  // namespace bunraku::server
