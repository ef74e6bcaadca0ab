// Texts that are derived from files and directories, kept in a file between processes. A text is
// valid while its file or directory is unchanged. Safe from any thread.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/system/file_system.h"
#include "base/text/text_hash.h"

namespace bunraku {

class KeptTexts {
 public:
  // Reads `file`, which need not exist, in a directory of user_cache_directory(). Only a file that
  // no other user can have written is used.
  explicit KeptTexts(std::string file);
  KeptTexts(const KeptTexts&) = delete;
  KeptTexts& operator=(const KeptTexts&) = delete;

  struct Text {
    bool exists;            // the path did when the text was kept, and does now, or neither
    std::string_view text;  // lives as long as this
  };
  // Returns the text of the path's current version. The path is examined once, by the first call;
  // one without a text is not examined.
  std::optional<Text> find(const std::string& path);
  // Keeps the text of a version of the path, of which the stamp was taken before it was read. Not
  // kept are a very recent version (see is_settled), and a text with a line end.
  void keep(const std::string& path, const FileStamp& stamp, std::string text);
  // Writes the file when there are new texts, without those of versions that are no longer current.
  // A file that cannot be written only costs time, so errors are ignored. No other call may run at
  // the same time.
  void save();

 private:
  enum class State : uint8_t { kUnknown, kCurrent, kOutdated };
  struct Entry {
    FileStamp stamp;
    std::string_view text;
    State state = State::kUnknown;
  };
  void read();
  // Adds one line of the file; returns false for a line that is none of this class.
  bool add_line(std::string_view line);
  static State state_of(const std::string& path, const FileStamp& stamp);

  const std::string file_;
  std::string contents_;  // of the file
  std::mutex mutex_;
  std::deque<std::string> added_;                                         // paths and texts
  boost::unordered_flat_map<std::string_view, Entry, TextHash> entries_;  // by path
  bool has_new_ = false;
};

}  // namespace bunraku
