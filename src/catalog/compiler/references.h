// References to resources as text, and read from it.
#pragma once

#include <string>
#include <string_view>

#include "values/type.h"

namespace bunraku {

// Of a resource or class?
bool is_reference(const Type& type);
// A reference as catalogs show it ("Class[Apache::Mod]").
std::string reference_text(Name type_key, std::string_view title);
// The same of a value that is one; other values as interpolated text.
std::string reference_text(Value value);
// The same, but hashes and patterns as Ruby writes them.
std::string ruby_reference_text(Value value);

struct WrittenReference {
  std::string_view type, title;  // no type: it is no reference
};
// Of "File[/etc/motd]".
WrittenReference parse_reference(std::string_view text);

}  // namespace bunraku
