// Reads and writes archives: a file for each command, as in PuppetDB's archives.
#include "store/lifecycle/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/lazy_library.h"
#include "base/text/digest.h"
#include "store/commands/command.h"
#include "store/lifecycle/payloads.h"
#include "store/query/fields.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

// The archive library, loaded on first use.
struct Libarchive {
  decltype(&::archive_error_string) archive_error_string;
  decltype(&::archive_write_new) archive_write_new;
  decltype(&::archive_write_free) archive_write_free;
  decltype(&::archive_write_set_format_pax_restricted) archive_write_set_format_pax_restricted;
  decltype(&::archive_write_add_filter_gzip) archive_write_add_filter_gzip;
  decltype(&::archive_write_open_fd) archive_write_open_fd;
  decltype(&::archive_entry_free) archive_entry_free;
  decltype(&::archive_entry_new) archive_entry_new;
  decltype(&::archive_entry_set_pathname) archive_entry_set_pathname;
  decltype(&::archive_entry_set_size) archive_entry_set_size;
  decltype(&::archive_entry_set_filetype) archive_entry_set_filetype;
  decltype(&::archive_entry_set_perm) archive_entry_set_perm;
  decltype(&::archive_entry_set_mtime) archive_entry_set_mtime;
  decltype(&::archive_write_header) archive_write_header;
  decltype(&::archive_write_data) archive_write_data;
  decltype(&::archive_write_close) archive_write_close;
  decltype(&::archive_read_free) archive_read_free;
  decltype(&::archive_read_new) archive_read_new;
  decltype(&::archive_read_support_format_tar) archive_read_support_format_tar;
  decltype(&::archive_read_support_filter_gzip) archive_read_support_filter_gzip;
  decltype(&::archive_read_open_filename) archive_read_open_filename;
  decltype(&::archive_read_open_memory) archive_read_open_memory;
  decltype(&::archive_read_next_header) archive_read_next_header;
  decltype(&::archive_entry_filetype) archive_entry_filetype;
  decltype(&::archive_entry_pathname) archive_entry_pathname;
  decltype(&::archive_read_data) archive_read_data;

  Libarchive() {
    static const LazyLibrary library("libarchive.so.13", "archives");
    library.find("archive_error_string", archive_error_string);
    library.find("archive_write_new", archive_write_new);
    library.find("archive_write_free", archive_write_free);
    library.find("archive_write_set_format_pax_restricted",
                 archive_write_set_format_pax_restricted);
    library.find("archive_write_add_filter_gzip", archive_write_add_filter_gzip);
    library.find("archive_write_open_fd", archive_write_open_fd);
    library.find("archive_entry_free", archive_entry_free);
    library.find("archive_entry_new", archive_entry_new);
    library.find("archive_entry_set_pathname", archive_entry_set_pathname);
    library.find("archive_entry_set_size", archive_entry_set_size);
    library.find("archive_entry_set_filetype", archive_entry_set_filetype);
    library.find("archive_entry_set_perm", archive_entry_set_perm);
    library.find("archive_entry_set_mtime", archive_entry_set_mtime);
    library.find("archive_write_header", archive_write_header);
    library.find("archive_write_data", archive_write_data);
    library.find("archive_write_close", archive_write_close);
    library.find("archive_read_free", archive_read_free);
    library.find("archive_read_new", archive_read_new);
    library.find("archive_read_support_format_tar", archive_read_support_format_tar);
    library.find("archive_read_support_filter_gzip", archive_read_support_filter_gzip);
    library.find("archive_read_open_filename", archive_read_open_filename);
    library.find("archive_read_open_memory", archive_read_open_memory);
    library.find("archive_read_next_header", archive_read_next_header);
    library.find("archive_entry_filetype", archive_entry_filetype);
    library.find("archive_entry_pathname", archive_entry_pathname);
    library.find("archive_read_data", archive_read_data);
  }
};

const Libarchive& libarchive() {
  try {
    static const Libarchive functions;
    return functions;
  } catch (const LibraryError& error) {
    throw StoreError(StoreErrorKind::kUnavailable, error.what());
  }
}

