#include "base/diagnostics/diagnostic.h"
#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "conversion/conversion.h"
#include "conversion/new_function.h"
#include "types/type_text.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

// --- String and Regexp --------------------------------------------------------------------------

Value string_from_arguments(const NewCall& call) {
  return to_formatted_string(call.arena, call.argument(0), call.argument(1));
}

Value regexp_from_string(const NewCall& call) {
  std::string_view pattern = call.argument(0).as_string();
  const Value escape = call.argument(1);
  if (escape.is_boolean() && escape.as_boolean()) {
    pattern = call.arena.copy(escape_regex(pattern));
  }
  try {
    (void)Regex::compile_at_run_time(pattern);
  } catch (const RegexError& error) {
    fail_conversion(Issue::kInvalidPattern, {error.what()});
  }
  return Value::regexp(pattern);
}

// --- Type, Unit and Sensitive -------------------------------------------------------------------

Value type_from_string(const NewCall& call) {
  return Value::type(parse_type(call.arena, call.argument(0).as_string(), call.resolver));
}

Value same_value(const NewCall& call) {
  return call.argument(0);
}

Value sensitive_from_any(const NewCall& call) {
  return Value::sensitive(call.arena, call.argument(0));
}

// --- Binary -------------------------------------------------------------------------------------

Value decoded_strictly(Arena& arena, std::string_view text) {
  auto bytes = decode_base64(text);
  if (!bytes) fail_conversion(Issue::kInvalidEncoding, {"invalid base64"});
  return Value::binary(arena.copy(*bytes));
}

Value decoded_url(Arena& arena, std::string_view text) {
  std::string standard(text);
  if (!standard.ends_with('=') && standard.size() % 4 != 0) {
    standard.append(4 - standard.size() % 4, '=');
  }
  for (char& c : standard) c = c == '-' ? '+' : c == '_' ? '/' : c;
  return decoded_strictly(arena, standard);
}

Value binary_of_text(Arena& arena, std::string_view text, Value format) {
  const char letter = format.is_string() ? format.as_string()[1] : 'B';
  switch (letter) {
    case 'b':
      return Value::binary(arena.copy(decode_base64_leniently(text)));
    case 'u':
      return decoded_url(arena, text);
    case 'B':
      return decoded_strictly(arena, text);
    default:
      return Value::binary(text);  // %s and %r: the string's own bytes
  }
}

Value binary_of_bytes(Arena& arena, std::span<const Value> items) {
  char* bytes = static_cast<char*>(arena.allocate(items.size() + 1, 1));
  for (size_t i = 0; i < items.size(); i++) bytes[i] = static_cast<char>(items[i].as_integer());
  return Value::binary({bytes, items.size()});
}

Value binary_from_string(const NewCall& call) {
  return binary_of_text(call.arena, call.argument(0).as_string(), call.argument(1));
}

Value binary_from_array(const NewCall& call) {
  return binary_of_bytes(call.arena, call.argument(0).as_array());
}

Value binary_from_hash(const NewCall& call) {
  const HashObject& hash = call.argument(0).as_hash();
  const Value* value = hash.find("value");
  const Value* format = hash.find("format");
  if (value->is_array()) return binary_of_bytes(call.arena, value->as_array());
  return binary_of_text(call.arena, value->as_string(), format ? *format : Value());
}

}  // namespace

NewImplementation text_implementation(NewForm form) {
  switch (form) {
    case NewForm::kStringFromArguments:
      return string_from_arguments;
    case NewForm::kRegexpFromString:
      return regexp_from_string;
    case NewForm::kTypeFromString:
      return type_from_string;
    case NewForm::kSameValue:
      return same_value;
    case NewForm::kSensitiveFromAny:
      return sensitive_from_any;
    case NewForm::kBinaryFromString:
      return binary_from_string;
    case NewForm::kBinaryFromArray:
      return binary_from_array;
    case NewForm::kBinaryFromHash:
      return binary_from_hash;
    default:
      return nullptr;
  }
}

}  // namespace bunraku
