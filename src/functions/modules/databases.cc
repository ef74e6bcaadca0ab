// Functions of the modules mysql and postgresql: passwords, merged settings, access rules.
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/modules/families.h"
#include "functions/modules/support.h"
#include "values/bounds.h"

namespace bunraku::modules {

namespace {

// The text, as a Sensitive if the argument requests it.
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

// The function of the older interface, whose pattern is not anchored at the start.
Value older_mysql_password(Call& call) {
  static const Regex& hashed = *Regex::compile(R"(\*[A-F0-9]{40}$)");
  if (call.arguments.size() != 1 || !call.arguments[0].is_string()) {
    return call_own_ruby(call, {"mysql", "mysql_password", true});
  }
  const std::string_view password = call.arguments[0].as_string();
  if (password.empty() || hashed.matches(password)) return call.arguments[0];
  const std::string digest =
      digest_hex(DigestAlgorithm::kSha1, digest_bytes(DigestAlgorithm::kSha1, password));
  return Value::string(call.arena(), "*" + upcase(digest));
}

bool is_empty_text(Value value) {
  return value.is_string() && value.as_string().empty();
}

// Drops empty entries. Nested hashes with empty entries are left to the module's code, which
// changes them in place.
Value strip_hash(Call& call) {
  HashBuilder result(call.arena());
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    if (is_empty_text(entry.value)) continue;
    if (entry.value.is_hash() &&
        std::ranges::any_of(entry.value.as_hash(),
                            [](const HashEntry& inner) { return is_empty_text(inner.value); })) {
      return call_own_ruby(call, {"mysql", "mysql::strip_hash"});
    }
    result.set(entry.key, entry.value);
  }
  return result.finish();
}

// The key with hyphens and underscores exchanged; empty when there is none.
std::string other_spelling(std::string_view key) {
  const bool has_hyphen = key.find('-') != key.npos;
  if (!has_hyphen && key.find('_') == key.npos) return {};
  std::string other(key);
  std::ranges::replace(other, has_hyphen ? '-' : '_', has_hyphen ? '_' : '-');
  return other;
}

bool has_text_keys(const HashObject& hash) {
  return std::ranges::all_of(hash, [](const HashEntry& entry) { return entry.key.is_string(); });
}

// Deep merge of two hashes; undef where a key is not text.
Value overlaid(Arena& arena, const HashObject& below, const HashObject& above, Nesting& nesting) {
  const NestingGuard guard(nesting, "A hash");
  if (!has_text_keys(below) || !has_text_keys(above)) return Value();
  HashBuilder result(arena);
  result.set_all(below);
  for (const HashEntry& entry : above) {
    const Value* found = result.find(entry.key);
    if (found == nullptr) {
      const std::string other = other_spelling(entry.key.as_string());
      const Value* same = other.empty() ? nullptr : result.find(Value::string(other));
      if (same != nullptr) {
        const Value value = *same;
        result.erase(Value::string(other));
        result.set(entry.key, value);
        found = result.find(entry.key);
      }
    }
    Value value = entry.value;
    if (value.is_hash() && found != nullptr && found->is_hash()) {
      value = overlaid(arena, found->as_hash(), value.as_hash(), nesting);
      if (value.is_undef()) return value;
    }
    result.set(entry.key, value);
  }
  return result.finish();
}

Value normalise_and_deepmerge(Call& call) {
  const auto in_ruby = [&] {
    return call_own_ruby(call, {"mysql", "mysql::normalise_and_deepmerge"});
  };
  if (call.arguments.size() < 2) return in_ruby();
  Value result = HashBuilder(call.arena()).finish();
  Nesting nesting;
  for (const Value argument : call.arguments) {
    if (is_empty_text(argument)) continue;
    if (!argument.is_hash()) return in_ruby();
    result = overlaid(call.arena(), result.as_hash(), argument.as_hash(), nesting);
    if (result.is_undef()) return in_ruby();
  }
  return result;
}

Value innobackupex_args(Call& call) {
  const Value user = call.arguments[0], password = call.arguments[2];
  std::string text;
  if (user.is_truthy() && password.is_truthy()) {
    text = "--user=\"" + text_of(user) + "\" --password=\"" + text_of(password) + "\"";
  }
  if (call.arguments[1].as_boolean()) text += " --compress";
  const auto add_all = [&](Value items, std::string_view start, std::string_view between) {
    for (const Value item : items.as_array()) {
      text.append(start).append(item.as_string());
      start = between;
    }
  };
  if (!call.arguments[3].as_array().empty()) {
    add_all(call.arguments[3], " --databases=\"", " ");
    text += '"';
  }
  add_all(call.arguments[4], " ", " ");
  return Value::string(call.arena(), text);
}

// --- postgresql ---------------------------------------------------------------------------------

std::string hmac(std::string_view key, std::string_view data) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(data.data()), data.size(), bytes, &size);
  return {reinterpret_cast<const char*>(bytes), size};
}

