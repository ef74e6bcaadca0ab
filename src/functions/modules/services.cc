// Functions of the modules collectd, docker, extlib, foreman, haproxy, k8s, memcached, mongodb,
// php, puppetdb, redis and simplib.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/memory/data_names.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "base/text/digest.h"
#include "base/text/ip_address.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/modules/families.h"
#include "functions/modules/support.h"
#include "functions/stdlib/families.h"
#include "functions/stdlib/json_text.h"
#include "ruby/worker/function.h"
#include "types/built_in_types.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku::modules {

namespace {

// --- collectd -----------------------------------------------------------------------------------

// Converts names, and hashes with a name, to a hash by name.
Value collectd_convert_processes(Call& call) {
  static const Value kName = Value::string("name");
  const Value argument = call.arguments[0];
  if (argument.is_hash()) return argument;
  const auto in_ruby = [&] {
    return call_own_ruby(call, {"collectd", "collectd_convert_processes", true});
  };
  if (!argument.is_array()) return in_ruby();
  HashBuilder result(call.arena());
  for (const Value item : argument.as_array()) {
    if (item.is_string()) {
      result.set(item, HashBuilder(call.arena()).finish());
      continue;
    }
    const Value* name = item.is_hash() ? item.as_hash().find(kName) : nullptr;
    if (name == nullptr || !name->is_string()) return in_ruby();
    HashBuilder rest(call.arena());
    for (const HashEntry& entry : item.as_hash()) {
      if (!(entry.key.is_string() && entry.key.as_string() == "name"))
        rest.set(entry.key, entry.value);
    }
    result.set(*name, rest.finish());
  }
  return result.finish();
}

// --- docker -------------------------------------------------------------------------------------

Value docker_env(Call& call) {
  return call.arguments[0];
}

// The flags of `docker run`, from the options of docker::run.
class RunFlags {
 public:
  RunFlags(Call& call, const HashObject& options) : call_(call), options_(options) {}

  // Nothing where the module's code has to make them.
  std::optional<std::string> text() {
    const Value facts = fact(call_, {});
    const Value* os = facts.is_hash() ? facts.as_hash().find("os") : nullptr;
    has_os_ = os != nullptr || !facts.is_hash();
    if (os != nullptr && !is_other_than_windows(*os)) return std::nullopt;
    const Value system = option("osfamily"), more = option("extra_params");
    const bool is_known_system =
        !is_set(system) || (system.is_string() && downcase(system.as_string()) != "windows");
    if (!is_known_system || !more.is_array()) return std::nullopt;
    add_single();
    for (const auto& [form, key] : kSeveral) {
      for (const Value value : items(option(key)))
        add(std::string(form) + escaped(value) + std::string(kEnd));
    }
    for (const Value value : flattened(call_.arena(), more.as_array())) add(text_of(value));
    return std::move(text_);
  }

 private:
  static constexpr std::string_view kEnd = " \\\n";
  static constexpr std::pair<std::string_view, std::string_view> kSeveral[] = {
      {"--dns ", "dns"},    {"--dns-search ", "dns_search"}, {"--expose=", "expose"},
      {"--link ", "links"}, {"--lxc-conf=", "lxc_conf"},     {"--volumes-from ", "volumes_from"},
      {"-e ", "env"},       {"--env-file ", "env_file"},     {"-p ", "ports"},
      {"-l ", "labels"},    {"--add-host ", "hostentries"},  {"-v ", "volumes"}};

