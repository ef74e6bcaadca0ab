// The standard library's functions that read and write data formats.
#include <algorithm>

#include "base/formats/hocon.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "conversion/ruby_string.h"
#include "evaluation/evaluator.h"
#include "functions/core/comparison.h"
#include "functions/core/data_value.h"
#include "functions/core/warnings.h"
#include "functions/stdlib/families.h"
#include "functions/stdlib/json_text.h"
#include "functions/stdlib/module_ruby.h"
#include "serialization/serialization.h"
#include "types/ruby_value_text.h"
#include "validation/ruby_json.h"
#include "values/bounds.h"
#include "values/sem_ver.h"

namespace bunraku::stdlib {

namespace {

// --- writing ------------------------------------------------------------------------------------

Value to_json(Call& call) {
  return Value::string(call.arena(), to_json_text(call, call.arguments[0], {}));
}

Value without_undef(Arena& arena, Value value) {
  if (value.is_array()) {
    ArrayBuilder kept(arena);
    for (const Value item : value.as_array()) {
      if (!item.is_undef()) kept.push(item);
    }
    return kept.finish();
  }
  HashBuilder kept(arena);
  for (const HashEntry& entry : value.as_hash()) {
    if (!entry.value.is_undef()) kept.set(entry.key, entry.value);
  }
  return kept.finish();
}

Value to_json_pretty(Call& call) {
  JsonLayout layout{"  ", " ", "", "\n", "\n"};
  if (call.argument(2).is_hash()) {
    const HashObject& options = call.arguments[2].as_hash();
    auto set = [&](std::string_view name, std::string_view& part) {
      const Value* value = options.find(name);
      if (value != nullptr && value->is_string()) part = value->as_string();
    };
    set("indent", layout.indent);
    set("space", layout.space);
    set("space_before", layout.space_before);
    set("object_nl", layout.object_line_end);
    set("array_nl", layout.array_line_end);
    if (const Value* nesting = options.find("max_nesting"); nesting && nesting->is_integer()) {
      layout.max_nesting = std::max<int64_t>(nesting->as_integer(), 0);
    }
    const Value* allow_nan = options.find("allow_nan");
    layout.allows_nan = allow_nan != nullptr && allow_nan->is_truthy();
  }
  Value data = call.arguments[0];
  if (call.argument(1).is_truthy()) data = without_undef(call.arena(), data);
  return Value::string(call.arena(), to_json_text(call, data, layout) + "\n");
}

Value to_yaml(Call& call) {
  YamlLayout layout;
  if (call.argument(1).is_hash()) {
    const HashObject& options = call.arguments[1].as_hash();
    for (const HashEntry& option : options) {
      if (!option.key.is_string()) fail_undefined_method(call, "to_sym", option.key);
    }
    const Value* indentation = options.find("indentation");
    const Value* line_width = options.find("line_width");
    if (indentation != nullptr && indentation->is_integer()) {
      layout.indentation = static_cast<int>(std::clamp<int64_t>(indentation->as_integer(), 0, 9));
    }
    if (line_width != nullptr && line_width->is_integer()) {
      layout.line_width =
          static_cast<int>(std::clamp<int64_t>(line_width->as_integer(), -1, 1 << 20));
    }
  }
  try {
    return Value::string(call.arena(), to_yaml_text(call, call.arguments[0], layout));
  } catch (const NeedsRubysYaml&) {
    return call_module_ruby(call, "to_yaml", RubyInterface::kCurrent);
  }
}

// Converts a value to plain data.
Value plain_data(Call& call, Value value) {
  if (is_plain_data(value)) return value;
  std::string text;
  JsonWriter json(text);
  write_rich_data(json, value, true, TypeForm::kPcore);
  return data_value(call, read_json(call.arena().copy(text), call.arena()));
}

// Writes plain data as literals of Python or Ruby.
class Literals {
 public:
  explicit Literals(bool is_python) : is_python_(is_python) {}

