#include "site/lookup/hiera_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>

#include "base/diagnostics/file_range.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "base/text/replacement.h"
#include "site/environment/files.h"
#include "site/lookup/hiera_config_lines.h"
#include "site/lookup/lookup_error.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

// In the order of ProviderKind. The last is allowed in entries only, and messages leave it out.
constexpr std::string_view kProviderKeys[] = {"data_hash", "lookup_key", "data_dig",
                                              "hiera3_backend", "v4_data_hash"};
constexpr std::span<const std::string_view> kDefaultProviderKeys =
    std::span(kProviderKeys).first(std::size(kProviderKeys) - 1);
constexpr std::string_view kLocationKeys[] = {"path", "paths", "glob",        "globs",
                                              "uri",  "uris",  "mapped_paths"};
constexpr std::string_view kNamesOfProviders = "data_hash, lookup_key, data_dig, or hiera3_backend";
constexpr std::string_view kNamesOfLocations =
    "path, paths, glob, globs, uri, uris, or mapped_paths";

constexpr std::string_view kVersion5Type =
    "Struct[{'version' => Integer[5, 5], Optional['defaults'] => Struct[{"
    "Optional['data_hash'] => String[1], Optional['lookup_key'] => String[1], "
    "Optional['data_dig'] => String[1], Optional['datadir'] => String[1], "
    "Optional['options'] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data]}], "
    "Optional['hierarchy'] => HIERARCHY, Optional['plan_hierarchy'] => HIERARCHY, "
    "Optional['default_hierarchy'] => HIERARCHY}]";
constexpr std::string_view kHierarchyType =
    "Array[Struct[{'name' => String[1], "
    "Optional['options'] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data], "
    "Optional['data_hash'] => String[1], Optional['lookup_key'] => String[1], "
    "Optional['hiera3_backend'] => String[1], Optional['v4_data_hash'] => String[1], "
    "Optional['data_dig'] => String[1], Optional['path'] => String[1], "
    "Optional['paths'] => Array[String[1], 1], Optional['glob'] => String[1], "
    "Optional['globs'] => Array[String[1], 1], Optional['uri'] => String[1], "
    "Optional['uris'] => Array[String[1], 1], Optional['mapped_paths'] => Array[String[1], 3, 3], "
    "Optional['datadir'] => String[1]}]]";
// The start of the type; an entry for each backend's settings follows.
constexpr std::string_view kVersion3Type =
    "Struct[{Optional['version'] => Integer[3, 3], Optional['backends'] => Variant[String[1], "
    "Array[String[1]]], Optional['logger'] => String[1], Optional['merge_behavior'] => "
    "Enum['deep', 'deeper', 'native'], Optional['deep_merge_options'] => Hash[String[1], "
    "Variant[String, Boolean]], Optional['hierarchy'] => Variant[String[1], Array[String[1]]]";
constexpr std::string_view kVersion4Type =
    "Struct[{'version' => Integer[4, 4], Optional['datadir'] => String[1], "
    "Optional['hierarchy'] => Array[Struct[{'backend' => String[1], 'name' => String[1], "
    "Optional['datadir'] => String[1], Optional['path'] => String[1], "
    "Optional['paths'] => Array[String[1]]}]]}]";

// Types shared by all compilations and never freed: parsing one takes longer than checking with it.
const Type* version_5_type() {
  static Arena arena;
  static const Type* const type =
      parse_type(arena, arena.copy(replaced(kVersion5Type, "HIERARCHY", kHierarchyType)), nullptr);
  return type;
}

const Type* version_4_type() {
  static Arena arena;
  static const Type* const type = parse_type(arena, kVersion4Type, nullptr);
  return type;
}

const Value* find(Value hash, std::string_view key) {
  if (!hash.is_hash()) return nullptr;
  const Value* value = hash.as_hash().find(key);
  return value == nullptr || value->is_undef() ? nullptr : value;
}