// RFC 5803, the format of PostgreSQL.
std::string make_scram(std::string_view password, std::string_view salt) {
  constexpr uint32_t kIterations = 4096;
  constexpr size_t kSize = 32;
  const std::string key = pbkdf2_sha256(password, salt, kIterations, kSize);
  const std::string client = digest_bytes(DigestAlgorithm::kSha256, hmac(key, "Client Key"));
  return "SCRAM-SHA-256$4096:" + encode_base64(salt) + "$" + encode_base64(client) + ":" +
         encode_base64(hmac(key, "Server Key"));
}

// It takes over a millisecond for each password, and each compilation of a node asks for the same
// ones: the process keeps them, by a digest of what they are made of.
std::string scram(std::string_view password, std::string_view salt) {
  constexpr size_t kMost = 10'000;
  static std::mutex mutex;
  static auto* const known = new std::unordered_map<std::string, std::string>();
  const std::string key =
      digest_bytes(DigestAlgorithm::kSha256, digest_bytes(DigestAlgorithm::kSha256, password) +
                                                 digest_bytes(DigestAlgorithm::kSha256, salt));
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known->find(key); found != known->end()) return found->second;
  }
  const std::string made = make_scram(password, salt);
  const std::lock_guard lock(mutex);
  if (known->size() >= kMost) known->clear();
  return known->try_emplace(key, made).first->second;
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
    return call_own_ruby(call, {"postgresql", "postgresql::postgresql_password"});
  }
  return secret(call, scram(password.as_string(), salt.as_string()), 2);
}

// For versions of the module with only this method.
Value without_method(Call& call) {
  return Value::string(call.arena(),
                       "md5" + digest_hex(DigestAlgorithm::kMd5,
                                          text_of(call.arguments[1]) + text_of(call.arguments[0])));
}

// Letters of a digest, used as the tag of a dollar-quoted SQL text.
std::string quoting_tag(std::string_view text) {
  constexpr size_t kLength = 6;
  std::string tag = digest_hex(DigestAlgorithm::kMd5, text).substr(0, kLength);
  std::erase_if(tag, is_digit);
  return tag;
}