  // False also for values that the module's code cannot index.
  static bool is_other_than_windows(Value os) {
    if (!os.is_hash()) return os.is_undef() || os.is_string();
    const Value* family = os.as_hash().find("family");
    return family == nullptr || !family->is_string() || family->as_string() != "windows";
  }
  // As Ruby sees it.
  static bool is_set(Value value) {
    return !value.is_undef() && !(value.is_boolean() && !value.as_boolean());
  }
  Value option(std::string_view key) {
    const Value* value = options_.find(key);
    return value == nullptr ? Value() : *value;
  }
  // All values that are not undef.
  std::vector<Value> items(Value value) {
    std::vector<Value> found;
    for (const Value item : flattened(call_.arena(), std::span(&value, 1))) {
      if (!item.is_undef()) found.push_back(item);
    }
    return found;
  }
  // Fails as the module's code does when there are facts without "os".
  std::string escaped(Value value) {
    static const Name kEscape("stdlib::shell_escape");
    if (!has_os_) stdlib::fail_undefined_method(call_, "[]", Value());
    return text_of(
        call_.evaluator.call_function(kEscape, {&value, 1}, nullptr, call_.scope, call_.place));
  }
  void add(std::string_view flag) {
    if (has_flags_) text_ += kEnd;
    has_flags_ = true;
    text_ += flag;
  }
  void add_if(std::string_view key, std::string_view flag) {
    if (is_set(option(key))) add(flag);
  }
  void add_single() {
    for (const auto& [flag, key] : {std::pair("-u ", "username"), std::pair("-h ", "hostname")}) {
      if (is_set(option(key))) add(flag + escaped(option(key)));
    }
    if (is_set(option("restart"))) add("--restart '" + text_of(option("restart")) + "'");
    const Value net = option("net");
    if (net.is_string()) add("--net " + escaped(net));
    if (net.is_array()) {
      for (const Value item : net.as_array()) add("--net " + escaped(item));
    }
    if (is_set(option("memory_limit"))) add("-m " + text_of(option("memory_limit")));
    std::string processors;
    const std::vector<Value> sets = items(option("cpuset"));
    for (const Value set : sets) processors += (processors.empty() ? "" : ",") + text_of(set);
    if (!sets.empty()) add("--cpuset-cpus=" + processors);
    add_if("disable_network", "-n false");
    add_if("privileged", "--privileged");
    const auto check = [&](std::string_view key) {
      const std::string text = is_set(option(key)) ? text_of(option(key)) : "undef";
      return text == "undef" ? std::nullopt : std::optional(text);
    };
    if (const auto command = check("health_check_cmd")) add("--health-cmd='" + *command + "'");
    if (const auto seconds = check("health_check_interval")) {
      add("--health-interval=" + *seconds + "s");
    }
    add_if("tty", "-t");
    add_if("read_only", "--read-only=true");
  }

