// Files with a record on each line (or few lines), such as /etc/hosts and crontabs: the common part
// of the types host, mount, cron, sshkey, ssh_authorized_key and mailalias. All files of a type are
// read before its first resource is evaluated. Each changed resource writes its file again, and
// lines that are not records stay in place.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/resource.h"

namespace bunraku::apply {

// A line that is kept unchanged, or a record with its values.
struct FileRecord {
  bool is_text = true;
  std::string line;  // of a text line
  // For a record: properties, `name`, and `ensure` if it was read or created.
  std::map<std::string, Datum, std::less<>> values = {};
  std::string target = {};  // the file (for cron: the user)
  bool is_on_disk = false;

  static FileRecord text(std::string line) { return {.is_text = true, .line = std::move(line)}; }
  static FileRecord record() { return {.is_text = false, .line = {}}; }
  // Returns null when there is no value.
  const Datum* find(std::string_view name) const;
  // Empty without a value, and for `absent`.
  std::string text_of(std::string_view name) const;
  void set(std::string_view name, Datum value) { values[std::string(name)] = std::move(value); }
  bool is_absent() const;
};

// The format and location of the files of one type. Immutable.
class RecordFormat {
 public:
  virtual ~RecordFormat() = default;
  // The type ("host"), and the name of its provider.
  virtual std::string_view type_name() const = 0;
  virtual std::string_view provider_name() const { return "parsed"; }
  // The file of resources that name none; empty: none.
  virtual std::string default_target() const = 0;
  // The file that a resource names; empty when it names none.
  virtual std::string wanted_target(const Resource& resource) const;
  // Files that are read in addition to those that resources name.
  virtual std::vector<std::string> more_targets() const { return {}; }

  // Returns no value for an invalid line.
  virtual std::optional<FileRecord> parse_line(const std::string& line) const = 0;
  // Called after all lines of a file have been parsed.
  virtual void arrange(std::vector<FileRecord>&) const {}
  // The text of a record. Throws Failure when a value is missing.
  virtual std::string line_of(const FileRecord& record) const = 0;
  // The whole text of the file.
  virtual std::string text_of(const std::vector<const FileRecord*>& records) const;
  virtual std::string header() const;
  // Returns whether a record without this property has no value for it. Otherwise the value is
  // unknown, and counts as in sync.
  virtual bool is_field(std::string_view property) const = 0;

  // Returns the contents; empty when there are none. Throws Failure.
  virtual std::string read(const std::string& target) const;
  // Throws Failure.
  virtual void write(const std::string& target, const std::string& text) const;
  // For files that are created.
  virtual uint32_t new_mode() const { return 0600; }
  // Returns whether earlier contents are stored in the bucket.
  virtual bool is_backed_up() const { return true; }
  // Returns whether a file that could not be read must not be written.
  virtual bool refuses_unread() const { return false; }

  // The resource for a record; null when there is none.
  virtual Resource* resource_of(const FileRecord& record,
                                std::span<Resource* const> resources) const;
  // A resource that adopts a record without a name.
  virtual Resource* adopter_of(const FileRecord&, const std::vector<Resource*>&) const {
    return nullptr;
  }
  // The title in lists of resources.
  virtual std::string title_of(const FileRecord& record) const { return record.text_of("name"); }
};

// The files of one type during one run.
class RecordStore {
 public:
  // Both must outlive the store.
  RecordStore(const RecordFormat& format, Context& context) : format_(format), context_(context) {}
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  // Reads the default file and the named ones. Throws Failure.
  void read(const std::set<std::string>& targets);
  const std::vector<std::unique_ptr<FileRecord>>& records() const { return records_; }
  // Marks the file to be written when the next record is flushed.
  void mark(const std::string& target) { modified_.insert(target); }
  // Adds a new record, and writes all marked files. Throws Failure.
  void flush(FileRecord& record);
  // Stores the earlier contents of a file in the bucket, once in a run.
  void back_up(const std::string& target);
  // Makes a record that is in no file yet.
  FileRecord& add_loose();

 private:
  void write(const std::string& target);

  const RecordFormat& format_;
  Context& context_;
  std::vector<std::unique_ptr<FileRecord>> records_;
  std::vector<std::unique_ptr<FileRecord>> loose_;
  std::set<std::string> modified_;
  std::set<std::string> backed_up_;
  std::map<std::string, std::string> unread_;  // the reasons, by file
};

class RecordProvider : public Provider {
 public:
  RecordProvider(Resource& resource, const RecordFormat& format)
      : resource_(resource), format_(format) {}

  // A `record` of null means that there is none yet.
  void attach(std::shared_ptr<RecordStore> store, FileRecord* record);

  bool exists() override;
  Datum get(std::string_view property) override;
  void set(std::string_view property, const Datum& value) override;
  void create() override;
  void destroy() override;
  void flush() override;

  // The file of the record, or the one that it will be in.
  std::string target();

 protected:
  FileRecord& record();
  RecordStore& store();
  // Marks the files that a change affects.
  void mark_targets();
  Resource& resource_;
  const RecordFormat& format_;

 private:
  std::shared_ptr<RecordStore> store_;
  FileRecord* record_ = nullptr;
};

class RecordKind : public ProviderKind {
 public:
  // The format must outlive the kind.
  explicit RecordKind(const RecordFormat& format) : format_(format) {}
  std::string_view name() const override { return format_.provider_name(); }
  int specificity(const Host&) const override { return 2; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<RecordProvider>(resource, format_);
  }
  bool can_prefetch() const override { return true; }
  void prefetch(Context& context, std::span<Resource* const> resources) const override;
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context& context) const override;

 protected:
  const RecordFormat& format_;
};

// A type whose resources are records: `ensure` defaults to present if another property is set, and
// `target` to the default file.
class RecordType : public ResourceType {
 public:
  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override;

 protected:
  explicit RecordType(const RecordFormat& format) : format_(format) {}
  const RecordFormat& format_;
};

// The words of "a b", split at `delimiter`; returns an array unchanged.
std::vector<std::string> list_of(const Datum& value, char delimiter);

}  // namespace bunraku::apply
