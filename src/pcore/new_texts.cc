#include "base/diagnostics/diagnostic.h"
#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "pcore/conversion.h"
#include "pcore/conversion_error.h"
#include "pcore/new_function.h"
#include "pcore/type_text.h"

namespace bunraku {

namespace {

// --- String and Regexp --------------------------------------------------------------------------

Value string_from_arguments(const NewCall& call) {
  return to_formatted_string(call.arena, call.argument(0), call.argument(1));
}

constexpr NewParameter kStringArguments[] = {{"from", "Convertible"},
                                             {"string_formats", "Formats", true}};
constexpr NewOverload kStringOverloads[] = {{kStringArguments, string_from_arguments}};

Value regexp_from_string(const NewCall& call) {
  std::string_view pattern = call.argument(0).as_string();
  Value escape = call.argument(1);
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

constexpr NewParameter kRegexpArguments[] = {{"pattern", "String"}, {"escape", "Boolean", true}};
constexpr NewOverload kRegexpOverloads[] = {{kRegexpArguments, regexp_from_string}};

// --- Type, Unit and Sensitive -------------------------------------------------------------------

Value type_from_string(const NewCall& call) {
  return Value::type(parse_type(call.arena, call.argument(0).as_string(), call.resolver));
}

constexpr NewParameter kTypeArguments[] = {{"type_string", "String[1]"}};
constexpr NewOverload kTypeOverloads[] = {{kTypeArguments, type_from_string}};

Value same_value(const NewCall& call) {
  return call.argument(0);
}

constexpr NewParameter kUnitArguments[] = {{"from", "Any"}};
constexpr NewOverload kUnitOverloads[] = {{kUnitArguments, same_value}};

Value sensitive_from_any(const NewCall& call) {
  return Value::sensitive(call.arena, call.argument(0));
}

constexpr NewParameter kSensitiveArguments[] = {{"value", "Sensitive"}};
constexpr NewParameter kAnyArguments[] = {{"value", "Any"}};
constexpr NewOverload kSensitiveOverloads[] = {{kSensitiveArguments, same_value},
                                               {kAnyArguments, sensitive_from_any}};

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
  char letter = format.is_string() ? format.as_string()[1] : 'B';
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

constexpr NewParameter kBinaryString[] = {{"str", "String"}, {"format", "Base64Format", true}};
constexpr NewParameter kBinaryArray[] = {{"byte_array", "Array[ByteInteger]"}};
constexpr NewParameter kBinaryHash[] = {{"hash_args", "BinaryArgsHash"}};
constexpr NewOverload kBinaryOverloads[] = {{kBinaryString, binary_from_string},
                                            {kBinaryArray, binary_from_array},
                                            {kBinaryHash, binary_from_hash}};

}  // namespace

const NewFunction kNewString{
    "new_string",
    R"(Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/])"
    "\nContainerFormat = Struct[{Optional[format] => Format, Optional[separator] => String, "
    "Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]\n"
    "TypeMap = Hash[Type, Variant[Format, ContainerFormat]]\n"
    "Convertible = Any\n"
    "Formats = Variant[Default, String[1], TypeMap]",
    kStringOverloads};

// The reference's name for this one.
const NewFunction kNewRegexp{"new_float", "", kRegexpOverloads};
const NewFunction kNewType{"new_type", "", kTypeOverloads};
const NewFunction kNewUnit{"new_unit", "", kUnitOverloads};
const NewFunction kNewSensitive{"new_Sensitive", "", kSensitiveOverloads};

const NewFunction kNewBinary{
    "new_Binary",
    "ByteInteger = Integer[0,255]\n"
    "Base64Format = Enum['%b', '%u', '%B', '%s', '%r']\n"
    "StringHash = Struct[{value => String, 'format' => Optional[Base64Format]}]\n"
    "ArrayHash = Struct[{value => Array[ByteInteger]}]\n"
    "BinaryArgsHash = Variant[StringHash, ArrayHash]",
    kBinaryOverloads};

}  // namespace bunraku
