// Class methods of Ruby's own classes and modules.
#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "base/text/digest.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

void expect(Interpreter& ruby, const Object& self, Class wanted, std::string_view method) {
  if (self.named == wanted) return;
  ruby.fail_with("the method '" + std::string(method) + "' of " +
                 std::string(class_name(self.named)));
}

namespace {

using enum BlockUse;

// --- Regexp and Shellwords ----------------------------------------------------------------------

std::string shell_escaped(std::string_view text) {
  if (text.empty()) return "''";
  std::string result;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80 ||
                          std::string_view("_-.,:+/@\n").find(c) != std::string_view::npos;
    if (c == '\n') {
      result += "'\n'";
    } else {
      if (!is_plain) result += '\\';
      result += c;
    }
  }
  return result;
}

// Text in the encoding of forms: bytes other than letters, digits and `plain` as %XX.
std::string form_encoded(std::string_view text, std::string_view plain) {
  std::string result;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || plain.find(c) != plain.npos;
    if (is_plain) {
      result += c;
    } else if (c == ' ') {
      result += '+';
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

Object escape(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string_view text = ruby.text_of(arguments[0]);
  ruby.check_size(text.size());
  if (self.named == Class::kRegexp) return ruby.string(escape_regex(text));
  if (self.named == Class::kCgi) return ruby.string(form_encoded(text, "_.-~"));
  expect(ruby, self, Class::kShellwords, "escape");
  const bool is_ascii = std::ranges::none_of(text, [](char c) { return c < 0; });
  if (!is_ascii) ruby.fail_with("'Shellwords.escape' of text beyond ASCII");
  return ruby.string(shell_escaped(text));
}

// URI.encode_www_form of a hash whose values are no lists.
Object form_of_pairs(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kUri, "encode_www_form");
  if (!arguments[0].is(Class::kHash)) ruby.fail_with("a form of such an object");
  constexpr std::string_view kPlain = "*-._";
  std::string result;
  const HashTable& table = ruby.load(*arguments[0].hash);
  for (uint32_t i = 0; i < table.used; ++i) {
    const TableEntry& entry = table.entries[i];
    if (entry.is_removed) continue;
    const Object& value = entry.value;
    if (value.is(Class::kArray) || value.is(Class::kHash)) ruby.fail_with("a form with lists");
    if (!result.empty()) result += '&';
    result += form_encoded(std::string(ruby.to_s(entry.key)), kPlain);
    if (!value.is_nil()) result += "=" + form_encoded(std::string(ruby.to_s(value)), kPlain);
    ruby.check_size(result.size());
  }
  return ruby.string(result);
}

// Regexp.new(pattern) and Regexp.compile(pattern), for a text or another regular expression.
Object make_regexp(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kRegexp, "compile");
  if (arguments.size() != 1) ruby.fail_with("'Regexp.new' in this form");
  if (arguments[0].is(Class::kRegexp)) return arguments[0];
  const std::string_view source = ruby.text_of(arguments[0]);
  ruby.check_size(source.size());
  return ruby.regexp_of(ruby.arena().copy(source));
}

// Regexp.last_match(group)
Object last_match(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kRegexp, "last_match");
  const int64_t group = ruby.integer_of(arguments[0]);
  if (group < 0 || group > 99) ruby.fail_with("such a group of a match");
  return ruby.match_group(static_cast<uint32_t>(group));
}

// --- Base64 and Digest --------------------------------------------------------------------------

template <std::string (*kEncode)(std::string_view)>
Object encoded(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kBase64, "encode64");
  const std::string_view text = ruby.text_of(arguments[0]);
  ruby.check_size(text.size() * 2);
  return ruby.string(kEncode(text));
}

DigestAlgorithm algorithm_of(Interpreter& ruby, const Object& self, std::string_view method) {
  switch (self.named) {
    case Class::kMd5:
      return DigestAlgorithm::kMd5;
    case Class::kSha1:
      return DigestAlgorithm::kSha1;
    case Class::kSha256:
      return DigestAlgorithm::kSha256;
    case Class::kSha384:
      return DigestAlgorithm::kSha384;
    case Class::kSha512:
      return DigestAlgorithm::kSha512;
    default:
      ruby.fail_with("the method '" + std::string(method) + "' of " +
                     std::string(class_name(self.named)));
  }
}