  void write(std::string& out, Value value) {
    const NestingGuard guard(nesting_, "A value");
    switch (value.kind()) {
      case ValueKind::kUndef:
        out += is_python_ ? "None" : "nil";
        break;
      case ValueKind::kBoolean:
        out += is_python_ ? (value.as_boolean() ? "True" : "False")
                          : (value.as_boolean() ? "true" : "false");
        break;
      case ValueKind::kArray: {
        out += '[';
        const char* separator = "";
        for (const Value item : value.as_array()) {
          out += separator;
          separator = ", ";
          write(out, item);
        }
        out += ']';
        break;
      }
      case ValueKind::kHash: {
        out += '{';
        const char* separator = "";
        for (const HashEntry& entry : value.as_hash()) {
          out += separator;
          separator = ", ";
          write(out, entry.key);
          out += is_python_ ? ": " : " => ";
          write(out, entry.value);
        }
        out += '}';
        break;
      }
      default:
        append_ruby_inspect(out, value);
        break;
    }
  }

 private:
  bool is_python_;
  Nesting nesting_;
};

template <bool kIsPython>
Value to_literal(Call& call) {
  std::string text;
  Literals(kIsPython).write(text, plain_data(call, call.arguments[0]));
  return Value::string(call.arena(), text);
}

// --- TOML ---------------------------------------------------------------------------------------

class TomlText {
 public:
  explicit TomlText(Call& call) : call_(call) {}

  void visit(const HashObject& hash, const std::string& prefix) {
    const NestingGuard guard(nesting_, "A hash");
    const Tables tables = sorted(hash);
    if (!prefix.empty() && (!tables.simple.empty() || hash.size == 0)) {
      text_ += "[" + prefix + "]\n";
    }
    dump(tables, prefix);
  }
  std::string take() { return std::move(text_); }

 private:
  struct Tables {
    std::vector<const HashEntry*> simple, nested, arrays;
  };

  Tables sorted(const HashObject& hash) {
    std::vector<Value> keys;
    for (const HashEntry& entry : hash) keys.push_back(entry.key);
    sort_values(call_, keys);
    Tables tables;
    for (const Value key : keys) {
      const HashEntry* entry = &hash.entries[hash.position(hash.find(key))];
      const Value value = entry->value;
      if (value.is_hash()) {
        tables.nested.push_back(entry);
      } else if (value.is_array() && !value.as_array().empty() && value.as_array()[0].is_hash()) {
        tables.arrays.push_back(entry);
      } else {
        tables.simple.push_back(entry);
      }
    }
    return tables;
  }

  void dump(const Tables& tables, const std::string& prefix) {
    for (const HashEntry* entry : tables.simple) {
      text_ += key_text(entry->key) + " = " + value_text(entry->value) + "\n";
    }
    const std::string before = prefix.empty() ? "" : prefix + ".";
    for (const HashEntry* entry : tables.nested) {
      visit(entry->value.as_hash(), before + key_text(entry->key));
    }
    for (const HashEntry* entry : tables.arrays) {
      const std::string path = before + key_text(entry->key);
      for (const Value child : entry->value.as_array()) {
        if (!child.is_hash()) fail_undefined_method(call_, "keys", child);
        text_ += "[[" + path + "]]\n";
        const NestingGuard guard(nesting_, "A hash");
        dump(sorted(child.as_hash()), path);
      }
    }
  }

  std::string key_text(Value key) {
    static const Regex& bare = *Regex::compile("^[a-zA-Z0-9_-]*$");
    std::string text = to_s(key);
    if (bare.matches(text)) return text;
    if (!key.is_string()) fail_undefined_method(call_, "gsub", key);
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"') quoted += '\\';
      quoted += c;
    }
    return quoted + "\"";
  }
  static std::string value_text(Value value) {
    std::string text = inspect(value);
    if (!value.is_string()) return text;
    // TOML has no interpolation, so `#` needs no backslash.
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
      const bool is_escape = text[i] == '\\' && i + 2 < text.size() && text[i + 1] == '#' &&
                             std::string_view("$@{").find(text[i + 2]) != std::string_view::npos;
      if (!is_escape) plain += text[i];
    }
    return plain;
  }

