#include "base/formats/document_check.h"

#include <pugixml.hpp>

namespace bunraku {

std::optional<DocumentMistake> find_xml_mistake(std::string_view text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_fragment, pugi::encoding_utf8);
  if (result) return {};
  return DocumentMistake{result.description(), static_cast<uint32_t>(result.offset)};
}

}  // namespace bunraku
