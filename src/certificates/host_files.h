// The files of a host's key and certificates, in the reference's layout of an ssldir.
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
  // The owner of written files; no value: this process's user.
  std::optional<FileOwner> owner = {};

  NewFile new_file(mode_t mode) const { return {.mode = mode, .owner = owner}; }

  static HostFiles below(const std::string& ssldir, const std::string& name);
};

// Reads the key, or makes one that only its owner can read. Throws CertificateError, FileError.
Key load_or_make_key(const HostFiles& files, const KeyOptions& options);
// The content of csr_attributes.yaml; empty without that file. Names of extensions are resolved.
// Throws CertificateError.
struct RequestAttributes {
  ExtensionList attributes;
  ExtensionList extensions;
};
RequestAttributes read_request_attributes(const std::string& path);
// The names in "a,b, DNS:c,IP:::1" and `name`, for a request; sorted, without duplicates.
std::vector<std::string> alternative_names_of(const std::string& list, const std::string& name);

}  // namespace bunraku::certificates
