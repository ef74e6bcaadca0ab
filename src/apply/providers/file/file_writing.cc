// Changes of files: contents are written to a temporary file that is renamed, permissions are set
// before contents; backups, links and directories.
#include <fcntl.h>
#include <fmt/format.h>
#include <fts.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <random>

#include "apply/providers/file/bucket.h"
#include "apply/providers/file/checksum.h"
#include "apply/providers/file/difference.h"
#include "apply/providers/file/file_provider.h"
#include "apply/providers/file/labels.h"
#include "apply/providers/file/local_backup.h"
#include "apply/providers/file/local_files.h"
#include "apply/providers/file/symbolic_mode.h"
#include "apply/transaction/bucket_server.h"
#include "apply/transaction/catalog.h"
#include "apply/transaction/execution.h"
#include "base/regex/regex.h"
#include "base/system/descriptor.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/text/replacement.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr uint32_t kDefaultMode = 0644;

// "20261122-5889-z49cdc"
std::string random_suffix() {
  const std::time_t now = std::time(nullptr);
  std::tm fields = {};
  localtime_r(&now, &fields);
  char date[16];
  std::strftime(date, sizeof date, "%Y%m%d", &fields);
  static std::random_device device;
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (int i = 0; i < 6; ++i) text += kDigits[device() % kDigits.size()];
  return fmt::format("{}-{}-{}", date, getpid(), text);
}

void write_all(int file, std::string_view data, const std::string& path) {
  const size_t size = data.size();
  while (!data.empty()) {
    const ssize_t count = write(file, data.data(), data.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      // Ruby buffers smaller data until the file is closed.
      constexpr size_t kBufferSize = 8192;
      throw Failure::of_system(
          system_error_text(errno, size < kBufferSize ? "fptr_finalize_flush" : "io_write", path));
    }
    data.remove_prefix(static_cast<size_t>(count));
  }
}

// The process that wrote a temporary file for `name`, by the temporary file's name; 0 for other
// names.
pid_t writer_of(std::string_view temporary, std::string_view name) {
  static const Regex& suffix = *Regex::compile("\\A\\d{8}-\\d{1,9}-[0-9a-z]{6}\\z");
  if (!temporary.starts_with(name)) return 0;
  temporary.remove_prefix(name.size());
  if (!is_valid_utf8(temporary) || !suffix.matches(temporary)) return 0;
  return std::atoi(std::string(temporary.substr(9)).c_str());
}

// Removes temporary files of this file that killed runs have left in its directory.
void remove_abandoned(const std::string& directory, const std::string& name) {
  // Each directory is read once: a run is a process of its own.
  static std::map<std::string, std::vector<std::string>> candidates;
  const auto [found, is_new] = candidates.try_emplace(directory);
  if (is_new) {
    std::error_code error;
    for (std::filesystem::directory_iterator place(directory, error), end; !error && place != end;
         place.increment(error)) {
      std::string file = place->path().filename().string();
      const size_t dash = file.rfind('-');
      if (dash != std::string::npos && file.size() - dash == 7 && dash > 9) {
        found->second.push_back(std::move(file));
      }
    }
  }
  for (const std::string& file : found->second) {
    const pid_t writer = writer_of(file, name);
    if (writer > 0 && kill(writer, 0) != 0 && errno == ESRCH) {
      unlink(join_path(directory, file).c_str());
    }
  }
}