Object hex_digest(Interpreter& ruby, Object self, const Arguments& arguments) {
  const DigestAlgorithm algorithm = algorithm_of(ruby, self, "hexdigest");
  return ruby.string(digest_hex(algorithm, ruby.text_of(arguments[0])));
}

Object base64_digest(Interpreter& ruby, Object self, const Arguments& arguments) {
  const DigestAlgorithm algorithm = algorithm_of(ruby, self, "base64digest");
  return ruby.string(encode_base64(digest_bytes(algorithm, ruby.text_of(arguments[0]))));
}

// Hash[pairs] and Hash[hash]
Object hash_of_pairs(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kHash, "[]");
  if (!arguments[0].is(Class::kArray) && !arguments[0].is(Class::kHash)) {
    ruby.fail_with("'Hash[]' of such an object");
  }
  static const MethodSet& to_h = *find_methods("to_h");
  return ruby.send(Object::of(&ruby.to_array(arguments[0])), to_h, {});
}

// --- File ---------------------------------------------------------------------------------------

// The parts of a path, with nested arrays flattened.
std::vector<Object> path_parts(Interpreter& ruby, std::span<const Object> arguments) {
  std::vector<Object> parts;
  for (const Object& argument : arguments) {
    if (!argument.is(Class::kArray)) {
      parts.push_back(argument);
      continue;
    }
    const std::span<Object> items = ruby.items(*argument.array);
    const bool is_plain = !items.empty() && std::ranges::none_of(items, [](const Object& item) {
      return item.is(Class::kArray);
    });
    if (!is_plain) ruby.fail_with("'File.join' of such an array");
    parts.insert(parts.end(), items.begin(), items.end());
  }
  return parts;
}

Object join_path(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kFile, "join");
  std::string path;
  bool is_first = true;
  for (const Object& argument : path_parts(ruby, arguments.values)) {
    const std::string_view part = ruby.text_of(argument);
    if (!is_first) {
      const bool ends = path.ends_with('/');
      if (part.starts_with('/')) {
        while (path.ends_with('/')) path.pop_back();
      } else if (!ends) {
        path += '/';
      }
    }
    path += part;
    is_first = false;
  }
  ruby.check_size(path.size());
  return ruby.string(path);
}

std::string_view without_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

Object base_name(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kFile, "basename");
  std::string_view path = without_slashes(ruby.text_of(arguments[0]));
  if (path != "/") path = path.substr(path.rfind('/') + 1);
  if (arguments.size() > 1) {
    const std::string_view suffix = ruby.text_of(arguments[1]);
    if (suffix.find('*') != suffix.npos) ruby.fail_with("'File.basename' with such a suffix");
    if (path.size() > suffix.size() && path.ends_with(suffix)) path.remove_suffix(suffix.size());
  }
  return ruby.borrowed(path);
}

Object directory_name(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kFile, "dirname");
  const std::string_view path = without_slashes(ruby.text_of(arguments[0]));
  if (path.starts_with("//")) ruby.fail_with("'File.dirname' of such a path");
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return ruby.borrowed(".");
  return ruby.borrowed(slash == 0 ? path.substr(0, 1) : without_slashes(path.substr(0, slash)));
}

Object extension(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kFile, "extname");
  std::string_view name = ruby.text_of(arguments[0]);
  name = name.substr(name.rfind('/') + 1);
  const size_t begin = name.find_first_not_of('.');
  const size_t dot = name.rfind('.');
  if (begin == name.npos || dot == name.npos || dot < begin) return ruby.borrowed("");
  if (dot + 1 == name.size()) ruby.fail_with("'File.extname' of such a name");
  return ruby.borrowed(name.substr(dot));
}

// The path argument of a file test. File.exist? and File.file? run here only in functions; in
// templates a worker answers them.
std::string path_argument(Interpreter& ruby, Object self, const Arguments& arguments,
                          std::string_view method) {
  expect(ruby, self, Class::kFile, method);
  if (!ruby.is_in_function()) ruby.fail_with("the method '" + std::string(method) + "' of File");
  return std::string(ruby.text_of(arguments[0]));
}

