#include "base/text/digest.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("digest: known values") {
  CHECK(digest_hex(DigestAlgorithm::kMd5, "abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(digest_hex(DigestAlgorithm::kSha1, "") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(digest_hex(DigestAlgorithm::kSha256, "abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest_hex(DigestAlgorithm::kSha512, "abc").substr(0, 16) == "ddaf35a193617aba");
  CHECK(crc32("123456789") == 0xCBF43926);
  CHECK(to_hex(std::string_view("\x00\xff", 2)) == "00ff");
  CHECK(content_id("") == "99aa06d3014798d86001c324468d497f");
}

// The first value is of RFC 7914; the second has a byte zero in its password, and ends within a
// block.
TEST_CASE("keys are derived from passwords") {
  CHECK(to_hex(pbkdf2_sha256("passwd", "salt", 1, 64)) ==
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783");
  CHECK(to_hex(pbkdf2_sha512(std::string_view("password\0x", 10), "sa", 3, 70)).substr(108) ==
        "c37a51d7d8f033a3d8f1de062d588db5");
}

// Short and long texts are digested by different libraries.
TEST_CASE("a digest does not depend on the size of the text") {
  for (const size_t size : {0, 1, 55, 56, 63, 64, 65, 119, 128, 65'535, 65'536, 65'537}) {
    const std::string text(size, '\xe4');
    Digester digester(DigestAlgorithm::kSha256);
    digester.add(text);
    CHECK(digest_bytes(DigestAlgorithm::kSha256, text) == digester.bytes());
  }
}

TEST_CASE("a digest of pieces is that of the whole") {
  Digester digester(DigestAlgorithm::kSha256);
  digester.add("a");
  digester.add("");
  digester.add("bc");
  CHECK(digester.hex() == digest_hex(DigestAlgorithm::kSha256, "abc"));
}
