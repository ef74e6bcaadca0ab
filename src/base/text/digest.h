// Message digests, as lower-case hexadecimal digits or as bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bunraku {

enum class DigestAlgorithm : uint8_t { kMd5, kSha1, kSha224, kSha256, kSha384, kSha512 };

// Of data that come piece by piece.
class Digester {
 public:
  explicit Digester(DigestAlgorithm algorithm);
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  void add(std::string_view data);
  // Ends it: nothing can be added any more.
  std::string bytes();
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string digest_bytes(DigestAlgorithm algorithm, std::string_view data);
std::string digest_hex(DigestAlgorithm algorithm, std::string_view data);

// The CRC-32 of zlib and Ruby's Zlib.crc32.
uint32_t crc32(std::string_view data);

// 128 bits that distinguish contents, as 32 hexadecimal digits: XXH3, for large texts that no
// attacker has reason to forge.
std::string content_id(std::string_view data);

std::string to_hex(std::string_view bytes);

}  // namespace bunraku
