// The only file that includes toml++, a header-only library.
#include "base/formats/toml.h"

#include <fmt/core.h>
// Invalid input violates some of the library's assertions before the library reports it.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <string>

#include "base/formats/data_builder.h"
#include "base/formats/document_check.h"
#include "base/memory/arena.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

// The library limits the nesting of tables.
DataNode data_of(const toml::node& node, Arena& arena) {
  if (const toml::table* table = node.as_table()) {
    DataHashBuilder hash;
    for (const auto& [key, value] : *table) {
      hash.set(DataNode::text(DataKind::kString, arena.copy(key.str())), data_of(value, arena));
    }
    return hash.finish(arena);
  }
  if (const toml::array* list = node.as_array()) {
    DataArrayBuilder array;
    for (const toml::node& item : *list) array.add(data_of(item, arena));
    return array.finish(arena);
  }
  if (const auto* text = node.as_string()) {
    return DataNode::text(DataKind::kString, arena.copy(text->get()));
  }
  if (const auto* integer = node.as_integer()) return DataNode::integer(integer->get());
  if (const auto* number = node.as_floating_point()) return DataNode::floating(number->get());
  if (const auto* truth = node.as_boolean()) return DataNode::boolean(truth->get());
  const toml::source_position& at = node.source().begin;
  throw DataError("dates and times have no use here", at.line, at.column);
}

constexpr std::string_view kInvalidText = "the text is no valid UTF-8";

}  // namespace

DataNode read_toml(std::string_view text, Arena& arena) {
  if (const size_t valid = valid_utf8_prefix(text); valid < text.size()) {
    const std::string_view before = text.substr(0, valid);
    const size_t line_start = before.rfind('\n') + 1;
    throw DataError(std::string(kInvalidText),
                    static_cast<uint32_t>(std::ranges::count(before, '\n') + 1),
                    static_cast<uint32_t>(character_count(before.substr(line_start)) + 1));
  }
  try {
    return data_of(toml::parse(text), arena);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    throw DataError(std::string(error.description()), at.line, at.column);
  }
}

std::optional<DocumentMistake> find_toml_mistake(std::string_view text) {
  if (const size_t valid = valid_utf8_prefix(text); valid < text.size()) {
    return DocumentMistake{std::string(kInvalidText), static_cast<uint32_t>(valid)};
  }
  try {
    static_cast<void>(toml::parse(text));
    return {};
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    return DocumentMistake{std::string(error.description()),
                           static_cast<uint32_t>(offset_of_place(text, at.line, at.column))};
  }
}

}  // namespace bunraku
