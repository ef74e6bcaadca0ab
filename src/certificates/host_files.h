// Where a host keeps its key and certificates: the reference's layout of an ssldir.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/system/file_writer.h"
#include "certificates/objects.h"

namespace bunraku::certificates {

struct HostFiles {
  std::string directory;
  std::string name;
  std::string certificate;  // certs/NAME.pem
  std::string key;          // private_keys/NAME.pem
  std::string public_key;   // public_keys/NAME.pem
  std::string request;      // certificate_requests/NAME.pem
  std::string authorities;  // certs/ca.pem
  std::string revocations;  // crl.pem
  // The owner of files that are written; nothing: this process's user.
  std::optional<FileOwner> owner = {};

  NewFile new_file(mode_t mode) const { return {.mode = mode, .owner = owner}; }

  static HostFiles below(const std::string& ssldir, const std::string& name);
};

// Reads the key, or makes one; only its owner may read it. Throws CertificateError, FileError.
Key load_or_make_key(const HostFiles& files, const KeyOptions& options);
// What csr_attributes.yaml asks for; nothing when there is no such file. Names of extensions are
// resolved. Throws CertificateError.
struct RequestAttributes {
  ExtensionList attributes;
  ExtensionList extensions;
};
RequestAttributes read_request_attributes(const std::string& path);
// "a,b, DNS:c,IP:::1" as names of a request, sorted, each once, `name` among them.
std::vector<std::string> alternative_names_of(const std::string& list, const std::string& name);

}  // namespace bunraku::certificates
