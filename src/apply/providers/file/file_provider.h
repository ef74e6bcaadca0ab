// The state of one File resource while it is applied (its stat, contents and source), and the
// writing of the file.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <map>
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
  // The stat of the path, or of the link's target if `links` follows them; null when there is no
  // file. Cached until forget_stat().
  const struct stat* info();
  void forget_stat() { is_stat_known_ = false; }
  // The type of the present file; empty when there is none.
  std::string_view current_type();
  bool manages_links() const { return !resource_.value("links").is_symbol("follow"); }
  void flush() override { forget_stat(); }

  // --- Contents ---
  // The text of `content`; null when it is a checksum or not set.
  const std::string* content() const { return content_ ? &*content_ : nullptr; }
  void set_content(std::string content) { content_ = std::move(content); }
  // The type of the checksums that are compared.
  std::string checksum_type() const { return resource_.text("checksum"); }
  // The checksum of the present file: absent, null for files without contents, or "{sha256}…".
  Datum current_checksum();
  // Work for another thread: digests of the file and of its source. Empty: none are needed.
  std::function<void()> look_ahead();
  // Returns whether `checksum_value` decides about the contents. As in the reference, with
  // `content` it is used only if `checksum` is set, too.
  bool checks_value() const;
  // Returns whether the resource is a file with contents.
  bool should_be_file();

  // --- Source ---
  bool has_source() const { return resource_.find("source") != nullptr; }
  void set_metadata(SourceMetadata metadata) { metadata_ = std::move(metadata); }
  // The metadata of the first source that exists. Throws Failure when there is none.
  const SourceMetadata& metadata();
  // Sets attributes that the catalog leaves out from the source: ensure, content, and, if they are
  // copied, owner, group and mode.
  void copy_source_values();
  // The resources for files below a directory.
  std::vector<std::unique_ptr<Resource>> children();

  // --- Changes ---
  // Passes the new contents to `take` in pieces.
  void each_piece(const std::function<void(std::string_view)>& take);
  // Writes the file (without contents if it must only exist), and sets owner, group and mode.
  void write(bool has_contents);
  void make_directory();
  void make_link(const std::string& target);
  // Removes a file of another type than `wanted_type`, after a backup.
  void remove_existing(std::string_view wanted_type);
  void set_owner(uint32_t owner);
  void set_group(uint32_t group);
  void set_mode(uint32_t mode);
  // Owner, group, mode and label.
  void fix_permissions();
  // Shows the difference to the desired contents, if the settings ask for it.
  void show_difference();

 private:
  void replace(std::optional<uint32_t> mode);
  void label(int descriptor, const std::string& temporary);
  void write_in_place(std::optional<uint32_t> mode, bool has_contents);
  void validate_written(const std::string& path);
  void back_up();
  std::string desired_checksum();
  std::optional<uint32_t> wanted_mode(uint32_t current, bool is_directory);
  std::optional<uint32_t> wanted_id(std::string_view property);
  std::optional<SourceMetadata> find_source(const std::string& source);
  SourceQuery source_query() const;
  std::vector<SourceMetadata> source_tree();
  std::vector<SourceMetadata> tree_below(const std::string& directory);
  std::unique_ptr<Resource> make_child(const std::string& relative_path,
                                       std::vector<std::pair<std::string, Datum>> more);
  using Children = std::map<std::string, std::unique_ptr<Resource>>;  // by relative path
  // The files of the directory itself, those of the tree that `target` names, and the source's.
  void add_children_on_disk(Children& children);
  void add_children_of_target(const std::string& target, Children& children);
  void add_children_of_source(Children& children);
  // The children sorted by name, without those that other resources of the catalog manage.
  std::vector<std::unique_ptr<Resource>> without_managed(Children children) const;

  Resource& resource_;
  bool is_stat_known_ = false;
  bool exists_ = false;
  struct stat info_ = {};
  std::optional<std::string> content_;
  std::optional<SourceMetadata> metadata_;
};

}  // namespace bunraku::apply
