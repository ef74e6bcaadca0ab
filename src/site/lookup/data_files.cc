#include "site/lookup/data_files.h"

#include <algorithm>
#include <atomic>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/file_range.h"
#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "serialization/serialization.h"
#include "validation/ruby_json.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

bool holds_odd_key(Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    for (const Value item : value.as_array()) {
      if (holds_odd_key(item)) return true;
    }
  }
  if (value.is_hash()) {
    for (const HashEntry& entry : value.as_hash()) {
      if (!entry.key.is_string() && !entry.key.is_numeric()) return true;
      if (holds_odd_key(entry.value)) return true;
    }
  }
  return false;
}

void parse(DataFile& file, const std::string& path, DataFormat format) {
  const std::string_view text = file.arena.copy(read_file(path));
  file.digest.stand_for(text);
  switch (format) {
    case DataFormat::kYaml:
      file.data = read_yaml(file.arena, text, path);
      break;
    case DataFormat::kJson:
      file.data = value_of(file.arena, read_ruby_json(text, file.arena), {});
      break;
    case DataFormat::kHocon:
      file.data = read_hocon(file.arena, text, {});
      break;
  }
  if (!file.data.is_hash()) return;
  for (const HashEntry& entry : file.data.as_hash()) {
    file.is_interpolated.push_back(holds_interpolation(entry.value));
    file.has_odd_keys = file.has_odd_keys || holds_odd_key(entry.value);
  }
}

}  // namespace

std::string data_digest(Value value) {
  std::string text;
  JsonWriter json(text);
  try {
    write_rich_data(json, value, true, TypeForm::kText);
  } catch (const std::exception&) {
    // The value has no serialized form (text that is not UTF-8, infinite numbers). A unique digest,
    // which never matches again, is always correct.
    static std::atomic<uint64_t> count{0};
    text = "\x7f" + std::to_string(++count);
  }
  return read_digest(text);
}

bool holds_interpolation(Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_string()) return value.as_string().find("%{") != std::string_view::npos;
  if (value.is_array()) {
    for (const Value item : value.as_array()) {
      if (holds_interpolation(item)) return true;
    }
  }
  if (value.is_hash()) {
    for (const HashEntry& entry : value.as_hash()) {
      if (holds_interpolation(entry.key) || holds_interpolation(entry.value)) return true;
    }
  }
  return false;
}

std::shared_ptr<const DataFile> DataFiles::get(const std::string& path, DataFormat format) {
  // The same path read in two formats has two entries.
  const std::string key = path + static_cast<char>('0' + static_cast<int>(format));
  const bool are_reads_observed = ReadObserver::current() != nullptr;
  FileStamp stamp;
  if (are_reads_observed) stamp = file_stamp(path);
  {
    const std::lock_guard lock(mutex_);
    auto known = files_.find(key);
    const bool is_seen = known != files_.end();
    if (is_seen && (!are_reads_observed || known->second.stamp == stamp)) return known->second.file;
  }
  if (!are_reads_observed) stamp = file_stamp(path);
  // Every user of the data reports the file itself, whichever reads it first.
  const ObservedReads no_observer(nullptr);
  // Parsed outside the lock: two threads may both parse it, which costs less than making all wait.
  auto file = std::make_shared<DataFile>();
  try {
    parse(*file, path, format);
  } catch (const EvaluationError& error) {
    file->error = error.what();
    file->error_labels = error.diagnostic().labels;
    file->data = Value();
  } catch (const DataError& error) {
    file->error = error.what();
    if (error.line() > 0) {
      file->error_labels.push_back(
          {range_in_file(path, error.line(), error.column()), "the reader stopped here"});
    }
  } catch (const FileError& error) {
    file->error = error.what();
    file->system_reason = error.reason();
  }
  const std::lock_guard lock(mutex_);
  Entry& entry = files_[key];
  if (entry.file != nullptr && entry.stamp == stamp) return entry.file;
  // Values of compilations that are still running point into the old version.
  if (entry.file != nullptr) outdated_.push_back(std::move(entry.file));
  entry = {stamp, file};
  return file;
}

bool DataFiles::have_changed() const {
  std::vector<std::pair<std::string, FileStamp>> known;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, entry] : files_) {
      known.emplace_back(key.substr(0, key.size() - 1), entry.stamp);  // without the format
    }
  }
  return std::ranges::any_of(
      known, [](const auto& file) { return !(file_stamp(file.first) == file.second); });
}

bool DataFiles::exists(const std::string& path) {
  if (ReadObserver::current() != nullptr) return bunraku::exists(path);
  {
    const std::lock_guard lock(mutex_);
    if (existing_.contains(path)) return true;
  }
  if (!bunraku::exists(path)) return false;
  const std::lock_guard lock(mutex_);
  existing_.insert(path);
  return true;
}

}  // namespace bunraku