// The new contents in a file without a name, where the file system supports that, so that a killed
// run leaves nothing. Removed at the end of the scope unless it has replaced the file.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& directory, const std::string& name)
      : path_(join_path(directory, name + random_suffix())) {
    remove_abandoned(directory, name);
    if (access("/proc/self/fd", X_OK) == 0) {
      file_ = Descriptor(open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    }
    if (!file_.is_open()) {
      file_ = Descriptor(
          open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
      has_name_ = file_.is_open();
    }
    if (file_.is_open()) return;
    const int error = errno;
    if (error == ENOENT) {
      throw Failure::of_system(fmt::format(
          "No such file or directory - A directory component in {}.lock does not exist or is a "
          "dangling symbolic link",
          path_));
    }
    throw Failure::of_system(system_error_text(error, "dir_s_mkdir", path_ + ".lock"));
  }
  ~TemporaryFile() {
    if (has_name_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // The path for messages; a file exists there after give_name().
  const std::string& path() const { return path_; }
  int descriptor() const { return file_.number(); }

  void give_name() {
    if (has_name_) return;
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor());
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      throw Failure::of_system(system_error_text(errno, "rb_sysopen", path_));
    }
    has_name_ = true;
  }

  void rename_to(const std::string& path) {
    give_name();
    if (rename(path_.c_str(), path.c_str()) != 0) {
      if (errno == EISDIR) {
        throw Failure::of_system(fmt::format("Is a directory - Is a directory: {}", path));
      }
      throw Failure::of_system(
          fmt::format("{} @ rb_file_s_rename - ({}, {})", std::strerror(errno), path_, path));
    }
    has_name_ = false;
  }

 private:
  std::string path_;
  Descriptor file_;
  bool has_name_ = false;
};

// Removes a directory with its contents; does not follow links.
void remove_tree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) throw Failure::of_system(system_error_text(error.value(), "apply2files", path));
}

}  // namespace

std::optional<uint32_t> FileProvider::wanted_mode(uint32_t current, bool is_directory) {
  const Datum& mode = resource_.value("mode");
  if (mode.is_null()) return std::nullopt;
  return mode_bits(mode.text(), current, is_directory);
}

// The number of the desired owner or group; no value when none is set, or it is not known yet.
std::optional<uint32_t> FileProvider::wanted_id(std::string_view property) {
  const Datum& value = resource_.value(property);
  if (value.is_null()) return std::nullopt;
  if (value.is_integer()) return static_cast<uint32_t>(value.integer_value());
  return property == "owner" ? user_id(value.to_text()) : group_id(value.to_text());
}

void FileProvider::each_piece(const std::function<void(std::string_view)>& take) {
  if (has_source()) {
    const SourceMetadata& source = metadata();
    const std::string path =
        source.full_path.empty() ? local_path_of(source.source).value_or("") : source.full_path;
    if (path.empty()) return resource_.context().sources.read(source, take);
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) throw Failure::of_system(system_error_text(errno, "rb_sysopen", path));
    std::string buffer(size_t{128} * 1024, '\0');
    while (true) {
      const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw Failure::of_system(system_error_text(errno, "io_fread", path));
      if (count == 0) return;
      take({buffer.data(), static_cast<size_t>(count)});
    }
  }
  if (content_) return take(*content_);
  const Datum& wanted = resource_.value("content");
  if (!wanted.is_string() || !is_checksum(wanted.text())) return;
  // A checksum refers to contents in a bucket.
  if (!resource_.value("backup").is_string() || resource_.text("backup").starts_with('.')) {
    throw Failure(fmt::format(
        "Could not retrieve content for {} from filebucket: Could not get filebucket from file",
        wanted.text()));
  }
  const RunOptions& options = resource_.context().options;
  const Bucket bucket(options.client_bucket_directory, options.digest_algorithm);
  const std::optional<std::string> kept = bucket.contents(checksum_data_of(wanted.text()));
  if (!kept) {
    throw Failure(
        fmt::format("Could not retrieve content for {} from filebucket: not found", wanted.text()));
  }
  take(*kept);
}

bool FileProvider::checks_value() const {
  if (resource_.value("checksum_value").is_null()) return false;
  return has_source() || std::ranges::any_of(resource_.given(), [](const auto& attribute) {
           return attribute.first == "checksum";
         });
}

std::string FileProvider::desired_checksum() {
  const std::string type = checksum_type();
  if (type == "none" || is_time_checksum(type)) return {};
  if (checks_value()) {
    return fmt::format("{{{}}}{}", type, resource_.value("checksum_value").to_text());
  }
  if (has_source()) {
    const SourceMetadata& source = metadata();
    return source.checksum_type == "none" || is_time_checksum(source.checksum_type)
               ? std::string()
               : source.checksum;
  }
  return content_ ? checksum_of_text(type, *content_) : std::string();
}

