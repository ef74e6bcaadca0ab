#include "base/text/digest.h"

#include <openssl/evp.h>
#include <sha2.h>
#include <xxhash.h>

#include <array>
#include <stdexcept>

namespace bunraku {
namespace {

// Fetched once: OpenSSL otherwise looks through its providers for each digest.
template <DigestAlgorithm kAlgorithm>
const EVP_MD* fetched(const char* name) {
  static EVP_MD* const method = EVP_MD_fetch(nullptr, name, nullptr);
  return method;
}

// Null when this system's OpenSSL does not have it.
const EVP_MD* method_of(DigestAlgorithm algorithm) {
  switch (algorithm) {
    case DigestAlgorithm::kMd5:
      return fetched<DigestAlgorithm::kMd5>("MD5");
    case DigestAlgorithm::kSha1:
      return fetched<DigestAlgorithm::kSha1>("SHA1");
    case DigestAlgorithm::kSha224:
      return fetched<DigestAlgorithm::kSha224>("SHA224");
    case DigestAlgorithm::kSha256:
      return fetched<DigestAlgorithm::kSha256>("SHA256");
    case DigestAlgorithm::kSha384:
      return fetched<DigestAlgorithm::kSha384>("SHA384");
    case DigestAlgorithm::kSha512:
      break;
  }
  return fetched<DigestAlgorithm::kSha512>("SHA512");
}

// OpenSSL, which is quicker for long texts, takes three milliseconds to load: a compilation that
// only recognises functions of modules by their files' digests can do without it.
constexpr size_t kShortText = size_t{64} << 10;

std::string sha256_of_short(std::string_view text) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  std::array<uint8_t, SHA256_DIGEST_LENGTH> bytes{};
  SHA256Final(bytes.data(), &context);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

struct Digester::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  EVP_MD_CTX_free};
};

Digester::Digester(DigestAlgorithm algorithm) : state_(std::make_unique<State>()) {
  const EVP_MD* const method = method_of(algorithm);
  if (method == nullptr || EVP_DigestInit_ex(state_->context.get(), method, nullptr) != 1) {
    throw std::runtime_error("the digest is not available in this system's OpenSSL");
  }
}

Digester::~Digester() = default;

void Digester::add(std::string_view data) {
  EVP_DigestUpdate(state_->context.get(), data.data(), data.size());
}

std::string Digester::bytes() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(state_->context.get(), bytes, &length);
  return std::string(reinterpret_cast<char*>(bytes), length);
}

std::string Digester::hex() {
  return to_hex(bytes());
}

std::string digest_bytes(DigestAlgorithm algorithm, std::string_view data) {
  if (algorithm == DigestAlgorithm::kSha256 && data.size() <= kShortText) {
    return sha256_of_short(data);
  }
  Digester digester(algorithm);
  digester.add(data);
  return digester.bytes();
}

std::string digest_hex(DigestAlgorithm algorithm, std::string_view data) {
  return to_hex(digest_bytes(algorithm, data));
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