  Call& call_;
  const HashObject& options_;
  std::string text_;
  bool has_flags_ = false;
  bool has_os_ = true;
};

Value docker_run_flags(Call& call) {
  if (call.arguments.size() == 1 && call.arguments[0].is_hash()) {
    if (auto text = RunFlags(call, call.arguments[0].as_hash()).text()) {
      return Value::string(call.arena(), *text);
    }
  }
  return call_own_ruby(call, {"docker", "docker_run_flags", true});
}

// --- simplib ------------------------------------------------------------------------------------

// The parameter of a class that has been declared; undef when there is none.
Value parameter_of_class(Call& call, std::string_view class_name, std::string_view parameter) {
  CatalogHost* catalog = call.evaluator.host().catalog;
  if (catalog == nullptr) return Value();
  Arena& arena = call.arena();
  if (!catalog->is_declared(types::class_type(arena, class_name))) return Value();
  const ResourceType* const resource =
      types::resource(arena, "Class", class_name)->try_as<ResourceType>();
  if (resource == nullptr) return Value();
  try {
    return catalog->parameter_of(*resource, parameter, call.place);
  } catch (const EvaluationError&) {
    return Value();  // the class has no parameter of this name
  }
}

// A parameter of a declared class, or a variable of the top scope, or what `lookup` finds.
Value simplib_lookup(Call& call) {
  const std::string_view name = call.arguments[0].as_string();
  const size_t colons = name.rfind("::");
  if (name.empty() || name.starts_with("::") || name.ends_with("::")) {
    return call_own_ruby(call, {"simplib", "simplib::lookup"});
  }
  Value found;
  if (colons != name.npos) {
    found = parameter_of_class(call, name.substr(0, colons), name.substr(colons + 2));
  } else if (const Value* variable =
                 call.evaluator.find_variable(data_name(name), call.evaluator.top_scope())) {
    found = *variable;
  }
  if (found.is_truthy()) return found;
  const bool has_options = call.argument(1).is_truthy();
  return call_from_ruby(call.evaluator, call.evaluator.top_scope(), "lookup",
                        call.arguments.first(has_options ? 2 : 1), nullptr, call.place, {});
}

// --- extlib -------------------------------------------------------------------------------------

// The text that an earlier call has left in a file of vardir. A file that is not there, and all
// that is no text, is left to the module's code.
Value cache_data(Call& call) {
  static const Name kSettings("settings"), kVardir("vardir");
  CatalogHost* catalog = call.evaluator.host().catalog;
  const Scope* settings = catalog == nullptr ? nullptr : catalog->class_scope(kSettings);
  const Value* vardir = settings == nullptr ? nullptr : settings->variables().find(kVardir);
  const std::string_view space = call.arguments[0].as_string(),
                         name = call.arguments[1].as_string();
  const bool is_plain = consists_of(space, "_-.") && consists_of(name, "_-.");
  if (vardir != nullptr && vardir->is_string() && is_plain) {
    const std::string path = join_path(
        join_path(std::string(vardir->as_string()), std::string(space)), std::string(name));
    try {
      if (exists(path)) {
        const std::string_view text = call.arena().copy(read_file(path));
        YamlOptions options;
        options.allow_symbols = false;
        const DataNode data = read_yaml(text, options, call.arena());
        if (data.is(DataKind::kString) && !data.is_byte_string()) {
          return Value::string(data.text_value());
        }
      }
    } catch (const FileError&) {
    } catch (const DataError&) {
    }
  }
  return call_own_ruby(call, {"extlib", "extlib::cache_data"});
}

// Is there a module of this full name, by its metadata?
Value has_module(Call& call) {
  std::string name(call.arguments[0].as_string());
  std::ranges::replace(name, '/', '-');
  ModuleHost* modules = call.evaluator.host().modules;
  const auto directory = modules == nullptr
                             ? std::nullopt
                             : modules->module_directory(name.substr(name.find('-') + 1));
  if (!directory) return Value::boolean(false);
  const std::string path = join_path(*directory, "metadata.json");
  if (!exists(path)) return Value::boolean(false);
  try {
    const DataNode data = read_json(call.arena().copy(read_file(path)), call.arena());
    const DataNode* own = data.is(DataKind::kHash) ? data.find("name") : nullptr;
    if (own != nullptr && own->is(DataKind::kString)) {
      return Value::boolean(own->text_value() == name);
    }
  } catch (const FileError&) {
  } catch (const DataError&) {
  }
  return call_own_ruby(call, {"extlib", "extlib::has_module"});
}

Value random_password(Call& call) {
  report_untracked("extlib::random_password() is random");
  constexpr std::string_view kCharacters =
      "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  constexpr int64_t kLongest = 1 << 20;
  const int64_t length = call.arguments[0].as_integer();
  if (length > kLongest) return call_own_ruby(call, {"extlib", "extlib::random_password"});
  std::random_device random;
  std::uniform_int_distribution<size_t> any(0, kCharacters.size() - 1);
  std::string text;
  for (int64_t i = 0; i < length; ++i) text += kCharacters[any(random)];
  return Value::string(call.arena(), text);
}

// Minutes or hours at equal distances, shifted by the last number of the node's address.
Value evenly(Call& call, int64_t count, int64_t base, int64_t scope) {
  std::vector<int64_t> times;
  for (int64_t i = 1; i <= count; ++i) {
    const int64_t time = (base - (scope / count * i)) % scope;
    times.push_back(time < 0 ? time + scope : time);
  }
  std::ranges::sort(times);
  ArrayBuilder result(call.arena(), times.size());
  for (const int64_t time : times) result.push(Value::integer(time));
  return result.finish();
}

Value ip_to_cron(Call& call) {
  constexpr int64_t kHour = 3600, kDay = 86'400;
  const int64_t interval = call.arguments.empty() ? 1800 : call.arguments[0].as_integer();
  const Value ip = fact(call, {"networking", "ip"});
  const std::string_view text = ip.is_string() ? ip.as_string() : std::string_view();
  const size_t dot = text.rfind('.');
  const bool is_v4 = std::ranges::count(text, '.') == 3 && consists_of(text, ".");
  const auto last = is_v4 ? plain_number(text.substr(dot + 1)) : std::nullopt;
  const int64_t count = interval <= kHour ? kHour / interval : kDay / interval;
  if (!last || count < 1 || count > (interval <= kHour ? 60 : 24)) {
    return call_own_ruby(call, {"extlib", "extlib::ip_to_cron"});
  }
  if (interval <= kHour) {
    return Value::array(call.arena(), {Value::string("*"), evenly(call, count, *last % 60, 60)});
  }
  return Value::array(call.arena(),
                      {evenly(call, count, *last % 24, 24), Value::integer(*last % 60)});
}

// --- foreman ------------------------------------------------------------------------------------

// YAML with the keys of a hash as symbols. Psych knows its options by symbols, which the keys of
// hashes are not, so they have no effect. The text is Sensitive where the argument or a value of
// it is.
Value to_symbolized_yaml(Call& call) {
  const Value data = unwrapped(call.arguments[0]);
  bool is_sensitive = call.arguments[0].is_sensitive();
  std::string text;
  try {
    if (data.is_hash()) {
      HashBuilder plain(call.arena(), data.as_hash().size);
      for (const HashEntry& entry : data.as_hash()) {
        is_sensitive = is_sensitive || entry.value.is_sensitive();
        plain.set(entry.key, unwrapped(entry.value));
      }
      text = stdlib::to_symbolized_yaml_text(call, plain.finish().as_hash());
    } else {
      text = stdlib::to_yaml_text(call, data, {});
    }
  } catch (const stdlib::NeedsRubysYaml&) {
    return call_own_ruby(call, {"foreman", "foreman::to_symbolized_yaml"});
  }
  const Value yaml = Value::string(call.arena(), text);
  return is_sensitive ? Value::sensitive(call.arena(), yaml) : yaml;
}

// --- haproxy ------------------------------------------------------------------------------------

Value validate_ip_addr(Call& call) {
  const std::string_view text = call.arguments[0].as_string();
  if (text.find('%') != text.npos)
    return call_own_ruby(call, {"haproxy", "haproxy::validate_ip_addr"});
  std::string error;
  return Value::boolean(IpAddress::parse(text, error).has_value());
}

struct BindKey {
  int64_t address;  // -1: not an IPv4 address
  std::string_view rest;
  friend auto operator<=>(const BindKey&, const BindKey&) = default;
};

// Returns no value for keys that are left to Ruby.
std::optional<BindKey> bind_key(Value key) {
  if (!key.is_string()) return std::nullopt;
  const std::string_view text = key.as_string();
  if (text.find('\n') != text.npos) return std::nullopt;
  int64_t address = 0;
  size_t at = 0;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && (at == text.size() || text[at++] != '.')) return BindKey{-1, text};
    const size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == start) return BindKey{-1, text};
    constexpr size_t kMostDigits = 9;
    if (at - start > kMostDigits) return std::nullopt;
    int64_t number = 0;
    for (const char c : text.substr(start, at - start)) number = number * 10 + (c - '0');
    address = (address << 8) + number;
  }
  return BindKey{address, text.substr(at)};
}

