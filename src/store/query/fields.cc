// Dotted names, and messages that list fields.
#include "store/query/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/formats/json.h"

namespace bunraku::store {
namespace {

std::string quoted_list(std::vector<std::string> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

// The names of fields that can be queried, or shown.
std::vector<std::string> names_of(const Entity& entity, bool is_asked) {
  std::vector<std::string> names;
  for (const Field& field : entity.fields) {
    const bool is_extra = field.is_query_only &&
                          (field.kind == FieldKind::kBoolean || field.kind == FieldKind::kTime);
    const bool is_listed =
        is_asked ? !is_extra && field.kind != FieldKind::kNested : !field.is_query_only;
    if (is_listed) names.emplace_back(field.name);
  }
  std::ranges::sort(names);
  return names;
}

// A pattern that matches only the name.
std::string escaped_name(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) text += '\\';
    text += c;
  }
  return text;
}

// A JSON array of the steps: indexes, and for other steps the result of `text_of`.
template <typename TextOf>
std::string steps_json(const std::vector<DottedStep>& steps, const TextOf& text_of) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const DottedStep& step : steps) {
    if (step.is_index) {
      json.integer(step.index);
    } else {
      json.string(text_of(step));
    }
  }
  json.end_array();
  return text;
}

constexpr std::string_view kMatchBegin = "match(\"", kMatchEnd = "\")";

// Removes "[12]" from the front and returns the index.
std::optional<int64_t> take_index(std::string_view& rest) {
  const size_t end = rest.find(']');
  if (!rest.starts_with('[') || end == std::string_view::npos) return {};
  int64_t index = 0;
  const char* last = rest.data() + end;
  const auto [at, error] = std::from_chars(rest.data() + 1, last, index);
  if (error != std::errc() || at != last) return {};
  rest.remove_prefix(end + 1);
  return index;
}

}  // namespace

std::optional<DottedName> split_dotted_name(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {};
  DottedName dotted;
  dotted.field = name.substr(0, dot);
  std::string_view rest = name.substr(dot);
  while (!rest.empty()) {
    if (rest.starts_with('[')) {
      const auto index = take_index(rest);
      if (!index) return {};
      dotted.steps.push_back({"", true, false, *index});
      continue;
    }
    if (!rest.starts_with('.')) return {};
    rest.remove_prefix(1);
    DottedStep step;
    if (rest.starts_with(kMatchBegin)) {
      const size_t end = rest.find(kMatchEnd, kMatchBegin.size());
      if (end == std::string_view::npos) return {};
      step.is_expression = true;
      step.name = rest.substr(kMatchBegin.size(), end - kMatchBegin.size());
      rest.remove_prefix(end + kMatchEnd.size());
    } else if (rest.starts_with('"')) {
      const size_t end = rest.find('"', 1);
      if (end == std::string_view::npos) return {};
      step.name = rest.substr(1, end - 1);
      rest.remove_prefix(end + 1);
    } else {
      const size_t end = std::min(rest.find_first_of(".["), rest.size());
      step.name = rest.substr(0, end);
      rest.remove_prefix(end);
    }
    if (step.name.empty()) return {};
    dotted.steps.push_back(std::move(step));
  }
  return dotted;
}

std::string path_json(const std::vector<DottedStep>& steps) {
  return steps_json(steps, [](const DottedStep& step) { return step.name; });
}

std::string unknown_field_message(const Entity& entity, std::string_view name) {
  return fmt::format("'{}' is not a queryable object for {}. Known queryable objects are {}", name,
                     entity.name, quoted_list(names_of(entity, true)));
}

std::string unknown_projection_message(const Entity& entity, std::string_view name) {
  return fmt::format("Can't extract unknown '{}' field '{}'. Acceptable fields are {}", entity.name,
                     name, quoted_list(names_of(entity, false)));
}

std::string path_pattern_json(const std::vector<DottedStep>& steps) {
  return steps_json(steps, [](const DottedStep& step) {
    return step.is_expression ? step.name : fmt::format("^{}$", escaped_name(step.name));
  });
}

std::string json_of(const DataNode& value) {
  std::string text;
  JsonWriter json(text);
  json.data(value);
  return text;
}

std::string plain_text(const DataNode& value) {
  return value.is(DataKind::kString) ? std::string(value.text_value()) : json_of(value);
}

std::string ast_text(const DataNode& node) {
  if (!node.is(DataKind::kArray)) return json_of(node);
  std::string text = "[";
  for (const DataNode& item : node.items()) {
    if (text.size() > 1) text += ' ';
    text += ast_text(item);
  }
  return text + "]";
}

}  // namespace bunraku::store
