// From toml++'s tree to plain data.
#include "base/formats/toml.h"

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <fmt/core.h>
#include <toml++/toml.h>

#include <string>

#include "base/formats/data_builder.h"
#include "base/memory/arena.h"

namespace bunraku {
namespace {

// The library bounds how deep tables stand in each other.
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

}  // namespace

DataNode read_toml(std::string_view text, Arena& arena) {
  try {
    return data_of(toml::parse(text), arena);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    throw DataError(std::string(error.description()), at.line, at.column);
  }
}

}  // namespace bunraku
