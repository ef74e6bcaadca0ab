// The names that files of modules define, for suggestions on mistyped names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class Environment;

// Classes and defined types share a namespace: their files cannot be told apart.
enum class NameKind : uint8_t { kClass, kFunction, kDataType, kResourceType };

// The name for a path: "server::config" for server/config.
std::string qualified_name(std::string_view path);

// The names in lower case, with their modules ("ntp::server"), in no particular order. Files are
// listed, not read.
std::vector<std::string> names_in_modules(const Environment& environment, NameKind kind);

}  // namespace bunraku