Value postgresql_escape(Call& call) {
  const std::string_view text = call.arguments[0].as_string();
  if (text.find("$$") == text.npos && !text.ends_with('$')) {
    return Value::string(call.arena(), "$$" + std::string(text) + "$$");
  }
  constexpr int kMostTags = 1000;
  std::string tag = quoting_tag(text);
  for (int i = 0; i < kMostTags; ++i) {
    if (text.find(tag) == text.npos) {
      return Value::string(call.arena(), "$" + tag + "$" + std::string(text) + "$" + tag + "$");
    }
    tag = quoting_tag(tag);
  }
  return call_own_ruby(call, {"postgresql", "postgresql::postgresql_escape"});
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks(" \t\n\v\f\r\0", 7);
  std::vector<std::string_view> words;
  for (;;) {
    const size_t start = text.find_first_not_of(kBlanks);
    if (start == text.npos) return words;
    text.remove_prefix(start);
    const size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// A rule of pg_hba.conf, parsed from its parts.
Value access_rule(Arena& arena, std::span<const std::string_view> parts, int64_t order) {
  const auto joined = [&](size_t from) {
    std::string text;
    for (size_t i = from; i < parts.size(); ++i) {
      if (i > from) text += ' ';
      text += parts[i];
    }
    return Value::string(arena, text);
  };
  const auto part = [&](size_t at) {
    return at < parts.size() ? Value::string(arena, parts[at]) : Value();
  };
  HashBuilder rule(arena);
  rule.set("type", part(0));
  rule.set("database", part(1));
  rule.set("user", part(2));
  std::string number = std::to_string(order);
  if (number.size() < 3) number.insert(0, 3 - number.size(), '0');
  rule.set("order", Value::string(arena, number));
  size_t method = 3;
  if (parts[0] != "local") {
    const bool has_mask = parts.size() > 4 && is_digit(parts[4][0]);
    method = has_mask ? 5 : 4;
    rule.set("address",
             has_mask ? Value::string(arena, std::string(parts[3]) + " " + std::string(parts[4]))
                      : part(3));
  }
  rule.set("auth_method", part(method));
  if (parts.size() > method + 1) rule.set("auth_option", joined(method + 1));
  return rule.finish();
}

Value postgresql_acls_to_resources_hash(Call& call) {
  const std::span<const Value> acls = call.arguments[0].as_array();
  HashBuilder resources(call.arena());
  for (const Value acl : acls) {
    const auto same = [&](Value other) { return other.as_string() == acl.as_string(); };
    const auto index = std::ranges::find_if(acls, same) - acls.begin();
    const std::vector<std::string_view> parts = words_of(acl.as_string());
    if (parts.size() < 4) {
      return call_own_ruby(call, {"postgresql", "postgresql::postgresql_acls_to_resources_hash"});
    }
    const std::string name = "postgresql class generated rule " +
                             std::string(call.arguments[1].as_string()) + " " +
                             std::to_string(index);
    resources.set(Value::string(call.arena(), name),
                  access_rule(call.arena(), parts, call.arguments[2].as_integer() + index));
  }
  return resources.finish();
}

Value prepend_sql_password(Call& call) {
  return Value::string(call.arena(),
                       "ENCRYPTED PASSWORD '" + std::string(call.arguments[0].as_string()) + "'");
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

constexpr Overload kOlderMysqlPassword[] = {{"(Any *$args)", older_mysql_password}};
constexpr Overload kStripHash[] = {{"(Hash $hash) >> Hash", strip_hash}};
constexpr Overload kNormaliseAndDeepmerge[] = {{"(Any *$args)", normalise_and_deepmerge}};
constexpr Overload kInnobackupexArgs[] = {
    {"(Optional[String] $backupuser, Boolean $backupcompress, "
     "Optional[Variant[String, Sensitive[String]]] $backuppassword_unsensitive, "
     "Array[String[1]] $backupdatabases, Array[String[1]] $optional_args) >> Variant[String]",
     innobackupex_args}};
constexpr Overload kPostgresqlEscape[] = {{"(String[1] $input_string)", postgresql_escape}};
constexpr Overload kAclsToResourcesHash[] = {
    {"(Array[String] $acls, String[1] $id, Integer[0] $offset)",
     postgresql_acls_to_resources_hash}};
constexpr Overload kPrependSqlPassword[] = {{"(String $password) >> String", prepend_sql_password}};

constexpr NativeFunctionInfo kDatabaseFunctions[] = {
    {"mysql::password", kMysqlPassword, "A password as MySQL keeps it.",
     "mysql::password('secret')"},
    {"postgresql::postgresql_password", kPostgresqlPassword, "A password as PostgreSQL keeps it.",
     "postgresql::postgresql_password('user', 'secret', false, 'md5')"},
    {"mysql_password", kOlderMysqlPassword, "A password as MySQL keeps it.",
     "mysql_password('secret')", true},
    {"mysql::strip_hash", kStripHash, "A hash without entries that are empty texts.",
     "mysql::strip_hash({ 'a' => '', 'b' => 1 })"},
    {"mysql::normalise_and_deepmerge", kNormaliseAndDeepmerge,
     "Hashes merged; keys that differ in hyphens and underscores are one.",
     "mysql::normalise_and_deepmerge({ 'a-b' => 1 }, { 'a_b' => 2 })"},
    {"mysql::innobackupex_args", kInnobackupexArgs, "Arguments of innobackupex in one text.",
     "mysql::innobackupex_args('root', true, 'secret', [], [])"},
    {"postgresql::postgresql_escape", kPostgresqlEscape, "A text in quotes of PostgreSQL's.",
     "postgresql::postgresql_escape('text')"},
    {"postgresql::postgresql_acls_to_resources_hash", kAclsToResourcesHash,
     "Lines of pg_hba.conf as resources.",
     "postgresql::postgresql_acls_to_resources_hash(['local all all md5'], 'x', 0)"},
    {"postgresql::prepend_sql_password", kPrependSqlPassword, "A password in SQL.",
     "postgresql::prepend_sql_password('secret')"},
};

// Up to version 9 of mysql and version 6 of postgresql.
constexpr Overload kOldMysqlPassword[] = {{"(String $password) >> String", older_mysql_password}};
constexpr Overload kOldPostgresqlPassword[] = {
    {"(Variant[String[1], Integer] $username, Variant[String[1], Integer] $password)",
     without_method}};
constexpr NativeFunctionInfo kOlderFunctions[] = {
    {"mysql::password", kOldMysqlPassword, "A password as MySQL keeps it.", ""},
    {"postgresql::postgresql_password", kOldPostgresqlPassword,
     "A password as PostgreSQL keeps it.", ""},
};

}  // namespace

std::span<const NativeFunctionInfo> database_functions() {
  return kDatabaseFunctions;
}

std::span<const NativeFunctionInfo> older_database_functions() {
  return kOlderFunctions;
}

}  // namespace bunraku::modules
