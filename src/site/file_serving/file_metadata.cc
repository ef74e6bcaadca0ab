#include "site/file_serving/file_metadata.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "base/system/checksum_cache.h"
#include "base/system/file_reader.h"
#include "base/text/digest.h"
#include "site/file_serving/failure.h"

namespace bunraku {
namespace {

constexpr std::array<std::string_view, 12> kChecksumTypes = {
    "sha256", "sha256lite", "md5",    "md5lite", "sha1",  "sha1lite",
    "sha512", "sha384",     "sha224", "mtime",   "ctime", "none"};
// The bytes that checksums of the kinds "lite" cover.
constexpr size_t kLiteSize = 512;
constexpr int64_t kDefaultMode = 0644;

[[noreturn]] void fail_with(int error, std::string_view call, const std::string& path) {
  fail_to_serve(fmt::format("{} @ {} - {}", std::strerror(error), call, path));
}

struct stat status_of(const std::string& path, bool follows_links) {
  struct stat status;
  const int error = file_status(path, follows_links, status);
  if (error != 0) fail_with(error, follows_links ? "rb_file_s_stat" : "rb_file_s_lstat", path);
  return status;
}

// "2026-11-22 13:17:17 +0000", in the local time zone.
std::string time_text(const timespec& time) {
  std::tm parts{};
  ::localtime_r(&time.tv_sec, &parts);
  char text[64];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &parts);
  return std::string(text, length);
}

// Reads regular files only: a link may lead to a pipe or device that never ends.
std::string digest_of_file(DigestAlgorithm algorithm, const std::string& path, bool is_lite,
                           bool is_no_device) {
  Digester digester(algorithm);
  std::array<char, 65536> buffer;
  const std::span<char> part = is_lite ? std::span(buffer).first(kLiteSize) : std::span(buffer);
  try {
    FileReader file(path, is_no_device);
    for (size_t all = 0;;) {
      const size_t count = file.read(part);
      digester.add({buffer.data(), count});
      all += count;
      // A file that grows while it is read is digested up to its original size.
      if (is_lite || count == 0 || all == file.size()) return digester.hex();
    }
  } catch (const FileError& error) {
    if (error.kind() == FileErrorKind::kOther) fail_to_serve(error.what());
    fail_to_serve(fmt::format("{} @ rb_sysopen - {}", error.reason(), path));
  }
}

DigestAlgorithm algorithm_of(std::string_view type) {
  if (type.ends_with("lite")) type.remove_suffix(4);
  if (type == "md5") return DigestAlgorithm::kMd5;
  if (type == "sha1") return DigestAlgorithm::kSha1;
  if (type == "sha224") return DigestAlgorithm::kSha224;
  if (type == "sha384") return DigestAlgorithm::kSha384;
  if (type == "sha512") return DigestAlgorithm::kSha512;
  return DigestAlgorithm::kSha256;
}

std::string known_digest(std::string_view type, const std::string& path, ChecksumCache* known,
                         bool is_no_device) {
  const auto make = [&] {
    return digest_of_file(algorithm_of(type), path, type.ends_with("lite"), is_no_device);
  };
  return known == nullptr ? make() : known->of(std::string(type), path, file_stamp(path), make);
}

// The checksum; links are followed. `is_no_device` is that of FileReader.
std::string checksum_of(std::string_view type, const std::string& path,
                        ChecksumCache* known = nullptr, bool is_no_device = false) {
  std::string sum;
  if (type == "mtime") {
    sum = time_text(status_of(path, true).st_mtim);
  } else if (type == "ctime") {
    sum = time_text(status_of(path, true).st_ctim);
  } else if (type != "none") {
    sum = known_digest(type, path, known, is_no_device);
  }
  return fmt::format("{{{}}}{}", type, sum);
}

std::string target_of(const std::string& link) {
  try {
    return link_target(link);
  } catch (const FileError& error) {
    fail_to_serve(fmt::format("{} @ rb_readlink - {}", error.reason(), link));
  }
}

void read_link(FileMetadata& metadata, const std::string& path, ChecksumCache* known) {
  metadata.type = "link";
  metadata.destination = target_of(path);
  try {
    metadata.checksum = checksum_of(metadata.checksum_type, path, known);
  } catch (const EvaluationError&) {
    // The link leads to a directory or nowhere, so there is no checksum.
  }
}

// Sets the type, and the checksum for that type.
void read_checksum(FileMetadata& metadata, mode_t mode, ChecksumCache* known) {
  const std::string path = metadata.full_path();
  switch (mode & S_IFMT) {
    case S_IFREG:
      metadata.type = "file";
      metadata.checksum = checksum_of(metadata.checksum_type, path, known, true);
      return;
    case S_IFDIR:
      // All directories get the time of the directory at which the search began.
      metadata.type = "directory";
      metadata.checksum_type = "ctime";
      metadata.checksum = checksum_of("ctime", metadata.path);
      return;
    case S_IFLNK:
      return read_link(metadata, path, known);
    case S_IFIFO:
    case S_IFSOCK:
      metadata.type = S_ISFIFO(mode) ? "fifo" : "socket";
      metadata.checksum_type = "none";
      metadata.checksum = "{none}";
      return;
    case S_IFCHR:
      fail_to_serve("Cannot manage files of type characterSpecial");
    case S_IFBLK:
      fail_to_serve("Cannot manage files of type blockSpecial");
    default:
      fail_to_serve("Cannot manage files of type unknown");
  }
}

void write_optional(JsonWriter& json, std::string_view key,
                    const std::optional<std::string>& text) {
  json.key(key);
  text ? json.string(*text) : json.null();
}

}  // namespace

