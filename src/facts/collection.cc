// Data that several collectors need.
#include "facts/collection.h"

#include "base/text/ascii.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

// Decodes octal escapes in tables of mounts, such as "\040" for a blank.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view digits = text.substr(at + 1, 3);
    if (text[at] == '\\' && digits.size() == 3 &&
        digits.find_first_not_of("01234567") == std::string_view::npos) {
      plain.push_back(
          static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0')));
      at += 3;
    } else {
      plain.push_back(text[at]);
    }
  }
  return plain;
}

}  // namespace

const KernelName& Collection::kernel() {
  if (!kernel_) kernel_ = machine_.kernel();
  return *kernel_;
}

const std::map<std::string, std::string, std::less<>>& Collection::os_release() {
  if (os_release_) return *os_release_;
  os_release_.emplace();
  const std::string text = machine_.text("/etc/os-release");
  for (const std::string_view line : lines(text)) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    std::string value(stripped(line.substr(equals + 1)));
    std::erase(value, '"');
    (*os_release_)[to_lower(stripped(line.substr(0, equals)))] = std::move(value);
  }
  return *os_release_;
}

std::string Collection::os_release(std::string_view key) {
  const auto& pairs = os_release();
  const auto found = pairs.find(key);
  return found == pairs.end() ? std::string() : found->second;
}

const std::string& Collection::dmi(std::string_view name) {
  const auto found = dmi_.find(name);
  if (found != dmi_.end()) return found->second;
  const std::string path = "/sys/class/dmi/id/" + std::string(name);
  return dmi_.emplace(name, machine_.stripped_text(path)).first->second;
}

const std::vector<Mount>& Collection::mounts() {
  if (mounts_) return *mounts_;
  mounts_.emplace();
  std::string table = machine_.text("/proc/self/mounts");
  if (table.empty()) table = machine_.text("/etc/mtab");
  for (const std::string_view line : lines(table)) {
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() < 4) continue;
    mounts_->push_back(
        {unescaped(parts[0]), unescaped(parts[1]), unescaped(parts[2]), unescaped(parts[3])});
  }
  return *mounts_;
}

const Virtualization& Collection::virtualization() {
  if (!virtualization_) virtualization_ = detect_virtualization(*this);
  return *virtualization_;
}

const std::string& Collection::os_family() {
  if (!os_family_) os_family_ = detect_os_family(*this);
  return *os_family_;
}

}  // namespace bunraku::facts