bool includes(Value hash, std::string_view key) {
  return hash.is_hash() && hash.as_hash().find(key) != nullptr;
}

std::string_view text_of(Value hash, std::string_view key) {
  const Value* value = find(hash, key);
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

std::vector<std::string_view> texts_of(Value value) {
  std::vector<std::string_view> texts;
  if (value.is_string()) texts.push_back(value.as_string());
  if (value.is_array()) {
    for (const Value item : value.as_array()) {
      if (item.is_string()) texts.push_back(item.as_string());
    }
  }
  return texts;
}

size_t count_keys(Value hash, std::span<const std::string_view> keys) {
  return static_cast<size_t>(std::count_if(
      keys.begin(), keys.end(), [&](std::string_view key) { return includes(hash, key); }));
}

// Reads one configuration. The versions differ in their checks and in the form of an entry.
class ConfigReader {
 public:
  ConfigReader(Arena& arena, DataFiles& files, const HieraConfigSource& source)
      : arena_(arena), source_(source) {
    config_ = std::make_unique<HieraConfig>();
    config_->root = source.root;
    if (!files.exists(source.path)) return;
    config_->path = source.path;
    config_->file = files.get(source.path, DataFormat::kYaml);
    if (ReadObserver* observer = ReadObserver::current()) {
      observer->file(source.path, config_->file->digest.get());
    }
    if (!config_->file->error.empty()) {
      Diagnostic diagnostic =
          make_diagnostic(Issue::kInvalidHieraConfig, Range(), {config_->file->error});
      diagnostic.labels = config_->file->error_labels;
      throw EvaluationError(std::move(diagnostic));
    }
    data_ = config_->file->data;
    if (!data_.is_hash()) {
      source.warn(source.path +
                  ": File exists but does not contain a valid YAML hash. Falling back to Hiera "
                  "version 3 default config");
      data_ = HashBuilder(arena_).finish();
    }
  }

  std::unique_ptr<HieraConfig> read() {
    config_->version = version();
    switch (config_->version) {
      case 5:
        read_version_5();
        break;
      case 4:
        warn_of_version();
        read_version_4();
        if (source_.layer == Layer::kGlobal) {
          fail_in_config(*config_, Issue::kHieraUnsupportedVersionInGlobal, {});
        }
        break;
      case 3:
        warn_of_version();
        read_version_3();
        if (source_.layer != Layer::kGlobal && !source_.is_strict) {
          source_.warn(fmt::format(
              "hiera.yaml version 3 found at {} root was ignored\n   (file: {})",
              source_.layer == Layer::kModule ? "module" : "the environment", config_->path));
          return nullptr;
        }
        if (source_.layer != Layer::kGlobal) {
          fail_in_config(*config_, Issue::kHieraVersion3NotGlobal,
                         {source_.layer == Layer::kModule ? "a module" : "an environment"});
        }
        break;
      default:
        fail_in_config(*config_, Issue::kHieraUnsupportedVersion,
                       {std::to_string(config_->version)});
    }
    return std::move(config_);
  }

 private:
  std::string below(std::string_view path) const { return join_pathname(config_->root, path); }

  int version() const {
    if (config_->path.empty()) return 5;
    const Value* version = find(data_, "version");
    if (version == nullptr || !version->is_truthy()) return 3;
    if (version->is_integer()) return static_cast<int>(version->as_integer());
    if (version->is_float()) return static_cast<int>(version->as_float());
    return version->is_string() ? std::atoi(std::string(version->as_string()).c_str()) : 0;
  }

  void check(const Type* type) {
    if (is_instance(type, data_)) return;
    try {
      fail_wrong_type("The Lookup Configuration at '" + config_->path + "'", type, data_);
    } catch (EvaluationError& error) {
      label_key(error);
      throw;
    }
  }

  // Labels the wrong key, which is the last quoted word of the message; the reference shows no
  // place.
  void label_key(EvaluationError& error) const {
    const std::string message = error.what();
    const size_t end = message.rfind('\'');
    const size_t begin = end == std::string::npos || end == 0 ? end : message.rfind('\'', end - 1);
    if (begin == std::string::npos || begin + 1 >= end) return;
    const std::string key = message.substr(begin + 1, end - begin - 1);
    const uint32_t line = line_with_text(config_->path, key + ":");
    if (line > 0) {
      error.diagnostic().labels.push_back({range_in_file(config_->path, line), "here"});
    }
  }

  void warn_of_version() {
    source_.warn_deprecated("hiera.yaml",
                            fmt::format("{}: Use of 'hiera.yaml' version {} is deprecated. It "
                                        "should be converted to version 5",
                                        config_->path, config_->version),
                            config_->path);
  }

  // Runs `make`. An error is stored, and reported when the level is needed.
  template <typename Make>
  static void defer(HierarchyEntry& entry, Make make) {
    if (entry.failure != nullptr) return;
    try {
      make();
    } catch (const EvaluationError&) {
      entry.failure = std::current_exception();
    }
  }

  // --- version 5 ---

  void read_version_5() {
    if (data_.is_hash()) data_ = without_empty_parts({"defaults", "hierarchy"});
    if (!config_->path.empty()) {
      check(version_5_type());
    }
    const Value* defaults = find(data_, "defaults");
    defaults_ = defaults != nullptr ? *defaults : default_defaults();
    check_defaults();
    const Value* hierarchy = find(data_, "hierarchy");
    read_hierarchy(hierarchy != nullptr ? *hierarchy : default_hierarchy(), config_->hierarchy);
    if (const Value* plan_hierarchy = find(data_, "plan_hierarchy")) {
      std::vector<HierarchyEntry> only_checked;
      read_hierarchy(*plan_hierarchy, only_checked);
    }
    if (const Value* default_hierarchy = find(data_, "default_hierarchy")) {
      if (source_.layer != Layer::kModule) {
        fail_in_config(*config_, Issue::kHieraDefaultHierarchyNotInModule, {},
                       "default_hierarchy:");
      }
      config_->has_default_hierarchy = true;
      read_hierarchy(*default_hierarchy, config_->default_hierarchy);
    }
  }

  // Drops the named entries that are empty, which count as missing.
  Value without_empty_parts(std::initializer_list<std::string_view> names) {
    HashBuilder given(arena_);
    for (const HashEntry& entry : data_.as_hash()) {
      const std::string_view key = entry.key.is_string() ? entry.key.as_string() : "";
      const bool has_default = std::ranges::find(names, key) != names.end();
      if (!has_default || entry.value.is_truthy()) given.set(entry.key, entry.value);
    }
    return given.finish();
  }

  Value default_defaults() {
    HashBuilder defaults(arena_);
    defaults.set("datadir", Value::string("data"));
    defaults.set("data_hash", Value::string("yaml_data"));
    return defaults.finish();
  }

  Value default_hierarchy() {
    HashBuilder entry(arena_);
    entry.set("name", Value::string("Common"));
    entry.set("path", Value::string("common.yaml"));
    return Value::array(arena_, {entry.finish()});
  }

  void check_defaults() {
    if (count_keys(defaults_, kDefaultProviderKeys) > 1) {
      fail_in_config(*config_, Issue::kHieraMultipleDataProviderFunctionsInDefault,
                     {std::string(kNamesOfProviders)});
    }
    check_options(defaults_, [&](std::string_view key) {
      fail_in_config(*config_, Issue::kHieraDefaultOptionReservedByPuppet, {std::string(key)});
    });
  }

  template <typename Fail>
  void check_options(Value entry, Fail fail) {
    const Value* options = find(entry, "options");
    if (options == nullptr) return;
    for (const std::string_view reserved : {"path", "uri"}) {
      if (includes(*options, reserved)) fail(reserved);
    }
  }

  std::string datadir(Value entry) const {
    std::string_view own = text_of(entry, "datadir");
    if (own.empty()) own = text_of(defaults_, "datadir");
    return std::string(own.empty() ? "data" : own);
  }

  void set_provider(HierarchyEntry& entry, Value given) {
    for (const Value from : {given, defaults_}) {
      for (size_t i = 0; i < std::size(kProviderKeys); ++i) {
        if (!includes(from, kProviderKeys[i])) continue;
        entry.kind = static_cast<ProviderKind>(i);
        entry.function = text_of(from, kProviderKeys[i]);
        return;
      }
    }
  }

  void read_hierarchy(Value hierarchy, std::vector<HierarchyEntry>& out) {
    for (const Value given : hierarchy.as_array()) check_entry(given);
    for (const Value given : hierarchy.as_array()) {
      HierarchyEntry entry;
      entry.name = text_of(given, "name");
      defer(entry, [&] { check_name(entry.name, out); });
      set_provider(entry, given);
      entry.datadir = below(datadir(given));
      set_locations(entry, given);
      const Value* options = find(given, "options");
      if (options == nullptr) options = find(defaults_, "options");
      if (options != nullptr) entry.options = *options;
      out.push_back(std::move(entry));
    }
  }

  void check_entry(Value given) {
    std::string name(text_of(given, "name"));
    const size_t providers = count_keys(given, kProviderKeys);
    if (providers == 0 && count_keys(defaults_, kDefaultProviderKeys) == 0) {
      fail_in_config(*config_, Issue::kHieraMissingDataProviderFunction,
                     {std::string(kNamesOfProviders), name});
    }
    if (providers > 1) {
      fail_in_config(*config_, Issue::kHieraMultipleDataProviderFunctions,
                     {std::string(kNamesOfProviders), name});
    }
    check_backend(text_of(given, "hiera3_backend"));
    if (count_keys(given, kLocationKeys) > 1) {
      fail_in_config(*config_, Issue::kHieraMultipleLocationSpecs,
                     {std::string(kNamesOfLocations), name});
    }
    check_options(given, [&](std::string_view key) {
      fail_in_config(*config_, Issue::kHieraOptionReservedByPuppet, {std::string(key), name});
    });
  }

  void check_backend(std::string_view backend) {
    if (backend.empty()) return;
    if (source_.layer != Layer::kGlobal) {
      fail_in_config(*config_, Issue::kHieraV3BackendNotGlobal, {}, "hiera3_backend:");
    }
    if (backend == "json" || backend == "yaml" || backend == "hocon") {
      fail_in_config(*config_, Issue::kHieraV3BackendReplacedByDataHash, {std::string(backend)},
                     "hiera3_backend:");
    }
  }

  static bool has_entry(std::string_view name, const std::vector<HierarchyEntry>& entries) {
    return std::ranges::any_of(entries,
                               [&](const HierarchyEntry& entry) { return entry.name == name; });
  }

  void check_name(std::string_view name, const std::vector<HierarchyEntry>& earlier) {
    if (!has_entry(name, earlier)) return;
    // A failure keeps the text of the file alive, so one for each name is shared.
    std::exception_ptr& failure = repeated_names_[std::string(name)];
    if (failure != nullptr) std::rethrow_exception(failure);
    try {
      fail_as_repeated(Issue::kHieraHierarchyNameMultiplyDefined, name, line_with_name);
    } catch (const EvaluationError&) {
      failure = std::current_exception();
      throw;
    }
  }

  // Reports the second place and labels the first, where the file's text shows both.
  [[noreturn]] void fail_as_repeated(Issue issue, std::string_view name,
                                     uint32_t (*line_with)(const std::string&, std::string_view,
                                                           uint32_t)) {
    const uint32_t first = line_with(config_->path, name, 1);
    const uint32_t second = first == 0 ? 0 : line_with(config_->path, name, first + 1);
    const std::string first_place =
        second == 0 ? "" : " First defined at (line: " + std::to_string(first) + ")";
    fail_at_line(config_->path, second == 0 ? first : second, issue,
                 {std::string(name), first_place});
  }

  void set_locations(HierarchyEntry& entry, Value given) {
    constexpr LocationKind kKinds[] = {
        LocationKind::kPaths, LocationKind::kPaths, LocationKind::kGlobs,      LocationKind::kGlobs,
        LocationKind::kUris,  LocationKind::kUris,  LocationKind::kMappedPaths};
    for (size_t i = 0; i < std::size(kLocationKeys); ++i) {
      const Value* value = find(given, kLocationKeys[i]);
      if (value == nullptr) continue;
      entry.location_kind = kKinds[i];
      entry.locations = texts_of(*value);
      return;
    }
  }

  // --- version 4 ---

  void read_version_4() {
    data_ = without_empty_parts({"datadir", "hierarchy"});
    check(version_4_type());
    std::string_view default_datadir = text_of(data_, "datadir");
    if (default_datadir.empty()) default_datadir = "data";
    const Value* hierarchy = find(data_, "hierarchy");
    if (hierarchy == nullptr) {
      add_version_4_entry("common", "yaml", default_datadir, {"common"});
      return;
    }
    for (const Value given : hierarchy->as_array()) {
      const std::string_view name = text_of(given, "name");
      std::vector<std::string_view> paths;
      if (const Value* several = find(given, "paths"))
        paths = texts_of(*several);
      else if (includes(given, "path"))
        paths = {text_of(given, "path")};
      else
        paths = {name};
      const std::string_view own_datadir = text_of(given, "datadir");
      add_version_4_entry(name, text_of(given, "backend"),
                          own_datadir.empty() ? default_datadir : own_datadir, std::move(paths));
    }
  }

  void add_version_4_entry(std::string_view name, std::string_view backend,
                           std::string_view datadir, std::vector<std::string_view> paths) {
    HierarchyEntry entry;
    entry.name = name;
    defer(entry, [&] { check_name(name, config_->hierarchy); });
    set_data_backend(entry, backend);
    if (entry.function.empty()) {
      defer(entry, [&] {
        fail_in_config(*config_, Issue::kHieraNoProviderForBackend, {std::string(backend)},
                       backend);
      });
    }
    entry.datadir = below(datadir);
    entry.interpolates_datadir = false;
    entry.location_kind = LocationKind::kPaths;
    entry.locations = std::move(paths);
    config_->hierarchy.push_back(std::move(entry));
  }

  // Sets the function of a backend for data files; leaves it empty for other backends.
  static void set_data_backend(HierarchyEntry& entry, std::string_view backend) {
    entry.kind = ProviderKind::kDataHash;
    if (backend == "yaml") entry.function = "yaml_data";
    if (backend == "json") entry.function = "json_data";
    if (backend == "hocon") entry.function = "hocon_data";
    entry.extension = backend == "hocon" ? ".conf" : "." + std::string(backend);
  }

  // --- version 3 ---

  void read_version_3() {
    data_ = without_empty_parts(
        {"version", "backends", "hierarchy", "merge_behavior", "deep_merge_options"});
    std::vector<std::string_view> backends = {"yaml"};
    if (const Value* given = find(data_, "backends")) backends = texts_of(*given);
    check(parse_type(arena_, arena_.copy(version_3_type(backends)), nullptr));
    std::vector<std::string_view> paths = {"nodes/%{::trusted.certname}", "common"};
    if (const Value* given = find(data_, "hierarchy")) paths = texts_of(*given);
    for (std::string_view backend : backends) {
      HierarchyEntry entry;
      entry.name = backend;
      defer(entry, [&] {
        if (!has_entry(backend, config_->hierarchy)) return;
        fail_as_repeated(Issue::kHieraBackendMultiplyDefined, backend, line_with_word);
      });
      set_backend(entry, backend);
      const Value* settings = find(data_, backend);
      entry.datadir = source_.codedir + "/environments/%{::environment}/hieradata";
      const Value* datadir = settings == nullptr ? nullptr : find(*settings, "datadir");
      if (datadir != nullptr && datadir->is_truthy()) {
        defer(entry, [&] { set_datadir(entry, *datadir); });
      }
      const std::string_view extension = settings == nullptr ? "" : text_of(*settings, "extension");
      if (!extension.empty()) entry.extension = "." + std::string(extension);
      entry.location_kind = LocationKind::kPaths;
      entry.locations = paths;
      if (settings != nullptr && entry.kind == ProviderKind::kLookupKey) entry.options = *settings;
      config_->hierarchy.push_back(std::move(entry));
    }
    read_merge_behavior();
  }

  // Sets the function of a backend; an unknown one is a hiera 3 backend in Ruby.
  static void set_backend(HierarchyEntry& entry, std::string_view backend) {
    set_data_backend(entry, backend);
    if (!entry.function.empty()) return;
    const bool is_encrypted = backend == "eyaml";
    entry.kind = is_encrypted ? ProviderKind::kLookupKey : ProviderKind::kHiera3Backend;
    entry.function = is_encrypted ? "eyaml_lookup_key" : backend;
  }

  void set_datadir(HierarchyEntry& entry, Value datadir) {
    if (!datadir.is_string()) fail_no_text(datadir);
    entry.datadir = datadir.as_string();
  }

  static std::string version_3_type(const std::vector<std::string_view>& backends) {
    std::string type(kVersion3Type);
    for (const std::string_view backend : backends) {
      type += ", Optional['" + std::string(backend) + "'] => Hash[String[1], Any]";
    }
    return type + "}]";
  }

  void read_merge_behavior() {
    const std::string_view behavior = text_of(data_, "merge_behavior");
    if (behavior != "deep" && behavior != "deeper") return;
    HashBuilder merge(arena_);
    merge.set("strategy",
              Value::string(behavior == "deep" ? "reverse_deep" : "unconstrained_deep"));
    if (const Value* options = find(data_, "deep_merge_options"); options && options->is_hash()) {
      merge.set_all(options->as_hash());
    }
    config_->hiera3_merge = merge.finish();
  }

  Arena& arena_;
  const HieraConfigSource& source_;
  std::unique_ptr<HieraConfig> config_;
  std::map<std::string, std::exception_ptr> repeated_names_;
  Value data_;
  Value defaults_;
};

}  // namespace

