#include "base/formats/yaml_line.h"

#include <yaml.h>

#include <charconv>

namespace bunraku {
namespace {

struct Document {
  explicit Document(std::string_view text) {
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    is_loaded = yaml_parser_load(&parser, &document) != 0;
  }
  ~Document() {
    if (is_loaded) yaml_document_delete(&document);
    yaml_parser_delete(&parser);
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  yaml_parser_t parser;
  yaml_document_t document;
  bool is_loaded;
};

// Both nodes of the mapping's entry with the key; null when there is none.
struct Step {
  const yaml_node_t* place = nullptr;
  yaml_node_t* value = nullptr;
};

Step step_into(yaml_document_t& document, const yaml_node_t& node, std::string_view name) {
  if (node.type == YAML_MAPPING_NODE) {
    for (const yaml_node_pair_t* pair = node.data.mapping.pairs.start;
         pair < node.data.mapping.pairs.top; ++pair) {
      const yaml_node_t* key = yaml_document_get_node(&document, pair->key);
      if (key == nullptr || key->type != YAML_SCALAR_NODE) continue;
      const std::string_view text(reinterpret_cast<const char*>(key->data.scalar.value),
                                  key->data.scalar.length);
      if (text == name) return {key, yaml_document_get_node(&document, pair->value)};
    }
  } else if (node.type == YAML_SEQUENCE_NODE) {
    size_t number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    const auto& items = node.data.sequence.items;
    if (parsed.ec == std::errc() && number < static_cast<size_t>(items.top - items.start)) {
      yaml_node_t* item = yaml_document_get_node(&document, items.start[number]);
      return {item, item};
    }
  }
  return {};
}

}  // namespace

uint32_t yaml_line(std::string_view text, std::span<const std::string_view> path) {
  Document loaded(text);
  if (!loaded.is_loaded) return 0;
  yaml_node_t* node = yaml_document_get_root_node(&loaded.document);
  uint32_t line = 0;
  for (const std::string_view name : path) {
    if (node == nullptr) break;
    const Step step = step_into(loaded.document, *node, name);
    if (step.place == nullptr) break;
    line = static_cast<uint32_t>(step.place->start_mark.line) + 1;
    node = step.value;
  }
  return line;
}

}  // namespace bunraku
