// Conversions between OpenSSL's objects and text.
#include "certificates/openssl.h"

#include <arpa/inet.h>

#include <array>
#include <cstdlib>

namespace bunraku::certificates::openssl {

void fail(const std::string& what, int status) {
  std::string reason;
  while (const unsigned long error = ERR_get_error()) {
    const char* text = ERR_reason_error_string(error);
    if (text != nullptr && reason.empty()) reason = text;
  }
  throw CertificateError(reason.empty() ? what : what + ": " + reason, status);
}

Owned<BIO> reader(std::string_view text) {
  return Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Owned<BIO> writer() {
  return Owned<BIO>(BIO_new(BIO_s_mem()));
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return size <= 0 ? std::string() : std::string(data, static_cast<size_t>(size));
}

std::string name_text(const X509_NAME* name) {
  const Owned<char> text(X509_NAME_oneline(name, nullptr, 0));
  return text == nullptr ? std::string() : std::string(text.get());
}

std::string common_name_of(const X509_NAME* name) {
  const int first = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  if (first < 0 || X509_NAME_get_index_by_NID(name, NID_commonName, first) >= 0) return {};
  unsigned char* utf8 = nullptr;
  const int size =
      ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, first)));
  if (size < 0) return {};
  std::string text(reinterpret_cast<char*>(utf8), static_cast<size_t>(size));
  OPENSSL_free(utf8);
  return text;
}

Owned<X509_NAME> name_of(const std::string& common_name) {
  Owned<X509_NAME> name(X509_NAME_new());
  check(X509_NAME_add_entry_by_NID(name.get(), NID_commonName, MBSTRING_UTF8,
                                   reinterpret_cast<const unsigned char*>(common_name.data()),
                                   static_cast<int>(common_name.size()), -1, 0),
        "The name");
  return name;
}

std::string decimal_of(const ASN1_INTEGER* number) {
  const Owned<BIGNUM> big(ASN1_INTEGER_to_BN(number, nullptr));
  const Owned<char> digits(BN_bn2dec(big.get()));
  return digits.get();
}

Owned<ASN1_INTEGER> integer_of_decimal(const std::string& digits) {
  BIGNUM* big = nullptr;
  if (BN_dec2bn(&big, digits.c_str()) == 0) fail("The number '" + digits + "'");
  const Owned<BIGNUM> owned(big);
  return Owned<ASN1_INTEGER>(BN_to_ASN1_INTEGER(big, nullptr));
}

Owned<ASN1_INTEGER> integer_of_hex(const std::string& digits) {
  BIGNUM* big = nullptr;
  if (BN_hex2bn(&big, digits.c_str()) == 0) fail("The serial number '" + digits + "'");
  const Owned<BIGNUM> owned(big);
  return Owned<ASN1_INTEGER>(BN_to_ASN1_INTEGER(big, nullptr));
}

std::time_t time_of(const ASN1_TIME* time) {
  std::tm fields{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &fields) != 1) return 0;
  return timegm(&fields);
}

std::string identifier_text(const ASN1_OBJECT* object) {
  std::array<char, 256> text{};
  const int size = OBJ_obj2txt(text.data(), static_cast<int>(text.size()), object, 1);
  return size <= 0 || size >= static_cast<int>(text.size()) ? std::string() : text.data();
}

Owned<ASN1_OBJECT> object_of(const std::string& identifier) {
  Owned<ASN1_OBJECT> object(OBJ_txt2obj(identifier.c_str(), 1));
  if (object == nullptr) fail("'" + identifier + "' is not an object identifier", 400);
  return object;
}

std::string string_value(std::string_view der) {
  const auto* data = reinterpret_cast<const unsigned char*>(der.data());
  const Owned<ASN1_TYPE> value(d2i_ASN1_TYPE(nullptr, &data, static_cast<long>(der.size())));
  const bool is_whole =
      value != nullptr && data == reinterpret_cast<const unsigned char*>(der.data() + der.size());
  if (is_whole) {
    switch (ASN1_TYPE_get(value.get())) {
      case V_ASN1_UTF8STRING:
      case V_ASN1_PRINTABLESTRING:
      case V_ASN1_IA5STRING:
      case V_ASN1_T61STRING:
      case V_ASN1_VISIBLESTRING:
      case V_ASN1_UNIVERSALSTRING:
      case V_ASN1_BMPSTRING: {
        unsigned char* utf8 = nullptr;
        const int size = ASN1_STRING_to_UTF8(&utf8, value->value.asn1_string);
        if (size < 0) break;
        std::string text(reinterpret_cast<char*>(utf8), static_cast<size_t>(size));
        OPENSSL_free(utf8);
        return text;
      }
      default:
        break;
    }
  }
  ERR_clear_error();
  return std::string(der);
}

