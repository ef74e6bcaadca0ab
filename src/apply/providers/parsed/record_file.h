// Files of records, a line (or a few) each, such as /etc/hosts and crontabs: what the types host,
// mount, cron, sshkey, ssh_authorized_key and mailalias have in common. All files of a type are
// read before its first resource is evaluated; each changed resource writes its file anew, with all
// lines that are no records where they were.
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

// A line that is kept as it is, or a record with its values.
struct FileRecord {
  bool is_text = true;
  std::string line;  // of text
  // Of a record: properties, `name`, and `ensure` when it was read or created.
  std::map<std::string, Datum, std::less<>> values = {};
  std::string target = {};  // the file (for cron: the user)
  bool is_on_disk = false;

  static FileRecord text(std::string line) { return {.is_text = true, .line = std::move(line)}; }
  static FileRecord record() { return {.is_text = false, .line = {}}; }
  // Null when there is none.
  const Datum* find(std::string_view name) const;
  // Empty when there is none, and for `absent`.
  std::string text_of(std::string_view name) const;
  void set(std::string_view name, Datum value) { values[std::string(name)] = std::move(value); }
  bool is_absent() const;
};

// How the files of one type are found, read and written. Immutable.
class RecordFormat {
 public:
  virtual ~RecordFormat() = default;
  // "host", and its provider's name, "parsed".
  virtual std::string_view type_name() const = 0;
  virtual std::string_view provider_name() const { return "parsed"; }
  // Where resources are that name no file; empty: nowhere.
  virtual std::string default_target() const = 0;
  // Where a resource says that it is to be; empty when it does not.
  virtual std::string wanted_target(const Resource& resource) const;
  // Files that are read beside those that resources name.
  virtual std::vector<std::string> more_targets() const { return {}; }

  // Nothing when it is no line of such a file.
  virtual std::optional<FileRecord> parse_line(const std::string& line) const = 0;
  // After all lines of a file were read.
  virtual void arrange(std::vector<FileRecord>&) const {}
  // A record as it is written. Throws Failure when something is missing.
  virtual std::string line_of(const FileRecord& record) const = 0;
  // The file's whole text.
  virtual std::string text_of(const std::vector<const FileRecord*>& records) const;
  virtual std::string header() const;
  // Is a record that lacks this property one without it? Otherwise nothing is known of it, and it
  // counts as being as it should.
  virtual bool is_field(std::string_view property) const = 0;

  // The contents; empty when there are none. Throws Failure.
  virtual std::string read(const std::string& target) const;
  // Throws Failure.
  virtual void write(const std::string& target, const std::string& text) const;
  // Of files that are made.
  virtual uint32_t new_mode() const { return 0600; }
  // Are there old contents to be kept in the bucket?
  virtual bool is_backed_up() const { return true; }
  // What cannot be read must not be written.
  virtual bool refuses_unread() const { return false; }

  // The resource that a record belongs to; null when there is none.
  virtual Resource* resource_of(const FileRecord& record,
                                std::span<Resource* const> resources) const;
  // A resource that takes over a record without a name of its own.
  virtual Resource* adopter_of(const FileRecord&, const std::vector<Resource*>&) const {
    return nullptr;
  }
  // The name by which lists call it.
  virtual std::string title_of(const FileRecord& record) const { return record.text_of("name"); }
};

// The files of one type during one run.
class RecordStore {
 public:
  // Both must outlive it.
  RecordStore(const RecordFormat& format, Context& context) : format_(format), context_(context) {}
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  // Reads the default file, and those that are named. Throws Failure.
  void read(const std::set<std::string>& targets);
  const std::vector<std::unique_ptr<FileRecord>>& records() const { return records_; }
  // The file is to be written when the next record is flushed.
  void mark(const std::string& target) { modified_.insert(target); }
  // Adds the record when it is new, and writes all marked files. Throws Failure.
  void flush(FileRecord& record);
  // Keeps the old contents of a file, once.
  void back_up(const std::string& target);
  // A new record that is in no file yet.
  FileRecord& add_loose();

 private:
  void write(const std::string& target);

  const RecordFormat& format_;
  Context& context_;
  std::vector<std::unique_ptr<FileRecord>> records_;
  std::vector<std::unique_ptr<FileRecord>> loose_;
  std::set<std::string> modified_;
  std::set<std::string> backed_up_;
  std::map<std::string, std::string> unread_;  // why
};

class RecordProvider : public Provider {
 public:
  RecordProvider(Resource& resource, const RecordFormat& format)
      : resource_(resource), format_(format) {}

  // `record` null: there is none yet.
  void attach(std::shared_ptr<RecordStore> store, FileRecord* record);

  bool exists() override;
  Datum get(std::string_view property) override;
  void set(std::string_view property, const Datum& value) override;
  void create() override;
  void destroy() override;
  void flush() override;

  // Of the record, or where it will be.
  std::string target();

 protected:
  FileRecord& record();
  RecordStore& store();
  // The files that a change concerns are written anew.
  void mark_targets();
  Resource& resource_;
  const RecordFormat& format_;

 private:
  std::shared_ptr<RecordStore> store_;
  FileRecord* record_ = nullptr;
};

class RecordKind : public ProviderKind {
 public:
  // The format must outlive it.
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

// A type whose resources are records: `ensure` is present as soon as another property is given, and
// `target` the default file.
class RecordType : public ResourceType {
 public:
  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override;

 protected:
  explicit RecordType(const RecordFormat& format) : format_(format) {}
  const RecordFormat& format_;
};

// "a b" as its words, what is between them being `delimiter`; an array as it is.
std::vector<std::string> list_of(const Datum& value, char delimiter);

}  // namespace bunraku::apply
