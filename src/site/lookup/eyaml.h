// Encrypted values in data files, as hiera-eyaml writes them: ENC[PKCS7,<base64>].
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

bool holds_encrypted_text(std::string_view text);

// Returns `text` with all its encrypted parts decrypted. The keys are PEM files. Throws a lookup
// error when a key cannot be read or does not fit.
std::string decrypt_text(std::string_view text, const std::string& private_key_path,
                         const std::string& public_key_path);

}  // namespace bunraku
