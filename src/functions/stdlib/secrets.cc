// The standard library's functions for passwords and repeatable randomness.
#include <crypt.h>

#include <algorithm>
#include <memory>
#include <random>

#include "base/regex/regex.h"
#include "base/system/reads.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/random.h"
#include "functions/stdlib/families.h"

namespace bunraku::stdlib {

namespace {

Value unwrapped(Value value) {
  return value.is_sensitive() ? value.as_sensitive() : value;
}

bool is_integer(Value value) {
  static const Regex& numeric = *Regex::compile(R"(^-?(?:(?:[1-9]\d*)|0)$)");
  return value.is_integer() || (value.is_string() && numeric.matches(value.as_string()));
}

// --- passwords ----------------------------------------------------------------------------------

struct HashMethod {
  std::string_view name;
  std::string_view prefix;
  bool is_bcrypt;
};
constexpr HashMethod kHashMethods[] = {{"md5", "1", false},      {"sha-256", "5", false},
                                       {"sha-512", "6", false},  {"bcrypt", "2b", true},
                                       {"bcrypt-a", "2a", true}, {"bcrypt-x", "2x", true},
                                       {"bcrypt-y", "2y", true}};

const HashMethod* find_method(std::string_view name) {
  const std::string wanted = downcase(name);
  for (const HashMethod& method : kHashMethods) {
    if (method.name == wanted) return &method;
  }
  return nullptr;
}

void check_salt(Call& call, const HashMethod& method, std::string_view salt) {
  static const Regex& bcrypt_salt = *Regex::compile(R"(^[0-9]{2}\$[./A-Za-z0-9]{22})");
  static const Regex& simple_salt = *Regex::compile(R"(\A[a-zA-Z0-9./]+\z)");
  if ((method.is_bcrypt ? bcrypt_salt : simple_salt).matches(salt)) return;
  call.fail(Issue::kWrongArgumentValue,
            {std::string("pw_hash(): characters in salt must ") +
             (method.is_bcrypt ? R"(match (?-mix:^[0-9]{2}\$[.\/A-Za-z0-9]{22}))"
                               : "be in the set [a-zA-Z0-9./]")});
}

Value pw_hash(Call& call) {
  const Value password = unwrapped(call.arguments[0]);
  const Value method_name = unwrapped(call.arguments[1]);
  const Value salt = unwrapped(call.arguments[2]);
  if (!password.is_string() && !password.is_undef()) {
    call.fail(Issue::kWrongArgumentKind, {"pw_hash(): first argument must be a string"});
  }
  if (!method_name.is_string())
    call.fail(Issue::kWrongArgumentKind, {"pw_hash(): second argument must be a string"});
  const HashMethod* method = find_method(method_name.as_string());
  if (method == nullptr) {
    call.fail(Issue::kWrongArgumentValue,
              {"pw_hash(): " + std::string(method_name.as_string()) + " is not a valid hash type"});
  }
  if (!salt.is_string())
    call.fail(Issue::kWrongArgumentKind, {"pw_hash(): third argument must be a string"});
  if (salt.as_string().empty())
    call.fail(Issue::kWrongArgumentValue, {"pw_hash(): third argument must not be empty"});
  check_salt(call, *method, salt.as_string());
  if (password.is_undef() || password.as_string().empty()) return Value();

  const std::string setting =
      "$" + std::string(method->prefix) + "$" + std::string(salt.as_string());
  const std::string phrase(password.as_string());
  auto data = std::make_unique<crypt_data>();
  const char* hashed = crypt_r(phrase.c_str(), setting.c_str(), data.get());
  if (hashed == nullptr || hashed[0] == '*')
    call.fail(Issue::kWrongArgumentValue, {"Invalid argument - crypt"});
  return Value::byte_string(call.arena().copy(hashed));
}

Value str2saltedpbkdf2(Call& call) {
  if (call.arguments.size() != 3) {
    call.fail(Issue::kWrongArgumentCount, {"str2saltedpbkdf2(): wrong number of arguments (" +
                                           std::to_string(call.arguments.size()) + " for 3)"});
  }
  const Value password = unwrapped(call.arguments[0]), salt = unwrapped(call.arguments[1]);
  const Value iterations = unwrapped(call.arguments[2]);
  if (!password.is_string())
    call.fail(Issue::kWrongArgumentKind, {"str2saltedpbkdf2(): first argument must be a string"});
  if (!salt.is_string())
    call.fail(Issue::kWrongArgumentKind, {"str2saltedpbkdf2(): second argument must be a string"});
  if (salt.as_string().size() < 8) {
    call.fail(Issue::kWrongArgumentKind,
              {"str2saltedpbkdf2(): second argument must be at least 8 bytes long"});
  }
  if (!iterations.is_integer())
    call.fail(Issue::kWrongArgumentKind, {"str2saltedpbkdf2(): third argument must be an integer"});
  const int64_t rounds = iterations.as_integer();
  if (rounds <= 40'000 || rounds >= 70'000) {
    call.fail(Issue::kWrongArgumentKind,
              {"str2saltedpbkdf2(): third argument must be between 40,000 and 70,000"});
  }
  constexpr size_t kSize = 128;
  const std::string_view salt_text = salt.as_string();
  const std::string key =
      pbkdf2_sha512(password.as_string(), salt_text, static_cast<uint32_t>(rounds), kSize);
  HashBuilder result(call.arena(), 3);
  result.set("password_hex", Value::string(call.arena(), to_hex(key)));
  result.set("salt_hex", Value::string(call.arena(), to_hex(salt_text)));
  result.set("iterations", iterations);
  return result.finish();
}

Value str2saltedsha512(Call& call) {
  if (call.arguments.size() != 1) {
    call.fail(Issue::kWrongArgumentCount,
              {"str2saltedsha512(): Wrong number of arguments passed (" +
               std::to_string(call.arguments.size()) + " but we require 1)"});
  }
  if (!call.arguments[0].is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"str2saltedsha512(): Requires a String argument, you passed: " +
               class_of(call.arguments[0])});
  }
  report_untracked("str2saltedsha512() takes random salt");
  const uint32_t seed = std::random_device{}() & 0x7FFFFFFF;
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(seed >> (8 * i) & 0xFF);
  const std::string salted = bytes + std::string(call.arguments[0].as_string());
  return Value::string(call.arena(),
                       to_hex(bytes + digest_bytes(DigestAlgorithm::kSha512, salted)));
}

