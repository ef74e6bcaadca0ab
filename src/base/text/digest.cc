#include "base/text/digest.h"

#include <nettle/nettle-meta.h>
#include <nettle/pbkdf2.h>
#include <nettle/sha2.h>
#include <xxhash.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bunraku {
namespace {

const nettle_hash& method_of(DigestAlgorithm algorithm) {
  switch (algorithm) {
    case DigestAlgorithm::kMd5:
      return nettle_md5;
    case DigestAlgorithm::kSha1:
      return nettle_sha1;
    case DigestAlgorithm::kSha224:
      return nettle_sha224;
    case DigestAlgorithm::kSha256:
      return nettle_sha256;
    case DigestAlgorithm::kSha384:
      return nettle_sha384;
    case DigestAlgorithm::kSha512:
      break;
  }
  return nettle_sha512;
}

std::string derived(decltype(nettle_pbkdf2_hmac_sha256)& derive, std::string_view password,
                    std::string_view salt, uint32_t iterations, size_t size) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<const uint8_t*>(text.data());
  };
  std::string key(size, '\0');
  derive(password.size(), bytes(password), iterations, salt.size(), bytes(salt), key.size(),
         reinterpret_cast<uint8_t*>(key.data()));
  return key;
}

constexpr std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t remainder = i;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320u : 0u);
    }
    table[i] = remainder;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = make_crc_table();

}  // namespace

Digester::Digester(DigestAlgorithm algorithm) : method_(method_of(algorithm)) {
  static_assert(sizeof(context_) >= sizeof(sha512_ctx));
  method_.init(context_.data());
}

void Digester::add(std::string_view data) {
  method_.update(context_.data(), data.size(), reinterpret_cast<const uint8_t*>(data.data()));
}

std::string Digester::bytes() {
  std::string bytes(method_.digest_size, '\0');
  method_.digest(context_.data(), bytes.size(), reinterpret_cast<uint8_t*>(bytes.data()));
  return bytes;
}

std::string Digester::hex() {
  return to_hex(bytes());
}

std::string digest_bytes(DigestAlgorithm algorithm, std::string_view data) {
  Digester digester(algorithm);
  digester.add(data);
  return digester.bytes();
}

std::string digest_hex(DigestAlgorithm algorithm, std::string_view data) {
  return to_hex(digest_bytes(algorithm, data));
}

std::string pbkdf2_sha256(std::string_view password, std::string_view salt, uint32_t iterations,
                          size_t size) {
  return derived(nettle_pbkdf2_hmac_sha256, password, salt, iterations, size);
}

std::string pbkdf2_sha512(std::string_view password, std::string_view salt, uint32_t iterations,
                          size_t size) {
  return derived(nettle_pbkdf2_hmac_sha512, password, salt, iterations, size);
}

uint32_t crc32(std::string_view data) {
  uint32_t crc = 0xFFFFFFFFu;
  for (const char c : data)
    crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

std::string content_id(std::string_view data) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits(data.data(), data.size()));
  return to_hex({reinterpret_cast<const char*>(bytes.digest), sizeof(bytes.digest)});
}

std::string to_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace bunraku
