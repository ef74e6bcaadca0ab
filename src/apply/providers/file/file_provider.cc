// Reading a file, its checksum, its sources, and the files below it.
#include "apply/providers/file/file_provider.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "apply/providers/file/checksum.h"
#include "apply/providers/file/local_files.h"
#include "apply/providers/file/symbolic_mode.h"
#include "apply/transaction/catalog.h"
#include "base/system/checksum_cache.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
std::string_view file_type_name(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "file";
    case S_IFDIR:
      return "directory";
    case S_IFLNK:
      return "link";
    case S_IFIFO:
      return "fifo";
    case S_IFSOCK:
      return "socket";
    case S_IFCHR:
      return "characterSpecial";
    case S_IFBLK:
      return "blockSpecial";
    default:
      return "unknown";
  }
}

const struct stat* FileProvider::info() {
  if (!is_stat_known_) {
    is_stat_known_ = true;
    exists_ = (manages_links() ? lstat(path().c_str(), &info_) : stat(path().c_str(), &info_)) == 0;
    // Only these errors are failures. Any other error counts as a missing file.
    if (!exists_ && (errno == ELOOP || errno == ENAMETOOLONG || errno == EIO)) {
      is_stat_known_ = false;
      throw Failure::of_system(
          system_error_text(errno, manages_links() ? "rb_file_s_lstat" : "rb_file_s_stat", path()));
    }
    if (!exists_ && errno == EACCES) {
      resource_.log(LogLevel::kWarning, "Could not stat; permission denied");
    }
    if (!exists_ && errno == EINVAL) {
      resource_.log(LogLevel::kWarning, "Could not stat; invalid pathname");
    }
  }
  return exists_ ? &info_ : nullptr;
}

std::string_view FileProvider::current_type() {
  const struct stat* known = info();
  return known == nullptr ? std::string_view() : file_type_name(known->st_mode);
}

Datum FileProvider::current_checksum() {
  const std::string_view type = current_type();
  if (type.empty()) return Datum::symbol("absent");
  if (type == "directory" || type == "link" || type == "fifo" || type == "socket") return {};
  try {
    const std::string kind = checksum_type();
    if (info()->st_size < ChecksumCache::kLargeFile) {
      return Datum::string(checksum_of_file(kind, path()));
    }
    return Datum::string(known_checksum_of_file(kind, path(), resource_.context().checksums));
  } catch (const Failure& failure) {
    throw Failure(
        fmt::format("Could not read {} {}: {}", type, resource_.title(), failure.message()));
  }
}

