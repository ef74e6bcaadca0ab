// Message digests, as lower-case hexadecimal digits or as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

struct nettle_hash;

namespace bunraku {

enum class DigestAlgorithm : uint8_t { kMd5, kSha1, kSha224, kSha256, kSha384, kSha512 };

// The digest of data in pieces.
class Digester {
 public:
  explicit Digester(DigestAlgorithm algorithm);
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  void add(std::string_view data);
  // These return the result; nothing can be added afterwards.
  std::string bytes();
  std::string hex();

 private:
  const nettle_hash& method_;
  // The size of the largest state, that of SHA-512.
  alignas(std::max_align_t) std::array<std::byte, 256> context_;
};

std::string digest_bytes(DigestAlgorithm algorithm, std::string_view data);
std::string digest_hex(DigestAlgorithm algorithm, std::string_view data);

// Keys of `size` bytes that are derived from passwords: PBKDF2 (RFC 8018) with HMAC.
std::string pbkdf2_sha256(std::string_view password, std::string_view salt, uint32_t iterations,
                          size_t size);
std::string pbkdf2_sha512(std::string_view password, std::string_view salt, uint32_t iterations,
                          size_t size);

// The CRC-32 of zlib and Ruby's Zlib.crc32.
uint32_t crc32(std::string_view data);

// A 128-bit hash (XXH3) as 32 hexadecimal digits, for large texts that no attacker has a reason to
// forge.
std::string content_id(std::string_view data);

std::string to_hex(std::string_view bytes);

}  // namespace bunraku