Object path_exists(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(ruby.scope().exists(path_argument(ruby, self, arguments, "exist?")));
}

// File.exists? was removed in Ruby 3.2; versions up to 3.1 have it.
Object path_exists_in_old_ruby(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::string path = path_argument(ruby, self, arguments, "exists?");
  if (ruby.scope().ruby_version() != "3.1") ruby.fail_with("the method 'exists?' of File");
  return ruby.boolean(ruby.scope().exists(path));
}

Object path_is_file(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.boolean(ruby.scope().is_file(path_argument(ruby, self, arguments, "file?")));
}

Object read_whole(Interpreter& ruby, Object self, const Arguments& arguments) {
  const std::optional<std::string> contents =
      ruby.scope().read_file(path_argument(ruby, self, arguments, "read"));
  if (!contents || !is_valid_utf8(*contents)) ruby.fail_with("'File.read' of such a file");
  ruby.check_size(contents->size());
  ruby.spend(1 + contents->size() / 16);
  return ruby.string(*contents);
}

// --- YAML ---------------------------------------------------------------------------------------

struct YamlPermissions {
  bool aliases = false;
  bool regexps = false;
};

void read_yaml_option(Interpreter& ruby, const TableEntry& option, YamlPermissions& permissions) {
  const std::string_view name =
      option.key.is(Class::kSymbol) ? option.key.string->text : std::string_view();
  if (name == "filename" && option.value.is(Class::kString)) return;
  if (name == "aliases") {
    permissions.aliases = option.value.is_true();
    return;
  }
  if (name != "permitted_classes" || !option.value.is(Class::kArray)) {
    ruby.fail_with("such options of YAML");
  }
  for (const Object& permitted : ruby.items(*option.value.array)) {
    // Symbols may be permitted here, because text that has symbols needs a worker in any case.
    const bool is_known = permitted.is(Class::kClass) &&
                          (permitted.named == Class::kRegexp || permitted.named == Class::kSymbol);
    if (!is_known) ruby.fail_with("such options of YAML");
    permissions.regexps = permissions.regexps || permitted.named == Class::kRegexp;
  }
}

Object parse_yaml(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kYaml, "safe_load");
  if (!ruby.is_in_function()) ruby.fail_with("the method 'safe_load' of YAML");
  YamlPermissions permissions;
  if (arguments.size() > 1) {
    const HashTable& options = ruby.load(ruby.hash_of(arguments[1]));
    for (uint32_t i = 0; i < options.used; ++i) {
      if (!options.entries[i].is_removed) {
        read_yaml_option(ruby, options.entries[i], permissions);
      }
    }
  }
  const std::string_view text = ruby.text_of(arguments[0]);
  if (!permissions.aliases && text.find('*') != text.npos) ruby.fail_with("YAML with aliases");
  const std::optional<Value> value = ruby.scope().parse_yaml(text, permissions.regexps);
  if (!value) ruby.fail_with("such YAML");
  return ruby.bring_over(*ruby.arena().make<Value>(*value));
}

// --- Gem::Version -------------------------------------------------------------------------------

Object make_version(Interpreter& ruby, const Arguments& arguments) {
  if (arguments.size() != 1) ruby.fail_with("'Gem::Version.new' in this form");
  Object version(Class::kVersion);
  if (arguments[0].is(Class::kClass) && arguments[0].named == Class::kRubyVersion) {
    version.string = nullptr;
    return version;
  }
  static const Regex& well_formed =
      *Regex::compile(R"(\A\s*([0-9]+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?\s*\z)");
  const std::string_view text = ruby.text_of(arguments[0]);
  if (!well_formed.matches(text)) {
    ruby.fail("Malformed version number string " + std::string(text), false, "ArgumentError");
  }
  version.string = ruby.arena().make<StringObject>(text);
  return version;
}

// The numbers of a version; no value for versions with letters.
std::optional<std::vector<int>> version_numbers(std::string_view text) {
  std::vector<int> numbers;
  while (true) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || text.starts_with('-')) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) return numbers;
    if (!text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
  }
}

