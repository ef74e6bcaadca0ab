// Functions of the module apache.
#include <string>
#include <vector>

#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "functions/modules/families.h"
#include "functions/modules/support.h"
#include "types/ruby_value_text.h"

namespace bunraku::modules {

namespace {

Value bool2httpd(Call& call) {
  static const Regex& off = *Regex::compile("(?i:false)");
  static const Regex& on = *Regex::compile("(?i:true)");
  const Value value = call.arguments[0];
  const auto says = [&](const Regex& word) {
    return value.is_string() && word.matches(value.as_string());
  };
  if (value.is_undef() || (value.is_boolean() && !value.as_boolean()) || says(off)) {
    return Value::string("Off");
  }
  if (value.is_boolean() || says(on)) return Value::string("On");
  std::string text;
  append_ruby_to_s(text, value);
  return Value::string(call.arena(), text);
}

// "AuthMerging" for "auth_merging".
std::string directive(std::string_view key) {
  std::string result;
  while (!key.empty()) {
    const size_t end = std::min(key.find('_'), key.size());
    result += capitalize(key.substr(0, end));
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return result;
}

// Returns false where the module's code must report a mistake in the configuration.
bool add_directives(Value config, size_t level, std::vector<std::string>& lines) {
  constexpr size_t kMostLevels = 100;
  if (level > kMostLevels) return false;
  const std::string indent(2 * level, ' ');
  for (const HashEntry& entry : config.as_hash()) {
    if (!entry.key.is_string()) return false;
    const std::string name = directive(entry.key.as_string());
    if (entry.value.is_hash()) {
      lines.push_back(indent + "<" + name + ">");
      if (!add_directives(entry.value, level + 1, lines)) return false;
      lines.push_back(indent + "</" + name + ">");
    } else if (entry.value.is_array()) {
      for (const Value item : entry.value.as_array()) {
        std::string line = indent + name + " ";
        append_ruby_to_s(line, item);
        lines.push_back(std::move(line));
      }
    } else {
      return false;
    }
  }
  return true;
}

Value authz_core_config(Call& call) {
  std::vector<std::string> lines;
  if (!add_directives(call.arguments[0], 1, lines)) {
    return call_own_ruby(call, {"apache", "apache::authz_core_config"});
  }
  ArrayBuilder result(call.arena(), lines.size());
  for (const std::string& line : lines) result.push(Value::string(call.arena(), line));
  return result.finish();
}

constexpr Overload kBool2httpd[] = {{"(Any $arg)", bool2httpd}};
constexpr Overload kAuthzCoreConfig[] = {{"(Hash $config) >> Array", authz_core_config}};

constexpr NativeFunctionInfo kApacheFunctions[] = {
    {"apache::bool2httpd", kBool2httpd, "`On` or `Off` for a boolean; the text of other values.",
     "apache::bool2httpd(true)"},
    {"apache::authz_core_config", kAuthzCoreConfig,
     "The directives of Apache's authorization as lines.",
     "apache::authz_core_config({ 'Require' => ['all granted'] })"},
};

}  // namespace

std::span<const NativeFunctionInfo> apache_functions() {
  return kApacheFunctions;
}

}  // namespace bunraku::modules
