// The standard library's checks of values.
#include "functions/stdlib/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/ip_address.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/warnings.h"
#include "functions/stdlib/families.h"

namespace bunraku::stdlib {

namespace {

std::string shown_frame(const CallFrame* frame) {
  if (frame == nullptr) return {};
  const Program* program = frame->place.program;
  const bool has_path = program != nullptr && !program->path().empty();
  const uint32_t line = program != nullptr && frame->place.expression != nullptr
                            ? program->position(*frame->place.expression).line
                            : 0;
  return fmt::format("[\"{}\", {}]", has_path ? program->path() : "unknown", line);
}

// The place in the module's own file: Ruby names the caller of the function that logs the warning.
std::string warning_place(const Call& call) {
  constexpr std::string_view kNowhere = "(file & line not available)";
  ModuleHost* modules = call.evaluator.host().modules;
  const auto module = modules == nullptr ? std::nullopt : modules->module_directory("stdlib");
  const std::string path =
      module ? join_path(*module, "lib/puppet/functions/deprecation.rb") : std::string();
  if (path.empty() || !is_file(path)) return std::string(kNowhere);
  const std::string text = read_file(path);
  const size_t at = text.find("Puppet.deprecation_warning");
  if (at == std::string::npos) return std::string(kNowhere);
  const auto lines = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
  return fmt::format("(location: {}:{}:in `deprecation')", path, lines + 1);
}

}  // namespace

void warn_of_autoloader(const Call& call, std::string_view function) {
  for (std::string_view method : {"loaded?", "load"}) {
    const std::string message = fmt::format(
        "The method 'Puppet::Parser::Functions.autoloader#{}(\"{}\")' is deprecated in "
        "favor of using 'Scope#call_function'.",
        method, function);
    warn_deprecated(call, message, message);
  }
}

void deprecation(const Call& call, std::string_view key, std::string message, Deprecation how) {
  // The module intends to show the caller's place, but shows the two innermost frames.
  const auto in_code = [](const CallFrame* frame) {
    return frame == nullptr ? nullptr : frame->in_code();
  };
  const CallFrame* frame = in_code(call.evaluator.call_chain());
  message += fmt::format(" at {}:{}", shown_frame(frame),
                         shown_frame(frame == nullptr ? nullptr : in_code(frame->caller)));
  const Strictness strict =
      how == Deprecation::kAlwaysWarned ? Strictness::kWarning : call.evaluator.settings().strict;
  if (strict == Strictness::kError) {
    call.fail(Issue::kDeprecatedCall, {"deprecation. " + std::string(key) + ". " + message});
  }
  const char* logs = std::getenv("STDLIB_LOG_DEPRECATIONS");
  if (strict == Strictness::kWarning && (logs == nullptr || std::string_view(logs) != "false")) {
    if (!call.evaluator.settings().warns_of_deprecations) return;
    if (!call.evaluator.is_first_warning(key)) return;
    warn(call, message + "\n   " + warning_place(call));
  }
}

bool is_absolute_path(const Call& call, Value value) {
  static const Regex& windows = *Regex::compile(
      R"((?i:^(([A-Z]:[\\\/])|([\\\/][\\\/][^\\\/]+[\\\/][^\\\/]+)|([\\\/][\\\/]\?[\\\/][^\\\/]+))))");
  static const Regex& posix = *Regex::compile("^/");
  if (!value.is_string()) {
    // Warns once for each of the two forms.
    for (int form = 0; form < 2; ++form) {
      warn(call, "Cannot check if " + (value.is_undef() ? std::string() : inspect(value)) +
                     " is an absolute path because it is a '" + class_of(value) +
                     "' and not a String'");
    }
    return false;
  }
  return posix.matches(value.as_string()) || windows.matches(value.as_string());
}

bool is_domain_name(Value value) {
  static const Regex& letters_at_end = *Regex::compile(R"(\.[A-Za-z]+$)");
  static const Regex& label_characters = *Regex::compile(R"((?i:^[a-z\d-]+$))");
  if (!value.is_string()) return false;
  std::string_view domain = value.as_string();
  if (domain == ".") return true;
  if (domain.ends_with('.')) domain.remove_suffix(1);
  if (domain.empty() || character_count(domain) > 255) return false;
  if (domain.find('.') != domain.npos && !letters_at_end.matches(domain)) return false;
  for (const std::string_view label : ruby_split(domain, ".")) {
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-' ||
        !label_characters.matches(label)) {
      return false;
    }
  }
  return true;
}

bool is_email_address(Value value) {
  static const Regex& address =
      *Regex::compile(R"(\A([\w+\-].?)+@[a-z\d\-]+(\.[a-z]+)*\.[a-z]+\z)");
  return value.is_string() && address.matches(value.as_string());
}

