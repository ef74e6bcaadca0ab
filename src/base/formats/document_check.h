// Validation of TOML and XML documents. Their data is not read, because the language has no data of
// these formats.
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

// Returns nothing when the text is valid.
std::optional<DocumentMistake> find_toml_mistake(std::string_view text);
// Fragments of a document are valid too: several elements, or text between them.
std::optional<DocumentMistake> find_xml_mistake(std::string_view text);

}  // namespace bunraku
