// hiera.yaml: reading and checking the levels of a hierarchy.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "site/lookup/data_files.h"
#include "values/value.h"

namespace bunraku {

enum class Layer : uint8_t { kGlobal, kEnvironment, kModule };

enum class ProviderKind : uint8_t {
  kDataHash,
  kLookupKey,
  kDataDig,
  kHiera3Backend,
  kLegacyFunction,  // not named by a hiera.yaml; takes no arguments and returns all data
};
// The key for such a function in hiera.yaml: "data_hash".
std::string_view name_of(ProviderKind kind);

enum class LocationKind : uint8_t { kNone, kPaths, kGlobs, kUris, kMappedPaths };

// One entry of a hierarchy as written, not interpolated yet.
struct HierarchyEntry {
  std::string_view name;
  ProviderKind kind;
  std::string_view function;
  LocationKind location_kind = LocationKind::kNone;
  std::vector<std::string_view> locations;
  // The required end of each path. For hiera 3 and 4, which leave it out in the file.
  std::string extension;
  std::string datadir;
  bool interpolates_datadir = true;
  Value options;  // hash or undef
  // The error that makes the level unusable; null when there is none. Thrown when the levels are
  // needed.
  std::exception_ptr failure;
};

struct HieraConfig {
  int version = 5;
  // Empty when there is no file and the defaults are used.
  std::string path;
  // The base of relative directories.
  std::string root;
  std::vector<HierarchyEntry> hierarchy;
  std::vector<HierarchyEntry> default_hierarchy;
  bool has_default_hierarchy = false;
  // For hiera 3: how hiera_hash merges; undef means "native".
  Value hiera3_merge;
  // Keeps the file alive that the views point into.
  std::shared_ptr<const DataFile> file;
};

struct HieraConfigSource {
  Layer layer;
  std::string root;  // the directory that holds hiera.yaml
  std::string path;  // the path of the file, which need not exist
  std::string codedir;
  std::string environment;
  bool is_strict = false;  // the setting `strict` is at error
  std::function<void(std::string message)> warn;
  // Warns once for each key; `path` is the file concerned, or empty.
  std::function<void(std::string_view key, std::string message, const std::string& path)>
      warn_deprecated;
};

// Reads and checks a configuration. The result lives in `arena` and the file's record. Throws a
// lookup error with file and line where they are known. Returns null for a hiera.yaml of version 3
// in a layer that cannot have one, when `strict` allows ignoring it.
std::unique_ptr<HieraConfig> read_hiera_config(Arena& arena, DataFiles& files,
                                               const HieraConfigSource& source);

// The configuration for the old setting "data_provider: function": one level, whose data `function`
// returns as a whole.
std::unique_ptr<HieraConfig> legacy_function_config(Arena& arena, const HieraConfigSource& source,
                                                    std::string_view function);

// Fails with the configuration's file, and the line of the first match of the word `needle`.
[[noreturn]] void fail_in_config(const HieraConfig& config, Issue issue,
                                 std::vector<std::string> arguments, std::string_view needle = {});

}  // namespace bunraku