void FileProvider::write(bool has_contents) {
  remove_existing("file");
  const std::optional<uint32_t> mode = wanted_mode(kDefaultMode, false);
  const bool is_given = has_source() || content_ || resource_.value("content").is_string();
  if (has_contents && is_given) {
    replace(mode);
  } else {
    write_in_place(mode, has_contents);
  }
  fix_permissions();
}

void FileProvider::replace(std::optional<uint32_t> mode) {
  const std::string staging = resource_.text("staging_location");
  const std::string directory = staging.empty() ? std::string(parent_directory(path())) : staging;
  TemporaryFile file(directory, std::string(file_name_of(path())));
  // Permissions are set before contents, so that nobody can read contents that the final mode
  // protects.
  struct stat old = {};
  const bool is_there = lstat(path().c_str(), &old) == 0;
  const bool is_root = resource_.context().host.is_root();
  uid_t owner = is_there ? old.st_uid : static_cast<uid_t>(-1);
  gid_t group = is_there ? old.st_gid : static_cast<gid_t>(-1);
  if (is_root) {
    owner = wanted_id("owner").value_or(owner);
    group = wanted_id("group").value_or(group);
  }
  if (fchown(file.descriptor(), owner, group) != 0 && is_root) {
    throw Failure::of_system(system_error_text(errno, "apply2files", file.path()));
  }
  ChecksumStream sum(is_time_checksum(checksum_type()) ? "sha256" : checksum_type());
  each_piece([&](std::string_view piece) {
    sum.add(piece);
    write_all(file.descriptor(), piece, file.path());
  });
  const std::string wanted = desired_checksum();
  const std::string written = sum.finish();
  if (!wanted.empty() && wanted != written) {
    throw Failure(fmt::format(
        "File written to disk did not match desired checksum; discarding changes ({} vs {})",
        written, wanted));
  }
  const uint32_t bits = is_there && S_ISREG(old.st_mode)
                            ? wanted_mode(old.st_mode & 07777, false).value_or(old.st_mode & 07777)
                        : is_there ? (old.st_mode & 07777)
                                   : mode.value_or(kDefaultMode);
  if (fchmod(file.descriptor(), bits & 07777) != 0 || fsync(file.descriptor()) != 0) {
    throw Failure::of_system(system_error_text(errno, "apply2files", file.path()));
  }
  file.give_name();
  label(file.descriptor(), file.path());
  validate_written(file.path());
  file.rename_to(path());
}

// Sets the desired parts of a new file's label before the file gets its path.
void FileProvider::label(int descriptor, const std::string& temporary) {
  std::optional<std::string> now;
  std::string wanted;
  for (const Attribute* property : resource_.properties()) {
    if (!property->name().starts_with("sel") || !property->has_value()) continue;
    if (!now) {
      if (!has_labels() || !can_be_labelled(temporary)) return;
      now = label_of(temporary);
      if (!now) return;
      wanted = *now;
    }
    wanted = with_part(wanted, property->name(), property->values.front().to_text());
  }
  if (now && wanted != *now) set_label(descriptor, wanted);
}

void FileProvider::write_in_place(std::optional<uint32_t> mode, bool has_contents) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (manages_links() ? O_NOFOLLOW : 0);
  const mode_t old_mask = umask(mode ? 0 : 022);
  const Descriptor file(open(path().c_str(), flags, mode.value_or(0666)));
  const int error = errno;
  umask(old_mask);
  if (!file.is_open()) throw Failure::of_system(system_error_text(error, "rb_sysopen", path()));
  if (has_contents) {
    each_piece([&](std::string_view piece) { write_all(file.number(), piece, path()); });
  }
}