constexpr std::string_view kRoot = "puppetdb-bak/";
constexpr size_t kBlock = size_t{64} << 10;

// The directories of an archive by their contents, in the order of reading.
struct Directory {
  std::string_view name;     // "facts"
  std::string_view key;      // the key of the version in the metadata
  std::string_view command;  // "replace facts"
  int64_t version;           // the version without metadata
};
constexpr std::array<Directory, 5> kDirectories{
    {{"facts", "replace_facts", "replace facts", 5},
     {"catalogs", "replace_catalog", "replace catalog", 9},
     {"reports", "store_report", "store report", 8},
     {"configure_expiration", "configure_expiration", "configure expiration", 1},
     {"catalog_inputs", "replace_catalog_inputs", "replace catalog inputs", 1}}};

[[noreturn]] void fail(const std::string& path, archive* handle) {
  const char* reason = libarchive().archive_error_string(handle);
  throw StoreError(StoreErrorKind::kInput,
                   fmt::format("{}: {}", path, reason == nullptr ? "is no archive" : reason));
}

class ArchiveWriter {
 public:
  ArchiveWriter(int descriptor, std::string path)
      : path_(std::move(path)),
        handle_(libarchive().archive_write_new(), libarchive().archive_write_free) {
    libarchive().archive_write_set_format_pax_restricted(handle_.get());
    libarchive().archive_write_add_filter_gzip(handle_.get());
    if (libarchive().archive_write_open_fd(handle_.get(), descriptor) != ARCHIVE_OK) {
      fail(path_, handle_.get());
    }
  }
  void add(const std::string& name, const std::string& text) {
    const std::unique_ptr<archive_entry, decltype(&::archive_entry_free)> entry(
        libarchive().archive_entry_new(), libarchive().archive_entry_free);
    libarchive().archive_entry_set_pathname(entry.get(), (std::string(kRoot) + name).c_str());
    libarchive().archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    libarchive().archive_entry_set_filetype(entry.get(), AE_IFREG);
    libarchive().archive_entry_set_perm(entry.get(), 0640);
    libarchive().archive_entry_set_mtime(entry.get(), now_microseconds() / 1'000'000, 0);
    if (libarchive().archive_write_header(handle_.get(), entry.get()) != ARCHIVE_OK ||
        libarchive().archive_write_data(handle_.get(), text.data(), text.size()) !=
            static_cast<la_ssize_t>(text.size())) {
      fail(path_, handle_.get());
    }
  }
  void finish() {
    if (libarchive().archive_write_close(handle_.get()) != ARCHIVE_OK) fail(path_, handle_.get());
  }

 private:
  std::string path_;
  std::unique_ptr<archive, decltype(&::archive_write_free)> handle_;
};

// Larger than any catalog; a bound on the memory used.
constexpr size_t kLargestFile = size_t{256} << 20;

using FileVisitor = std::function<void(const std::string& name, std::string text)>;

// Reads the file, or `bytes`, which messages call `path`.
void read_tar(const std::string& path, const std::string* bytes, const FileVisitor& visit) {
  const std::unique_ptr<archive, decltype(&::archive_read_free)> handle(
      libarchive().archive_read_new(), libarchive().archive_read_free);
  libarchive().archive_read_support_format_tar(handle.get());
  libarchive().archive_read_support_filter_gzip(handle.get());
  const int opened =
      bytes == nullptr
          ? libarchive().archive_read_open_filename(handle.get(), path.c_str(), kBlock)
          : libarchive().archive_read_open_memory(handle.get(), bytes->data(), bytes->size());
  if (opened != ARCHIVE_OK) fail(path, handle.get());
  archive_entry* entry = nullptr;
  int code = ARCHIVE_OK;
  while ((code = libarchive().archive_read_next_header(handle.get(), &entry)) == ARCHIVE_OK) {
    if (libarchive().archive_entry_filetype(entry) != AE_IFREG) continue;
    const std::string name = libarchive().archive_entry_pathname(entry);
    std::string text;
    std::string block(kBlock, '\0');
    la_ssize_t size = 0;
    while ((size = libarchive().archive_read_data(handle.get(), block.data(), block.size())) > 0) {
      text.append(block, 0, static_cast<size_t>(size));
      if (text.size() > kLargestFile) {
        throw StoreError(StoreErrorKind::kInput, fmt::format("{}: {} is larger than {} MiB", path,
                                                             name, kLargestFile >> 20));
      }
    }
    if (size < 0) fail(path, handle.get());
    visit(name, std::move(text));
  }
  if (code != ARCHIVE_EOF) fail(path, handle.get());
}

