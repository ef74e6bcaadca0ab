// A line for each text: size, inode and both times of the version, the path, a tab, the text.
#include "base/system/kept_texts.h"

#include <fmt/format.h>

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <utility>

#include "base/system/file_reader.h"
#include "base/system/file_writer.h"
#include "base/system/user_cache.h"

namespace bunraku {
namespace {

// Changes with the meaning of texts, so that those of other versions of the program are not used.
constexpr std::string_view kFirstLine = "bunraku kept texts 1\n";
constexpr uint64_t kLargestRead = 64u << 20;

// Takes a number and the space after it from the line.
template <typename Number>
bool take_number(std::string_view& line, Number& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  const auto size = static_cast<size_t>(end - line.data());
  if (error != std::errc() || size >= line.size() || *end != ' ') return false;
  line.remove_prefix(size + 1);
  return true;
}

// Removes files that have not been written for long: what they are about may be gone. The next
// process that needs one makes it again.
void remove_old_files(const std::string& directory) {
  constexpr std::chrono::days kLong(60);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  for (const DirectoryEntry& entry : list_directory(directory)) {
    const std::string path = join_path(directory, entry.name);
    const std::chrono::nanoseconds modified(file_stamp(path).modified);
    if (entry.name.ends_with(".txt") && now - modified > kLong) unlink(path.c_str());
  }
}

bool holds(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

}  // namespace

KeptTexts::KeptTexts(std::string file) : file_(std::move(file)) {
  try {
    read();
  } catch (const FileError&) {
    entries_.clear();
  }
}

void KeptTexts::read() {
  FileReader reader(file_);
  if (!reader.is_private()) return;
  contents_ = reader.read_all(kLargestRead);
  std::string_view rest = contents_;
  if (!rest.starts_with(kFirstLine)) return;
  rest.remove_prefix(kFirstLine.size());
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos || !add_line(rest.substr(0, end))) {
      entries_.clear();
      return;
    }
    rest.remove_prefix(end + 1);
  }
}

bool KeptTexts::add_line(std::string_view line) {
  Entry entry;
  FileStamp& stamp = entry.stamp;
  if (!take_number(line, stamp.size) || !take_number(line, stamp.inode) ||
      !take_number(line, stamp.modified) || !take_number(line, stamp.changed)) {
    return false;
  }
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return false;
  entry.text = line.substr(tab + 1);
  entries_.insert_or_assign(line.substr(0, tab), entry);
  return true;
}

KeptTexts::State KeptTexts::state_of(const std::string& path, const FileStamp& stamp) {
  return file_stamp(path) == stamp ? State::kCurrent : State::kOutdated;
}

std::optional<KeptTexts::Text> KeptTexts::find(const std::string& path) {
  std::unique_lock lock(mutex_);
  auto found = entries_.find(path);
  if (found == entries_.end()) return std::nullopt;
  if (found->second.state == State::kUnknown) {
    const FileStamp stamp = found->second.stamp;
    lock.unlock();
    const State state = state_of(path, stamp);
    lock.lock();
    found = entries_.find(path);
    if (found->second.state == State::kUnknown) found->second.state = state;
  }
  const Entry& entry = found->second;
  if (entry.state != State::kCurrent) return std::nullopt;
  return Text{entry.stamp != FileStamp{}, entry.text};
}

void KeptTexts::keep(const std::string& path, const FileStamp& stamp, std::string text) {
  if (holds(path, "\t\n") || holds(text, "\n")) return;
  if (stamp != FileStamp{} && !is_settled(stamp)) return;
  const std::lock_guard lock(mutex_);
  // Views of a text that is current are in use.
  const auto found = entries_.find(path);
  if (found != entries_.end() && found->second.state == State::kCurrent) return;
  const std::string_view own_text = added_.emplace_back(std::move(text));
  const std::string_view own_path =
      found != entries_.end() ? found->first : added_.emplace_back(path);
  entries_[own_path] = {stamp, own_text, State::kCurrent};
  has_new_ = true;
}

void KeptTexts::save() {
  if (!std::exchange(has_new_, false)) return;
  std::string contents(kFirstLine);
  for (const auto& [path, entry] : entries_) {
    const FileStamp& stamp = entry.stamp;
    const State state =
        entry.state == State::kUnknown ? state_of(std::string(path), stamp) : entry.state;
    if (state != State::kCurrent) continue;
    contents += fmt::format("{} {} {} {} {}\t{}\n", stamp.size, stamp.inode, stamp.modified,
                            stamp.changed, path, entry.text);
  }
  try {
    const std::string directory(parent_directory(file_));
    if (!make_user_cache(directory)) return;
    if (!exists(file_)) remove_old_files(directory);
    write_file(file_, contents, NewFile{.mode = 0600, .is_synced = false});
  } catch (const FileError&) {
  }
}

}  // namespace bunraku