// --- repeatable randomness ----------------------------------------------------------------------

Value seeded_rand(Call& call) {
  const Value limit = call.arguments[0];
  if (!is_integer(limit) || to_i(call, limit) <= 0) {
    call.fail(Issue::kWrongArgumentKind,
              {"seeded_rand(): first argument must be a positive integer"});
  }
  if (!call.arguments[1].is_string())
    call.fail(Issue::kWrongArgumentKind, {"seeded_rand(): second argument must be a string"});
  MersenneTwister random = seeded_with_md5(call.arguments[1].as_string());
  const uint64_t max = static_cast<uint64_t>(to_i(call, limit));
  return Value::integer(static_cast<int64_t>(random.bounded(max)));
}

constexpr int64_t kLongestRandomString = 1'000'000;

Value seeded_rand_string(Call& call) {
  const int64_t length = call.arguments[0].as_integer();
  if (length > kLongestRandomString)
    call.fail(Issue::kWrongArgumentValue, {"seeded_rand_string(): the length is too large"});
  std::string_view charset = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (call.argument(2).is_string()) charset = call.arguments[2].as_string();
  std::vector<Value> all = characters(charset);
  MersenneTwister random = seeded_with_sha256(call.arguments[1].as_string());
  std::string text;
  for (int64_t i = 0; i < length; ++i) text += all[random.bounded(all.size())].as_string();
  return Value::string(call.arena(), text);
}

// fqdn_rand(limit, seed)
uint64_t host_random(Call& call, uint64_t limit, std::string_view seed) {
  const std::string text =
      fully_qualified_name(call) + ":" + std::to_string(limit) + ":" + std::string(seed);
  return seeded_with_md5(text).bounded(limit);
}