void read_directory(const std::string& path, const FileVisitor& visit) {
  std::string root = path;
  if (is_directory(join_path(root, std::string(kRoot)))) root = join_path(root, std::string(kRoot));
  const std::string metadata = join_path(root, "export-metadata.json");
  if (exists(metadata)) visit("export-metadata.json", read_file(metadata));
  for (const Directory& part : kDirectories) {
    const std::string directory = join_path(root, part.name);
    if (!is_directory(directory)) continue;
    for (const DirectoryEntry& entry : list_directory(directory)) {
      if (entry.is_directory || !entry.name.ends_with(".json")) continue;
      visit(fmt::format("{}/{}", part.name, entry.name),
            read_file(join_path(directory, entry.name)));
    }
  }
}

constexpr size_t kMostTogether = 200;
constexpr size_t kMostBytesTogether = size_t{32} << 20;

using Versions = std::map<std::string, int64_t, std::less<>>;

void read_versions(const std::string& text, Versions& versions) {
  Arena arena;
  try {
    const DataNode metadata = read_json(text, arena);
    const DataNode* given = metadata.find("command_versions");
    if (given == nullptr || !given->is(DataKind::kHash)) return;
    for (const DataEntry& entry : given->entries()) {
      if (entry.value.is(DataKind::kInteger)) {
        versions[std::string(entry.key.text_value())] = entry.value.integer_value();
      }
    }
  } catch (const DataError& error) {
    throw StoreError(StoreErrorKind::kInput, fmt::format("export-metadata.json: {}", error.what()));
  }
}

class Importer {
 public:
  explicit Importer(Store& store) : store_(store) {}

  void take(const std::string& name, std::string text) {
    const size_t slash = name.rfind('/');
    const std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
    if (file == "export-metadata.json") return read_versions(text, versions_);
    if (slash == std::string::npos) return;
    const std::string directory(file_name_of(name.substr(0, slash)));
    const auto found = std::ranges::find(kDirectories, directory, &Directory::name);
    if (found == kDirectories.end()) return;
    Command command;
    command.name = found->command;
    const auto version = versions_.find(found->key);
    command.version = version == versions_.end() ? found->version : version->second;
    command.body = std::move(text);
    command.received = now_microseconds();
    bytes_ += command.body.size();
    try {
      pending_.push_back({name, directory, prepare_command(command, store_.fact_filter())});
    } catch (const StoreError& error) {
      take_problem(name, error);
    }
    if (pending_.size() >= kMostTogether || bytes_ >= kMostBytesTogether) store_pending();
  }
  ArchiveCounts finish() {
    store_pending();
    return std::move(counts_);
  }

 private:
  struct Pending {
    std::string name, directory;
    PreparedCommand prepared;
  };

  // Stores in one transaction, because no file of an archive is acknowledged separately.
  void store_pending() {
    try {
      store_.write([&](Connection& connection) {
        for (const Pending& pending : pending_) pending.prepared.step(connection);
      });
      for (const Pending& pending : pending_) count(pending.directory);
    } catch (const StoreError& error) {
      if (error.kind() != StoreErrorKind::kInput) throw;
      store_each();
    }
    pending_.clear();
    bytes_ = 0;
  }
  void store_each() {
    for (const Pending& pending : pending_) {
      try {
        store_prepared(store_, pending.prepared);
        count(pending.directory);
      } catch (const StoreError& error) {
        take_problem(pending.name, error);
      }
    }
  }
  void take_problem(const std::string& name, const StoreError& error) {
    if (error.kind() != StoreErrorKind::kInput) throw error;
    counts_.problems.push_back(fmt::format("{}: {}", name, error.what()));
  }
  void count(const std::string& directory) {
    if (directory == "facts") {
      ++counts_.facts;
    } else if (directory == "catalogs") {
      ++counts_.catalogs;
    } else if (directory == "reports") {
      ++counts_.reports;
    } else {
      ++counts_.others;
    }
  }

