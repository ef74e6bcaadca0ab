// A host's key, and the content of its request.
#include "certificates/host_files.h"

#include <set>

#include "base/formats/yaml.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/safe_name.h"
#include "base/text/lists.h"
#include "certificates/authority_files.h"
#include "certificates/identifiers.h"
#include "certificates/names.h"

namespace bunraku::certificates {
namespace {

std::string text_of(const DataNode& node, const std::string& path) {
  switch (node.kind()) {
    case DataKind::kString:
      return std::string(node.text_value());
    case DataKind::kInteger:
      return std::to_string(node.integer_value());
    case DataKind::kBoolean:
      return node.boolean_value() ? "true" : "false";
    default:
      throw CertificateError(path + ": a value is neither a text, a number nor a boolean");
  }
}

ExtensionList read_section(const DataNode& data, const char* name, const std::string& path) {
  ExtensionList list;
  const DataNode* section = data.find(name);
  if (section == nullptr || section->is(DataKind::kNull)) return list;
  if (!section->is(DataKind::kHash))
    throw CertificateError(path + ": '" + name + "' is not a hash");
  const Identifiers identifiers;
  for (const DataEntry& entry : section->entries()) {
    const std::string key = text_of(entry.key, path);
    const std::string identifier = identifiers.identifier_of(key);
    if (identifier.empty()) {
      throw CertificateError(path + ": '" + key + "' is neither an object identifier nor its name");
    }
    list.emplace_back(identifier, text_of(entry.value, path));
  }
  return list;
}

}  // namespace

HostFiles HostFiles::below(const std::string& ssldir, const std::string& name) {
  const auto in = [&](const std::string& directory, const std::string& file) {
    return join_path(join_path(ssldir, directory), file);
  };
  const std::string own = safe_file_name(name, ".pem");
  return {ssldir,
          name,
          in("certs", own),
          in("private_keys", own),
          in("public_keys", own),
          in("certificate_requests", own),
          in("certs", "ca.pem"),
          join_path(ssldir, "crl.pem")};
}

Key load_or_make_key(const HostFiles& files, const KeyOptions& options) {
  if (const auto pem = read_if_there(files.key)) return Key::from_pem(*pem);
  Key key = Key::generate(options);
  create_directory(std::string(parent_directory(files.key)));
  create_directory(std::string(parent_directory(files.public_key)));
  write_file(files.key, key.private_pem(), files.new_file(kSecretMode));
  write_file(files.public_key, key.public_pem(), files.new_file(kPublicMode));
  return key;
}

RequestAttributes read_request_attributes(const std::string& path) {
  const auto text = read_if_there(path);
  if (!text) return {};
  try {
    Arena arena;
    const DataNode data = read_yaml(*text, {.file = path}, arena);
    return {read_section(data, "custom_attributes", path),
            read_section(data, "extension_requests", path)};
  } catch (const DataError& error) {
    throw CertificateError(error.what());
  }
}

std::vector<std::string> alternative_names_of(const std::string& list, const std::string& name) {
  std::set<std::string> names;
  for (const std::string& entry : split_list(list)) {
    if (!is_alternative_name(entry)) {
      throw CertificateError("'" + entry + "' is neither a DNS name nor an address");
    }
    names.insert(entry.starts_with("IP:") || entry.starts_with("DNS:") ? entry : "DNS:" + entry);
  }
  if (names.empty()) return {};
  names.insert("DNS:" + name);
  return {names.begin(), names.end()};
}

}  // namespace bunraku::certificates