  Call& call_;
  std::string text_;
  Nesting nesting_;
};

Value to_toml(Call& call) {
  TomlText toml(call);
  toml.visit(call.arguments[0].as_hash(), "");
  return Value::string(call.arena(), toml.take());
}

// --- reading ------------------------------------------------------------------------------------

Value parsed_json(Call& call, std::string_view text) {
  return data_value(call, read_json(text, call.arena()));
}
Value parsed_yaml(Call& call, std::string_view text, std::string_view file) {
  return data_value(call, read_yaml(text, {.file = file}, call.arena()));
}

// The parsed text; the second argument, if given, when the text is empty or malformed.
template <typename Read>
Value parse_or_default(Call& call, Read&& read) {
  if (call.arguments.empty()) {
    call.fail(Issue::kWrongArgumentCount,
              {"Wrong number of arguments. 1 or 2 arguments should be provided."});
  }
  Value default_value = call.argument(1);
  try {
    if (!call.arguments[0].is_string()) {
      if (default_value.is_truthy()) return default_value;
      fail_implicit_conversion(call, call.arguments[0], "String");
    }
    const Value data = read(call.arguments[0].as_string());
    return data.is_truthy() ? data : default_value;
  } catch (const DataError& error) {
    if (!default_value.is_truthy()) call.fail(Issue::kUnreadableText, {error.what()});
    return default_value;
  } catch (const FileError& error) {
    if (!default_value.is_truthy()) call.fail(Issue::kUnreadableText, {error.what()});
    return default_value;
  }
}

Value parsejson(Call& call) {
  return parse_or_default(call, [&](std::string_view text) {
    return data_value(call, read_ruby_json(text, call.arena()));
  });
}

Value parseyaml(Call& call) {
  return parse_or_default(call, [&](std::string_view text) { return parsed_yaml(call, text, ""); });
}

Value parsepson(Call& call) {
  try {
    return parsed_json(call, call.arguments[0].as_string());
  } catch (const DataError& error) {
    if (call.arguments.size() < 2) call.fail(Issue::kUnreadableText, {error.what()});
    return call.arguments[1];
  }
}

Value parsehocon(Call& call) {
  try {
    return data_value(call, read_hocon(call.arguments[0].as_string(), call.arena()));
  } catch (const DataError& error) {
    if (call.arguments.size() < 2) call.fail(Issue::kUnreadableText, {error.what()});
    return call.arguments[1];
  }
}

bool is_web_address(Value value) {
  return value.is_string() &&
         (value.as_string().starts_with("http://") || value.as_string().starts_with("https://"));
}

template <typename Parse>
Value load(Call& call, std::string_view function, Parse&& parse) {
  if (is_web_address(call.arguments[0])) {
    return call_module_ruby(call, function, RubyInterface::kLegacy);
  }
  return parse_or_default(call, [&](std::string_view name) {
    const std::string path(name);
    if (!exists(path)) {
      warn_in_scope(call, "Can't load '" + path + "' File does not exist!");
      return call.argument(1);
    }
    const std::string_view text = call.arena().copy(read_file(path));
    return parse(text, path);
  });
}

Value loadyaml(Call& call) {
  return load(call, "loadyaml", [&](std::string_view text, std::string_view path) {
    return parsed_yaml(call, text, path);
  });
}

Value loadjson(Call& call) {
  return load(call, "loadjson",
              [&](std::string_view text, std::string_view) { return parsed_json(call, text); });
}

Value load_module_metadata(Call& call) {
  if (call.arguments.empty() || call.arguments.size() > 2) {
    call.fail(Issue::kWrongArgumentCount,
              {"load_module_metadata(): Wrong number of arguments, expects one or two"});
  }
  const std::string module = to_s(call.arguments[0]);
  ModuleHost* modules = call.evaluator.host().modules;
  auto directory = modules == nullptr ? std::nullopt : modules->module_directory(module);
  if (!directory) {
    CatalogHost* catalog = call.evaluator.host().catalog;
    const std::string environment(catalog == nullptr ? "production" : catalog->environment_name());
    call.fail(Issue::kMissingModule, {module + " in environment " + environment});
  }
  const std::string path = join_path(*directory, "metadata.json");
  if (!exists(path)) {
    if (call.argument(1).is_truthy()) return HashBuilder(call.arena()).finish();
    call.fail(Issue::kMissingFile,
              {"load_module_metadata(): No metadata.json file for module " + module});
  }
  try {
    return parsed_json(call, call.arena().copy(read_file(path)));
  } catch (const DataError& error) {
    call.fail(Issue::kUnreadableText, {error.what()});
  }
}

