#include "site/lookup/eyaml.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>

#include <memory>
#include <optional>

#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "site/lookup/lookup_error.h"

namespace bunraku {
namespace {

template <auto Free>
struct FreeWith {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Bio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Envelope = std::unique_ptr<PKCS7, FreeWith<PKCS7_free>>;

Bio bio_of(std::string_view bytes) {
  return Bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

std::string last_openssl_error() {
  const char* reason = ERR_reason_error_string(ERR_get_error());
  ERR_clear_error();
  return reason == nullptr ? "unknown error" : reason;
}

std::string key_text(const std::string& path) {
  if (!exists(path))
    fail_lookup(Issue::kEncryptedValue, {"No such file or directory @ rb_sysopen - " + path});
  try {
    return read_file(path);
  } catch (const FileError& error) {
    fail_lookup(Issue::kEncryptedValue, {error.what()});
  }
}

// The keys for one call of decrypt_text().
class Decryptor {
 public:
  Decryptor(const std::string& private_key_path, const std::string& public_key_path) {
    const Bio key = bio_of(private_text_ = key_text(private_key_path));
    key_.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
    if (!key_)
      fail_lookup(Issue::kEncryptedValue, {private_key_path + ": " + last_openssl_error()});
    const Bio certificate = bio_of(public_text_ = key_text(public_key_path));
    certificate_.reset(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
    if (!certificate_)
      fail_lookup(Issue::kEncryptedValue, {public_key_path + ": " + last_openssl_error()});
  }

  std::string decrypt(std::string_view base64) const {
    const std::string bytes = decode_base64_leniently(base64);
    const Bio in = bio_of(bytes);
    const Envelope envelope(d2i_PKCS7_bio(in.get(), nullptr));
    if (!envelope)
      fail_lookup(Issue::kEncryptedValue, {"Could not parse the PKCS7: no start line"});
    const Bio out(BIO_new(BIO_s_mem()));
    if (PKCS7_decrypt(envelope.get(), key_.get(), certificate_.get(), out.get(), 0) != 1) {
      ERR_clear_error();
      fail_lookup(Issue::kEncryptedValue, {"decrypt error"});
    }
    char* plain = nullptr;
    const long size = BIO_get_mem_data(out.get(), &plain);
    return std::string(plain, static_cast<size_t>(size));
  }

 private:
  std::string private_text_;
  std::string public_text_;
  Key key_;
  Certificate certificate_;
};

// ENC[method,payload], in which the method is optional.
const Regex& encrypted_part() {
  static const Regex* regex = Regex::compile("ENC\\[(?:(\\w+),)?([a-zA-Z0-9+/ =\\n]+?)\\]");
  return *regex;
}

}  // namespace

bool holds_encrypted_text(std::string_view text) {
  static const Regex* within_a_line = Regex::compile("ENC\\[.*?\\]");
  try {
    return within_a_line->matches(text);
  } catch (const RegexError& error) {
    fail_lookup(Issue::kEncryptedValue, {error.what()});
  }
}

std::string decrypt_text(std::string_view text, const std::string& private_key_path,
                         const std::string& public_key_path) {
  std::optional<Decryptor> decryptor;
  std::string out;
  size_t copied = 0;
  Captures part;
  while (encrypted_part().search(text, copied, part)) {
    out += text.substr(copied, part.begin() - copied);
    copied = part.end();
    const std::string_view method = part.text(text, 1);
    if (!method.empty() && downcase(method) != "pkcs7") {
      fail_lookup(Issue::kEncryptedValue,
                  {"encryption method '" + std::string(method) + "' is not supported"});
    }
    if (!decryptor) decryptor.emplace(private_key_path, public_key_path);
    out += decryptor->decrypt(part.text(text, 2));
  }
  out += text.substr(copied);
  if (out.ends_with("\r\n"))
    out.resize(out.size() - 2);
  else if (out.ends_with('\n') || out.ends_with('\r'))
    out.pop_back();
  return out;
}

}  // namespace bunraku
