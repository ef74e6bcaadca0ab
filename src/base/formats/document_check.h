// Is a text a document in TOML or XML? Only asked, never read: the language has no data of these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

struct DocumentMistake {
  std::string message;
  uint32_t offset;  // in the text, in bytes
};

// Nothing when the text is right.
std::optional<DocumentMistake> find_toml_mistake(std::string_view text);
// Pieces of a document are right too: several elements, or text between them.
std::optional<DocumentMistake> find_xml_mistake(std::string_view text);

}  // namespace bunraku
