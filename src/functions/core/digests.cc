// Digests, and numbers derived from them.
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "functions/core/random.h"
#include "types/ruby_value_text.h"

namespace bunraku {

namespace {

Value hex_digest(Call& call, DigestAlgorithm algorithm) {
  const Value data = call.arguments[0];
  if (!data.is_string()) {
    call.fail(Issue::kNoImplicitConversion,
              {fmt::format("no implicit conversion of {} into String", ruby_noun(data))});
  }
  return Value::string(call.arena(), digest_hex(algorithm, data.as_string()));
}

template <DigestAlgorithm kAlgorithm>
Value hex_digest(Call& call) {
  return hex_digest(call, kAlgorithm);
}

// The digest by the algorithm of the setting digest_algorithm.
Value digest(Call& call) {
  constexpr std::pair<std::string_view, DigestAlgorithm> kAlgorithms[] = {
      {"md5", DigestAlgorithm::kMd5},
      {"sha224", DigestAlgorithm::kSha224},
      {"sha256", DigestAlgorithm::kSha256},
      {"sha384", DigestAlgorithm::kSha384},
      {"sha512", DigestAlgorithm::kSha512}};
  static const Name kSetting("settings::digest_algorithm");
  const Value* setting = call.evaluator.find_variable(kSetting, call.scope);
  if (setting != nullptr && setting->is_string()) {
    for (const auto& [name, algorithm] : kAlgorithms) {
      if (setting->as_string() == name) return hex_digest(call, algorithm);
    }
  }
  return hex_digest(call, DigestAlgorithm::kSha256);
}

Value fqdn_rand(Call& call) {
  const Value limit = call.arguments[0];
  int64_t max;
  switch (limit.kind()) {
    case ValueKind::kInteger:
      max = limit.as_integer();
      break;
    case ValueKind::kFloat:
      max = static_cast<int64_t>(limit.as_float());
      break;
    case ValueKind::kString:
      max = leading_integer(limit.as_string());
      break;
    default: {
      const std::string shown = ruby_inspect(limit);
      call.fail(Issue::kNoSuchMethod, {"undefined method `to_i' for " + shown + ":" +
                                       std::string(ruby_class_name(limit))});
    }
  }
  std::string host = fully_qualified_name(call);
  if (call.argument(2).is_truthy()) {
    if (host.empty())
      call.fail(Issue::kWrongArgumentValue, {"the fact networking.fqdn is not known"});
    host = downcase(host);
  }
  std::string seed = host + ":" + std::to_string(max) + ":";
  append_joined(seed, reference_as_text(call.arena(), call.argument(1)), ":");
  if (max <= 0)
    call.fail(Issue::kWrongArgumentValue, {"invalid argument - " + std::to_string(max)});
  MersenneTwister random = seeded_with_md5(seed);
  return Value::integer(static_cast<int64_t>(random.bounded(static_cast<uint64_t>(max))));
}

constexpr Overload kDigest[] = {{"(Any $data)", digest}};
constexpr Overload kMd5[] = {{"(Any $data)", hex_digest<DigestAlgorithm::kMd5>}};
constexpr Overload kSha1[] = {{"(Any $data)", hex_digest<DigestAlgorithm::kSha1>}};
constexpr Overload kSha256[] = {{"(Any $data)", hex_digest<DigestAlgorithm::kSha256>}};
constexpr Overload kFqdnRand[] = {{"(Any $max, Any *$seeds)", fqdn_rand}};

constexpr NativeFunctionInfo kDigestFunctions[] = {
    {"digest", kDigest,
     "The hexadecimal digest of text by the setting `digest_algorithm`, which is SHA-256.",
     "digest('secret')", true},
    {"md5", kMd5, "The MD5 digest of text, in hexadecimal digits.", "md5('secret')", true},
    {"sha1", kSha1, "The SHA-1 digest of text, in hexadecimal digits.", "sha1('secret')", true},
    {"sha256", kSha256, "The SHA-256 digest of text, in hexadecimal digits.", "sha256('secret')",
     true},
    {"fqdn_rand", kFqdnRand,
     "A number from 0 up to, not including, the first argument, that looks random but is always "
     "the same for a node: it is made from the node's fully qualified name and the second "
     "argument. A true third argument ignores the case of the name.",
     "fqdn_rand(60, 'nightly backup')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> digest_functions() {
  return kDigestFunctions;
}

}  // namespace bunraku