std::pair<std::string, std::string> extension_text(X509_EXTENSION* extension) {
  const ASN1_OCTET_STRING* data = X509_EXTENSION_get_data(extension);
  return {identifier_text(X509_EXTENSION_get_object(extension)),
          string_value({reinterpret_cast<const char*>(ASN1_STRING_get0_data(data)),
                        static_cast<size_t>(ASN1_STRING_length(data))})};
}

Owned<X509_EXTENSION> text_extension(const std::string& identifier, const std::string& value) {
  const Owned<ASN1_TYPE> text(ASN1_TYPE_new());
  ASN1_STRING* utf8 = ASN1_STRING_type_new(V_ASN1_UTF8STRING);
  ASN1_STRING_set(utf8, value.data(), static_cast<int>(value.size()));
  ASN1_TYPE_set(text.get(), V_ASN1_UTF8STRING, utf8);
  unsigned char* der = nullptr;
  const int size = i2d_ASN1_TYPE(text.get(), &der);
  if (size <= 0) fail("The value of " + identifier);
  const Owned<ASN1_OCTET_STRING> octets(ASN1_OCTET_STRING_new());
  ASN1_OCTET_STRING_set(octets.get(), der, size);
  OPENSSL_free(der);
  Owned<X509_EXTENSION> extension(
      X509_EXTENSION_create_by_OBJ(nullptr, object_of(identifier).get(), 0, octets.get()));
  if (extension == nullptr) fail("The extension " + identifier);
  return extension;
}

Owned<X509_EXTENSION> alternative_names_extension(const std::vector<std::string>& names) {
  const Owned<GENERAL_NAMES> list(GENERAL_NAMES_new());
  for (const std::string& entry : names) {
    GENERAL_NAME* name = GENERAL_NAME_new();
    sk_GENERAL_NAME_push(list.get(), name);
    if (entry.starts_with("IP:")) {
      ASN1_OCTET_STRING* address = a2i_IPADDRESS(entry.c_str() + 3);
      if (address == nullptr) fail("'" + entry + "' is not an address", 400);
      GENERAL_NAME_set0_value(name, GEN_IPADD, address);
    } else {
      const std::string text = entry.starts_with("DNS:") ? entry.substr(4) : entry;
      ASN1_IA5STRING* dns = ASN1_IA5STRING_new();
      ASN1_STRING_set(dns, text.data(), static_cast<int>(text.size()));
      GENERAL_NAME_set0_value(name, GEN_DNS, dns);
    }
  }
  Owned<X509_EXTENSION> extension(X509V3_EXT_i2d(NID_subject_alt_name, 0, list.get()));
  if (extension == nullptr) fail("The alternative names");
  return extension;
}

std::vector<std::string> alternative_names_of(const GENERAL_NAMES* names) {
  std::vector<std::string> texts;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names); ++i) {
    int kind = 0;
    const void* value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &kind);
    const auto* string = static_cast<const ASN1_STRING*>(value);
    if (kind == GEN_IPADD) {
      std::array<char, INET6_ADDRSTRLEN> text{};
      const bool is_v6 = ASN1_STRING_length(string) == 16;
      inet_ntop(is_v6 ? AF_INET6 : AF_INET, ASN1_STRING_get0_data(string), text.data(),
                text.size());
      texts.push_back(std::string("IP:") + text.data());
    } else if (kind == GEN_DNS || kind == GEN_EMAIL || kind == GEN_URI) {
      const char* prefix = kind == GEN_DNS ? "DNS:" : kind == GEN_EMAIL ? "email:" : "URI:";
      texts.push_back(prefix +
                      std::string(reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
                                  static_cast<size_t>(ASN1_STRING_length(string))));
    } else {
      texts.emplace_back("other:");
    }
  }
  return texts;
}

std::string fingerprint_text(const unsigned char* bytes, unsigned size) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    if (i > 0) text += ':';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

}  // namespace bunraku::certificates::openssl