// Compares two versions. Only two numbers of RUBY_VERSION are known; comparisons that need more are
// left to a worker.
int compare_versions(Interpreter& ruby, const Object& left, const Object& right) {
  if (!right.is(Class::kVersion)) ruby.fail_with("a version and something else");
  const auto numbers_of = [&](const Object& version) {
    const std::string own = version.string == nullptr ? ruby.scope().ruby_version() : std::string();
    auto numbers = version_numbers(version.string == nullptr ? own : version.string->text);
    if (!numbers) ruby.fail_with("such a version");
    return *numbers;
  };
  const std::vector<int> a = numbers_of(left), b = numbers_of(right);
  const bool is_in_part = left.string == nullptr || right.string == nullptr;
  const size_t count =
      is_in_part ? std::min({a.size(), b.size(), size_t{2}}) : std::max(a.size(), b.size());
  for (size_t i = 0; i < count; ++i) {
    const int x = i < a.size() ? a[i] : 0, y = i < b.size() ? b[i] : 0;
    if (x != y) return x < y ? -1 : 1;
  }
  if (is_in_part) ruby.fail_with("a version of Ruby that is known in part");
  return 0;
}

template <typename Test>
Object version_is(Interpreter& ruby, Object self, const Arguments& arguments, Test test) {
  return ruby.boolean(test(compare_versions(ruby, self, arguments[0])));
}

Object version_text(Interpreter& ruby, Object self, const Arguments&) {
  if (self.string == nullptr || !version_numbers(self.string->text)) {
    ruby.fail_with("the text of such a version");
  }
  return ruby.string(self.string->text);
}

// --- JSON ---------------------------------------------------------------------------------------

// JSON.parse and URI.parse
Object parse(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (self.named == Class::kUri) return make_uri(ruby, arguments[0]);
  expect(ruby, self, Class::kJson, "parse");
  const std::string_view text = ruby.scope().arena().copy(ruby.text_of(arguments[0]));
  const std::optional<Value> value = ruby.scope().parse_json(text);
  if (!value) ruby.fail("unexpected token", false, "JSON::ParserError");
  return ruby.bring_over(*ruby.arena().make<Value>(*value));
}

// JSON.generate and JSON.dump
Object json_text(Interpreter& ruby, const Object& value) {
  static const MethodSet& to_json = *find_methods("to_json");
  return ruby.send(value, to_json, {});
}

// Returns whether these are options that current versions of the library ignore.
bool has_no_effect(Interpreter& ruby, const Object& options) {
  if (!options.is(Class::kHash)) return false;
  ruby.load(*options.hash);
  const std::span entries(options.hash->entries, options.hash->used);
  return std::ranges::all_of(entries, [](const TableEntry& option) {
    return option.is_removed ||
           (option.key.is(Class::kSymbol) && option.key.string->text == "quirks_mode");
  });
}

Object generate(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kJson, "generate");
  if (arguments.size() == 2 && !has_no_effect(ruby, arguments[1])) {
    ruby.fail_with("such options of JSON");
  }
  return json_text(ruby, arguments[0]);
}

Object dump(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (self.named == Class::kJson) return json_text(ruby, arguments[0]);
  expect(ruby, self, Class::kYaml, "dump");
  static const MethodSet& to_yaml = *find_methods("to_yaml");
  return ruby.send(arguments[0], to_yaml, {});
}

Object pretty_json(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kJson, "pretty_generate");
  std::string_view space_before;
  if (arguments.size() > 1) {
    if (!arguments[1].is(Class::kHash)) ruby.fail_with("such options of JSON");
    const HashTable& options = *arguments[1].hash;
    for (uint32_t i = 0; i < options.used; ++i) {
      const TableEntry& option = options.entries[i];
      if (option.is_removed) continue;
      const bool is_known = option.key.is(Class::kSymbol) && option.value.is(Class::kString) &&
                            option.key.string->text == "space_before";
      if (!is_known) ruby.fail_with("such options of JSON");
      space_before = option.value.string->text;
    }
  }
  const auto text = ruby.scope().pretty_json_of(ruby.to_value(arguments[0]), space_before);
  if (!text) ruby.fail_with("JSON of such a value");
  return ruby.string(*text);
}

