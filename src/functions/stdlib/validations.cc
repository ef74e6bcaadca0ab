// The standard library's older validations, which fail for invalid values.
#include <cstdlib>

#include <cmath>

#include "base/diagnostics/log.h"
#include "base/regex/regex.h"
#include "base/text/ip_address.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/checks.h"
#include "functions/stdlib/families.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/ruby_number.h"

namespace bunraku::stdlib {

namespace {

using Problem = std::optional<std::string>;
using Arguments = std::span<const Value>;

std::string count_problem(std::string_view name, Arguments arguments, std::string_view wanted) {
  return std::string(name) + "(): wrong number of arguments (" + std::to_string(arguments.size()) +
         "; must be " + std::string(wanted) + ")";
}

template <typename Accepts>
Problem check_each(std::string_view name, Arguments arguments, std::string_view kind,
                   Accepts&& accepts) {
  if (arguments.empty()) return count_problem(name, arguments, "> 0");
  for (const Value argument : arguments) {
    if (!accepts(argument)) {
      return inspect(argument) + " is not " + std::string(kind) + ".  It looks to be a " +
             class_of(argument);
    }
  }
  return {};
}

Problem validate_array(const Call&, Arguments arguments) {
  return check_each("validate_array", arguments, "an Array", [](Value v) { return v.is_array(); });
}
Problem validate_bool(const Call&, Arguments arguments) {
  return check_each("validate_bool", arguments, "a boolean",
                    [](Value v) { return v.is_boolean(); });
}
Problem validate_hash(const Call&, Arguments arguments) {
  return check_each("validate_hash", arguments, "a Hash", [](Value v) { return v.is_hash(); });
}
Problem validate_string(const Call&, Arguments arguments) {
  return check_each("validate_string", arguments, "a string",
                    [](Value v) { return v.is_string() || v.is_undef(); });
}

Problem validate_absolute_path(const Call& call, Arguments arguments) {
  if (arguments.empty()) return count_problem("validate_absolute_path", arguments, "> 0");
  for (Value argument : arguments) {
    const Arguments candidates =
        argument.is_array() ? argument.as_array() : Arguments(&argument, 1);
    for (const Value path : candidates) {
      if (!is_absolute_path(call, path)) return inspect(path) + " is not an absolute path.";
    }
  }
  return {};
}

template <typename Accepts>
Problem check_addresses(std::string_view name, Arguments arguments, std::string_view kind,
                        Accepts&& accepts) {
  if (arguments.empty()) return count_problem(name, arguments, "> 0");
  for (const Value argument : arguments) {
    if (!argument.is_string()) return inspect(argument) + " is not a string.";
    std::string error;
    auto address = IpAddress::parse(argument.as_string(), error);
    if (!address || !accepts(*address)) {
      return inspect(argument) + " is not a valid " + std::string(kind) + " address.";
    }
  }
  return {};
}

Problem validate_ip_address(const Call&, Arguments arguments) {
  return check_addresses("validate_ip_address", arguments, "IP",
                         [](const IpAddress&) { return true; });
}
Problem validate_ipv4_address(const Call&, Arguments arguments) {
  return check_addresses("validate_ipv4_address", arguments, "IPv4",
                         [](const IpAddress& address) { return !address.is_v6(); });
}
Problem validate_ipv6_address(const Call&, Arguments arguments) {
  return check_addresses("validate_ipv6_address", arguments, "IPv6",
                         [](const IpAddress& address) { return address.is_v6(); });
}

Problem validate_domain_name(const Call&, Arguments arguments) {
  if (arguments.empty()) return count_problem("validate_domain_name", arguments, "> 0");
  for (const Value argument : arguments) {
    if (!argument.is_string()) return inspect(argument) + " is not a string.";
    if (!is_domain_name(argument)) {
      return inspect(argument) + " is not a syntactically correct domain name";
    }
  }
  return {};
}

Problem validate_email_address(const Call&, Arguments arguments) {
  if (arguments.empty()) return count_problem("validate_email_address", arguments, "> 0");
  for (const Value argument : arguments) {
    if (!argument.is_string()) return inspect(argument) + " is not a string.";
    if (!is_email_address(argument)) return inspect(argument) + " is not a valid email address";
  }
  return {};
}

Problem validate_re(const Call& call, Arguments arguments) {
  if (arguments.size() < 2 || arguments.size() > 3) {
    return count_problem("validate_re", arguments, "2 or 3");
  }
  if (!arguments[0].is_string()) {
    return "validate_re(): input needs to be a String, not a " + class_of(arguments[0]);
  }
  std::vector<Value> patterns{arguments[1]};
  while (!patterns.empty()) {
    const Value pattern = patterns.back();
    patterns.pop_back();
    if (pattern.is_array()) {
      const Arguments nested = pattern.as_array();
      patterns.insert(patterns.end(), nested.rbegin(), nested.rend());
      continue;
    }
    if (!pattern.is_string()) fail_implicit_conversion(call, pattern, "String");
    try {
      if (Regex::compile(pattern.as_string())->matches(arguments[0].as_string())) return {};
    } catch (const RegexError& error) {
      call.fail(Issue::kValidationFailed, {error.what()});
    }
  }
  if (arguments.size() == 3 && arguments[2].is_truthy()) return to_s(arguments[2]);
  return "validate_re(): " + inspect(arguments[0]) + " does not match " + inspect(arguments[1]);
}

// --- numbers ------------------------------------------------------------------------------------

// The differences between the two number checks.
struct NumberKind {
  std::string_view function;
  std::string_view noun;  // "an Integer"
  std::string_view bound_noun;
  bool is_integer;
};
constexpr NumberKind kIntegers{"validate_integer", "an Integer", "an Integer", true};
constexpr NumberKind kNumbers{"validate_numeric", "a Numeric", "a Numeric", false};

std::optional<double> number_of(const NumberKind& kind, Value value) {
  const std::string text = to_s(value);
  if (!kind.is_integer) return ruby_float(text);
  static const Regex& integer = *Regex::compile(
      R"(\A\s*[-+]?(0[xX]\h+(_\h+)*|0[bB][01]+|0?[oO]?[0-7]+|[1-9]\d*(_\d+)*|0)\s*\z)");
  if (!integer.matches(text)) return {};
  if (auto radix_number = parse_integer(text)) return static_cast<double>(*radix_number);
  return static_cast<double>(std::strtoll(text.c_str(), nullptr, 0));
}

std::string bound_text(const NumberKind& kind, double bound) {
  return kind.is_integer ? std::to_string(static_cast<int64_t>(bound)) : float_text(bound);
}

Problem validate_numbers(const NumberKind& kind, Arguments arguments) {
  std::string function(kind.function);
  if (arguments.empty() || arguments.size() > 3) {
    return function + "(): Wrong number of arguments; must be 1, 2 or 3, got " +
           std::to_string(arguments.size());
  }
  std::optional<double> max, min;
  if (arguments.size() > 1) {
    const std::string given = to_s(arguments[1]);
    const bool is_unset = arguments.size() > 2 && given.empty();
    if (!is_unset) max = number_of(kind, arguments[1]);
    if (!is_unset && !max) {
      return function + "(): Expected second argument to be unset or " +
             std::string(kind.bound_noun) + ", got " + given + ":String";
    }
  }
  if (arguments.size() > 2) min = number_of(kind, arguments[2]);
  if (arguments.size() > 2 && !min) {
    return function + "(): Expected third argument to be unset or " + std::string(kind.bound_noun) +
           ", got " + to_s(arguments[2]) + ":" + class_of(arguments[2]);
  }
  if (min && max && *min > *max) {
    return function + "(): Expected second argument to be larger than third argument, got " +
           bound_text(kind, *max) + " < " + bound_text(kind, *min);
  }
  Value input = arguments[0];
  auto outside = [&](double number) -> Problem {
    const std::string shown = input.is_array() ? inspect(input) : bound_text(kind, number);
    if (max && number > *max) {
      return function + "(): Expected " + shown + " to be smaller or equal to " +
             bound_text(kind, *max) + ", got " + shown + ".";
    }
    if (min && number < *min) {
      return function + "(): Expected " + shown + " to be greater or equal to " +
             bound_text(kind, *min) + ", got " + shown + ".";
    }
    return {};
  };
  if (input.is_array()) {
    int64_t position = 0;
    for (const Value item : input.as_array()) {
      std::optional<double> number = item.is_hash() ? std::nullopt : number_of(kind, item);
      if (!number) {
        return function + "(): Expected element at array position " + std::to_string(position) +
               " to be " + std::string(kind.noun) + ", got " + class_of(item);
      }
      if (Problem problem = outside(*number)) return problem;
      ++position;
    }
    return {};
  }
  std::optional<double> number = input.is_hash() ? std::nullopt : number_of(kind, input);
  if (number) return outside(*number);
  const std::string_view name = input.is_hash() ? "validate_integer" : kind.function;
  return std::string(name) + "(): Expected first argument to be " + std::string(kind.noun) +
         " or Array, got " + class_of(input);
}

Problem validate_integer(const Call&, Arguments arguments) {
  return validate_numbers(kIntegers, arguments);
}
Problem validate_numeric(const Call&, Arguments arguments) {
  return validate_numbers(kNumbers, arguments);
}

Problem validate_slength(const Call&, Arguments arguments) {
  if (arguments.size() != 2 && arguments.size() != 3) {
    return "validate_slength(): Wrong number of arguments (" + std::to_string(arguments.size()) +
           "; must be 2 or 3)";
  }
  std::optional<double> max = number_of(kIntegers, arguments[1]);
  if (!max || *max <= 0) {
    return "validate_slength(): Expected second argument to be a positive Numeric, got " +
           to_s(arguments[1]) + ":" + class_of(arguments[1]);
  }
  double min = 0;
  if (arguments.size() == 3 && arguments[2].is_truthy()) {
    std::optional<double> given = number_of(kIntegers, arguments[2]);
    if (!given || *given < 0) {
      return "validate_slength(): Expected third argument to be unset or a positive Numeric, got " +
             to_s(arguments[2]) + ":" + class_of(arguments[2]);
    }
    min = *given;
  }
  if (*max < min) {
    return "validate_slength(): Expected second argument to be equal to or larger than third "
           "argument";
  }
  Value input = arguments[0];
  if (!input.is_string() && !input.is_array()) {
    return "validate_slength(): Expected first argument to be a String or Array, got " +
           class_of(input);
  }
  const Arguments texts = input.is_array() ? input.as_array() : Arguments(&input, 1);
  size_t position = 0;
  for (const Value text : texts) {
    if (!text.is_string()) {
      return "validate_slength(): Expected element at array position " + std::to_string(position) +
             " to be a String, got " + class_of(text);
    }
    auto length = static_cast<double>(character_count(text.as_string()));
    if (length > *max || length < min) {
      const size_t shown = input.is_array() ? texts.size() : character_count(input.as_string());
      return "validate_slength(): Expected length of " + inspect(input) + " to be between " +
             bound_text(kIntegers, min) + " and " + bound_text(kIntegers, *max) + ", was " +
             std::to_string(shown);
    }
    ++position;
  }
  return {};
}

// --- the table of them --------------------------------------------------------------------------

struct OldValidation {
  std::string_view name;
  Problem (*check)(const Call&, Arguments);
  std::string_view advice;  // the replacement named in the deprecation; empty: not deprecated
};
constexpr OldValidation kValidations[] = {
    {"validate_absolute_path", validate_absolute_path, "Stdlib::Compat::Absolute_Path"},
    {"validate_array", validate_array, "Stdlib::Compat::Array"},
    {"validate_bool", validate_bool, "Stdlib::Compat::Bool"},
    {"validate_hash", validate_hash, "Stdlib::Compat::Hash"},
    {"validate_integer", validate_integer, "Stdlib::Compat::Integer"},
    {"validate_ip_address", validate_ip_address, "Stdlib::Compat::Ip_Address"},
    {"validate_ipv4_address", validate_ipv4_address, "Stdlib::Compat::Ipv4_Address"},
    {"validate_ipv6_address", validate_ipv6_address, "Stdlib::Compat::Ipv6_address"},
    {"validate_numeric", validate_numeric, "Stdlib::Compat::Numeric"},
    {"validate_re", validate_re, "Pattern[]"},
    {"validate_slength", validate_slength, "String[]"},
    {"validate_string", validate_string, "Stdlib::Compat::String"},
    {"validate_domain_name", validate_domain_name, ""},
    {"validate_email_address", validate_email_address, ""},
};

constexpr const OldValidation* find_validation(std::string_view name) {
  for (const OldValidation& validation : kValidations) {
    if (validation.name == name) return &validation;
  }
  return nullptr;
}

template <size_t kIndex>
Value validate(Call& call) {
  const OldValidation& validation = kValidations[kIndex];
  if (!validation.advice.empty()) {
    deprecation(call, validation.name,
                "This method is deprecated, please use the stdlib validate_legacy function,\n"
                "                    with " +
                    std::string(validation.advice) +
                    ". There is further documentation for validate_legacy function in the README.");
  }
  if (Problem problem = validation.check(call, call.arguments))
    call.fail(Issue::kValidationFailed, {*problem});
  return Value();
}

// --- validate_legacy ----------------------------------------------------------------------------

Value validate_by_type(Call& call, const Type* type) {
  const std::string_view function = call.arguments[1].as_string();
  const Value value = call.arguments[2];
  bool is_known = true;
  const Problem problem = previous_validation(call, function, call.arguments.subspan(2), is_known);
  if (!is_known) {
    call.fail(Issue::kNoSuchMethod,
              {"undefined method `function_" + std::string(function) + "' for Scope(" +
               std::string(call.scope.resource_text) + "):Puppet::Parser::Scope"});
  }
  if (is_instance(type, value)) {
    LogSink* log = call.evaluator.host().log;
    if (problem && log != nullptr && log->takes(LogLevel::kNotice)) {
      LogRecord record;
      record.message = "Accepting previously invalid value for target type '" + to_text(type) + "'";
      log->log(record);
    }
    return Value();
  }
  const std::string message = describe_mismatch("validate_legacy(" + std::string(function) + ")",
                                                type, infer_detailed(call.arena(), value));
  if (problem) call.fail(Issue::kValidationFailed, {message});
  deprecation(call, "validate_legacy", message);
  return Value();
}

Value validate_legacy(Call& call) {
  return validate_by_type(call, call.arguments[0].as_type());
}

Value validate_legacy_text(Call& call) {
  return validate_by_type(
      call, parse_type(call.arena(), call.arguments[0].as_string(), call.evaluator.host().types));
}

#define VALIDATION(index) \
  constexpr Overload kOverloads##index[] = {{"(Any *$args)", validate<index>}};
VALIDATION(0)
VALIDATION(1)
VALIDATION(2)
VALIDATION(3)
VALIDATION(4)
VALIDATION(5)
VALIDATION(6)
VALIDATION(7)
VALIDATION(8)
VALIDATION(9)
VALIDATION(10)
VALIDATION(11)
VALIDATION(12)
VALIDATION(13)
#undef VALIDATION
constexpr Overload kValidateLegacy[] = {
    {"(Type $target_type, String $function_name, Any $value, Any *$args)", validate_legacy},
    {"(String $type_string, String $function_name, Any $value, Any *$args)", validate_legacy_text}};

constexpr NativeFunctionInfo kValidationFunctions[] = {
    {"validate_absolute_path", kOverloads0, "Fails unless all are absolute paths. Deprecated.",
     "assert_type(Stdlib::Absolutepath, '/etc')"},
    {"validate_array", kOverloads1, "Fails unless all are arrays. Deprecated.",
     "assert_type(Array, [])"},
    {"validate_bool", kOverloads2, "Fails unless all are booleans. Deprecated.",
     "assert_type(Boolean, true)"},
    {"validate_hash", kOverloads3, "Fails unless all are hashes. Deprecated.",
     "assert_type(Hash, {})"},
    {"validate_integer", kOverloads4,
     "Fails unless a value, or all of an array, are integers between "
     "bounds. Deprecated.",
     "assert_type(Integer[1, 5], 2)"},
    {"validate_ip_address", kOverloads5, "Fails unless all are IP addresses. Deprecated.",
     "assert_type(Stdlib::IP::Address, '::1')"},
    {"validate_ipv4_address", kOverloads6, "Fails unless all are IPv4 addresses. Deprecated.",
     "assert_type(Stdlib::IP::Address::V4, '10.0.0.1')"},
    {"validate_ipv6_address", kOverloads7, "Fails unless all are IPv6 addresses. Deprecated.",
     "assert_type(Stdlib::IP::Address::V6, '::1')"},
    {"validate_numeric", kOverloads8,
     "Fails unless a value, or all of an array, are numbers between "
     "bounds. Deprecated.",
     "assert_type(Numeric, 2.5)"},
    {"validate_re", kOverloads9,
     "Fails unless text matches one of some regular expressions. "
     "Deprecated.",
     "assert_type(Pattern[/^a/], 'abc')"},
    {"validate_slength", kOverloads10,
     "Fails unless text, or all of an array, have a length between "
     "bounds. Deprecated.",
     "assert_type(String[1, 5], 'abc')"},
    {"validate_string", kOverloads11, "Fails unless all are text. Deprecated.",
     "assert_type(String, 'abc')"},
    {"validate_domain_name", kOverloads12, "Fails unless all are names of domains.",
     "validate_domain_name('example.com')", true},
    {"validate_email_address", kOverloads13, "Fails unless all are email addresses.",
     "validate_email_address('a@example.com')", true},
    {"validate_legacy", kValidateLegacy,
     "Fails unless a value is of a type; differences from the "
     "older validation that is named are deprecated.",
     "validate_legacy(Boolean, 'validate_bool', true)"},
};

}  // namespace

std::optional<std::string> previous_validation(const Call& call, std::string_view function,
                                               std::span<const Value> arguments, bool& is_known) {
  const OldValidation* validation = find_validation(function);
  is_known = validation != nullptr;
  if (!is_known) return {};
  return validation->check(call, arguments);
}

std::span<const NativeFunctionInfo> validation_functions() {
  return kValidationFunctions;
}

}  // namespace bunraku::stdlib
