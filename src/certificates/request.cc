// Requests for certificates.
#include "certificates/openssl.h"

namespace bunraku::certificates {

using openssl::check;
using openssl::Owned;

namespace {

Owned<STACK_OF(X509_EXTENSION)> requested_extensions(X509_REQ* request) {
  return Owned<STACK_OF(X509_EXTENSION)>(X509_REQ_get_extensions(request));
}

void add_attribute(X509_REQ* request, const std::string& identifier, const std::string& value) {
  check(X509_REQ_add1_attr_by_OBJ(request, openssl::object_of(identifier).get(), MBSTRING_UTF8,
                                  reinterpret_cast<const unsigned char*>(value.data()),
                                  static_cast<int>(value.size())),
        "An attribute of the request");
}

}  // namespace

Request Request::from_pem(std::string_view text) {
  const Owned<BIO> bio = openssl::reader(text);
  X509_REQ* request = PEM_read_bio_X509_REQ(bio.get(), nullptr, nullptr, nullptr);
  if (request == nullptr) openssl::fail("The certificate request cannot be read", 400);
  return Request(std::shared_ptr<X509_REQ>(request, X509_REQ_free));
}

Request Request::make(const Content& content, const Key& key) {
  Request request(std::shared_ptr<X509_REQ>(X509_REQ_new(), X509_REQ_free));
  X509_REQ* raw = request.request_.get();
  check(X509_REQ_set_version(raw, 0), "The version");
  check(X509_REQ_set_subject_name(raw, openssl::name_of(content.name).get()), "The subject");
  check(X509_REQ_set_pubkey(raw, key.get()), "The public key");
  for (const auto& [identifier, value] : content.attributes) add_attribute(raw, identifier, value);
  const Owned<STACK_OF(X509_EXTENSION)> extensions(sk_X509_EXTENSION_new_null());
  for (const auto& [identifier, value] : content.extensions) {
    sk_X509_EXTENSION_push(extensions.get(), openssl::text_extension(identifier, value).release());
  }
  if (!content.alternative_names.empty()) {
    sk_X509_EXTENSION_push(
        extensions.get(),
        openssl::alternative_names_extension(content.alternative_names).release());
  }
  if (sk_X509_EXTENSION_num(extensions.get()) > 0) {
    check(X509_REQ_add_extensions(raw, extensions.get()), "The extensions");
  }
  if (X509_REQ_sign(raw, key.get(), EVP_sha256()) <= 0) {
    openssl::fail("The certificate request cannot be signed");
  }
  return request;
}

std::string Request::pem() const {
  const Owned<BIO> bio = openssl::writer();
  check(PEM_write_bio_X509_REQ(bio.get(), request_.get()), "The request cannot be written");
  return openssl::text_of(bio.get());
}

std::string Request::common_name() const {
  return openssl::common_name_of(X509_REQ_get_subject_name(request_.get()));
}
std::string Request::subject() const {
  return openssl::name_text(X509_REQ_get_subject_name(request_.get()));
}

bool Request::has_valid_signature() const {
  EVP_PKEY* key = X509_REQ_get0_pubkey(request_.get());
  const bool is_valid = key != nullptr && X509_REQ_verify(request_.get(), key) == 1;
  ERR_clear_error();
  return is_valid;
}

std::vector<std::string> Request::alternative_names() const {
  const Owned<STACK_OF(X509_EXTENSION)> extensions = requested_extensions(request_.get());
  const Owned<GENERAL_NAMES> names(static_cast<GENERAL_NAMES*>(
      X509V3_get_d2i(extensions.get(), NID_subject_alt_name, nullptr, nullptr)));
  return openssl::alternative_names_of(names.get());
}

ExtensionList Request::extensions() const {
  const Owned<STACK_OF(X509_EXTENSION)> extensions = requested_extensions(request_.get());
  ExtensionList list;
  for (int i = 0; extensions != nullptr && i < sk_X509_EXTENSION_num(extensions.get()); ++i) {
    X509_EXTENSION* extension = sk_X509_EXTENSION_value(extensions.get(), i);
    if (OBJ_obj2nid(X509_EXTENSION_get_object(extension)) == NID_subject_alt_name) continue;
    list.push_back(openssl::extension_text(extension));
  }
  return list;
}

std::optional<std::string> Request::attribute(const std::string& identifier) const {
  const int index =
      X509_REQ_get_attr_by_OBJ(request_.get(), openssl::object_of(identifier).get(), -1);
  if (index < 0) return std::nullopt;
  X509_ATTRIBUTE* attribute = X509_REQ_get_attr(request_.get(), index);
  ASN1_TYPE* value = X509_ATTRIBUTE_get0_type(attribute, 0);
  if (value == nullptr) return std::string();
  unsigned char* der = nullptr;
  const int size = i2d_ASN1_TYPE(value, &der);
  if (size <= 0) return std::string();
  const std::string text =
      openssl::string_value({reinterpret_cast<char*>(der), static_cast<size_t>(size)});
  OPENSSL_free(der);
  return text;
}

std::string Request::fingerprint(const char* algorithm) const {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  check(X509_REQ_digest(request_.get(), EVP_get_digestbyname(algorithm), bytes, &size), "Digest");
  return openssl::fingerprint_text(bytes, size);
}

evp_pkey_st* public_key_of(const Request& request) {
  EVP_PKEY* key = X509_REQ_get0_pubkey(request.get());
  if (key == nullptr) openssl::fail("The public key cannot be read", 400);
  return key;
}

}  // namespace bunraku::certificates
