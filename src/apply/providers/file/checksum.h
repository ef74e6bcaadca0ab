// Checksums of files and contents, as File resources have them: "{sha256}2cf2…".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/system/checksum_cache.h"
#include "base/text/digest.h"

namespace bunraku::apply {

// md5, sha256lite, mtime, none and so on.
bool is_checksum_type(std::string_view type);
bool is_time_checksum(std::string_view type);
// "{sha256}…"
bool is_checksum(std::string_view text);
std::string_view checksum_type_of(std::string_view checksum);
std::string_view checksum_data_of(std::string_view checksum);
// Digits as many as the type has.
bool is_valid_checksum(std::string_view type, std::string_view data);

// Sums up contents that come in pieces.
class ChecksumStream {
 public:
  explicit ChecksumStream(std::string_view type);
  void add(std::string_view data);
  // "{sha256}…"; of types that are no digests "{mtime}" and the like without data.
  std::string finish();

 private:
  std::string type_;
  std::unique_ptr<Digester> digester_;
  size_t left_;  // bytes that still count
};

std::string checksum_of_text(std::string_view type, std::string_view text);
// Throws Failure when the file cannot be read.
std::string checksum_of_file(std::string_view type, const std::string& path);
// The checksum that `known` has of the file; one that it does not have is made and kept there.
// Throws Failure.
std::string known_checksum_of_file(std::string_view type, const std::string& path,
                                   ChecksumCache& known);

}  // namespace bunraku::apply
