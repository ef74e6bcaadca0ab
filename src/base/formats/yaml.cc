#include "base/formats/yaml.h"

#include <fmt/core.h>
#include <yaml.h>

#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/formats/data_builder.h"
#include "base/formats/yaml_scalar.h"
#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "base/text/text_hash.h"

namespace bunraku {
namespace {

constexpr uint32_t kDepth = 1000;

// Matches 2026-11-23 with any text after it: a date, a time, or text.
bool begins_with_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  return text.size() >= kForm.size() &&
         std::ranges::equal(text.substr(0, kForm.size()), kForm, [](char c, char form) {
           return form == '-' ? c == '-' : c >= '0' && c <= '9';
         });
}
// The maximum size of a document with all aliases expanded.
constexpr size_t kExpandedNodes = 10'000'000;

std::string_view text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// One event of libyaml, freed with its holder.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { clear(); }
  yaml_event_t* fresh() {
    clear();
    is_set_ = true;
    return &event_;
  }
  const yaml_event_t* operator->() const { return &event_; }
  const yaml_event_t& event() const { return event_; }

 private:
  void clear() {
    if (is_set_) yaml_event_delete(&event_);
    is_set_ = false;
  }
  yaml_event_t event_;
  bool is_set_ = false;
};

RepeatedKey::Place place_of(const yaml_event_t& event) {
  const yaml_mark_t start = event.start_mark;
  const yaml_mark_t end = event.end_mark;
  const size_t length = start.line == end.line ? end.column - start.column : 0;
  return {static_cast<uint32_t>(start.line + 1), static_cast<uint32_t>(start.column + 1),
          static_cast<uint32_t>(length)};
}

