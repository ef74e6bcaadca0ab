#include "base/formats/document_check.h"

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

#include <pugixml.hpp>

#include "base/text/utf8.h"

namespace bunraku {

std::optional<DocumentMistake> find_toml_mistake(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
    return {};
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    return DocumentMistake{std::string(error.description()),
                           static_cast<uint32_t>(offset_of_place(text, at.line, at.column))};
  }
}

std::optional<DocumentMistake> find_xml_mistake(std::string_view text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
  if (result) return {};
  return DocumentMistake{result.description(), static_cast<uint32_t>(result.offset)};
}

}  // namespace bunraku
