#include "catalog/compiler/static_catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "catalog/compiler/catalog.h"
#include "catalog/compiler/errors.h"
#include "site/file_serving/file_set.h"
#include "site/file_serving/mounts.h"
#include "site/file_serving/source_url.h"
#include "types/ruby_value_text.h"
#include "values/flattened.h"

namespace bunraku {
namespace {

bool is_text(Value value, std::string_view text) {
  return value.is_string() && value.as_string() == text;
}

[[noreturn]] void fail_attribute(Name name, std::string_view expected, Value value) {
  fail(Issue::kUnusableAttribute, {fmt::format("The value of '{}' must be {}, not {}", name.text(),
                                               expected, ruby_inspect(value))});
}

// Returns nothing when the attribute is not set, or false.
std::optional<std::string_view> word_of(const Resource& resource, Name name) {
  const Value value = resource.value_of(name);
  if (value.is_undef() || (value.is_boolean() && !value.as_boolean())) return {};
  if (!value.is_string()) fail_attribute(name, "a string", value);
  return value.as_string();
}

bool follows_links(const Resource& resource) {
  static const Name kLinks("links");
  const std::string_view links = word_of(resource, kLinks).value_or("manage");
  if (links == "manage" || links == "ignore") return false;
  if (links == "follow") return true;
  fail(Issue::kUnusableAttribute, {":links can only be set to :manage or :follow"});
}

FileMetadataOptions metadata_options(const Resource& resource, std::string_view checksum_type) {
  static const Name kChecksum("checksum");
  static const Name kSourcePermissions("source_permissions");
  FileMetadataOptions options;
  options.follows_links = follows_links(resource);
  options.checksum_type = word_of(resource, kChecksum).value_or(checksum_type);
  if (!is_checksum_type(options.checksum_type)) {
    fail(Issue::kUnusableAttribute,
         {fmt::format("Unsupported checksum type {}", options.checksum_type)});
  }
  const std::string_view permissions = word_of(resource, kSourcePermissions).value_or("ignore");
  if (permissions != "ignore" && permissions != "use" && permissions != "use_when_creating") {
    fail(Issue::kUnusableAttribute, {fmt::format("Unsupported source_permission {}", permissions)});
  }
  options.has_permissions = permissions != "ignore";
  return options;
}

// Reads a number or a string of digits. Returns nothing when the attribute is not set.
std::optional<double> number_of(const Resource& resource, Name name) {
  const Value value = resource.value_of(name);
  if (value.is_undef()) return {};
  if (value.is_integer()) return static_cast<double>(value.as_integer());
  if (value.is_float()) return value.as_float();
  if (value.is_string()) {
    const std::string_view text = value.as_string();
    if (name.text() == "max_files" && text == "-1") return -1;
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
      return std::strtod(std::string(text).c_str(), nullptr);
    }
  }
  fail_attribute(name, "a number", value);
}

FileSetOptions file_set_options(const Resource& resource) {
  static const Name kLinks("links"), kLimit("recurselimit"), kMaxFiles("max_files"),
      kIgnore("ignore");
  FileSetOptions options;
  // The metadata of a directory's files cannot have `links => ignore`, unlike that of one file.
  const std::string_view links = word_of(resource, kLinks).value_or("manage");
  if (links != "manage" && links != "follow")
    fail(Issue::kUnusableAttribute, {fmt::format("Invalid :links value '{}'", links)});
  options.follows_links = links == "follow";
  options.recursion_limit = number_of(resource, kLimit).value_or(options.recursion_limit);
  options.max_files = number_of(resource, kMaxFiles).value_or(0);
  const Value ignored = resource.value_of(kIgnore);
  if (ignored.is_undef()) return options;
  for (const Value pattern : ignored.is_array() ? ignored.as_array() : std::span(&ignored, 1)) {
    append_ruby_to_s(options.ignored.emplace_back(), pattern);
  }
  return options;
}

bool is_recursive(const Resource& resource) {
  static const Name kRecurse("recurse");
  const Value recurse = resource.value_of(kRecurse);
  return (recurse.is_boolean() && recurse.as_boolean()) || is_text(recurse, "true") ||
         is_text(recurse, "remote");
}

}  // namespace

class MetadataCollector {
 public:
  MetadataCollector(Catalog& catalog, const Mounts& mounts, const StaticCatalogOptions& options)
      : mounts_(mounts), options_(options), arena_(catalog.arena()) {}

  void add(const Resource& resource) {
    const std::vector<std::string_view> sources = sources_of(resource);
    if (sources.empty()) return;
    if (is_recursive(resource)) {
      add_directory(resource, sources);
    } else {
      add_file(resource, sources);
    }
  }

  StaticMetadata take() { return std::move(metadata_); }

 private:
  // Returns the sources without trailing slashes; empty when their metadata is not to be included.
  std::vector<std::string_view> sources_of(const Resource& resource) const {
    static const Name kEnsure("ensure"), kSource("source");
    std::vector<std::string_view> sources;
    if (is_text(resource.value_of(kEnsure), "absent")) return sources;
    const Value given = resource.value_of(kSource);
    for (const Value source : flattened(arena_, {&given, 1})) {
      if (source.is_undef()) continue;
      if (!source.is_string() || !source.as_string().starts_with("puppet:")) return {};
      sources.push_back(normalized_source(source.as_string()));
    }
    return sources;
  }

