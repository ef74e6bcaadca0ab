#include "site/file_serving/mounts_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/diagnostics/log.h"
#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "site/file_serving/failure.h"

namespace bunraku {
namespace {

// Mounts of modules, which have no directory. The mount of plug-in facts is missing here because
// the reference accepts it in the file.
constexpr std::string_view kWithoutDirectory[] = {"modules", "plugins", "scripts", "tasks",
                                                  "locales"};

// The text in the first brackets that contain a name; empty when there are none.
std::string_view section_name(std::string_view line) {
  for (size_t open = line.find('['); open != std::string_view::npos;
       open = line.find('[', open + 1)) {
    size_t end = open + 1;
    while (end < line.size() && (is_word_character(line[end]) || line[end] == '-')) ++end;
    if (end > open + 1 && end < line.size() && line[end] == ']') {
      return line.substr(open + 1, end - open - 1);
    }
  }
  return {};
}

class MountsFileParser {
 public:
  MountsFileParser(const std::string& file, LogSink* log) : file_(file), log_(log) {}

  std::vector<MountEntry> parse(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      ++line_;
      parse_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    for (const Mount& mount : mounts_) {
      if (mount.has_directory && mount.entry.directory.empty()) {
        fail_to_serve("Mounts without paths are not usable");
      }
    }
    std::vector<MountEntry> entries;
    for (Mount& mount : mounts_) entries.push_back(std::move(mount.entry));
    return entries;
  }

 private:
  struct Mount {
    MountEntry entry;
    bool has_directory;
  };

  void parse_line(std::string_view line) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content[0] == '#') return;
    if (const std::string_view name = section_name(line); !name.empty()) return add_mount(name);
    size_t end = 0;
    while (end < content.size() && is_word_character(content[end])) ++end;
    if (end == 0 || end == content.size() || !is_white(content[end])) {
      fail_to_serve(fmt::format("Invalid entry at {}: '{}'", place(), line));
    }
    std::string_view value = trimmed(content.substr(end));
    if (const size_t comment = value.find('#', 1); comment != std::string_view::npos) {
      value = trimmed(value.substr(0, comment));
    }
    set(content.substr(0, end), value, line);
  }

  void add_mount(std::string_view name) {
    for (const Mount& mount : mounts_) {
      if (mount.entry.name != name) continue;
      fail_to_serve(fmt::format("mount[{0}] is already mounted at {0} at {1}", name, place()));
    }
    const bool has_directory =
        std::ranges::find(kWithoutDirectory, name) == std::end(kWithoutDirectory);
    mounts_.push_back({{std::string(name), {}}, has_directory});
    is_removed_ = false;
  }

  void set(std::string_view key, std::string_view value, std::string_view line) {
    if (value.starts_with('=')) {
      fail_to_serve("Fileserver configuration file does not use '=' as a separator");
    }
    if (key == "path") return set_directory(value);
    if (key != "allow" && key != "deny") {
      fail_to_serve(fmt::format("Invalid argument '{}' at {}", key, place()));
    }
    if (key == "allow" && value == "*") return;
    report(LogLevel::kErr,
           fmt::format("Entry '{}' is unsupported and will be ignored at {}", line, place()));
  }

  void set_directory(std::string_view directory) {
    if (is_removed_) return;
    if (mounts_.empty()) {
      fail_to_serve(
          fmt::format("A path belongs to a mount, and none is named before it at {}", place()));
    }
    Mount& mount = mounts_.back();
    if (!mount.has_directory) {
      return report(LogLevel::kWarning,
                    fmt::format("The '{}' module can not have a path. Ignoring attempt to set it",
                                mount.entry.name));
    }
    mount.entry.directory = directory;
    if (has_pattern(directory)) return;
    std::string_view problem;
    if (!is_directory(mount.entry.directory)) {
      problem = "does not exist or is not a directory";
    } else if (::access(mount.entry.directory.c_str(), R_OK) != 0) {
      problem = "is not readable";
    }
    if (problem.empty()) return;
    report(LogLevel::kErr,
           fmt::format("Removing mount \"{}\": {} {}", mount.entry.name, directory, problem));
    mounts_.pop_back();
    is_removed_ = true;
  }

  std::string place() const { return fmt::format("(file: {}, line: {})", file_, line_); }

  void report(LogLevel level, std::string message) {
    if (log_ == nullptr) return;
    LogRecord record;
    record.level = level;
    record.message = std::move(message);
    log_->log(record);
  }

  const std::string& file_;
  LogSink* log_;
  uint32_t line_ = 0;
  std::vector<Mount> mounts_;
  bool is_removed_ = false;  // whether the mount of the current lines is left out
};

}  // namespace

bool has_pattern(std::string_view directory) {
  const size_t percent = directory.find('%');
  return percent != std::string_view::npos && percent + 1 < directory.size();
}

std::vector<MountEntry> parse_mounts_file(std::string_view text, const std::string& file,
                                          LogSink* log) {
  return MountsFileParser(file, log).parse(text);
}

}  // namespace bunraku