std::function<void()> FileProvider::look_ahead() {
  struct stat status;
  const bool is_large = lstat(path().c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
                        status.st_size >= ChecksumCache::kLargeFile;
  if (!is_large) return {};
  const std::string type = checksum_type();
  if (is_time_checksum(type) || type == "none" || resource_.value("ensure").is_symbol("absent")) {
    return {};
  }
  std::vector<std::string> sources = resource_.texts("source");
  if (sources.empty() && content() == nullptr) return {};
  return [&context = resource_.context(), path = path(), sources = std::move(sources),
          query = source_query()] {
    // The order of the run does not matter here, as results are only cached.
    known_checksum_of_file(query.checksum_type, path, context.checksums);
    for (const std::string& source : sources) context.sources.look_ahead(source, query);
  };
}

bool FileProvider::should_be_file() {
  const Datum& ensure = resource_.value("ensure");
  if (ensure.is_symbol("file")) return true;
  if (ensure.is_symbol("present")) return info() == nullptr || current_type() == "file";
  if (!ensure.is_null()) return false;
  return !resource_.value("content").is_null() || current_type() == "file";
}

SourceQuery FileProvider::source_query() const {
  SourceQuery query;
  query.checksum_type = checksum_type();
  query.follows_links = !manages_links();
  query.source_permissions = resource_.text("source_permissions");
  query.is_recursive = resource_.is_true("recurse");
  const Datum& limit = resource_.value("recurselimit");
  if (!limit.is_null()) query.recursion_limit = limit.integer_value();
  query.max_files = std::atoll(resource_.text("max_files").c_str());
  query.ignored = resource_.texts("ignore");
  return query;
}

std::optional<SourceMetadata> FileProvider::find_source(const std::string& source) {
  const SourceQuery query = source_query();
  std::optional<SourceMetadata> found;
  if (const std::optional<std::string> local = local_path_of(source)) {
    try {
      // A dangling link is not a source, whatever `links` is.
      if (bunraku::exists(*local)) found = local_metadata(*local, query);
    } catch (const Failure& failure) {
      throw Failure(
          fmt::format("Could not retrieve file metadata for {}: {}", source, failure.message()));
    }
  } else {
    found = resource_.context().sources.find(source, query);
  }
  if (found) found->source = source;
  return found;
}

const SourceMetadata& FileProvider::metadata() {
  if (metadata_) return *metadata_;
  const std::vector<std::string> sources = resource_.texts("source");
  for (const std::string& source : sources) {
    metadata_ = find_source(source);
    if (metadata_) return *metadata_;
  }
  std::string list;
  for (const std::string& source : sources) {
    const std::optional<std::string> local = local_path_of(source);
    list += (list.empty() ? "" : ", ") + (local ? "file://" + *local : source);
  }
  throw Failure(fmt::format("Could not retrieve information from environment {} source(s) {}",
                            resource_.context().options.environment, list));
}

void FileProvider::copy_source_values() {
  const SourceMetadata& source = metadata();
  const bool is_managed_link = source.type == "link" && manages_links();
  if (source.type != "directory" && !is_managed_link) {
    const Datum& content = resource_.value("content");
    if (content.is_null() || content.is_symbol("absent")) {
      resource_.set_munged("content", {Datum::string(source.checksum)});
      resource_.set_munged("checksum", {Datum::symbol(source.checksum_type)});
      if (resource_.is_sensitive("source")) resource_.find("content")->is_sensitive = true;
    }
  }
  const std::string permissions = resource_.text("source_permissions");
  const bool copies_permissions =
      permissions == "use" || (permissions == "use_when_creating" && !bunraku::exists(path()));
  if (copies_permissions) {
    const bool is_root = resource_.context().host.is_root();
    if (is_root && resource_.value("owner").is_null()) {
      resource_.set("owner", Datum::integer(source.owner));
    }
    if (is_root && resource_.value("group").is_null()) {
      resource_.set("group", Datum::integer(source.group));
    }
    if (resource_.value("mode").is_null()) {
      resource_.set("mode", Datum::string(octal(static_cast<uint32_t>(source.mode))));
    }
  }
  if (resource_.value("ensure").is_symbol("absent")) return;
  if (source.type != "link") {
    resource_.set("ensure", Datum::string(source.type));
  } else if (!manages_links()) {
    resource_.set("ensure", Datum::string("present"));
  } else {
    resource_.set("ensure", Datum::string("link"));
    resource_.set("target", Datum::string(source.destination));
  }
}

std::unique_ptr<Resource> FileProvider::make_child(
    const std::string& relative_path, std::vector<std::pair<std::string, Datum>> more) {
  constexpr std::string_view kOwn[] = {"parent",    "ensure", "recurse", "recurselimit",
                                       "max_files", "target", "alias",   "source",
                                       "path",      "name",   "content"};
  ResourceData data;
  data.title = join_path(path(), relative_path);
  data.tags = resource_.tags();
  for (const auto& [name, value] : resource_.given()) {
    if (std::ranges::find(kOwn, name) == std::end(kOwn)) data.attributes.emplace_back(name, value);
  }
  for (auto& entry : more) data.attributes.push_back(std::move(entry));
  return std::make_unique<Resource>(resource_.type(), std::move(data), resource_.catalog());
}

std::vector<SourceMetadata> FileProvider::source_tree() {
  const bool takes_first = !resource_.value("sourceselect").is_symbol("all");
  std::vector<SourceMetadata> all;
  const SourceQuery query = source_query();
  for (const std::string& source : resource_.texts("source")) {
    std::optional<std::vector<SourceMetadata>> tree;
    if (const std::optional<std::string> local = local_path_of(source)) {
      if (local_metadata(*local, query)) {
        tree = local_tree(*local, query, resource_.context().log);
      }
    } else {
      tree = resource_.context().sources.list(source, query);
    }
    if (!tree) continue;
    for (SourceMetadata& file : *tree) {
      const bool is_top = file.relative_path == ".";
      if (is_top && file.type != "directory") return {};
      file.source = is_top ? source : source + "/" + file.relative_path;
      const bool is_known =
          std::ranges::find(all, file.relative_path, &SourceMetadata::relative_path) != all.end();
      if (!is_known) all.push_back(std::move(file));
    }
    if (takes_first && !all.empty()) break;
  }
  return all;
}

std::vector<std::unique_ptr<Resource>> FileProvider::children() {
  const Datum& recurse = resource_.value("recurse");
  if (!recurse.is_true()) return {};
  Children children;
  if (!recurse.is_symbol("remote")) add_children_on_disk(children);
  if (const std::string target = resource_.text("target"); !target.empty()) {
    add_children_of_target(target, children);
  } else if (has_source()) {
    add_children_of_source(children);
  }
  if (resource_.is_true("purge")) {
    for (auto& [relative, child] : children) {
      if (child->find("source") == nullptr) child->set("ensure", Datum::string("absent"));
    }
  }
  return without_managed(std::move(children));
}

std::vector<SourceMetadata> FileProvider::tree_below(const std::string& directory) {
  SourceQuery query = source_query();
  query.checksum_type = "none";
  return local_tree(directory, query, resource_.context().log);
}

void FileProvider::add_children_on_disk(Children& children) {
  for (const SourceMetadata& file : tree_below(path())) {
    if (file.relative_path == ".") continue;
    children[file.relative_path] = make_child(file.relative_path, {});
  }
}

void FileProvider::add_children_of_target(const std::string& target, Children& children) {
  for (const SourceMetadata& file : tree_below(target)) {
    if (file.relative_path == ".") {
      resource_.set("ensure", Datum::string("directory"));
      continue;
    }
    std::vector<std::pair<std::string, Datum>> more;
    if (file.type == "directory") {
      more.emplace_back("ensure", Datum::string("directory"));
    } else {
      more.emplace_back("ensure", Datum::string("link"));
      more.emplace_back("target", Datum::string(file.full_path));
    }
    children[file.relative_path] = make_child(file.relative_path, std::move(more));
  }
}

void FileProvider::add_children_of_source(Children& children) {
  for (SourceMetadata& file : source_tree()) {
    if (file.relative_path == ".") {
      set_metadata(std::move(file));
      continue;
    }
    const std::string relative = file.relative_path;
    std::unique_ptr<Resource> child =
        make_child(relative, {{"source", Datum::string(file.source)}});
    child->provider_as<FileProvider>().set_metadata(std::move(file));
    children[relative] = std::move(child);
  }
}

std::vector<std::unique_ptr<Resource>> FileProvider::without_managed(Children children) const {
  std::vector<std::string> managed;
  const std::string prefix = path() == "/" ? "/" : path() + "/";
  for (const Resource* other : resource_.catalog().resources()) {
    if (&other->type() == &resource_.type() && other != &resource_ &&
        other->name().starts_with(prefix)) {
      managed.push_back(other->name());
    }
  }
  const auto is_managed = [&](const std::string& name) {
    return std::ranges::any_of(managed, [&](const std::string& other) {
      return name == other || is_path_below(name, other);
    });
  };
  std::vector<std::unique_ptr<Resource>> result;
  for (auto& [relative, child] : children) {
    if (!is_managed(child->name())) result.push_back(std::move(child));
  }
  std::ranges::sort(result, {}, [](const auto& child) { return child->name(); });
  return result;
}

}  // namespace bunraku::apply
