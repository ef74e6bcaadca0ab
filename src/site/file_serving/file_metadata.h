// The metadata of a file, which an agent requests before the contents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

class ChecksumCache;
class JsonWriter;

struct FileMetadata {
  std::string path;
  // relative to `path`, set for entries of a directory that is listed as a whole
  std::optional<std::string> relative_path;
  bool follows_links = false;
  int64_t owner = 0;
  int64_t group = 0;
  int64_t mode = 0;
  std::string checksum_type;
  std::optional<std::string> checksum;     // "{sha256}…"; no value for a dangling link
  std::string type;                        // "file", "directory", "link", "fifo", "socket"
  std::optional<std::string> destination;  // for links
  std::string content_uri;                 // empty: none
  std::string source;                      // empty: none

  std::string full_path() const;
};

struct FileMetadataOptions {
  bool follows_links = false;
  // One of checksum_types().
  std::string_view checksum_type;
  // Report the owner, group and mode of the file; otherwise those of this process, and 0644.
  bool has_permissions = false;
  // Cached checksums, or null; must outlive the call.
  ChecksumCache* checksums = nullptr;
  // In bytes. Digests of smaller files are neither looked up in the cache nor stored.
  int64_t smallest_kept = 0;
};

// The types, in the reference's order.
std::span<const std::string_view> checksum_types();
bool is_checksum_type(std::string_view name);

// Throws EvaluationError for a file that does not exist, cannot be read, or is of a kind that
// cannot be managed.
FileMetadata read_file_metadata(std::string path, std::optional<std::string> relative_path,
                                const FileMetadataOptions& options);
void write_file_metadata(JsonWriter& json, const FileMetadata& metadata);

}  // namespace bunraku