Value sort_bind(Call& call) {
  std::vector<std::pair<BindKey, HashEntry>> all;
  const auto in_ruby = [&] { return call_own_ruby(call, {"haproxy", "haproxy::sort_bind"}); };
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    const auto key = bind_key(entry.key);
    if (!key) return in_ruby();
    all.emplace_back(*key, entry);
  }
  const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::ranges::sort(all, by_key);
  // Ruby's sort leaves equal elements in an order of its own.
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::ranges::adjacent_find(all, same) != all.end()) return in_ruby();
  ArrayBuilder result(call.arena(), all.size());
  for (const auto& [key, entry] : all) {
    result.push(Value::array(call.arena(), {entry.key, entry.value}));
  }
  return result.finish();
}

// --- k8s ----------------------------------------------------------------------------------------

std::string with_hyphens(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, '_', '-');
  return result;
}

// Returns no value for a value without a text form.
std::optional<std::string> argument_text(Value value, Nesting& nesting) {
  const NestingGuard guard(nesting, "A value");
  if (value.is_string() || value.is_integer() || value.is_float() || value.is_boolean()) {
    return text_of(value);
  }
  std::string text;
  bool is_first = true;
  const auto add = [&](Value item, const std::string& start) {
    const auto inner = argument_text(item, nesting);
    if (!inner) return false;
    if (!std::exchange(is_first, false)) text += ',';
    text += start + *inner;
    return true;
  };
  if (value.is_array()) {
    for (const Value item : value.as_array()) {
      if (!add(item, "")) return std::nullopt;
    }
    return text;
  }
  if (!value.is_hash()) return std::nullopt;
  for (const HashEntry& entry : value.as_hash()) {
    if (!entry.key.is_string()) return std::nullopt;
    if (!add(entry.value, with_hyphens(entry.key.as_string()) + "=")) return std::nullopt;
  }
  return text;
}