namespace {

std::optional<IpAddress> address_of(const Call& call, Value value) {
  if (!value.is_string()) {
    if (value.is_undef() || value.is_boolean() || value.is_array() || value.is_hash()) return {};
    call.fail(Issue::kWrongArgumentValue, {"address family must be specified"});
  }
  std::string error;
  return IpAddress::parse(value.as_string(), error);
}

// The older checks.
bool is_array(const Call&, Value value) {
  return value.is_array();
}
bool is_bool(const Call&, Value value) {
  return value.is_boolean();
}
bool is_hash(const Call&, Value value) {
  return value.is_hash();
}
bool is_domain(const Call&, Value value) {
  return is_domain_name(value);
}
bool is_email(const Call&, Value value) {
  return is_email_address(value);
}
bool is_ip(const Call& call, Value value) {
  return address_of(call, value).has_value();
}
bool is_ipv4(const Call& call, Value value) {
  auto address = address_of(call, value);
  return address && !address->is_v6();
}
bool is_ipv6(const Call& call, Value value) {
  auto address = address_of(call, value);
  return address && address->is_v6();
}

bool is_float(const Call&, Value value) {
  if (value.is_float()) return true;
  return value.is_string() && value.as_string() == float_text(leading_float(value.as_string()));
}

bool is_integer(const Call&, Value value) {
  static const Regex& numeric = *Regex::compile(R"(^-?(?:(?:[1-9]\d*)|0)$)");
  return value.is_integer() || (value.is_string() && numeric.matches(value.as_string()));
}

bool is_numeric(const Call&, Value value) {
  static const Regex& numeric =
      *Regex::compile(R"(^-?(?:(?:[1-9]\d*)|0)(?:\.\d+)?(?:[eE]-?\d+)?$)");
  return value.is_numeric() || (value.is_string() && numeric.matches(value.as_string()));
}

bool is_string(const Call&, Value value) {
  if (value.is_undef()) return true;
  if (!value.is_string()) return false;
  const std::string_view text = value.as_string();
  return text != float_text(leading_float(text)) && text != std::to_string(leading_integer(text));
}

bool is_mac_address(const Call& call, Value value) {
  static const Regex& ethernet = *Regex::compile(R"((?i:^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){5}$))");
  static const Regex& infiniband = *Regex::compile(R"((?i:^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){19}$))");
  if (value.is_undef()) return false;
  if (!value.is_string()) fail_implicit_conversion(call, value, "String");
  return ethernet.matches(value.as_string()) || infiniband.matches(value.as_string());
}

// The type named in a deprecation.
template <bool (*kCheck)(const Call&, Value), const char* kName, const char* kType,
          const char* kKey = kName>
Value deprecated_check(Call& call) {
  deprecation(
      call, kKey,
      std::string("This method is deprecated, please use match expressions with "
                  "Stdlib::Compat::") +
          kType +
          " instead. They are described at "
          "https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions.");
  if (call.arguments.size() != 1) {
    const std::string count = std::to_string(call.arguments.size());
    call.fail(Issue::kWrongArgumentCount,
              {std::string(kName) + "(): Wrong number of arguments given " + count + " for 1"});
  }
  return Value::boolean(kCheck(call, call.arguments[0]));
}

template <bool (*kCheck)(const Call&, Value), const char* kName, bool kInParentheses = false>
Value check(Call& call) {
  if (call.arguments.size() != 1) {
    if (kInParentheses) fail_count(call, kName, "1");
    const std::string count = std::to_string(call.arguments.size());
    call.fail(Issue::kWrongArgumentCount,
              {std::string(kName) + "(): Wrong number of arguments given " + count + " for 1"});
  }
  return Value::boolean(kCheck(call, call.arguments[0]));
}

Value is_function_available(Call& call) {
  if (call.arguments.size() != 1) {
    call.fail(Issue::kWrongArgumentCount,
              {"is_function_available?(): Wrong number of arguments given " +
               std::to_string(call.arguments.size()) + " for 1"});
  }
  if (!call.arguments[0].is_string()) return Value::boolean(false);
  const Name name(call.arguments[0].as_string());
  return Value::boolean(call.evaluator.find_function(name, call.place) != nullptr);
}

Value type3x(Call& call) {
  if (call.arguments.size() != 1) fail_count(call, "type3x", "1");
  const Value value = call.arguments[0];
  std::string_view type;
  switch (value.kind()) {
    case ValueKind::kBoolean:
      type = "boolean";
      break;
    case ValueKind::kInteger:
      type = "integer";
      break;
    case ValueKind::kFloat:
      type = "float";
      break;
    case ValueKind::kArray:
      type = "array";
      break;
    case ValueKind::kHash:
      type = "hash";
      break;
    case ValueKind::kString: {
      const std::string_view text = value.as_string();
      type = text == std::to_string(leading_integer(text)) ? "integer"
             : text == float_text(leading_float(text))     ? "float"
                                                           : "string";
      break;
    }
    default:
      call.fail(Issue::kWrongArgumentValue, {"type3x(): Unknown type"});
  }
  return Value::string(type);
}

Value deprecation_function(Call& call) {
  deprecation(call, call.arguments[0].as_string(), std::string(call.arguments[1].as_string()));
  return Value();
}

#define CHECK_NAMES(suffix, type)                  \
  constexpr char kName_##suffix[] = "is_" #suffix; \
  constexpr char kType_##suffix[] = type;
CHECK_NAMES(absolute_path, "Absolute_Path")
CHECK_NAMES(array, "Array")
CHECK_NAMES(bool, "Bool")
CHECK_NAMES(float, "Float")
CHECK_NAMES(ip_address, "Ip_address")
CHECK_NAMES(ipv4_address, "Ipv4")
CHECK_NAMES(ipv6_address, "Ipv6")
CHECK_NAMES(numeric, "Numeric")
CHECK_NAMES(string, "String")
#undef CHECK_NAMES
constexpr char kIsDomainName[] = "is_domain_name";
constexpr char kIsEmailAddress[] = "is_email_address";
constexpr char kIsHash[] = "is_hash";
constexpr char kIsInteger[] = "is_integer";
constexpr char kIsMacAddress[] = "is_mac_address";

#define OLD_CHECK(suffix, check)               \
  constexpr Overload kOverloads_##suffix[] = { \
      {"(Any *$args)", deprecated_check<check, kName_##suffix, kType_##suffix>}};
OLD_CHECK(absolute_path, is_absolute_path)
OLD_CHECK(array, is_array)
OLD_CHECK(bool, is_bool)
OLD_CHECK(float, is_float)
OLD_CHECK(ip_address, is_ip)
OLD_CHECK(ipv4_address, is_ipv4)
OLD_CHECK(numeric, is_numeric)
OLD_CHECK(string, is_string)
#undef OLD_CHECK
// The module warns under the name of another function.
constexpr Overload kOverloads_ipv6_address[] = {
    {"(Any *$args)",
     deprecated_check<is_ipv6, kName_ipv6_address, kType_ipv6_address, kName_ipv4_address>}};
constexpr Overload kDomainName[] = {{"(Any *$args)", check<is_domain, kIsDomainName>}};
constexpr Overload kEmailAddress[] = {{"(Any *$args)", check<is_email, kIsEmailAddress>}};
constexpr Overload kHash[] = {{"(Any *$args)", check<is_hash, kIsHash, true>}};
constexpr Overload kInteger[] = {{"(Any *$args)", check<is_integer, kIsInteger>}};
constexpr Overload kMacAddress[] = {{"(Any *$args)", check<is_mac_address, kIsMacAddress>}};
constexpr Overload kIsFunctionAvailable[] = {{"(Any *$args)", is_function_available}};
constexpr Overload kType3x[] = {{"(Any *$args)", type3x}};
constexpr Overload kDeprecation[] = {{"(String $key, String $message)", deprecation_function}};

constexpr NativeFunctionInfo kCheckFunctions[] = {
    {"is_absolute_path", kOverloads_absolute_path, "Is this an absolute path? Deprecated.",
     "'/etc' =~ Stdlib::Absolutepath"},
    {"is_array", kOverloads_array, "Is this an array? Deprecated.", "[] =~ Array"},
    {"is_bool", kOverloads_bool, "Is this a boolean? Deprecated.", "true =~ Boolean"},
    {"is_float", kOverloads_float, "Is this a float, or text with one? Deprecated.",
     "1.5 =~ Float"},
    {"is_ip_address", kOverloads_ip_address, "Is this an IP address? Deprecated.",
     "'::1' =~ Stdlib::IP::Address"},
    {"is_ipv4_address", kOverloads_ipv4_address, "Is this an IPv4 address? Deprecated.",
     "'10.0.0.1' =~ Stdlib::IP::Address::V4"},
    {"is_ipv6_address", kOverloads_ipv6_address, "Is this an IPv6 address? Deprecated.",
     "'::1' =~ Stdlib::IP::Address::V6"},
    {"is_numeric", kOverloads_numeric, "Is this a number, or text with one? Deprecated.",
     "1 =~ Numeric"},
    {"is_string", kOverloads_string, "Is this text that is no number? Deprecated.",
     "'a' =~ String"},
    {"is_domain_name", kDomainName, "Is this the name of a domain?",
     "is_domain_name('example.com')", true},
    {"is_email_address", kEmailAddress, "Is this an email address?", "is_email_address('a@b.org')",
     true},
    {"is_hash", kHash, "Is this a hash?", "is_hash({})", true},
    {"is_integer", kInteger, "Is this an integer, or text with one?", "is_integer('12')", true},
    {"is_mac_address", kMacAddress, "Is this the address of a network card?",
     "is_mac_address('00:11:22:33:44:55')", true},
    {"is_function_available", kIsFunctionAvailable, "Is there a function of this name?",
     "is_function_available('notice')", true},
    {"type3x", kType3x, "The kind of a value, as the older language called it.", "type3x('1')",
     true},
    {"deprecation", kDeprecation,
     "Warns that something is deprecated; an error when the setting "
     "`strict` says so.",
     "warning('this is deprecated')"},
};

}  // namespace

std::span<const NativeFunctionInfo> check_functions() {
  return kCheckFunctions;
}

}  // namespace bunraku::stdlib
