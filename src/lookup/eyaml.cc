#include "lookup/eyaml.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>

#include <memory>

#include "lookup/lookup_error.h"
#include "support/base64.h"
#include "support/file_system.h"

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
  try {
    return read_file(path);
  } catch (const FileError& error) {
    fail_lookup(error.what());
  }
}

// Keys of one call to decrypt_text().
class Decryptor {
 public:
  Decryptor(const std::string& private_key_path, const std::string& public_key_path) {
    Bio key = bio_of(private_text_ = key_text(private_key_path));
    key_.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
    if (!key_) fail_lookup(private_key_path + ": " + last_openssl_error());
    Bio certificate = bio_of(public_text_ = key_text(public_key_path));
    certificate_.reset(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
    if (!certificate_) fail_lookup(public_key_path + ": " + last_openssl_error());
  }

  std::string decrypt(std::string_view base64) const {
    std::string bytes = decode_base64_leniently(base64);
    Bio in = bio_of(bytes);
    Envelope envelope(d2i_PKCS7_bio(in.get(), nullptr));
    if (!envelope) fail_lookup(last_openssl_error());
    Bio out(BIO_new(BIO_s_mem()));
    if (PKCS7_decrypt(envelope.get(), key_.get(), certificate_.get(), out.get(), 0) != 1) {
      fail_lookup(last_openssl_error());
    }
    char* plain = nullptr;
    long size = BIO_get_mem_data(out.get(), &plain);
    return std::string(plain, static_cast<size_t>(size));
  }

 private:
  std::string private_text_;
  std::string public_text_;
  Key key_;
  Certificate certificate_;
};

struct EncryptedPart {
  size_t begin;
  size_t end;
  std::string_view method;
  std::string_view payload;
};

// The next ENC[...] at or after `from`; begin is npos when there is none.
EncryptedPart next_part(std::string_view text, size_t from) {
  size_t begin = text.find("ENC[", from);
  size_t close = begin == std::string_view::npos ? begin : text.find(']', begin);
  if (close == std::string_view::npos) return {std::string_view::npos, 0, {}, {}};
  std::string_view inside = text.substr(begin + 4, close - begin - 4);
  size_t comma = inside.find(',');
  bool has_method = comma != std::string_view::npos;
  return {begin, close + 1, has_method ? inside.substr(0, comma) : "PKCS7",
          has_method ? inside.substr(comma + 1) : inside};
}

}  // namespace

bool holds_encrypted_text(std::string_view text) {
  return next_part(text, 0).begin != std::string_view::npos;
}

std::string decrypt_text(std::string_view text, const std::string& private_key_path,
                         const std::string& public_key_path) {
  Decryptor decryptor(private_key_path, public_key_path);
  std::string out;
  size_t copied = 0;
  for (EncryptedPart part = next_part(text, 0); part.begin != std::string_view::npos;
       part = next_part(text, copied)) {
    out += text.substr(copied, part.begin - copied);
    copied = part.end;
    if (part.method != "PKCS7") {
      fail_lookup("encryption method '" + std::string(part.method) + "' is not supported");
    }
    out += decryptor.decrypt(part.payload);
  }
  out += text.substr(copied);
  if (out.ends_with("\r\n"))
    out.resize(out.size() - 2);
  else if (out.ends_with('\n') || out.ends_with('\r'))
    out.pop_back();
  return out;
}

}  // namespace bunraku