// --- facts --------------------------------------------------------------------------------------

Value facts_of(Call& call) {
  static const Name kFacts = "facts"_name;
  const Value* facts = call.evaluator.find_variable(kFacts, call.evaluator.top_scope());
  return facts == nullptr ? Value() : *facts;
}

std::string dotted(std::span<const Value> path) {
  std::string text;
  for (const Value step : path) {
    if (!text.empty()) text += '.';
    const bool has_dot = step.as_string().find('.') != std::string_view::npos;
    text += has_dot ? "\"" + std::string(step.as_string()) + "\"" : std::string(step.as_string());
  }
  return text;
}

Value fact(Call& call) {
  static const Regex& segment = *Regex::compile(R"(([^."]+)|(?:")([^"]+)(?:"))");
  const std::string_view name = call.arguments[0].as_string();
  Value value = facts_of(call);
  std::vector<Value> walked;
  Captures match;
  for (size_t at = 0; at <= name.size() && segment.search(name, at, match); at = match.end()) {
    if (value.is_undef()) return Value();
    const std::string_view key = match.matched(1) ? match.text(name, 1) : match.text(name, 2);
    const std::string intro =
        "fact request for " + std::string(name) + " returning nil: '" + dotted(walked) + "' is ";
    if (value.is_array()) {
      std::optional<int64_t> index = parse_integer(key);
      if (!index) warn(call, intro + "an array; cannot index to '" + std::string(key) + "'");
      auto size = static_cast<int64_t>(value.as_array().size());
      if (index && *index < 0) *index += size;
      value = index && *index >= 0 && *index < size ? value.as_array()[static_cast<size_t>(*index)]
                                                    : Value();
    } else if (value.is_hash()) {
      const Value* found = value.as_hash().find(key);
      value = found == nullptr ? Value() : *found;
    } else {
      warn(call, intro + "not a collection; cannot walk to '" + std::string(key) + "'");
      value = Value();
    }
    walked.push_back(Value::string(key));
  }
  return value;
}

Value os_version_gte(Call& call) {
  const Value facts = facts_of(call);
  if (!facts.is_hash()) return Value::boolean(false);
  const Value* system = facts.as_hash().find("operatingsystem");
  if (system == nullptr || !identical(*system, call.arguments[0])) return Value::boolean(false);
  const Value* release = facts.as_hash().find("operatingsystemmajrelease");
  if (release == nullptr || !release->is_string()) {
    fail_undefined_method(call, "scan", release == nullptr ? Value() : *release);
  }
  return Value::boolean(
      compare_version_texts(release->as_string(), call.arguments[1].as_string()) >= 0);
}

constexpr Overload kToJson[] = {{"(Any $data)", to_json}};
constexpr Overload kToJsonPretty[] = {
    {"(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = default, Struct[{indent => "
     "Optional[String], space => Optional[String], space_before => Optional[String], object_nl => "
     "Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting "
     "=> Optional[Integer[-1, default]]}] $opts = default)",
     to_json_pretty}};
