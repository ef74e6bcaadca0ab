// What belongs to one File resource while it is applied: its stat, contents and source, and the
// writing itself.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "apply/transaction/resource.h"

namespace bunraku::apply {

// "file", "directory", "link", "fifo", "socket", "characterSpecial", "blockSpecial"
std::string_view file_type_name(mode_t mode);

class FileProvider : public Provider {
 public:
  explicit FileProvider(Resource& resource) : resource_(resource) {}

  const std::string& path() const { return resource_.name(); }
  // As `links` says, of the path or of where it leads; null when there is nothing. Remembered until
  // forget_stat().
  const struct stat* info();
  void forget_stat() { is_stat_known_ = false; }
  // The type of what is there; empty when there is nothing.
  std::string_view current_type();
  bool manages_links() const { return !resource_.value("links").is_symbol("follow"); }
  void flush() override { forget_stat(); }

  // --- Contents ---
  // The text of `content`; null when it is a checksum, or not given.
  const std::string* content() const { return content_ ? &*content_ : nullptr; }
  void set_content(std::string content) { content_ = std::move(content); }
  // The type of checksums that are compared.
  std::string checksum_type() const { return resource_.text("checksum"); }
  // Of the file as it is: absent, null for what has no contents, or "{sha256}…".
  Datum current_checksum();
  // Digests of the file and of its source, for another thread to make; empty: none are needed.
  std::function<void()> look_ahead();
  // Does `checksum_value` decide what the contents must be? With `content` the reference looks at
  // it only when `checksum` is given, too.
  bool checks_value() const;
  // Is the resource a file with contents?
  bool should_be_file();

  // --- Source ---
  bool has_source() const { return resource_.find("source") != nullptr; }
  void set_metadata(SourceMetadata metadata) { metadata_ = std::move(metadata); }
  // Of the first source that is there. Throws Failure when there is none.
  const SourceMetadata& metadata();
  // The catalog's attributes where it says nothing: ensure, content, and, when they are to be
  // copied, owner, group and mode.
  void copy_source_values();
  // The resources below a directory.
  std::vector<std::unique_ptr<Resource>> children();

  // --- Changes ---
  // The new contents, in pieces.
  void each_piece(const std::function<void(std::string_view)>& take);
  // Writes contents (none when the file is only to be there) and brings owner, group and mode in
  // order.
  void write(bool has_contents);
  void make_directory();
  void make_link(const std::string& target);
  // Makes room for something of another type; backs up before.
  void remove_existing(std::string_view wanted_type);
  void set_owner(uint32_t owner);
  void set_group(uint32_t group);
  void set_mode(uint32_t mode);
  void fix_permissions();
  // Shows how the file differs from what it should be, when that is wanted.
  void show_difference();

 private:
  void replace(std::optional<uint32_t> mode);
  void write_in_place(std::optional<uint32_t> mode, bool has_contents);
  void validate_written(const std::string& path);
  void back_up();
  std::string desired_checksum();
  std::optional<uint32_t> wanted_mode(uint32_t current, bool is_directory);
  std::optional<uint32_t> wanted_id(std::string_view property);
  std::optional<SourceMetadata> find_source(const std::string& source);
  SourceQuery source_query() const;
  std::vector<SourceMetadata> source_tree();
  std::unique_ptr<Resource> make_child(const std::string& relative_path,
                                       std::vector<std::pair<std::string, Datum>> more);

  Resource& resource_;
  bool is_stat_known_ = false;
  bool exists_ = false;
  struct stat info_ = {};
  std::optional<std::string> content_;
  std::optional<SourceMetadata> metadata_;
};

}  // namespace bunraku::apply