void FileProvider::validate_written(const std::string& written) {
  const Datum& command = resource_.value("validate_cmd");
  if (command.is_null()) return;
  ExecutionRequest request;
  request.line = replaced(command.to_text(), resource_.text("validate_replacement"), written);
  execute(request);
}

void FileProvider::make_directory() {
  const std::string parent(parent_directory(path()));
  if (!bunraku::exists(parent)) {
    throw Failure(
        fmt::format("Cannot create {}; parent directory {} does not exist", path(), parent));
  }
  const std::optional<uint32_t> mode = wanted_mode(0755, true);
  const mode_t old_mask = umask(mode ? 0 : 022);
  if (!mode) umask(old_mask);
  const int failed = mkdir(path().c_str(), mode.value_or(0777));
  const int error = errno;
  if (mode) umask(old_mask);
  if (failed != 0) throw Failure::of_system(system_error_text(error, "dir_s_mkdir", path()));
  fix_permissions();
}

void FileProvider::make_link(const std::string& target) {
  remove_existing("link");
  if (bunraku::exists(path())) throw Failure("Could not remove existing file");
  // The reference changes to the directory first, and its error names that step.
  const std::string parent(parent_directory(path()));
  const Descriptor directory(open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open() || access(parent.c_str(), X_OK) != 0) {
    throw Failure::of_system(system_error_text(errno, "dir_chdir", parent));
  }
  if (symlink(target.c_str(), path().c_str()) != 0) {
    throw Failure::of_system(
        fmt::format("{} @ rb_file_s_symlink - ({}, {})", std::strerror(errno), target, path()));
  }
  fix_permissions();
}

void FileProvider::back_up() {
  const Datum& backup = resource_.value("backup");
  if (!backup.is_string() || !bunraku::exists(path())) return;
  const std::string& name = backup.text();
  if (name.starts_with('.')) {
    copy_beside(path(), path() + name, resource_.context().host.is_root());
    return;
  }
  const RunOptions& options = resource_.context().options;
  std::string directory = options.client_bucket_directory;
  std::string server;
  if (const Resource* bucket = resource_.catalog().find("filebucket", name)) {
    directory = bucket->value("path").is_true() ? bucket->text("path") : std::string();
    server = bucket->text("server");
    if (const std::string port = bucket->text("port"); !server.empty() && !port.empty()) {
      server += ":" + port;
    }
  }
  auto* const remote = dynamic_cast<BucketServer*>(&resource_.context().sources);
  if (directory.empty() && remote == nullptr) {
    throw Failure(fmt::format("Filebucket {} is on a server, which only an agent can use", name));
  }
  const auto keep = [&](const std::string& file) {
    std::string sum;
    resource_.context().log.log(LogLevel::kInfo,
                                fmt::format("Computing checksum on file {}", file));
    if (directory.empty()) {
      std::string contents;
      try {
        contents = read_file(file);
      } catch (const FileError& error) {
        throw Failure::of_system(error.what());
      }
      sum = checksum_data_of(checksum_of_text(options.digest_algorithm, contents));
      remote->keep(server, file, options.digest_algorithm, sum, contents);
    } else {
      try {
        sum = Bucket(directory, options.digest_algorithm).backup(file);
      } catch (const Failure& failure) {
        const std::string message =
            fmt::format("Could not back up {}: {}", file, failure.message());
        resource_.context().log.log(LogLevel::kErr, message);
        throw Failure(message);
      }
    }
    resource_.log(LogLevel::kInfo,
                  fmt::format("Filebucketed {} to {} with sum {}", file, name, sum));
  };
  const std::string_view type = current_type();
  if (type == "file") {
    keep(path());
  } else if (type == "directory") {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator place(path(), error), end;
         !error && place != end; place.increment(error)) {
      if (place->is_regular_file() && !place->is_symlink()) keep(place->path().string());
    }
  }
}

