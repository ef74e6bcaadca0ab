// Functions of the standard library since version 9.
#include <algorithm>

#include "base/text/digest.h"
#include "evaluation/evaluator.h"
#include "functions/core/comparison.h"
#include "functions/core/iteration_support.h"
#include "functions/core/random.h"
#include "functions/stdlib/families.h"
#include "values/bounds.h"
#include "values/sem_ver.h"

namespace bunraku::stdlib {

namespace {

// --- digests ------------------------------------------------------------------------------------

std::string digested_text(Value value) {
  return to_s(value.is_sensitive() ? value.as_sensitive() : value);
}

Value crc32_of(Call& call) {
  uint32_t sum = crc32(digested_text(call.arguments[0]));
  std::string digits;
  do {
    digits += "0123456789abcdef"[sum & 15];
    sum >>= 4;
  } while (sum > 0);
  std::ranges::reverse(digits);
  return Value::string(call.arena(), digits);
}

Value sha256_of(Call& call) {
  return Value::string(call.arena(),
                       digest_hex(DigestAlgorithm::kSha256, digested_text(call.arguments[0])));
}

// --- nested data --------------------------------------------------------------------------------

void add_values(ArrayBuilder& values, const HashObject& hash, Nesting& nesting) {
  const NestingGuard guard(nesting, "A hash");
  for (const HashEntry& entry : hash) {
    if (entry.value.is_hash()) {
      add_values(values, entry.value.as_hash(), nesting);
    } else {
      values.push(entry.value);
    }
  }
}

Value nested_values(Call& call) {
  ArrayBuilder values(call.arena());
  Nesting nesting;
  add_values(values, call.arguments[0].as_hash(), nesting);
  return values.finish();
}

// Replaces each Sensitive in a value by its content.
class Unwrapper {
 public:
  explicit Unwrapper(Arena& arena) : arena_(arena) {}

  Value unwrap(Value value) {
    const NestingGuard guard(nesting_, "A value");
    if (value.is_sensitive()) {
      found_ = true;
      return unwrap(value.as_sensitive());
    }
    if (value.is_array()) {
      ArrayBuilder items(arena_, value.as_array().size());
      for (const Value item : value.as_array()) items.push(unwrap(item));
      return items.finish();
    }
    if (!value.is_hash()) return value;
    HashBuilder entries(arena_, value.as_hash().size);
    for (const HashEntry& entry : value.as_hash()) {
      found_ = found_ || entry.key.is_sensitive();
      entries.set(entry.key.is_sensitive() ? entry.key.as_sensitive() : entry.key,
                  unwrap(entry.value));
    }
    return entries.finish();
  }
  bool found() const { return found_; }