Value fqdn_rand_string(Call& call) {
  if (!is_integer(call.arguments[0]) || to_i(call, call.arguments[0]) <= 0) {
    call.fail(Issue::kWrongArgumentKind,
              {"fqdn_rand_string(): first argument must be a positive integer"});
  }
  const Value charset = call.argument(1);
  if (!charset.is_undef() && !charset.is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"fqdn_rand_string(): second argument must be undef or a string"});
  }
  const int64_t length = to_i(call, call.arguments[0]);
  if (length > kLongestRandomString)
    call.fail(Issue::kWrongArgumentValue, {"fqdn_rand_string(): the length is too large"});
  std::string_view set = charset.is_string() ? charset.as_string() : "";
  if (set.empty()) set = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::vector<Value> all = characters(set);
  std::string seeds;
  for (size_t i = 2; i < call.arguments.size(); ++i) {
    append_joined(seeds, call.arguments[i], ":");
    seeds += ':';
  }
  std::string text;
  for (int64_t i = 1; i <= length; ++i) {
    text += all[host_random(call, all.size(), seeds + std::to_string(i))].as_string();
  }
  return Value::string(call.arena(), text);
}

Value legacy_fqdn(Call& call) {
  const Value* value = call.evaluator.find_variable(Name("::fqdn"), call.scope);
  if (value == nullptr && call.evaluator.settings().strict_variables) {
    call.fail(Issue::kUndefinedVariable, {"::fqdn", ""});
  }
  return value == nullptr ? Value() : *value;
}

Value fqdn_rotate(Call& call) {
  if (call.arguments.empty()) fail_count(call, "fqdn_rotate", "1");
  Value value = call.arguments[0];
  if (!value.is_array() && !value.is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"fqdn_rotate(): Requires either array or string to work with"});
  }
  std::vector<Value> items =
      value.is_string() ? characters(value.as_string())
                        : std::vector<Value>(value.as_array().begin(), value.as_array().end());
  if (items.size() <= 1) return value;
  std::string seed;
  append_joined(seed, legacy_fqdn(call), ":");
  seed += ':';
  append_joined(seed, Value::array(call.arguments.subspan(1)), ":");
  const size_t offset = seeded_with_md5(seed).bounded(items.size());
  std::vector<Value> rotated(items.begin() + static_cast<ptrdiff_t>(offset), items.end());
  rotated.insert(rotated.end(), items.begin(), items.begin() + static_cast<ptrdiff_t>(offset));
  return value.is_string() ? joined(call.arena(), rotated)
                           : Value::array(call.arena().copy(std::span<const Value>(rotated)));
}

Value shuffle(Call& call) {
  if (call.arguments.empty()) fail_count(call, "shuffle", "1");
  const Value value = call.arguments[0];
  if (!value.is_array() && !value.is_string()) {
    call.fail(Issue::kWrongArgumentKind,
              {"shuffle(): Requires either array or string to work with"});
  }
  std::vector<Value> items =
      value.is_string() ? characters(value.as_string())
                        : std::vector<Value>(value.as_array().begin(), value.as_array().end());
  report_untracked("shuffle() is random");
  std::shuffle(items.begin(), items.end(), std::mt19937(std::random_device{}()));
  return value.is_string() ? joined(call.arena(), items)
                           : Value::array(call.arena().copy(std::span<const Value>(items)));
}