Value format_arguments(Call& call) {
  ArrayBuilder result(call.arena());
  Nesting nesting;
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    if (entry.value.is_undef()) continue;
    const auto text = argument_text(entry.value, nesting);
    if (!text) return call_own_ruby(call, {"k8s", "k8s::format_arguments"});
    result.push(Value::string(call.arena(),
                              fmt::format("--{}={}", with_hyphens(entry.key.as_string()), *text)));
  }
  return result.finish();
}

// --- memcached ----------------------------------------------------------------------------------

// Converts "7.78 GiB" to bytes, without the fraction.
std::optional<int64_t> bytes_of(Value size) {
  if (!size.is_string()) return std::nullopt;
  const std::string_view text = size.as_string();
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  if (end == 0 || end > 12 || std::ranges::count(text.substr(0, end), '.') > 1 ||
      !is_digit(text[0]) || !is_digit(text[end - 1])) {
    return std::nullopt;
  }
  const double number = std::strtod(std::string(text.substr(0, end)).c_str(), nullptr);
  const size_t unit = text.find_first_not_of(' ', end);
  constexpr std::string_view kUnits = "kMGT";
  const size_t power = unit == text.npos ? kUnits.npos : kUnits.find(text[unit]);
  if (power == kUnits.npos) return std::nullopt;
  return static_cast<int64_t>(number * static_cast<double>(int64_t{1} << (10 * (power + 1))));
}

Value max_memory(Call& call) {
  const Value argument = call.arguments[0];
  if (argument.is_integer()) return argument;
  const std::string_view text = argument.is_string() ? argument.as_string() : "95%";
  const auto number =
      plain_number(text.substr(0, text.ends_with('%') ? text.size() - 1 : text.size()));
  const bool is_plain = (argument.is_undef() || argument.is_string()) && number;
  if (is_plain && !text.ends_with('%')) return Value::integer(*number);
  const auto bytes = is_plain ? bytes_of(fact(call, {"memorysize"})) : std::nullopt;
  if (!bytes) return call_own_ruby(call, {"memcached", "memcached::max_memory"});
  const double share = static_cast<double>(*number) / 100.0;
  const int64_t megabytes = *bytes / (1 << 20);
  return Value::integer(static_cast<int64_t>(std::floor(static_cast<double>(megabytes) * share)));
}

// --- mongodb ------------------------------------------------------------------------------------

// The module makes the digest in a file of its own, which is known by its text.
bool is_known_md5er(std::string_view text) {
  return text.find("Digest::MD5.hexdigest(\"#{username}:mongo:#{password}\")") != text.npos;
}

Value mongodb_password(Call& call) {
  ModuleHost* modules = call.evaluator.host().modules;
  const auto directory = modules == nullptr ? std::nullopt : modules->module_directory("mongodb");
  const std::string path =
      directory ? join_path(*directory, "lib/puppet/util/mongodb_md5er.rb") : "";
  if (!directory || !exists(path) || !is_known_md5er(modules->read(path))) {
    return call_own_ruby(call, {"mongodb", "mongodb_password"});
  }
  const std::string text = std::string(call.arguments[0].as_string()) +
                           ":mongo:" + std::string(unwrapped(call.arguments[1]).as_string());
  const Value digest = Value::string(call.arena(), digest_hex(DigestAlgorithm::kMd5, text));
  return call.argument(2).is_truthy() ? Value::sensitive(call.arena(), digest) : digest;
}

// --- php ----------------------------------------------------------------------------------------

