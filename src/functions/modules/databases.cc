// Functions of the modules mysql and postgresql: passwords, and settings merged.
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <string>

#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/modules/families.h"
#include "pcore/ruby_text.h"

namespace bunraku::modules {

namespace {

Value unwrapped(Value value) {
  return value.is_sensitive() ? value.as_sensitive() : value;
}

std::string text_of(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

// The text, as a Sensitive where it is wanted so.
Value secret(Call& call, std::string_view text, size_t sensitive_at) {
  const Value value = Value::string(call.arena(), text);
  return call.argument(sensitive_at).is_truthy() ? Value::sensitive(call.arena(), value) : value;
}

// --- mysql --------------------------------------------------------------------------------------

Value mysql_password(Call& call) {
  static const Regex& hashed = *Regex::compile(R"(^\*[A-F0-9]{40}$)");
  const std::string_view password = unwrapped(call.arguments[0]).as_string();
  if (password.empty() || hashed.matches(password)) return secret(call, password, 1);
  const std::string digest =
      digest_hex(DigestAlgorithm::kSha1, digest_bytes(DigestAlgorithm::kSha1, password));
  return secret(call, "*" + upcase(digest), 1);
}

// --- postgresql ---------------------------------------------------------------------------------

std::string hmac(std::string_view key, std::string_view data) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(data.data()), data.size(), bytes, &size);
  return {reinterpret_cast<const char*>(bytes), size};
}

// RFC 5803, as PostgreSQL keeps it.
std::string scram(std::string_view password, std::string_view salt) {
  constexpr int kIterations = 4096;
  constexpr size_t kSize = 32;
  unsigned char derived[kSize];
  PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()),
                    reinterpret_cast<const unsigned char*>(salt.data()),
                    static_cast<int>(salt.size()), kIterations, EVP_sha256(), kSize, derived);
  const std::string key(reinterpret_cast<const char*>(derived), kSize);
  const std::string client = digest_bytes(DigestAlgorithm::kSha256, hmac(key, "Client Key"));
  return "SCRAM-SHA-256$4096:" + encode_base64(salt) + "$" + encode_base64(client) + ":" +
         encode_base64(hmac(key, "Server Key"));
}

Value postgresql_password(Call& call) {
  static const Regex& hashed = *Regex::compile(R"(^(md5[0-9a-f]{32}$|SCRAM-SHA-256\$))");
  static const Name kDefault("postgresql::default");
  const Value username = call.arguments[0];
  const Value password = unwrapped(call.arguments[1]);
  Value method = call.argument(3);
  if (method.is_undef()) {
    const Value name[] = {Value::string("password_encryption")};
    method = call.evaluator.call_function(kDefault, name, nullptr, call.scope, call.place);
  }
  if (password.is_string() && hashed.matches(password.as_string())) {
    return secret(call, password.as_string(), 2);
  }
  if (method.is_undef() || (method.is_string() && method.as_string() == "md5")) {
    const std::string digest =
        digest_hex(DigestAlgorithm::kMd5, text_of(password) + text_of(username));
    return secret(call, "md5" + digest, 2);
  }
  const Value salt = call.argument(4).is_undef() ? username : call.argument(4);
  const bool is_scram = method.is_string() && method.as_string() == "scram-sha-256";
  if (!is_scram || !password.is_string() || !salt.is_string()) {
    return call_own_ruby(call, "postgresql::postgresql_password");
  }
  return secret(call, scram(password.as_string(), salt.as_string()), 2);
}

constexpr Overload kMysqlPassword[] = {
    {"(Variant[String, Sensitive[String]] $password, Boolean $sensitive = default) >> "
     "Variant[String, Sensitive[String]]",
     mysql_password}};
constexpr Overload kPostgresqlPassword[] = {
    {"(Variant[String[1], Integer] $username, "
     "Variant[String[1], Sensitive[String[1]], Integer] $password, Boolean $sensitive = default, "
     "Optional[Enum['md5', 'scram-sha-256']] $hash = default, "
     "Optional[Variant[String[1], Integer]] $salt = default) >> "
     "Variant[String, Sensitive[String]]",
     postgresql_password}};

constexpr NativeFunctionInfo kFunctions[] = {
    {"mysql::password", kMysqlPassword, "A password as MySQL keeps it.",
     "mysql::password('secret')"},
    {"postgresql::postgresql_password", kPostgresqlPassword, "A password as PostgreSQL keeps it.",
     "postgresql::postgresql_password('user', 'secret', false, 'md5')"},
};

}  // namespace

std::span<const NativeFunctionInfo> database_functions() {
  return kFunctions;
}

}  // namespace bunraku::modules