std::string FileMetadata::full_path() const {
  std::string full = path;
  if (relative_path && !relative_path->empty() && *relative_path != ".") {
    full += '/' + *relative_path;
  }
  const auto is_doubled = [](char a, char b) { return a == '/' && b == '/'; };
  const auto repeated = std::ranges::unique(full, is_doubled);
  full.erase(repeated.begin(), repeated.end());
  return full;
}

std::span<const std::string_view> checksum_types() {
  return kChecksumTypes;
}

bool is_checksum_type(std::string_view name) {
  return std::ranges::find(kChecksumTypes, name) != kChecksumTypes.end();
}

FileMetadata read_file_metadata(std::string path, std::optional<std::string> relative_path,
                                const FileMetadataOptions& options) {
  FileMetadata metadata;
  metadata.path = std::move(path);
  metadata.relative_path = std::move(relative_path);
  metadata.follows_links = options.follows_links;
  metadata.checksum_type = options.checksum_type;
  const struct stat status = status_of(metadata.full_path(), options.follows_links);
  const bool has_permissions = options.has_permissions;
  metadata.owner = has_permissions ? status.st_uid : ::geteuid();
  metadata.group = has_permissions ? status.st_gid : ::getegid();
  metadata.mode = has_permissions ? status.st_mode & 07777 : kDefaultMode;
  read_checksum(metadata, status.st_mode,
                status.st_size < options.smallest_kept ? nullptr : options.checksums);
  return metadata;
}

void write_file_metadata(JsonWriter& json, const FileMetadata& metadata) {
  json.begin_object();
  json.member("path", metadata.path);
  write_optional(json, "relative_path", metadata.relative_path);
  json.member("links", metadata.follows_links ? "follow" : "manage");
  json.member("owner", metadata.owner);
  json.member("group", metadata.group);
  json.member("mode", metadata.mode);
  json.key("checksum");
  json.begin_object();
  json.member("type", metadata.checksum_type);
  write_optional(json, "value", metadata.checksum);
  json.end_object();
  json.member("type", metadata.type);
  write_optional(json, "destination", metadata.destination);
  if (!metadata.content_uri.empty()) json.member("content_uri", metadata.content_uri);
  if (!metadata.source.empty()) json.member("source", metadata.source);
  json.end_object();
}

}  // namespace bunraku
