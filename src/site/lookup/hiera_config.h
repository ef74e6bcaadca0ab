// hiera.yaml: what levels a hierarchy has, read and checked.
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
  kLegacyFunction,  // named by no hiera.yaml: takes nothing and gives all the data
};
// The key that names such a function in hiera.yaml: "data_hash".
std::string_view name_of(ProviderKind kind);

enum class LocationKind : uint8_t { kNone, kPaths, kGlobs, kUris, kMappedPaths };

// One entry of a hierarchy, as it is written: nothing is interpolated yet.
struct HierarchyEntry {
  std::string_view name;
  ProviderKind kind;
  std::string_view function;
  LocationKind location_kind = LocationKind::kNone;
  std::vector<std::string_view> locations;
  // What each path must end with; of hiera 3 and 4, where it is left out in the file.
  std::string extension;
  std::string datadir;
  bool interpolates_datadir = true;
  Value options;  // hash or undef
  // Why the level cannot be made; null when it can. Thrown when the levels are needed.
  std::exception_ptr failure;
};

struct HieraConfig {
  int version = 5;
  // Empty when there is no file and the defaults stand in.
  std::string path;
  // Relative directories start here.
  std::string root;
  std::vector<HierarchyEntry> hierarchy;
  std::vector<HierarchyEntry> default_hierarchy;
  bool has_default_hierarchy = false;
  // Of hiera 3: how hiera_hash merges; undef when it is "native".
  Value hiera3_merge;
  // Keeps what the views point to.
  std::shared_ptr<const DataFile> file;
};

struct HieraConfigSource {
  Layer layer;
  std::string root;  // the directory that holds hiera.yaml
  std::string path;  // of the file, which need not exist
  std::string codedir;
  std::string environment;
  bool is_strict = false;  // the setting `strict` is at error
  std::function<void(std::string message)> warn;
  // Once for each key; about the file at `path`, if that is not empty.
  std::function<void(std::string_view key, std::string message, const std::string& path)>
      warn_deprecated;
};

// Reads and checks a configuration. What it makes lives in `arena` and the file's record. Throws a
// lookup error with file and line where they are known. Null when a hiera.yaml of version 3 stands
// in a layer that cannot have one and `strict` lets it be ignored.
std::unique_ptr<HieraConfig> read_hiera_config(Arena& arena, DataFiles& files,
                                               const HieraConfigSource& source);

// The configuration that the setting "data_provider: function" of old stands for: one level, all
// the data of which `function` gives.
std::unique_ptr<HieraConfig> legacy_function_config(Arena& arena, const HieraConfigSource& source,
                                                    std::string_view function);

// Fails with the configuration's file, and with the line of the first match of `needle` (a word).
[[noreturn]] void fail_in_config(const HieraConfig& config, Issue issue,
                                 std::vector<std::string> arguments, std::string_view needle = {});

}  // namespace bunraku