// --- new ----------------------------------------------------------------------------------------

Object make_object(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (self.named == Class::kAddress) return make_address(ruby, arguments);
  if (self.named == Class::kGemVersion) return make_version(ruby, arguments);
  if (self.named == Class::kRegexp) return make_regexp(ruby, self, arguments);
  if (self.named == Class::kArray && arguments.size() == 0) return ruby.array({});
  if (self.named == Class::kString && arguments.size() == 0) return ruby.string("");
  if (self.named != Class::kHash) {
    ruby.fail_with("'new' of " + std::string(class_name(self.named)));
  }
  HashTable* table = ruby.new_hash();
  if (arguments.size() == 1) table->otherwise = arguments[0];
  return Object::of(table);
}

constexpr Method kLibraryMethods[] = {
    {Class::kClass, "new", 0, 1, kNever, make_object},
    {Class::kClass, "escape", 1, 1, kNever, escape},
    {Class::kClass, "quote", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       expect(ruby, self, Class::kRegexp, "quote");
       return escape(ruby, self, arguments);
     }},
    {Class::kClass, "shellescape", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       expect(ruby, self, Class::kShellwords, "shellescape");
       return escape(ruby, self, arguments);
     }},
    {Class::kClass, "encode_www_form", 1, 1, kNever, form_of_pairs},
    {Class::kClass, "compile", 1, 1, kNever, make_regexp},
    {Class::kClass, "last_match", 1, 1, kNever, last_match},
    {Class::kClass, "strict_encode64", 1, 1, kNever, encoded<encode_base64>},
    {Class::kClass, "encode64", 1, 1, kNever, encoded<encode_base64_lines>},
    {Class::kClass, "hexdigest", 1, 1, kNever, hex_digest},
    {Class::kClass, "base64digest", 1, 1, kNever, base64_digest},
    {Class::kClass, "[]", 1, 1, kNever, hash_of_pairs},
    {Class::kClass, "join", 1, kAnyCount, kNever, join_path},
    {Class::kClass, "basename", 1, 2, kNever, base_name},
    {Class::kClass, "dirname", 1, 1, kNever, directory_name},
    {Class::kClass, "extname", 1, 1, kNever, extension},
    {Class::kClass, "exist?", 1, 1, kNever, path_exists},
    {Class::kClass, "exists?", 1, 1, kNever, path_exists_in_old_ruby},
    {Class::kClass, "file?", 1, 1, kNever, path_is_file},
    {Class::kClass, "read", 1, 1, kNever, read_whole},
    {Class::kClass, "safe_load", 1, 2, kNever, parse_yaml},
    {Class::kVersion, "to_s", 0, 0, kNever, version_text},
    {Class::kVersion, "==", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return version_is(ruby, self, arguments, [](int order) { return order == 0; });
     }},
    {Class::kVersion, "<=>", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return ruby.integer(compare_versions(ruby, self, arguments[0]));
     }},
    {Class::kVersion, ">=", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return version_is(ruby, self, arguments, [](int order) { return order >= 0; });
     }},
    {Class::kVersion, ">", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return version_is(ruby, self, arguments, [](int order) { return order > 0; });
     }},
    {Class::kVersion, "<=", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return version_is(ruby, self, arguments, [](int order) { return order <= 0; });
     }},
    {Class::kVersion, "<", 1, 1, kNever,
     [](Interpreter& ruby, Object self, const Arguments& arguments) {
       return version_is(ruby, self, arguments, [](int order) { return order < 0; });
     }},
    {Class::kClass, "parse", 1, 1, kNever, parse},
    {Class::kClass, "generate", 1, 2, kNever, generate},
    {Class::kClass, "dump", 1, 1, kNever, dump},
    {Class::kClass, "pretty_generate", 1, 2, kNever, pretty_json},
};

}  // namespace

std::span<const Method> library_methods() {
  return kLibraryMethods;
}

}  // namespace bunraku::erb