// Returns the argument. Values of a type other than the function's return type are left to the
// module's code, which fails.
Value as_it_is(Call& call) {
  const Value value = call.arguments[0];
  const bool is_text = value.is_array()
                           ? std::ranges::all_of(value.as_array(), &Value::is_string)
                           : std::ranges::all_of(value.as_hash(), [](const HashEntry& entry) {
                               return entry.key.is_string();
                             });
  return is_text ? value : call_own_ruby(call, {"php", "php::ensure_prefix"});
}

Value prefixed(Call& call, Value value) {
  const std::string text = text_of(value);
  const std::string_view prefix = call.arguments[1].as_string();
  return Value::string(call.arena(), text.starts_with(prefix) ? text : std::string(prefix) + text);
}

Value ensure_prefix_of_items(Call& call) {
  ArrayBuilder result(call.arena(), call.arguments[0].as_array().size());
  for (const Value item : call.arguments[0].as_array()) result.push(prefixed(call, item));
  return result.finish();
}

Value ensure_prefix_of_keys(Call& call) {
  HashBuilder result(call.arena());
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    result.set(prefixed(call, entry.key), entry.value);
  }
  return result.finish();
}

// --- puppetdb -----------------------------------------------------------------------------------

Value create_subsetting_resource_hash(Call& call) {
  if (!call.arguments[1].is_hash()) {
    return call_own_ruby(call, {"puppetdb", "puppetdb::create_subsetting_resource_hash"});
  }
  HashBuilder result(call.arena());
  for (const HashEntry& entry : call.arguments[0].as_hash()) {
    HashBuilder parameters(call.arena());
    parameters.set("subsetting", entry.key);
    parameters.set("value", entry.value.is_truthy() ? entry.value : Value::string(""));
    parameters.set_all(call.arguments[1].as_hash());
    result.set(Value::string(call.arena(), "'" + text_of(entry.key) + "'"), parameters.finish());
  }
  return result.finish();
}

Value flatten_java_args(Call& call) {
  std::string text = "\"";
  if (!call.arguments.empty()) {
    for (const HashEntry& entry : call.arguments[0].as_hash()) {
      if (text.size() > 1) text += ' ';
      text += text_of(entry.key) + text_of(entry.value);
    }
  }
  return Value::string(call.arena(), text + "\"");
}

// --- redis --------------------------------------------------------------------------------------

Value getvar_emptystring(Call& call) {
  const Value name = call.argument(0);
  const bool is_plain = call.arguments.size() == 1 && name.is_string() &&
                        !name.as_string().empty() && !is_digit(name.as_string()[0]) &&
                        consists_of(name.as_string(), "_:");
  if (!is_plain) return call_own_ruby(call, {"redis", "getvar_emptystring", true});
  const Value value = call.evaluator.look_up_variable(name.as_string(), call.scope);
  return value.is_undef() ? Value::string("") : value;
}

constexpr Overload kConvertProcesses[] = {{"(Any $p0)", collectd_convert_processes}};
constexpr Overload kDockerEnv[] = {{"(Array $args) >> Array", docker_env}};
constexpr Overload kDockerRunFlags[] = {{"(Any *$args)", docker_run_flags}};
constexpr Overload kCacheData[] = {
    {"(String[1] $namespace, String[1] $name, Any $initial_data) >> Any", cache_data}};
constexpr Overload kHasModule[] = {
    {"(Pattern[/\\A\\w+[-\\/]\\w+\\z/] $module_name) >> Boolean", has_module}};
constexpr Overload kMongodbPassword[] = {
    {"(String[1] $username, Variant[String[1], Sensitive[String[1]]] $password, "
     "Boolean $sensitive = default) >> Variant[String, Sensitive[String]]",
     mongodb_password}};
constexpr Overload kToSymbolizedYaml[] = {
    {"(Any $data, Hash $options = default)", to_symbolized_yaml}};
constexpr Overload kRandomPassword[] = {{"(Integer[1] $length) >> String", random_password}};
constexpr Overload kIpToCron[] = {{"(Integer[1] $runinterval = default) >> Array", ip_to_cron}};
constexpr Overload kValidateIpAddr[] = {{"(String $virtual_ip) >> Boolean", validate_ip_addr}};
constexpr Overload kSortBind[] = {{"(Hash $bind) >> Array", sort_bind}};
constexpr Overload kFormatArguments[] = {
    {"(Hash[String, Data] $arguments) >> Array[String]", format_arguments}};