std::string_view name_of(ProviderKind kind) {
  return kProviderKeys[static_cast<size_t>(kind)];
}

std::unique_ptr<HieraConfig> read_hiera_config(Arena& arena, DataFiles& files,
                                               const HieraConfigSource& source) {
  return ConfigReader(arena, files, source).read();
}

std::unique_ptr<HieraConfig> legacy_function_config(Arena& arena, const HieraConfigSource& source,
                                                    std::string_view function) {
  source.warn_deprecated("legacy_provider_function",
                         fmt::format("Using of legacy data provider function '{}'. Please convert "
                                     "to a 'data_hash' function",
                                     function),
                         "");
  auto config = std::make_unique<HieraConfig>();
  config->root = source.root;
  HierarchyEntry entry;
  entry.function = arena.copy(function);
  entry.name = arena.copy(fmt::format("Legacy function '{}'", function));
  entry.kind = ProviderKind::kLegacyFunction;
  entry.datadir = source.root + "/data";
  config->hierarchy.push_back(std::move(entry));
  return config;
}

void fail_in_config(const HieraConfig& config, Issue issue, std::vector<std::string> arguments,
                    std::string_view needle) {
  fail_at_line(config.path, needle.empty() ? 0 : line_with_text(config.path, needle), issue,
               std::move(arguments));
}

}  // namespace bunraku
