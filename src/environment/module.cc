#include "environment/module.h"

#include <fmt/format.h>

#include "environment/files.h"
#include "support/arena.h"
#include "validation/ruby_json.h"

namespace bunraku {
namespace {

std::string text_of(const DataNode* node) {
  return node != nullptr && node->is(DataKind::kString) ? std::string(node->text_value())
                                                        : std::string();
}

// "puppetlabs/ntp" and "puppetlabs-ntp" are the module "ntp".
std::string_view short_name(std::string_view forge_name) {
  const size_t separator = forge_name.find_first_of("/-");
  return separator == std::string_view::npos ? forge_name : forge_name.substr(separator + 1);
}

void take_metadata(const std::string& text, Module& module) {
  Arena arena;
  const DataNode metadata = read_ruby_json(text, arena);
  if (!metadata.is(DataKind::kHash)) return;
  module.has_metadata = true;
  module.forge_name = text_of(metadata.find("name"));
  for (char& c : module.forge_name) {
    if (c == '-') c = '/';
  }
  module.version = text_of(metadata.find("version"));
  module.data_provider = text_of(metadata.find("data_provider"));
  const DataNode* dependencies = metadata.find("dependencies");
  if (dependencies == nullptr || !dependencies->is(DataKind::kArray)) return;
  for (const DataNode& dependency : dependencies->items()) {
    const std::string name = text_of(dependency.find("name"));
    if (!name.empty()) module.dependencies.emplace_back(short_name(name));
  }
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

void read_metadata(Module& module, std::vector<SettingsProblem>& problems) {
  try {
    if (const auto text = read_file_if_exists(join_path(module.path, "metadata.json"))) {
      take_metadata(*text, module);
    }
  } catch (const std::exception& error) {
    module.has_metadata = false;
    problems.push_back(
        {Severity::kWarning,
         fmt::format("{} has an invalid and unparsable metadata.json file. The parse error: {}",
                     module.name.text(), error.what())});
  }
}

}  // namespace bunraku
