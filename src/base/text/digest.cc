#include "base/text/digest.h"

#include <openssl/evp.h>
#include <sha2.h>
#include <xxhash.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>

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
// only recognises functions of modules by their files' digests can do without it, and so can a run
// over small files. With many of them it is loaded all the same.
constexpr size_t kShortText = size_t{64} << 10;
constexpr int64_t kShortTexts = int64_t{1} << 20;
std::atomic<int64_t> left_without_openssl = kShortTexts;

bool does_without_openssl(DigestAlgorithm algorithm, size_t size) {
  return algorithm == DigestAlgorithm::kSha256 && size <= kShortText &&
         left_without_openssl.fetch_sub(static_cast<int64_t>(size), std::memory_order_relaxed) > 0;
}

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
  DigestAlgorithm algorithm;
  // A SHA-256 text as long as it is short; null in `context` means that it still is.
  std::string short_text;
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{nullptr, EVP_MD_CTX_free};

  explicit State(DigestAlgorithm chosen) : algorithm(chosen) {
    if (chosen != DigestAlgorithm::kSha256) open();
  }
  void open() {
    context.reset(EVP_MD_CTX_new());
    const EVP_MD* const method = method_of(algorithm);
    if (method == nullptr || EVP_DigestInit_ex(context.get(), method, nullptr) != 1) {
      throw std::runtime_error("the digest is not available in this system's OpenSSL");
    }
  }
  void add(std::string_view data) const {
    EVP_DigestUpdate(context.get(), data.data(), data.size());
  }
};

Digester::Digester(DigestAlgorithm algorithm) : state_(std::make_unique<State>(algorithm)) {}

Digester::~Digester() = default;

void Digester::add(std::string_view data) {
  if (state_->context == nullptr) {
    if (state_->short_text.size() + data.size() <= kShortText) {
      state_->short_text += data;
      return;
    }
    state_->open();
    state_->add(std::exchange(state_->short_text, {}));
  }
  state_->add(data);
}

std::string Digester::bytes() {
  if (state_->context == nullptr) return digest_bytes(state_->algorithm, state_->short_text);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(state_->context.get(), bytes, &length);
  return std::string(reinterpret_cast<char*>(bytes), length);
}

std::string Digester::hex() {
  return to_hex(bytes());
}

std::string digest_bytes(DigestAlgorithm algorithm, std::string_view data) {
  if (does_without_openssl(algorithm, data.size())) return sha256_of_short(data);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  const EVP_MD* const method = method_of(algorithm);
  if (method == nullptr ||
      EVP_Digest(data.data(), data.size(), bytes, &length, method, nullptr) != 1) {
    throw std::runtime_error("the digest is not available in this system's OpenSSL");
  }
  return {reinterpret_cast<char*>(bytes), length};
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