constexpr Overload kToYaml[] = {{"(Any $data, Hash $options = default)", to_yaml}};
constexpr Overload kToPython[] = {{"(Any $object)", to_literal<true>}};
constexpr Overload kToRuby[] = {{"(Any $object)", to_literal<false>}};
constexpr Overload kToToml[] = {{"(Hash $data) >> String", to_toml}};
constexpr Overload kParsejson[] = {{"(Any *$arguments)", parsejson}};
constexpr Overload kParseyaml[] = {{"(Any *$arguments)", parseyaml}};
constexpr Overload kParsepson[] = {{"(String[1] $pson_string, Any $default = default)", parsepson}};
constexpr Overload kParsehocon[] = {{"(String $hocon_string, Any $default = default)", parsehocon}};
constexpr Overload kLoadyaml[] = {{"(Any $path, Any *$default)", loadyaml}};
constexpr Overload kLoadjson[] = {{"(Any $path, Any *$default)", loadjson}};
constexpr Overload kLoadModuleMetadata[] = {{"(Any *$arguments)", load_module_metadata}};
constexpr Overload kFact[] = {{"(String $fact_name)", fact}};
constexpr Overload kOsVersionGte[] = {
    {"(String[1] $os, String[1] $version) >> Boolean", os_version_gte}};

constexpr NativeFunctionInfo kDataFunctions[] = {
    {"to_json", kToJson, "A value as JSON, on one line.", "to_json({ 'a' => [1, true] })"},
    {"stdlib::to_json", kToJson, "A value as JSON, on one line.",
     "stdlib::to_json({ 'a' => [1, true] })"},
    {"to_json_pretty", kToJsonPretty,
     "A collection as JSON on several lines, without what is undef when "
     "asked.",
     "to_json_pretty({ 'a' => [1, true] })"},
    {"stdlib::to_json_pretty", kToJsonPretty,
     "A collection as JSON on several lines, without what is "
     "undef when asked.",
     "stdlib::to_json_pretty({ 'a' => [1, true] })"},
    {"to_yaml", kToYaml, "A value as YAML.", "to_yaml({ 'a' => [1, true] })"},
    {"stdlib::to_yaml", kToYaml, "A value as YAML.", "stdlib::to_yaml({ 'a' => [1, true] })"},
    {"to_python", kToPython, "A value as a literal of Python.",
     "to_python({ 'a' => [undef, true] })"},
    {"stdlib::to_python", kToPython, "A value as a literal of Python.",
     "stdlib::to_python({ 'a' => [undef, true] })"},
    {"to_ruby", kToRuby, "A value as a literal of Ruby.", "to_ruby({ 'a' => [undef, true] })"},
    {"stdlib::to_ruby", kToRuby, "A value as a literal of Ruby.",
     "stdlib::to_ruby({ 'a' => [undef, true] })"},
    {"to_toml", kToToml, "A hash as TOML.", "to_toml({ 'a' => { 'b' => 1 } })"},
    {"stdlib::to_toml", kToToml, "A hash as TOML.", "stdlib::to_toml({ 'a' => { 'b' => 1 } })"},
    {"parsejson", kParsejson, "What JSON text holds; else a default.", "parsejson('{\"a\": 1}')",
     true},
    {"parseyaml", kParseyaml, "What YAML text holds; else a default.", "parseyaml('a: 1')", true},
    {"parsepson", kParsepson, "What JSON text holds; else a default.", "parsepson('{\"a\": 1}')"},
    {"parsehocon", kParsehocon, "What HOCON text holds; else a default.",
     "parsehocon('a { b = 1 }')"},
    {"stdlib::parsehocon", kParsehocon, "What HOCON text holds; else a default.",
     "parsehocon('a { b = 1 }')"},
    {"loadyaml", kLoadyaml, "What a YAML file holds; else a default.",
     "loadyaml('/no/such/file', { 'a' => 1 })", true},
    {"loadjson", kLoadjson, "What a JSON file holds; else a default.",
     "loadjson('/no/such/file', { 'a' => 1 })", true},
    {"load_module_metadata", kLoadModuleMetadata, "The contents of a module's metadata.json.",
     "module_directory('stdlib')", true},
    {"fact", kFact, "The value of a fact, by a path with dots.", "fact('os.family')"},
    {"os_version_gte", kOsVersionGte,
     "Does the node run this operating system, in this or a later "
     "version?",
     "os_version_gte('Debian', '12')"},
};

}  // namespace

std::span<const NativeFunctionInfo> data_functions() {
  return kDataFunctions;
}

}  // namespace bunraku::stdlib
