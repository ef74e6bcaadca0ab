// Digests and times of files.
#include "apply/providers/file/checksum.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <optional>

#include "apply/reports/datum.h"
#include "apply/transaction/failure.h"
#include "base/system/descriptor.h"

namespace bunraku::apply {
namespace {

constexpr size_t kLiteSize = 512;
// On the stack and not cleared, because most files are smaller than a page.
constexpr size_t kPieceSize = 64 * 1024;

struct Type {
  std::string_view name;
  DigestAlgorithm algorithm;
  size_t digits;
  bool is_lite;
};

constexpr Type kTypes[] = {
    {"sha256", DigestAlgorithm::kSha256, 64, false},
    {"sha256lite", DigestAlgorithm::kSha256, 64, true},
    {"md5", DigestAlgorithm::kMd5, 32, false},
    {"md5lite", DigestAlgorithm::kMd5, 32, true},
    {"sha1", DigestAlgorithm::kSha1, 40, false},
    {"sha1lite", DigestAlgorithm::kSha1, 40, true},
    {"sha512", DigestAlgorithm::kSha512, 128, false},
    {"sha384", DigestAlgorithm::kSha384, 96, false},
    {"sha224", DigestAlgorithm::kSha224, 56, false},
};

const Type* find_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &Type::name);
  return found == std::end(kTypes) ? nullptr : &*found;
}

}  // namespace

bool is_checksum_type(std::string_view type) {
  return find_type(type) != nullptr || is_time_checksum(type) || type == "none";
}

bool is_time_checksum(std::string_view type) {
  return type == "mtime" || type == "ctime";
}

bool is_checksum(std::string_view text) {
  if (!text.starts_with('{')) return false;
  const size_t end = text.find('}');
  if (end == std::string_view::npos || end < 4 || end + 1 >= text.size()) return false;
  return is_checksum_type(text.substr(1, end - 1)) && text[end + 1] != ' ' && text[end + 1] != '\n';
}

std::string_view checksum_type_of(std::string_view checksum) {
  return checksum.substr(1, checksum.find('}') - 1);
}

std::string_view checksum_data_of(std::string_view checksum) {
  return checksum.substr(checksum.find('}') + 1);
}

bool is_valid_checksum(std::string_view type, std::string_view data) {
  if (type == "none") return data.empty();
  const Type* known = find_type(type);
  if (known == nullptr) return true;
  return data.size() == known->digits && std::ranges::all_of(data, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

ChecksumStream::ChecksumStream(std::string_view type) : type_(type), left_(0) {
  const Type* known = find_type(type);
  if (known == nullptr) return;
  digester_ = std::make_unique<Digester>(known->algorithm);
  left_ = known->is_lite ? kLiteSize : std::numeric_limits<size_t>::max();
}

void ChecksumStream::add(std::string_view data) {
  if (digester_ == nullptr || left_ == 0) return;
  data = data.substr(0, left_);
  left_ -= data.size();
  digester_->add(data);
}

std::string ChecksumStream::finish() {
  return fmt::format("{{{}}}{}", type_, digester_ == nullptr ? std::string() : digester_->hex());
}

std::string checksum_of_text(std::string_view type, std::string_view text) {
  ChecksumStream stream(type);
  stream.add(text);
  return stream.finish();
}

std::string checksum_of_file(std::string_view type, const std::string& path) {
  if (type == "none") return "{none}";
  if (is_time_checksum(type)) {
    struct stat info = {};
    if (stat(path.c_str(), &info) != 0) {
      throw Failure::of_system(system_error_text(errno, "rb_file_s_stat", path));
    }
    const timespec& time = type == "mtime" ? info.st_mtim : info.st_ctim;
    return fmt::format("{{{}}}{}", type, Datum::time(time.tv_sec * 1'000'000'000).to_text());
  }
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.is_open()) throw Failure::of_system(system_error_text(errno, "rb_sysopen", path));
  ChecksumStream stream(type);
  std::array<char, kPieceSize> buffer;
  while (true) {
    const ssize_t count = read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Failure::of_system(system_error_text(errno, "io_fread", path));
    if (count == 0) break;
    stream.add({buffer.data(), static_cast<size_t>(count)});
  }
  return stream.finish();
}

std::string known_checksum_of_file(std::string_view type, const std::string& path,
                                   ChecksumCache& known) {
  if (find_type(type) == nullptr) return checksum_of_file(type, path);
  return known.of(std::string(type), path, file_stamp(path),
                  [&] { return checksum_of_file(type, path); });
}

}  // namespace bunraku::apply