  void add_file(const Resource& resource, const std::vector<std::string_view>& sources) {
    static const Name kSource("source");
    for (const std::string_view source : sources) {
      const SourceUrl url = parse_source_url(source);
      std::optional<std::string> path = mounts_.find(url.path);
      if (!path) continue;
      FileMetadata file = read_file_metadata(std::move(*path), {},
                                             metadata_options(resource, options_.checksum_type));
      if (!is_included(url, file.full_path())) return;
      file.source = source;
      file.content_uri = content_uri(url, file.full_path());
      metadata_.files_.emplace_back(resource.title, std::move(file));
      return;
    }
    std::string shown;
    append_ruby_to_s(shown, resource.value_of(kSource));
    fail(Issue::kMissingMetadata, {shown});
  }

  void add_directory(const Resource& resource, const std::vector<std::string_view>& sources) {
    static const Name kSelect("sourceselect");
    const Value select = resource.value_of(kSelect);
    const bool takes_first = select.is_undef() || is_text(select, "first");
    std::vector<StaticMetadata::Source> found;
    for (const std::string_view source : sources) {
      const SourceUrl url = parse_source_url(source);
      const std::optional<std::string> path = mounts_.find(url.path);
      if (!path) continue;
      const std::vector<std::string> names =
          list_file_set(*path, file_set_options(resource), options_.log);
      if (!is_included(url, *path)) return;
      const auto same =
          std::ranges::find_if(found, [&](const auto& other) { return other.name == source; });
      if (same != found.end()) continue;
      found.push_back(
          {std::string(source), files_of(resource, content_uri(url, *path), *path, names)});
      if (takes_first) break;
    }
    if (!found.empty()) metadata_.directories_.emplace_back(resource.title, std::move(found));
  }

  std::vector<FileMetadata> files_of(const Resource& resource, const std::string& directory_uri,
                                     const std::string& directory,
                                     const std::vector<std::string>& names) const {
    const FileMetadataOptions options = metadata_options(resource, options_.checksum_type);
    std::vector<FileMetadata> files;
    for (const std::string& name : names) {
      FileMetadata& file = files.emplace_back(read_file_metadata(directory, name, options));
      file.content_uri = name == "." ? directory_uri : fmt::format("{}/{}", directory_uri, name);
    }
    return files;
  }

  // Only files in <environment>/*/*/files/** are included; others may change without a new version
  // of the code.
  bool is_included(const SourceUrl& url, std::string_view path) const {
    if (!url.path.starts_with("modules/")) return false;
    if (!is_path_below(path, options_.environment_directory)) return false;
    path.remove_prefix(options_.environment_directory.size() + 1);
    for (int directories = 0; directories < 2; ++directories) {
      const size_t slash = path.find('/');
      if (slash == std::string_view::npos || slash == 0) return false;
      path.remove_prefix(slash + 1);
    }
    constexpr std::string_view kFiles = "files/";
    return path.starts_with(kFiles) && path.size() > kFiles.size();
  }

  // The URL by which agents request the contents: the path within the environment.
  std::string content_uri(const SourceUrl& url, std::string_view path) const {
    const std::string plain = absolute_path(path);
    return fmt::format("puppet://{}{}{}/{}", url.server, url.port.empty() ? "" : ":", url.port,
                       std::string_view(plain).substr(options_.environment_directory.size() + 1));
  }

  const Mounts& mounts_;
  const StaticCatalogOptions& options_;
  Arena& arena_;
  StaticMetadata metadata_;
};

StaticMetadata collect_file_metadata(Catalog& catalog, const Mounts& mounts,
                                     const StaticCatalogOptions& options) {
  static const Name kFile("file");
  MetadataCollector collector(catalog, mounts, options);
  for (const Resource* resource : catalog.resources()) {
    if (resource->type_key != kFile) continue;
    if (resource->is_virtual && !resource->is_exported) continue;
    try {
      collector.add(*resource);
    } catch (const EvaluationError& error) {
      fail_at(make_diagnostic(Issue::kFileMetadataFailed, Range{}, {}, error.diagnostic()),
              resource->place);
    }
  }
  return collector.take();
}

void StaticMetadata::write(JsonWriter& json) const {
  if (!files_.empty()) {
    json.key("metadata");
    json.begin_object();
    for (const auto& [title, file] : files_) {
      json.key(title);
      write_file_metadata(json, file);
    }
    json.end_object();
  }
  if (directories_.empty()) return;
  json.key("recursive_metadata");
  json.begin_object();
  for (const auto& [title, sources] : directories_) {
    json.key(title);
    json.begin_object();
    for (const Source& source : sources) {
      json.key(source.name);
      json.begin_array();
      for (const FileMetadata& file : source.files) write_file_metadata(json, file);
      json.end_array();
    }
    json.end_object();
  }
  json.end_object();
}

std::string_view common_checksum_type(const std::vector<std::string>& agent_types) {
  for (const std::string& type : agent_types) {
    if (is_checksum_type(type))
      return *std::find(checksum_types().begin(), checksum_types().end(), type);
  }
  throw EvaluationError(make_diagnostic(Issue::kNoCommonChecksum, Range{},
                                        {fmt::format("{}", fmt::join(agent_types, ".")),
                                         fmt::format("{}", fmt::join(checksum_types(), ", :"))}),
                        ErrorKind::kError);
}

}  // namespace bunraku
