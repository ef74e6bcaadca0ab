// Labels by libselinux, loaded at run time: the program neither links nor requires the library.
#include "apply/providers/file/labels.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "apply/transaction/failure.h"
#include "base/system/descriptor.h"
#include "base/system/file_system.h"
#include "base/system/lazy_library.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kParts[] = {"seluser", "selrole", "seltype", "selrange"};
// linux/magic.h does not have these.
constexpr long kGfs2Magic = 0x01161970;
constexpr long kJfsMagic = 0x3153464a;
constexpr long kZfsMagic = 0x2fc12fc1;

struct Functions {
  int (*is_enabled)();
  int (*get)(const char* path, char** label);
  int (*set)(const char* path, const char* label);
  int (*set_opened)(int descriptor, const char* label);
  void (*free)(char* label);
  const char* (*translations_path)();
  void* (*open)(unsigned backend, const void* options, unsigned count);
  int (*look_up)(void* policy, char** label, const char* path, int mode);

  Functions() {
    const LazyLibrary library("libselinux.so.1", "SELinux");
    library.find("is_selinux_enabled", is_enabled);
    library.find("lgetfilecon", get);
    library.find("lsetfilecon", set);
    library.find("fsetfilecon", set_opened);
    library.find("freecon", free);
    library.find("selinux_translations_path", translations_path);
    library.find("selabel_open", open);
    library.find("selabel_lookup", look_up);
  }
};

// Throws LibraryError.
const Functions& functions() {
  static const Functions found;
  return found;
}

// The policy's labels of paths, read once in a process.
void* policy() {
  constexpr unsigned kFiles = 0;
  static void* const opened = functions().open(kFiles, nullptr, 0);
  return opened;
}

std::optional<std::string> taken(char* label) {
  if (label == nullptr) return std::nullopt;
  std::string text = label;
  functions().free(label);
  return text;
}

size_t number_of_part(std::string_view property) {
  return static_cast<size_t>(std::ranges::find(kParts, property) - std::begin(kParts));
}

// The parts; the range may contain colons.
std::vector<std::string> parts_of(const std::string& label) {
  std::vector<std::string> parts;
  size_t at = 0;
  while (parts.size() + 1 < std::size(kParts)) {
    const size_t colon = label.find(':', at);
    parts.push_back(label.substr(at, colon - at));
    if (colon == std::string::npos) return parts;
    at = colon + 1;
  }
  parts.push_back(label.substr(at));
  return parts;
}

}  // namespace

bool has_labels() {
  // Decided once: a host has to be restarted to enable SELinux.
  static const bool is_enabled = [] {
    // Without this file libselinux reports that SELinux is disabled, so it need not be loaded.
    if (access("/etc/selinux/config", F_OK) != 0) return false;
    try {
      return functions().is_enabled() == 1;
    } catch (const LibraryError&) {
      return false;
    }
  }();
  return is_enabled;
}

bool can_be_labelled(const std::string& path) {
  std::string existing = path;
  Descriptor file(open(existing.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  while (!file.is_open() && existing.size() > 1) {
    existing = parent_directory(existing);
    file = Descriptor(open(existing.c_str(), O_PATH | O_CLOEXEC));
  }
  struct statfs system = {};
  if (!file.is_open() || fstatfs(file.number(), &system) != 0) return false;
  constexpr long kLabelled[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
                                kGfs2Magic,       kJfsMagic,       kZfsMagic};
  return std::ranges::find(kLabelled, static_cast<long>(system.f_type)) != std::end(kLabelled);
}

std::optional<std::string> label_of(const std::string& path) {
  char* label = nullptr;
  if (functions().get(path.c_str(), &label) < 0) return std::nullopt;
  return taken(label);
}

std::optional<std::string> default_label_of(const std::string& path, mode_t type) {
  struct stat info = {};
  if (lstat(path.c_str(), &info) == 0) type = info.st_mode;
  char* label = nullptr;
  if (policy() == nullptr ||
      functions().look_up(policy(), &label, path.c_str(), static_cast<int>(type)) != 0) {
    return std::nullopt;
  }
  return taken(label);
}

bool set_label(const std::string& path, const std::string& label) {
  return functions().set(path.c_str(), label.c_str()) == 0;
}

bool set_label(int descriptor, const std::string& label) {
  return functions().set_opened(descriptor, label.c_str()) == 0;
}

std::optional<std::string> part_of_label(const std::string& label, std::string_view property) {
  if (label == "unlabeled") return std::nullopt;
  const std::vector<std::string> parts = parts_of(label);
  constexpr size_t kLeast = 3;
  const auto is_valid = [](const std::string& part) {
    return !part.empty() && part.find_first_of(" \t\r\n\f\v") == std::string::npos;
  };
  if (parts.size() < kLeast ||
      !std::ranges::all_of(parts.begin(), parts.begin() + kLeast, is_valid)) {
    throw Failure(fmt::format("Invalid context to parse: {}", label));
  }
  const size_t number = number_of_part(property);
  return number < parts.size() ? std::optional(parts[number]) : std::nullopt;
}

std::string with_part(const std::string& label, std::string_view property,
                      const std::string& value) {
  std::vector<std::string> parts = parts_of(label);
  const size_t number = number_of_part(property);
  if (parts.size() <= number) parts.resize(number + 1);
  parts[number] = value;
  return fmt::format("{}", fmt::join(parts, ":"));
}

std::string range_of_name(const std::string& name) {
  const char* const path = functions().translations_path();
  if (path == nullptr || access(path, R_OK) != 0 || !is_file(path)) return name;
  const std::string text = read_file(path);
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    std::erase_if(line, [](char c) {
      return std::string_view(" \t\r\f\v").find(c) != std::string_view::npos;
    });
    const size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string::npos) continue;
    if (line.substr(equals + 1) == name) return line.substr(0, equals);
  }
  return name;
}

void restore_default_label(const std::string& path) {
  if (!has_labels() || !can_be_labelled(path)) return;
  const std::optional<std::string> wanted = default_label_of(path, 0);
  if (wanted && label_of(path) != wanted) set_label(path, *wanted);
}

}  // namespace bunraku::apply