class YamlReader {
 public:
  YamlReader(std::string_view text, const YamlOptions& options, Arena& arena)
      : options_(options), arena_(arena) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    // The library accepts no null pointer, which an empty view may have.
    const char* data = text.empty() ? "" : text.data();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(data),
                                 text.size());
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() { yaml_parser_delete(&parser_); }

  DataNode read() {
    DataNode root;
    next();
    while (event_->type != YAML_STREAM_END_EVENT) {
      if (event_->type == YAML_DOCUMENT_START_EVENT) {
        next();
        root = read_node(0);
        next();  // the end of the document; the rest is not read, even with errors
        break;
      }
      next();
    }
    return root;
  }

 private:
  struct Anchor {
    DataNode node;
    size_t expanded = 0;
    bool is_open = true;  // still being read
  };

  std::string_view file() const { return options_.file.empty() ? "<unknown>" : options_.file; }

  void next() {
    const int parsed = yaml_parser_parse(&parser_, event_.fresh());
    // After a failure, libyaml reports success but returns no event.
    if (parsed == 0 || event_->type == YAML_NO_EVENT) fail_to_parse();
  }

  [[noreturn]] void fail_to_parse() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    std::string problem = parser_.problem == nullptr ? "malformed document" : parser_.problem;
    if (parser_.context != nullptr) problem += fmt::format(" {}", parser_.context);
    // As in psych, the message has the place of the surrounding construct's start.
    throw DataError(fmt::format("({}): {} at line {} column {}", file(), problem,
                                parser_.context_mark.line + 1, parser_.context_mark.column + 1),
                    static_cast<uint32_t>(parser_.problem_mark.line + 1),
                    static_cast<uint32_t>(parser_.problem_mark.column + 1));
  }

  [[noreturn]] void fail(std::string_view problem) const {
    auto line = static_cast<uint32_t>(event_->start_mark.line + 1);
    auto column = static_cast<uint32_t>(event_->start_mark.column + 1);
    throw DataError(fmt::format("({}): {} at line {} column {}", file(), problem, line, column),
                    line, column);
  }

  // Fails with a message of Ruby without a place; the error's fields have the place. Psych parses a
  // document to its end before it converts it, so a syntax error takes precedence.
  [[noreturn]] void fail_bare(std::string message) {
    auto line = static_cast<uint32_t>(event_->start_mark.line + 1);
    auto column = static_cast<uint32_t>(event_->start_mark.column + 1);
    while (event_->type != YAML_DOCUMENT_END_EVENT) next();
    throw DataError(std::move(message), line, column);
  }

  [[noreturn]] void refuse_class(std::string_view name) {
    fail_bare(fmt::format("({}): Tried to load unspecified class: {}", file(), name));
  }

  void count_nodes(size_t count) {
    expanded_ += count;
    if (expanded_ > kExpandedNodes) fail("aliases expand to too many values");
  }

  // Reads the node that begins with the current event; its last event is the current one
  // afterwards.
  DataNode read_node(uint32_t depth) {
    if (depth > kDepth) fail(fmt::format("nested too deeply (more than {} levels)", kDepth));
    if (event_->type == YAML_ALIAS_EVENT) return read_alias();
    const size_t expanded_before = expanded_;
    count_nodes(1);
    std::optional<std::string> anchor = open_anchor();
    DataNode node;
    switch (event_->type) {
      case YAML_SCALAR_EVENT:
        node = read_scalar();
        break;
      case YAML_SEQUENCE_START_EVENT:
        node = read_sequence(depth);
        break;
      case YAML_MAPPING_START_EVENT:
        node = read_mapping(depth);
        break;
      default:
        fail("unexpected event");
    }
    if (anchor) anchors_[*anchor] = {node, expanded_ - expanded_before, false};
    return node;
  }

  std::optional<std::string> open_anchor() {
    const yaml_char_t* name = nullptr;
    if (event_->type == YAML_SCALAR_EVENT) name = event_->data.scalar.anchor;
    if (event_->type == YAML_SEQUENCE_START_EVENT) name = event_->data.sequence_start.anchor;
    if (event_->type == YAML_MAPPING_START_EVENT) name = event_->data.mapping_start.anchor;
    if (name == nullptr) return std::nullopt;
    std::string anchor(text_of(name));
    anchors_[anchor] = {};
    return anchor;
  }

  DataNode read_alias() {
    std::string_view name = text_of(event_->data.alias.anchor);
    auto found = anchors_.find(std::string(name));
    if (found == anchors_.end()) fail_bare("Unknown alias: " + std::string(name));
    if (found->second.is_open) fail(fmt::format("alias {} stands inside the value it names", name));
    count_nodes(found->second.expanded);
    return found->second.node;
  }

  DataNode read_scalar() {
    const auto& scalar = event_->data.scalar;
    const std::string_view value =
        arena_.copy(std::string_view(text_of(scalar.value).data(), scalar.length));
    if (scalar.quoted_implicit != 0) return DataNode::text(DataKind::kString, value);
    try {
      return resolve_tagged_scalar(text_of(scalar.tag), value);
    } catch (const DisallowedClass& error) {
      fail_bare(fmt::format("({}): {}", file(), error.what()));
    } catch (const DataError& error) {
      fail_bare(error.what());
    }
  }

  DataNode resolve_plain(std::string_view value) {
    if (!options_.times_as_text) return resolve_plain_scalar(value, options_.allow_symbols, arena_);
    if (begins_with_date(value)) return DataNode::text(DataKind::kString, value);
    try {
      return resolve_plain_scalar(value, options_.allow_symbols, arena_);
    } catch (const DisallowedClass&) {
      return DataNode::text(DataKind::kString, value);
    }
  }

  DataNode resolve_tagged_scalar(std::string_view tag, std::string_view value) {
    if (tag.empty()) return resolve_plain(value);
    if (tag == "!binary" || tag == "tag:yaml.org,2002:binary") {
      return DataNode::byte_string(arena_.copy(decode_base64_leniently(value)));
    }
    if (is_string_tag(tag)) return DataNode::text(DataKind::kString, value);
    if (tag == "!float" || tag == "tag:yaml.org,2002:float")
      return to_float(resolve_plain(value), value);
    if (starts_with(tag, "!ruby/sym")) {
      if (!options_.allow_symbols) throw DisallowedClass("Symbol");
      return DataNode::text(DataKind::kSymbol, value);
    }
    if (tag == "!ruby/object:BigDecimal") throw DisallowedClass("BigDecimal");
    if (tag == "!ruby/object:DateTime") throw DisallowedClass("DateTime");
    if (tag == "!ruby/object:Complex") throw DisallowedClass("Complex");
    if (tag == "!ruby/object:Rational") throw DisallowedClass("Rational");
    if (tag == "!ruby/regexp") {
      const bool is_plain = value.size() > 1 && value.front() == '/' && value.back() == '/';
      if (!options_.allow_regexps || !is_plain) throw DisallowedClass("Regexp");
      return DataNode::text(DataKind::kRegexp, value.substr(1, value.size() - 2));
    }
    if (tag == "!ruby/range") throw DisallowedClass("Range");
    if (tag == "!ruby/class" || tag == "!ruby/module") throw DisallowedClass(value);
    if (tag == "!ruby/encoding" && !is_common_encoding(value)) {
      throw DataError(fmt::format("unknown encoding name - {}", value));
    }
    return resolve_plain(value);
  }

  // Names that data may use in an encoding tag; the value is then the name.
  static bool is_common_encoding(std::string_view name) {
    static const Regex* const kNames = Regex::compile(
        R"((?i)\A(?:utf-?(?:8|16|32)(?:[bl]e)?|(?:us-)?ascii(?:-8bit)?|binary|iso-?8859-\d+|windows-125\d|external|locale)\z)");
    Captures captures;
    return kNames->search(name, 0, captures);
  }

  // "!str", "!ruby/string" and the standard tag; one with a class name after a colon is rejected.
  bool is_string_tag(std::string_view tag) {
    if (tag == "tag:yaml.org,2002:str") return true;
    for (const std::string_view name : {"!str", "!ruby/string"}) {
      if (tag == name) return true;
      if (starts_with(tag, name) && tag[name.size()] == ':') {
        if (tag.size() == name.size() + 1) return true;
        refuse_class(tag.substr(name.size() + 1));
      }
    }
    return false;
  }

  DataNode to_float(const DataNode& node, std::string_view value) const {
    if (node.is(DataKind::kFloat)) return node;
    if (node.is(DataKind::kInteger))
      return DataNode::floating(static_cast<double>(node.integer_value()));
    if (node.is(DataKind::kNull)) throw DataError("can't convert nil into Float");
    std::optional<double> number = parse_float(value);
    if (!number) {
      std::string message = "invalid value for Float(): ";
      append_ruby_inspect(message, value);
      throw DataError(message);
    }
    return DataNode::floating(*number);
  }

  DataNode read_sequence(uint32_t depth) {
    const std::string tag(text_of(event_->data.sequence_start.tag));
    for (const std::string_view prefix : {"!seq:", "!ruby/array:"}) {
      if (starts_with(tag, prefix)) refuse_class(std::string_view(tag).substr(prefix.size()));
    }
    if (tag == "!omap" || tag == "tag:yaml.org,2002:omap") return read_ordered_map(depth);
    DataArrayBuilder items;
    for (next(); event_->type != YAML_SEQUENCE_END_EVENT; next()) items.add(read_node(depth + 1));
    return items.finish(arena_);
  }

  // Reads a sequence of mappings with one entry each.
  DataNode read_ordered_map(uint32_t depth) {
    DataHashBuilder entries;
    for (next(); event_->type != YAML_SEQUENCE_END_EVENT; next()) {
      const DataNode item = read_node(depth + 1);
      if (!item.is(DataKind::kHash) || item.entries().empty()) fail("malformed ordered map");
      entries.set(item.entries().front().key, item.entries().front().value);
    }
    return entries.finish(arena_);
  }

  DataNode read_mapping(uint32_t depth) {
    refuse_mapping_tag(std::string(text_of(event_->data.mapping_start.tag)));
    DataHashBuilder entries;
    DataHashBuilder own;
    std::vector<RepeatedKey::Place> places;
    for (next(); event_->type != YAML_MAPPING_END_EVENT; next()) {
      const RepeatedKey::Place place = place_of(event_.event());
      const std::string shown(options_.repeated_keys != nullptr && event_->type == YAML_SCALAR_EVENT
                                  ? text_of(event_->data.scalar.value)
                                  : "...");
      const bool is_forced_string = event_->type == YAML_SCALAR_EVENT &&
                                    text_of(event_->data.scalar.tag) == "tag:yaml.org,2002:str";
      const DataNode key = read_node(depth + 1);
      next();
      const bool is_sequence = event_->type == YAML_SEQUENCE_START_EVENT;
      const DataNode value = read_node(depth + 1);
      const bool is_merge =
          !is_forced_string && key.is(DataKind::kString) && key.text_value() == "<<";
      if (!is_merge || !merge(entries, value, is_sequence)) entries.set(key, value);
      if (options_.repeated_keys == nullptr || is_merge) continue;
      const size_t position = own.set(key, value);
      if (position == places.size()) {
        places.push_back(place);
      } else {
        options_.repeated_keys->push_back({shown, place, places[position]});
      }
    }
    return entries.finish(arena_);
  }

  void refuse_mapping_tag(std::string_view tag) {
    if (tag.empty() || tag[0] != '!') {
      if (tag == "tag:yaml.org,2002:set") refuse_class("Psych::Set");
      if (tag == "tag:yaml.org,2002:omap") refuse_class("Psych::Omap");
      return;
    }
    if (tag == "!set") refuse_class("Psych::Set");
    if (tag == "!omap") refuse_class("Psych::Omap");
    if (tag == "!ruby/range") refuse_class("Range");
    if (starts_with(tag, "!ruby/object")) {
      const std::string_view name = class_name(tag, "!ruby/object", "Object");
      if (name != "Hash" && name != options_.allowed_class) refuse_class(name);
      return;
    }
    if (starts_with(tag, "!ruby/struct")) refuse_class(class_name(tag, "!ruby/struct", "Struct"));
    if (starts_with(tag, "!ruby/exception"))
      refuse_class(class_name(tag, "!ruby/exception", "Exception"));
    for (const std::string_view prefix :
         {"!map:", "!ruby/hash:", "!ruby/hash-with-ivars:", "!ruby/array:", "!ruby/marshalable:"}) {
      if (!starts_with(tag, prefix)) continue;
      refuse_class(tag.substr(prefix.size()));
    }
  }

  static std::string_view class_name(std::string_view tag, std::string_view prefix,
                                     std::string_view otherwise) {
    tag.remove_prefix(prefix.size());
    if (!tag.empty() && tag[0] == ':') tag.remove_prefix(1);
    return tag.empty() ? otherwise : tag;
  }

  // Merges the entries of a mapping, or of each in a sequence, with precedence for earlier ones.
  // Does nothing and returns false when the value is not of mappings.
  static bool merge(DataHashBuilder& entries, const DataNode& value, bool is_sequence) {
    if (value.is(DataKind::kHash)) {
      for (const DataEntry& entry : value.entries()) entries.set(entry.key, entry.value);
      return true;
    }
    if (!is_sequence) return false;
    for (const DataNode& item : value.items()) {
      if (!item.is(DataKind::kHash)) return false;
    }
    DataHashBuilder merged;
    const std::span<const DataNode> items = value.items();
    for (size_t i = items.size(); i > 0; --i) {
      for (const DataEntry& entry : items[i - 1].entries()) merged.set(entry.key, entry.value);
    }
    for (const DataEntry& entry : merged.entries()) entries.set(entry.key, entry.value);
    return true;
  }

  YamlOptions options_;
  Arena& arena_;
  yaml_parser_t parser_;
  Event event_;
  std::unordered_map<std::string, Anchor, TextHash> anchors_;
  size_t expanded_ = 0;
};

}  // namespace

DataNode read_yaml(std::string_view text, const YamlOptions& options, Arena& arena) {
  return YamlReader(text, options, arena).read();
}

}  // namespace bunraku
