// The two implementations of access to an authority.
#include "cli/commands/ca_access.h"

#include <fmt/format.h>

#include <ctime>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "net/http_client.h"
#include "server/bootstrap.h"

namespace bunraku {
namespace {

using certificates::CertificateError;
using certificates::CertificateState;
using certificates::CertificateStatus;

class LocalAuthority final : public CaAccess {
 public:
  explicit LocalAuthority(const server::Configuration& configuration)
      : configuration_(configuration), authority_(configuration.authority) {
    if (!authority_.exists()) {
      throw CertificateError("There is no authority in " + configuration.authority.files.directory +
                             "; `bunraku ca setup` makes one");
    }
  }
  std::vector<CertificateStatus> statuses(std::optional<CertificateState> state) override {
    return authority_.statuses(state);
  }
  void sign(const std::string& name, std::optional<int64_t> ttl) override {
    authority_.sign(name, {.ttl = ttl, .is_trusted = false});
  }
  std::vector<std::string> revoke(const std::vector<std::string>& names) override {
    std::vector<std::string> unknown = authority_.revoke(names);
    server::prepare_certificates(configuration_);
    return unknown;
  }
  bool remove(const std::string& name) override { return authority_.remove(name); }

 private:
  const server::Configuration& configuration_;
  certificates::Authority authority_;
};

net::ClientSettings client_settings(const certificates::HostFiles& files) {
  for (const std::string& file : {files.certificate, files.key, files.authorities}) {
    if (!is_file(file)) {
      throw CertificateError("A certificate of this host is needed to ask another one; '" + file +
                             "' is missing");
    }
  }
  net::ClientSettings settings;
  settings.tls.certificate = read_file(files.certificate);
  settings.tls.key = read_file(files.key);
  settings.tls.authorities = read_file(files.authorities);
  if (is_file(files.revocations)) settings.tls.revocations = read_file(files.revocations);
  settings.connect_timeout = std::chrono::seconds(30);
  settings.user_agent = "PuppetserverCaCli";
  return settings;
}

std::string text_in(const DataNode& node, const char* key) {
  const DataNode* found = node.find(key);
  return found == nullptr || !found->is(DataKind::kString) ? "" : std::string(found->text_value());
}

std::time_t time_in(const DataNode& node, const char* key) {
  std::tm fields{};
  const std::string text = text_in(node, key);
  return strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &fields) == nullptr ? 0 : timegm(&fields);
}

CertificateStatus read_status(const DataNode& node) {
  CertificateStatus status;
  status.name = text_in(node, "name");
  const std::string state = text_in(node, "state");
  status.state = state == "signed"    ? CertificateState::kSigned
                 : state == "revoked" ? CertificateState::kRevoked
                                      : CertificateState::kRequested;
  status.fingerprints["SHA256"] = text_in(node, "fingerprint");
  if (const DataNode* names = node.find("subject_alt_names");
      names != nullptr && names->is(DataKind::kArray)) {
    for (const DataNode& name : names->items()) {
      if (name.is(DataKind::kString)) status.alternative_names.emplace_back(name.text_value());
    }
  }
  if (const DataNode* extensions = node.find("authorization_extensions");
      extensions != nullptr && extensions->is(DataKind::kHash)) {
    for (const DataEntry& entry : extensions->entries()) {
      status.authorization_extensions.emplace_back(
          entry.key.text_value(),
          entry.value.is(DataKind::kString) ? entry.value.text_value() : "");
    }
  }
  if (const DataNode* serial = node.find("serial_number")) {
    if (serial->is(DataKind::kInteger)) status.serial = std::to_string(serial->integer_value());
    if (serial->is(DataKind::kBigInteger)) status.serial = serial->text_value();
  }
  status.not_before = time_in(node, "not_before");
  status.not_after = time_in(node, "not_after");
  return status;
}

class RemoteAuthority final : public CaAccess {
 public:
  RemoteAuthority(const server::Configuration& configuration, const std::string& server)
      : client_(client_settings(configuration.host_files)),
        url_(fmt::format("https://{}{}/puppet-ca/v1/", server,
                         server.find(':') == std::string::npos ? ":8140" : "")) {}

  std::vector<CertificateStatus> statuses(std::optional<CertificateState> state) override {
    const std::string query =
        state ? "?state=" + std::string(certificates::name_of(*state)) : std::string();
    const net::Response response = send("GET", "certificate_statuses/any_key" + query, "");
    if (response.status != 200) fail(response);
    Arena arena;
    std::vector<CertificateStatus> found;
    try {
      const DataNode list = read_json(response.body, arena);
      if (!list.is(DataKind::kArray)) throw DataError("it is no array");
      for (const DataNode& one : list.items()) found.push_back(read_status(one));
    } catch (const DataError& error) {
      throw CertificateError(std::string("The server's list cannot be read: ") + error.what());
    }
    return found;
  }

  void sign(const std::string& name, std::optional<int64_t> ttl) override {
    const net::Response response = change(name, "signed", ttl);
    if (response.status != 204) fail(response);
  }

  std::vector<std::string> revoke(const std::vector<std::string>& names) override {
    std::vector<std::string> unknown;
    for (const std::string& name : names) {
      const net::Response response = change(name, "revoked", std::nullopt);
      if (response.status == 204) continue;
      // The name is unknown, or only has a request.
      if (response.status != 404 && response.status != 409) fail(response);
      unknown.push_back(name);
    }
    return unknown;
  }

  bool remove(const std::string& name) override {
    const net::Response response =
        send("DELETE", "certificate_status/" + net::encode_percent(name), "");
    if (response.status != 204 && response.status != 404) fail(response);
    return response.status == 204;
  }

 private:
  net::Response change(const std::string& name, const char* state, std::optional<int64_t> ttl) {
    std::string body;
    JsonWriter json(body);
    json.begin_object();
    json.member("desired_state", state);
    if (ttl) json.member("cert_ttl", *ttl);
    json.end_object();
    return send("PUT", "certificate_status/" + net::encode_percent(name), std::move(body));
  }

  net::Response send(const char* method, const std::string& call, std::string body) {
    net::ClientRequest request;
    request.method = method;
    request.url = url_ + call;
    request.fields.add("Accept", "application/json");
    if (!body.empty()) request.fields.add("Content-Type", "application/json");
    request.body = std::move(body);
    try {
      return client_.send(request);
    } catch (const net::NetError& error) {
      throw CertificateError(fmt::format("{} cannot be asked: {}", url_, error.what()));
    }
  }

  [[noreturn]] void fail(const net::Response& response) const {
    throw CertificateError(
        fmt::format("The server answered {}: {}", response.status, response.body));
  }

  net::HttpClient client_;
  std::string url_;
};

}  // namespace

std::unique_ptr<CaAccess> local_authority(const server::Configuration& configuration) {
  return std::make_unique<LocalAuthority>(configuration);
}

std::unique_ptr<CaAccess> remote_authority(const server::Configuration& configuration,
                                           const std::string& server) {
  return std::make_unique<RemoteAuthority>(configuration, server);
}

}  // namespace bunraku