  Store& store_;
  Versions versions_;
  std::vector<Pending> pending_;
  size_t bytes_ = 0;  // the size of the bodies in pending_
  ArchiveCounts counts_;
};

std::string file_name(const std::string& certname, int64_t timestamp) {
  return fmt::format("{}-{}.json", certname,
                     digest_hex(DigestAlgorithm::kSha1, time_text(timestamp)));
}

std::string metadata_text() {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("timestamp", time_text(now_microseconds()));
  json.key("command_versions");
  json.begin_object();
  for (const Directory& directory : kDirectories) json.member(directory.key, directory.version);
  json.end_object();
  json.end_object();
  return text;
}

}  // namespace

ArchiveCounts write_archive(Store& store, int descriptor) {
  ArchiveWriter writer(descriptor, "The archive");
  ArchiveCounts counts;
  writer.add("export-metadata.json", metadata_text());
  std::vector<std::pair<int64_t, std::string>> nodes;
  store.read([&](Connection& connection) {
    nodes.clear();
    const auto rows = connection.query("SELECT id, certname FROM node ORDER BY certname");
    while (rows->next()) nodes.emplace_back(rows->integer(0), rows->text(1));
  });
  for (const auto& [id, certname] : nodes) {
    NodePayloads payloads;
    store.read([&, node = id, &name = certname](Connection& connection) {
      payloads = read_payloads(connection, node, name);
    });
    if (payloads.facts) writer.add(fmt::format("facts/{}.json", certname), *payloads.facts);
    if (payloads.catalog) {
      writer.add("catalogs/" + file_name(certname, payloads.catalog_timestamp), *payloads.catalog);
    }
    if (payloads.expiration) {
      // PuppetDB ignores a file whose name has no digest of its time.
      writer.add("configure_expiration/" + file_name(certname, payloads.expiration_timestamp),
                 *payloads.expiration);
    }
    if (payloads.inputs) {
      writer.add("catalog_inputs/" + file_name(certname, payloads.inputs_timestamp),
                 *payloads.inputs);
    }
    for (const auto& [timestamp, report] : payloads.reports) {
      writer.add("reports/" + file_name(certname, timestamp), report);
    }
    counts.facts += payloads.facts ? 1 : 0;
    counts.catalogs += payloads.catalog ? 1 : 0;
    counts.reports += static_cast<int64_t>(payloads.reports.size());
  }
  writer.finish();
  return counts;
}

ArchiveCounts export_archive(Store& store, const std::string& path) {
  FileWriter file(path, kSecretFile);
  ArchiveCounts counts = write_archive(store, file.descriptor());
  file.commit();
  return counts;
}

ArchiveCounts import_archive_bytes(Store& store, const std::string& bytes) {
  Importer importer(store);
  read_tar("The archive", &bytes, [&](const std::string& name, std::string text) {
    importer.take(name, std::move(text));
  });
  return importer.finish();
}

ArchiveCounts import_archive(Store& store, const std::string& path) {
  Importer importer(store);
  const FileVisitor take = [&](const std::string& name, std::string text) {
    importer.take(name, std::move(text));
  };
  if (is_directory(path)) {
    read_directory(path, take);
  } else if (is_file(path)) {
    read_tar(path, nullptr, take);
  } else if (exists(path)) {
    throw StoreError(StoreErrorKind::kInput, fmt::format("{} is not a regular file", path));
  } else {
    throw StoreError(StoreErrorKind::kInput, fmt::format("There is no file {}", path));
  }
  return importer.finish();
}

}  // namespace bunraku::store