constexpr Overload kMaxMemory[] = {{"(Any $arg) >> Integer", max_memory}};
constexpr Overload kEnsurePrefix[] = {
    {"(Variant[Array, Hash] $enumerable, Variant[Undef, String[0, 0]] $prefix) >> "
     "Variant[Array[String], Hash[String, Any]]",
     as_it_is},
    {"(Array $array, String[1] $prefix) >> Array[String]", ensure_prefix_of_items},
    {"(Hash $hash, String[1] $prefix) >> Hash[String, Any]", ensure_prefix_of_keys}};
constexpr Overload kSubsettings[] = {
    {"(Hash $java_args, Any $params)", create_subsetting_resource_hash}};
constexpr Overload kFlattenJavaArgs[] = {
    {"(Hash $java_args = default) >> String", flatten_java_args}};
constexpr Overload kSimplibLookup[] = {{"(String $param, Any $options = default)", simplib_lookup}};
constexpr Overload kGetvarEmptystring[] = {{"(Any *$args)", getvar_emptystring}};

constexpr NativeFunctionInfo kServiceFunctions[] = {
    {"collectd_convert_processes", kConvertProcesses, "Names of processes as a hash of them.",
     "collectd_convert_processes(['sshd'])", true},
    {"docker::env", kDockerEnv, "The array that it is given.", "docker::env(['a=b'])"},
    {"docker_run_flags", kDockerRunFlags, "The flags of `docker run`, from a hash of options.",
     "docker_run_flags({ 'memory_limit' => '1g', 'extra_params' => [] })", true},
    {"extlib::cache_data", kCacheData, "A value that a file on the server keeps, or makes it.",
     "notify { extlib::cache_data('app', 'password', 'secret'): }"},
    {"extlib::has_module", kHasModule, "Is there a module of this full name?",
     "extlib::has_module('puppetlabs-stdlib')"},
    {"mongodb_password", kMongodbPassword, "The digest by which MongoDB knows a password.",
     "notify { mongodb_password('user', 'password'): }"},
    {"extlib::random_password", kRandomPassword, "A random text of letters and digits.",
     "extlib::random_password(10).length"},
    {"extlib::ip_to_cron", kIpToCron, "Hours and minutes for a job, by the node's address.",
     "notify { \"at minute ${extlib::ip_to_cron()[1]}\": }"},
    {"foreman::to_symbolized_yaml", kToSymbolizedYaml,
     "YAML text, with the keys of a hash as symbols.",
     "foreman::to_symbolized_yaml({ 'server' => 'a.example.com' })"},
    {"haproxy::validate_ip_addr", kValidateIpAddr, "Is the text an address?",
     "haproxy::validate_ip_addr('10.0.0.1')"},
    {"haproxy::sort_bind", kSortBind, "Addresses with ports in their order.",
     "haproxy::sort_bind({ '10.0.0.2:80' => [], '10.0.0.1:80' => [] })"},
    {"k8s::format_arguments", kFormatArguments, "Arguments of a program from a hash.",
     "k8s::format_arguments({ 'log_level' => 2 })"},
    {"memcached::max_memory", kMaxMemory, "Megabytes, or a share of the node's memory in them.",
     "memcached::max_memory(512)"},
    {"php::ensure_prefix", kEnsurePrefix, "Texts or keys that begin with a prefix.",
     "php::ensure_prefix(['a', 'php-b'], 'php-')"},
    {"puppetdb::create_subsetting_resource_hash", kSubsettings,
     "Resources for the arguments of a Java program.",
     "puppetdb::create_subsetting_resource_hash({ '-Xmx' => '1g' }, {})"},
    {"puppetdb::flatten_java_args", kFlattenJavaArgs, "Arguments of a Java program in one text.",
     "puppetdb::flatten_java_args({ '-Xmx' => '1g' })"},
    {"simplib::lookup", kSimplibLookup,
     "A parameter of a declared class, a variable of the top scope, or what `lookup` finds.",
     "simplib::lookup('app::port', { 'default_value' => 80 })"},
    {"getvar_emptystring", kGetvarEmptystring, "A variable's value, or an empty text.",
     "getvar_emptystring('facts')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> service_functions() {
  return kServiceFunctions;
}

}  // namespace bunraku::modules
