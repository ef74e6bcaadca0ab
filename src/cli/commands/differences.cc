// Parses the embedded list of differences.
#include "cli/commands/differences.h"

#include "base/formats/yaml.h"
#include "base/memory/arena.h"

namespace bunraku {
namespace {

std::string text_of(const DataNode& entry, std::string_view key) {
  const DataNode* found = entry.find(key);
  return found != nullptr && found->is(DataKind::kString) ? std::string(found->text_value())
                                                          : std::string();
}

// Consecutive lines are one paragraph, except those of a list.
std::vector<std::string> paragraphs_of(std::string_view text) {
  std::vector<std::string> paragraphs;
  bool is_open = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
      is_open = false;
      continue;
    }
    const std::string_view words = line.substr(begin);
    if (is_open && !words.starts_with("- ")) {
      paragraphs.back().append(" ").append(words);
    } else {
      paragraphs.emplace_back(words);
    }
    is_open = true;
  }
  return paragraphs;
}

}  // namespace

std::vector<Difference> all_differences() {
  Arena arena;
  const DataNode data = read_yaml(differences_text(), {.file = "docs/differences.yaml"}, arena);
  const DataNode* areas = data.find("areas");
  std::vector<Difference> all;
  for (const DataNode& entry : data.find("entries")->items()) {
    Difference& one = all.emplace_back();
    one.id = text_of(entry, "id");
    one.title = text_of(entry, "title");
    one.area = text_of(*areas, text_of(entry, "area"));
    one.effect = text_of(entry, "effect");
    one.since = text_of(entry, "since");
    one.text = text_of(entry, "text");
    one.paragraphs = paragraphs_of(one.text);
    const DataNode* cases = entry.find("cases");
    if (cases == nullptr) continue;
    for (const DataNode& name : cases->items()) one.cases.emplace_back(name.text_value());
  }
  return all;
}

}  // namespace bunraku