void FileProvider::remove_existing(std::string_view wanted_type) {
  const std::string type(current_type());
  if (type.empty()) return;
  const bool is_forced = resource_.is_true("force");
  if (resource_.value("backup").is_true()) {
    if (type == "file" || type == "link" || (type == "directory" && is_forced)) {
      back_up();
    } else {
      resource_.log(LogLevel::kWarning, fmt::format("Could not back up file of type {}", type));
    }
  }
  if (wanted_type != "link" && type == wanted_type) return;
  if (type == "directory") {
    if (!is_forced) {
      resource_.log(LogLevel::kNotice, "Not removing directory; use 'force' to override");
      return;
    }
    resource_.debug(
        fmt::format("Removing existing directory for replacement with {}", wanted_type));
    remove_tree(path());
  } else if (type == "link" || type == "file" || type == "fifo" || type == "socket") {
    resource_.debug(fmt::format("Removing existing {} for replacement with {}", type, wanted_type));
    if (unlink(path().c_str()) != 0) {
      throw Failure::of_system(system_error_text(errno, "apply2files", path()));
    }
  } else {
    throw Failure(fmt::format("Could not remove files of type {}", type));
  }
  forget_stat();
}

void FileProvider::set_owner(uint32_t owner) {
  const int flags = manages_links() ? AT_SYMLINK_NOFOLLOW : 0;
  if (fchownat(AT_FDCWD, path().c_str(), owner, static_cast<gid_t>(-1), flags) != 0) {
    throw Failure(fmt::format("Failed to set owner to '{}': {}", owner,
                              system_error_text(errno, "apply2files", path())));
  }
}

void FileProvider::set_group(uint32_t group) {
  const int flags = manages_links() ? AT_SYMLINK_NOFOLLOW : 0;
  if (fchownat(AT_FDCWD, path().c_str(), static_cast<uid_t>(-1), group, flags) != 0) {
    throw Failure(fmt::format("Failed to set group to '{}': {}", group,
                              system_error_text(errno, "apply2files", path())));
  }
}

void FileProvider::set_mode(uint32_t mode) {
  // A descriptor is used, so that a link placed there meanwhile is not followed.
  const int flags = O_PATH | O_CLOEXEC | (manages_links() ? O_NOFOLLOW : 0);
  const Descriptor file(open(path().c_str(), flags));
  struct stat now = {};
  const bool is_open = file.is_open() && fstat(file.number(), &now) == 0 && !S_ISLNK(now.st_mode);
  const std::string self = fmt::format("/proc/self/fd/{}", file.number());
  if (!is_open || chmod(self.c_str(), mode & 07777) != 0) {
    // The reference's message names the present mode.
    throw Failure(fmt::format("failed to set mode {:04o} on {}: {}", now.st_mode & 07777, path(),
                              system_error_text(errno, "apply2files", path())));
  }
}

void FileProvider::fix_permissions() {
  const ResourceType& type = resource_.type();
  for (Attribute* property : resource_.properties()) {
    const std::string_view name = property->name();
    const bool is_permission =
        name == "owner" || name == "group" || name == "mode" || name.starts_with("sel");
    if (!is_permission || !property->has_value()) continue;
    forget_stat();
    const Datum current = type.retrieve(resource_, *property);
    if (!type.is_in_sync(resource_, *property, current)) type.sync(resource_, *property);
  }
}

void FileProvider::show_difference() {
  const RunOptions& options = resource_.context().options;
  if (!options.show_diff || !resource_.is_true("show_diff")) return;
  const Attribute* content = resource_.find("content");
  const bool is_sensitive =
      (content != nullptr && content->is_sensitive) || resource_.is_sensitive("source");
  const LogLevel level = resource_.log_level();
  if (!resource_.context().log.takes(level)) return;
  if (is_sensitive) {
    resource_.log_property(level, "content", "[diff redacted]", true);
    return;
  }
  TemporaryFile file("/tmp", "puppet-file");
  each_piece([&](std::string_view piece) { write_all(file.descriptor(), piece, file.path()); });
  file.give_name();
  resource_.log_property(level, "content", "\n" + file_difference(options, path(), file.path()),
                         true);
}

}  // namespace bunraku::apply
