// References to resources as text, such as "File[/etc/motd]".
#pragma once

#include <string_view>

namespace bunraku {

// Both parts are in the text that was parsed.
struct WrittenReference {
  std::string_view type, title;  // `type` is empty for a text that is no reference
};

WrittenReference parse_reference(std::string_view text);

}  // namespace bunraku
