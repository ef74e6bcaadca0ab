#include "site/environment/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory/arena.h"
#include "base/system/file_overlay.h"
#include "base/system/kept_texts.h"
#include "base/system/reads.h"
#include "serialization/serialization.h"
#include "site/environment/files.h"
#include "types/ruby_value_text.h"
#include "validation/ruby_json.h"

namespace bunraku {
namespace {

std::string text_of(const DataNode* node) {
  return node != nullptr && node->is(DataKind::kString) ? std::string(node->text_value())
                                                        : std::string();
}

// The short name "ntp" of "puppetlabs/ntp" and "puppetlabs-ntp"; empty for a name without an owner.
std::string_view short_name(std::string_view forge_name) {
  const size_t separator = forge_name.find_first_of("/-");
  if (separator == std::string_view::npos) return {};
  const std::string_view name = forge_name.substr(separator + 1);
  return name.substr(0, name.find_first_of("/-"));
}

// The first mandatory entry that is missing, in the reference's order; empty when all are present.
std::string find_mistake(const DataNode& metadata, const Module& module, Arena& arena) {
  for (const std::string_view key : {"source", "author", "version", "license", "dependencies"}) {
    const DataNode* value = metadata.find(key);
    if (value == nullptr || value->is(DataKind::kNull)) {
      return fmt::format("No {} module metadata provided for {}", key, module.name.text());
    }
    if (key == "dependencies" && !value->is(DataKind::kArray)) {
      std::string shown;
      append_ruby_to_s(shown, value_of(arena, *value, {}));
      return fmt::format(
          "The value for the key dependencies in the file metadata.json of the module {} must be "
          "an array, not: '{}'",
          module.name.text(), shown);
    }
  }
  return {};
}

// Returns the mistake; empty when there is none.
std::string take_metadata(const std::string& text, Module& module) {
  Arena arena;
  constexpr std::string_view kUsed[] = {"name",   "version", "data_provider", "source",
                                        "author", "license", "dependencies"};
  const auto [metadata, has_others] = read_ruby_json_members(text, kUsed, arena);
  if (!metadata.is(DataKind::kHash) || (metadata.entries().empty() && !has_others)) return {};
  if (std::string mistake = find_mistake(metadata, module, arena); !mistake.empty()) return mistake;
  module.forge_name = text_of(metadata.find("name"));
  for (char& c : module.forge_name) {
    if (c == '-') c = '/';
  }
  module.version = text_of(metadata.find("version"));
  module.data_provider = text_of(metadata.find("data_provider"));
  for (const DataNode& dependency : metadata.find("dependencies")->items()) {
    const std::string forge_name = text_of(dependency.find("name"));
    const std::string_view name = short_name(forge_name);
    if (!name.empty()) module.dependencies.emplace_back(name);
  }
  return {};
}

// What is used of the file as one text, with tabs between the values. Empty when a value has one.
std::string kept_text(const Module& module) {
  std::string text =
      fmt::format("{}\t{}\t{}", module.forge_name, module.version, module.data_provider);
  for (const Name name : module.dependencies) text.append("\t").append(name.text());
  const auto tabs = static_cast<size_t>(std::ranges::count(text, '\t'));
  return tabs == module.dependencies.size() + 2 ? text : std::string();
}

// Returns false when the text is not one of kept_text().
bool take_text(std::string_view text, Module& module) {
  std::vector<std::string_view> values;
  for (;;) {
    const size_t end = text.find('\t');
    values.push_back(text.substr(0, end));
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  if (values.size() < 3) return false;
  module.forge_name = values[0];
  module.version = values[1];
  module.data_provider = values[2];
  for (size_t i = 3; i < values.size(); ++i) module.dependencies.emplace_back(values[i]);
  return true;
}

}  // namespace

bool is_module_name(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return false;
  for (const char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!fits) return false;
  }
  return true;
}

bool read_metadata(Module& module, Strictness strict, KeptTexts* texts,
                   std::vector<SettingsProblem>& problems) {
  const std::string path = join_path(module.path, "metadata.json");
  // Observers are notified of the read, and an overlay's file has no stamp of its own.
  const bool keeps =
      texts != nullptr && ReadObserver::current() == nullptr && FileOverlay::current() == nullptr;
  if (keeps) {
    const auto known = texts->find(path);
    if (known && take_text(known->text, module)) return true;
  }
  const FileStamp stamp = keeps ? file_stamp(path) : FileStamp();
  try {
    const auto text = read_file_if_exists(path);
    std::string mistake = text ? take_metadata(*text, module) : std::string();
    if (mistake.empty()) {
      if (std::string kept = kept_text(module); keeps && text && !kept.empty()) {
        texts->keep(path, stamp, std::move(kept));
      }
      return true;
    }
    problems.push_back({Severity::kError, std::move(mistake)});
    return false;
  } catch (const std::exception& error) {
    if (strict == Strictness::kOff) return true;
    const bool is_error = strict == Strictness::kError;
    problems.push_back(
        {is_error ? Severity::kError : Severity::kWarning,
         fmt::format("{} has an invalid and unparsable metadata.json file. The parse error: {}",
                     module.name.text(), error.what())});
    return !is_error;
  }
}

}  // namespace bunraku
