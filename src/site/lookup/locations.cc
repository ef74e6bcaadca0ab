#include "site/lookup/locations.h"

#include <algorithm>
#include <cctype>

#include "base/system/file_system.h"
#include "base/system/glob.h"
#include "base/text/ruby_text.h"
#include "site/environment/files.h"
#include "site/lookup/interpolation.h"
#include "site/lookup/lookup.h"
#include "site/lookup/lookup_error.h"
#include "types/ruby_value_text.h"

namespace bunraku {
namespace {

std::string interpolated_text(Invocation& invocation, std::string_view text) {
  const Value value = interpolate(invocation, Value::string(text), false);
  std::string out;
  append_ruby_to_s(out, value);
  return out;
}

// Checks that a URI has only characters that are allowed in one.
void check_uri(std::string_view text) {
  constexpr std::string_view kSigns = "-._~:/?#[]@!$&'()*+,;=%";
  const bool is_uri = std::ranges::all_of(text, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kSigns.find(c) != kSigns.npos;
  });
  if (is_uri) return;
  std::string shown;
  append_ruby_inspect(shown, Value::string(text));
  fail_foreign(Issue::kInvalidLocation, {"bad URI(is not URI?): " + shown});
}

void add_path(Invocation& invocation, std::vector<ResolvedLocation>& out, std::string_view original,
              std::string path, bool skip_missing) {
  const bool is_there = invocation.lookup.files().exists(path);
  if (is_there || !skip_missing) {
    out.push_back({std::string(original), std::move(path), is_there, false});
  }
}

void add_glob(std::vector<ResolvedLocation>& out, const std::string& pattern) {
  for (std::string& path : expand_glob(pattern)) {
    if (is_file(path)) out.push_back({pattern, std::move(path), true, false});
  }
}

void add_mapped(Invocation& invocation, std::vector<ResolvedLocation>& out,
                const std::string& datadir, const HierarchyEntry& entry) {
  const Value mapped = scope_value(invocation, entry.locations[0], "mapped_path[0]");
  std::vector<Value> values;
  if (mapped.is_string()) values.push_back(mapped);
  if (mapped.is_array()) values.assign(mapped.as_array().begin(), mapped.as_array().end());
  if (mapped.is_hash()) {
    for (const HashEntry& pair : mapped.as_hash()) {
      values.push_back(Value::array(invocation.arena, {pair.key, pair.value}));
    }
  }
  if (mapped.is_string() && mapped.as_string().empty()) values.clear();
  Invocation local = invocation;
  local.local_name = entry.locations[1];
  for (const Value value : values) {
    local.local_value = value;
    add_path(invocation, out, entry.locations[2],
             join_pathname(datadir, interpolated_text(local, entry.locations[2])), false);
  }
}

}  // namespace

std::optional<std::vector<ResolvedLocation>> resolve_locations(Invocation& invocation,
                                                               const HierarchyEntry& entry,
                                                               bool skip_missing) {
  const std::string datadir =
      entry.interpolates_datadir ? interpolated_text(invocation, entry.datadir) : entry.datadir;
  if (entry.location_kind == LocationKind::kNone) return std::nullopt;
  std::vector<ResolvedLocation> out;
  Invocation location = invocation;
  location.is_location = true;
  if (entry.location_kind == LocationKind::kMappedPaths) {
    add_mapped(location, out, datadir, entry);
    return out;
  }
  for (const std::string_view declared : entry.locations) {
    std::string text = interpolated_text(location, declared);
    switch (entry.location_kind) {
      case LocationKind::kUris:
        check_uri(text);
        out.push_back({std::string(declared), std::move(text), true, true});
        break;
      case LocationKind::kGlobs:
        add_glob(out, join_pathname(datadir, text));
        break;
      default:
        if (!text.ends_with(entry.extension)) text += entry.extension;
        add_path(invocation, out, declared, join_pathname(datadir, text), skip_missing);
    }
  }
  return out;
}

}  // namespace bunraku
