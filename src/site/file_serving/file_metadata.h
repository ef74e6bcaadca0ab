// What an agent has to know of a file before it asks for its contents.
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
  std::optional<std::string> relative_path;  // to `path`, where a directory is reported as a whole
  bool follows_links = false;
  int64_t owner = 0;
  int64_t group = 0;
  int64_t mode = 0;
  std::string checksum_type;
  std::optional<std::string> checksum;     // "{sha256}…"; nothing for a link that leads nowhere
  std::string type;                        // "file", "directory", "link", "fifo", "socket"
  std::optional<std::string> destination;  // of a link
  std::string content_uri;                 // empty: none
  std::string source;                      // empty: none

  std::string full_path() const;
};

struct FileMetadataOptions {
  bool follows_links = false;
  // One of checksum_types().
  std::string_view checksum_type;
  // Owner, group and mode are the file's; otherwise those of who asks, and 0644.
  bool has_permissions = false;
  // Checksums that are known already, or null; must outlive the call.
  ChecksumCache* checksums = nullptr;
  // In bytes: digests of smaller files are neither looked up there nor kept.
  int64_t smallest_kept = 0;
};

// In the reference's order.
std::span<const std::string_view> checksum_types();
bool is_checksum_type(std::string_view name);

// Throws EvaluationError for what is not there, cannot be read, or is no file that can be managed.
FileMetadata read_file_metadata(std::string path, std::optional<std::string> relative_path,
                                const FileMetadataOptions& options);
void write_file_metadata(JsonWriter& json, const FileMetadata& metadata);

}  // namespace bunraku
