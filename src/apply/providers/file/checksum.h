// Checksums of files and contents, in the form that File resources use: "{sha256}2cf2…".
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
// Returns whether the data has the form of a checksum of the type. That of times is not examined.
bool is_valid_checksum(std::string_view type, std::string_view data);

// Computes the checksum of contents that arrive in pieces.
class ChecksumStream {
 public:
  explicit ChecksumStream(std::string_view type);
  void add(std::string_view data);
  // "{sha256}…"; types that are not digests return "{mtime}" and the like without data.
  std::string finish();

 private:
  std::string type_;
  std::unique_ptr<Digester> digester_;
  size_t left_;  // the bytes that are still included
};

std::string checksum_of_text(std::string_view type, std::string_view text);
// Throws Failure when the file cannot be read.
std::string checksum_of_file(std::string_view type, const std::string& path);
// Returns the cached checksum of the file from `known`, or computes and stores it there. Throws
// Failure.
std::string known_checksum_of_file(std::string_view type, const std::string& path,
                                   ChecksumCache& known);

}  // namespace bunraku::apply