 private:
  Arena& arena_;
  Nesting nesting_;
  bool found_ = false;
};

Value rewrap_sensitive_data(Call& call) {
  Unwrapper unwrapper(call.arena());
  Value result = unwrapper.unwrap(call.arguments[0]);
  if (call.block != nullptr) {
    result = yield(call, result);
    if (result.is_control()) return result;
  }
  return unwrapper.found() ? Value::sensitive(call.arena(), result) : result;
}

// --- sort_by ------------------------------------------------------------------------------------

Value sort_by(Call& call) {
  const Value source = call.arguments[0];
  struct Keyed {
    Value key, element;
  };
  std::vector<Keyed> all;
  Value leaving;
  walk(call, "stdlib::sort_by", source, [&](Value element) {
    // A lambda with two parameters is accepted, but gets the pair as one value.
    const Value key = yield(call, element);
    if (key.is_control()) leaving = key;
    all.push_back({key, element});
    return !key.is_control();
  });
  if (leaving.is_control()) return leaving;
  std::ranges::stable_sort(all, [&](const Keyed& a, const Keyed& b) {
    // Sorted in descending order; errors name the values in the order of this comparison.
    return ruby_order_or_fail(call, b.key, a.key) > 0;
  });
  if (source.is_hash()) {
    HashBuilder sorted(call.arena(), all.size());
    for (const Keyed& item : all)
      sorted.set(item.element.as_array()[0], item.element.as_array()[1]);
    return sorted.finish();
  }
  ArrayBuilder sorted(call.arena(), all.size());
  for (const Keyed& item : all) sorted.push(item.element);
  const Value result = sorted.finish();
  return source.is_string() ? joined(call.arena(), result.as_array()) : result;
}

// --- of the node --------------------------------------------------------------------------------

// facts['one']['other'], which fails like Ruby code where a level is missing.
Value fact(Call& call, std::initializer_list<std::string_view> path) {
  static const Name kFacts = "facts"_name;
  const Value* facts = call.evaluator.find_variable(kFacts, call.evaluator.top_scope());
  Value value = facts == nullptr ? Value() : *facts;
  for (const std::string_view name : path) {
    if (!value.is_hash()) fail_undefined_method(call, "[]", value);
    const Value* found = value.as_hash().find(name);
    value = found == nullptr ? Value() : *found;
  }
  return value;
}

Value interfaces(Call& call, std::string_view method) {
  const Value all = fact(call, {"networking", "interfaces"});
  if (!all.is_hash()) fail_undefined_method(call, method, all);
  return all;
}

Value has_interface(Call& call) {
  const Value all = interfaces(call, "key?");
  return Value::boolean(all.as_hash().find(call.arguments[0]) != nullptr);
}

Value has_interface_with(Call& call) {
  std::string_view kind = call.arguments[0].as_string();
  if (kind == "ipaddress") kind = "ip";
  if (kind == "macaddress") kind = "mac";
  const Value all = interfaces(call, "any?");
  return Value::boolean(std::ranges::any_of(all.as_hash(), [&](const HashEntry& entry) {
    if (!entry.value.is_hash()) fail_undefined_method(call, "[]", entry.value);
    const Value* found = entry.value.as_hash().find(kind);
    return found != nullptr && identical(*found, call.arguments[1]);
  }));
}

Value fqdn_rotate(Call& call) {
  Value value = call.arguments[0];
  std::vector<Value> items =
      value.is_string() ? characters(value.as_string())
                        : std::vector<Value>(value.as_array().begin(), value.as_array().end());
  if (items.size() <= 1) return value;
  std::string seed = to_s(fact(call, {"networking", "fqdn"})) + ":";
  append_joined(seed, Value::array(call.arguments.subspan(1)), ":");
  const size_t offset = seeded_with_md5(seed).bounded(items.size());
  std::ranges::rotate(items, items.begin() + static_cast<ptrdiff_t>(offset));
  return value.is_string() ? joined(call.arena(), items)
                           : Value::array(call.arena().copy(std::span<const Value>(items)));
}

Value os_version_gte(Call& call) {
  if (!identical(fact(call, {"os", "name"}), call.arguments[0])) return Value::boolean(false);
  const Value major = fact(call, {"os", "release", "major"});
  if (!major.is_string()) fail_undefined_method(call, "scan", major);
  return Value::boolean(compare_version_texts(major.as_string(), call.arguments[1].as_string()) >=
                        0);
}

Value has_function(Call& call) {
  const Name name(call.arguments[0].as_string());
  return Value::boolean(call.evaluator.find_function(name, call.place) != nullptr);
}

constexpr Overload kCrc32[] = {
    {"(Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data) >> String",
     crc32_of}};
constexpr Overload kSha256[] = {
    {"(Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data) >> String",
     sha256_of}};
constexpr Overload kNestedValues[] = {{"(Hash $hash) >> Array", nested_values}};
constexpr Overload kRewrapSensitiveData[] = {
    {"(Any $data, Optional[Callable[Any]] &$block) >> Any", rewrap_sensitive_data}};
constexpr Overload kSortBy[] = {
    {"(Array $ary, Callable[1, 1] &$block)", sort_by},
    {"(String $str, Callable[1, 1] &$block)", sort_by},
    {"(Hash $hsh, Variant[Callable[1, 1], Callable[2, 2]] &$block)", sort_by}};
constexpr Overload kFqdnRotate[] = {
    {"(String $input, Variant[Integer, String] *$seeds) >> String", fqdn_rotate},
    {"(Array $input, Variant[Integer, String] *$seeds) >> Array", fqdn_rotate}};
constexpr Overload kHasInterfaceWith[] = {
    {"(String[1] $interface) >> Boolean", has_interface},
    {"(Enum['macaddress', 'netmask', 'ipaddress', 'network', 'ip', 'mac'] $kind, String[1] $value) "
     ">> Boolean",
     has_interface_with}};
constexpr Overload kOsVersionGte[] = {
    {"(String[1] $os, String[1] $version) >> Boolean", os_version_gte}};
constexpr Overload kHasFunction[] = {{"(String[1] $function_name) >> Boolean", has_function}};

constexpr NativeFunctionInfo kNewerFunctions[] = {
    {"stdlib::crc32", kCrc32, "The CRC-32 checksum of a value's text, in hexadecimal digits.",
     "stdlib::crc32('my string')"},
    {"stdlib::sha256", kSha256, "The SHA-256 digest of a value's text, in hexadecimal digits.",
     "stdlib::sha256('my string')"},
    {"stdlib::nested_values", kNestedValues, "All values of a hash and of the hashes in it.",
     "stdlib::nested_values({ 'a' => 1, 'b' => { 'c' => 2 } })"},
    {"stdlib::rewrap_sensitive_data", kRewrapSensitiveData,
     "Takes what is sensitive out of a value, "
     "hands it to a lambda, and makes the result sensitive when something was.",
     "stdlib::rewrap_sensitive_data({ 'a' => Sensitive('secret') })"},
    {"stdlib::sort_by", kSortBy,
     "Sorts an array, hash or text by what a lambda gives for each element.",
     "stdlib::sort_by(['ccc', 'a', 'bb']) |$text| { $text.length }"},
    {"stdlib::fqdn_rotate", kFqdnRotate,
     "An array or text rotated by a number that is the same for a "
     "node.",
     "stdlib::fqdn_rotate(['a', 'b', 'c'])"},
    {"stdlib::has_interface_with", kHasInterfaceWith,
     "Has the node a network interface with this name, or one with this address?",
     "$facts.dig('networking', 'interfaces') and stdlib::has_interface_with('ip', '127.0.0.1')"},
    {"stdlib::os_version_gte", kOsVersionGte,
     "Does the node run this operating system, in this or a "
     "later version?",
     "$facts.dig('os', 'release') and stdlib::os_version_gte('Debian', '12')"},
    {"stdlib::has_function", kHasFunction, "Is there a function of this name?",
     "stdlib::has_function('notice')"},
};

}  // namespace

std::span<const NativeFunctionInfo> newer_functions() {
  return kNewerFunctions;
}

}  // namespace bunraku::stdlib
