// The names that the files of modules stand for: what a mistyped name may have meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class Environment;

// Classes and defines share one space of names: their files do not distinguish them.
enum class NameKind : uint8_t { kClass, kFunction, kDataType, kResourceType };

// The name that a path stands for: "server::config" for server/config.
std::string qualified_name(std::string_view path);

// In lower case, with their modules ("ntp::server"), in no particular order. Files are listed, not
// read.
std::vector<std::string> names_in_modules(const Environment& environment, NameKind kind);

}  // namespace bunraku