Value fqdn_uuid(Call& call) {
  if (call.arguments.empty())
    call.fail(Issue::kWrongArgumentCount, {"fqdn_uuid: No arguments given"});
  if (call.arguments.size() != 1) {
    call.fail(Issue::kWrongArgumentCount, {"fqdn_uuid: Too many arguments given (" +
                                           std::to_string(call.arguments.size()) + ")"});
  }
  if (!call.arguments[0].is_string()) fail_implicit_conversion(call, call.arguments[0], "String");
  static constexpr unsigned char kDnsNamespace[] = {0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
                                                    0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
  const std::string text(reinterpret_cast<const char*>(kDnsNamespace), sizeof kDnsNamespace);
  std::string bytes =
      digest_bytes(DigestAlgorithm::kSha1, text + std::string(call.arguments[0].as_string()));
  bytes.resize(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x50);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  std::string hex = to_hex(bytes);
  for (const size_t at : {20, 16, 12, 8}) hex.insert(at, 1, '-');
  return Value::string(call.arena(), hex);
}

constexpr Overload kPwHash[] = {{"(Any $password, Any $hash, Any $salt)", pw_hash}};
constexpr Overload kStr2saltedpbkdf2[] = {{"(Any *$arguments)", str2saltedpbkdf2}};
constexpr Overload kStr2saltedsha512[] = {{"(Any *$arguments)", str2saltedsha512}};
constexpr Overload kSeededRand[] = {{"(Any $max, Any $seed)", seeded_rand}};
constexpr Overload kSeededRandString[] = {
    {"(Integer[1] $length, String $seed, String[2] $charset = default)", seeded_rand_string}};
constexpr Overload kFqdnRandString[] = {{"(Any $length, Any *$charset)", fqdn_rand_string}};
constexpr Overload kNewSeededRand[] = {{"(Integer[1] $max, String $seed) >> Integer", seeded_rand}};
constexpr Overload kNewFqdnRandString[] = {
    {"(Integer[1] $length, Optional[String] $charset = default, Any *$seed)", fqdn_rand_string}};
constexpr Overload kFqdnRotate[] = {{"(Any *$arguments)", fqdn_rotate}};
constexpr Overload kShuffle[] = {{"(Any *$arguments)", shuffle}};
constexpr Overload kFqdnUuid[] = {{"(Any *$arguments)", fqdn_uuid}};

constexpr NativeFunctionInfo kSecretFunctions[] = {
    {"pw_hash", kPwHash,
     "The hash of a password as /etc/shadow has it, by a method (md5, sha-256, "
     "sha-512, bcrypt) and a salt.",
     "pw_hash('secret', 'SHA-512', 'salt')", true},
    {"str2saltedpbkdf2", kStr2saltedpbkdf2,
     "The PBKDF2 hash of a password with a salt and a number of "
     "rounds.",
     "str2saltedpbkdf2('secret', 'using a salt', 50000)['iterations']", true},
    {"str2saltedsha512", kStr2saltedsha512, "The SHA-512 hash of a password with a random salt.",
     "str2saltedsha512('secret').length", true},
    {"seeded_rand", kSeededRand,
     "A number below a limit that looks random and is the same for the "
     "same seed.",
     "seeded_rand(100, 'seed')", true},
    {"seeded_rand_string", kSeededRandString,
     "Text of a length that looks random and is the same for "
     "the same seed.",
     "seeded_rand_string(8, 'seed')"},
    {"fqdn_rand_string", kFqdnRandString,
     "Text of a length that looks random and is the same for a "
     "node.",
     "fqdn_rand_string(10)", true},
    {"stdlib::seeded_rand", kNewSeededRand,
     "A number below a limit that looks random and is the same "
     "for the same seed.",
     "stdlib::seeded_rand(100, 'seed')"},
    {"stdlib::seeded_rand_string", kSeededRandString,
     "Text of a length that looks random and is the "
     "same for the same seed.",
     "stdlib::seeded_rand_string(8, 'seed')"},
    {"stdlib::fqdn_rand_string", kNewFqdnRandString,
     "Text of a length that looks random and is the "
     "same for a node.",
     "stdlib::fqdn_rand_string(10)"},
    {"fqdn_rotate", kFqdnRotate,
     "An array or text rotated by a number that is the same for a node.",
     "fqdn_rotate(['a', 'b', 'c'])", true},
    {"shuffle", kShuffle, "An array or text in random order.", "shuffle([1, 2, 3]).length", true},
    {"fqdn_uuid", kFqdnUuid, "The UUID (version 5) of a host name.",
     "fqdn_uuid('host.example.com')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> secret_functions() {
  return kSecretFunctions;
}

}  // namespace bunraku::stdlib
