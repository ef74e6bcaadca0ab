// Files with one command each: a line of JSON that describes it, then its body.
#include "store/lifecycle/spool.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"

namespace bunraku::store {
namespace {

constexpr std::chrono::seconds kPause{2};

std::string file_text(const Command& command) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("command", command.name);
  json.member("version", command.version);
  json.member("certname", command.certname);
  json.member("received", command.received);
  json.end_object();
  return text + "\n" + command.body;
}

// Throws DataError and StoreError for a file that no spool has written.
Command read_command(const std::string& text) {
  const size_t end = text.find('\n');
  if (end == std::string::npos) throw StoreError(StoreErrorKind::kInput, "it has no second line");
  Arena arena;
  const DataNode head = read_json(std::string_view(text).substr(0, end), arena);
  const DataNode* name = head.find("command");
  const DataNode* version = head.find("version");
  const DataNode* certname = head.find("certname");
  const DataNode* received = head.find("received");
  if (name == nullptr || !name->is(DataKind::kString) || version == nullptr ||
      !version->is(DataKind::kInteger) || certname == nullptr || !certname->is(DataKind::kString) ||
      received == nullptr || !received->is(DataKind::kInteger)) {
    throw StoreError(StoreErrorKind::kInput, "its first line is none of a spool");
  }
  Command command;
  command.name = name->text_value();
  command.version = version->integer_value();
  command.certname = certname->text_value();
  command.received = received->integer_value();
  command.body = text.substr(end + 1);
  return command;
}

}  // namespace

Spool::Spool(Store& store, std::string directory, LogSink log, const SpoolLimits& limits)
    : store_(store), directory_(std::move(directory)), log_(std::move(log)), limits_(limits) {
  create_private_directory(directory_);
  remove_abandoned_files(directory_);
  for (const DirectoryEntry& entry : list_directory(directory_)) {
    if (entry.is_directory || !entry.name.ends_with(".command")) continue;
    names_.insert(entry.name);
    bytes_ += file_stamp(join_path(directory_, entry.name)).size;
  }
  if (!names_.empty()) {
    log_(LogLevel::kNotice,
         fmt::format("{} commands of before wait in {}", names_.size(), directory_));
  }
  thread_ = std::thread([this] { run(); });
  store_.set_keeper(this);
}

Spool::~Spool() {
  store_.set_keeper(nullptr);
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  has_changed_.notify_all();
  thread_.join();
}

bool Spool::keep(const Command& command) {
  const std::string text = file_text(command);
  std::string name;
  {
    const std::scoped_lock lock(mutex_);
    if (names_.size() >= limits_.commands || bytes_ + text.size() > limits_.bytes) return false;
    name = fmt::format("{:016x}-{:08x}.command", command.received, ++count_);
    bytes_ += text.size();
  }
  try {
    write_file(join_path(directory_, name), text, kSecretFile);
  } catch (const FileError& error) {
    log_(LogLevel::kErr, fmt::format("A command cannot be kept: {}", error.what()));
    const std::scoped_lock lock(mutex_);
    bytes_ -= text.size();
    return false;
  }
  const std::scoped_lock lock(mutex_);
  if (names_.empty()) {
    log_(LogLevel::kWarning,
         fmt::format("The database cannot be used: commands wait in {}", directory_));
  }
  names_.insert(std::move(name));
  has_changed_.notify_all();
  return true;
}

size_t Spool::depth() const {
  const std::scoped_lock lock(mutex_);
  return names_.size();
}

void Spool::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    has_changed_.wait(lock, [&] { return ends_ || !names_.empty(); });
    if (ends_) return;
    lock.unlock();
    const bool is_stored = store_first();
    lock.lock();
    if (!is_stored) has_changed_.wait_for(lock, kPause, [&] { return ends_; });
    if (is_stored && names_.empty()) {
      log_(LogLevel::kNotice, "All commands that waited have been stored");
    }
  }
}

bool Spool::store_first() {
  std::string name;
  {
    const std::scoped_lock lock(mutex_);
    name = *names_.begin();
  }
  const std::string path = join_path(directory_, name);
  Command command;
  try {
    command = read_command(read_file(path));
    store_prepared(store_, prepare_command(command, store_.fact_filter()));
  } catch (const StoreError& error) {
    if (error.kind() != StoreErrorKind::kInput) return false;
    log_(LogLevel::kErr, fmt::format("{} cannot be stored: {}", path, error.what()));
    try {
      keep_dead_letter(store_, command, error.what());
    } catch (const StoreError&) {
      return false;
    }
  } catch (const std::exception& error) {
    // A file that cannot be read is left in place for examination.
    log_(LogLevel::kErr, fmt::format("{}: {}", path, error.what()));
    const std::scoped_lock lock(mutex_);
    names_.erase(name);
    return true;
  }
  remove(name);
  return true;
}

void Spool::remove(const std::string& name) {
  const std::string path = join_path(directory_, name);
  const uint64_t size = file_stamp(path).size;
  std::remove(path.c_str());
  const std::scoped_lock lock(mutex_);
  names_.erase(name);
  bytes_ -= std::min(bytes_, size);
}

}  // namespace bunraku::store
