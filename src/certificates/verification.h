// Verifies a certificate by authorities and revocation lists, with messages in the agents' words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "certificates/objects.h"

namespace bunraku::certificates {

enum class RevocationCheck : uint8_t {
  kNone,
  kLeaf,  // the authority that signed the certificate needs a list
  kChain  // every authority of the chain needs one
};

// Returns the certificate and its chain of authorities, the root last. An authority that is not
// among `authorities` ends the chain without an error, because servers may know it. Throws
// CertificateError.
std::vector<Certificate> verified_chain(const Certificate& certificate,
                                        const std::vector<Certificate>& authorities,
                                        std::string_view lists_pem, RevocationCheck check);

// "CN=a,O=b"
std::string subject_text(const Certificate& certificate);
// The certificate in the format of `openssl x509 -text`.
std::string full_text(const Certificate& certificate);
// "(SHA256) AA:BB:…" of bytes. Throws CertificateError for an unknown algorithm.
std::string fingerprint_line(const std::string& algorithm, std::string_view bytes);
// The digits of the fingerprint.
std::string fingerprint_digits(const std::string& algorithm, std::string_view bytes);
// The bytes of the first object in a PEM text (a certificate or a request). Throws
// CertificateError.
std::string der_of_pem(std::string_view pem);

}  // namespace bunraku::certificates
