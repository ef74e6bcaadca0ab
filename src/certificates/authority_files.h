// Reading and changing the authority's files. Private to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/system/descriptor.h"
#include "certificates/authority.h"

namespace bunraku::certificates {

// Excludes other threads and processes during its lifetime.
class Authority::Lock {
 public:
  explicit Lock(const AuthorityFiles& files);

 private:
  Descriptor descriptor_;
};

constexpr uint32_t kSecretMode = 0600;
constexpr uint32_t kPublicMode = 0644;

std::optional<std::string> read_if_there(const std::string& path);
// Appends a line to one of the authority's files in one write, and completes an unfinished last
// line first. Throws CertificateError.
void append_line(const AuthorityFiles& files, const std::string& path, const std::string& line);
// Removes the file if it exists.
bool remove_file(const std::string& path);
// The hexadecimal number plus one.
std::string next_hex(const std::string& digits);
// "0x0001 2026-11-21T17:12:06UTC 2031-11-21T17:12:06UTC /CN=a"
std::string inventory_line(const Certificate& certificate);
std::optional<InventoryEntry> parse_inventory_line(std::string_view line);

}  // namespace bunraku::certificates
