// Reads bunraku.toml.
#include "site/settings/repository_conf.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/toml.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/suggestion.h"
#include "base/text/utf8.h"
#include "site/settings/settings_table.h"

namespace bunraku {
namespace {

class ConfReader {
 public:
  ConfReader(RepositoryConf& conf, std::string directory, SourcePointer source)
      : conf_(conf), directory_(std::move(directory)), source_(std::move(source)) {}

  void read() {
    Arena arena;
    DataNode document;
    try {
      document = read_toml(source_->text(), arena);
    } catch (const DataError& error) {
      fail_at(offset_of_place(source_->text(), error.line(), error.column()), error.what());
    }
    constexpr std::array<std::string_view, 4> kTables = {"settings", "facts", "ignore", "versions"};
    for (const DataEntry& entry : document.entries()) {
      const std::string_view name = entry.key.text_value();
      const size_t table = check_name(name, kTables, "table");
      if (!entry.value.is(DataKind::kHash)) fail(name, fmt::format("'{}' is no table", name));
      for (const DataEntry& member : entry.value.entries()) {
        const std::string_view key = member.key.text_value();
        if (table == 0) read_setting(key, member.value);
        if (table == 1) read_facts(key, member.value);
        if (table == 2) read_ignored(key, member.value);
        if (table == 3) read_version(key, member.value);
      }
    }
  }

 private:
  // The parsed document has no places, so the mistake is reported where the word first occurs.
  [[noreturn]] void fail(std::string_view word, std::string message) const {
    const size_t at = source_->text().find(word);
    fail_at(at == std::string_view::npos ? 0 : at, std::move(message), word.size());
  }

  [[noreturn]] void fail_at(size_t offset, std::string message, size_t length = 1) const {
    const Location location{static_cast<uint32_t>(offset), static_cast<uint32_t>(length)};
    throw EvaluationError(
        make_diagnostic(Issue::kInvalidSetting, Range{source_, location}, {std::move(message)}),
        ErrorKind::kError);
  }

  template <size_t kCount>
  size_t check_name(std::string_view name, const std::array<std::string_view, kCount>& known,
                    std::string_view noun) const {
    for (size_t i = 0; i < kCount; ++i) {
      if (known[i] == name) return i;
    }
    const std::string_view close = closest_name(name, known);
    fail(name, fmt::format("Unknown {} '{}'{}", noun, name,
                           close.empty() ? "" : fmt::format("; did you mean '{}'?", close)));
  }

  // Reads a setting. The strings of a list are joined in the form that the setting has.
  void read_setting(std::string_view name, const DataNode& value) {
    const SettingInfo* info = find_setting(name);
    if (info == nullptr) fail(name, unknown_setting_message(name));
    const bool has_paths = info->kind == SettingKind::kPathList;
    std::string text;
    if (value.is(DataKind::kArray) && (has_paths || info->kind == SettingKind::kList)) {
      for (const DataNode& item : value.items()) {
        if (!item.is(DataKind::kString)) fail(name, fmt::format("'{}' takes strings", name));
        if (!text.empty()) text += has_paths ? ':' : ',';
        text += item.text_value();
      }
    } else if (value.is(DataKind::kString)) {
      text = value.text_value();
    } else if (value.is(DataKind::kBoolean)) {
      text = value.boolean_value() ? "true" : "false";
    } else if (value.is(DataKind::kInteger)) {
      text = fmt::format("{}", value.integer_value());
    } else {
      fail(name, fmt::format("'{}' takes a string, a number, true or false", name));
    }
    conf_.settings.emplace_back(info->name, in_place(*info, text));
  }

  std::string in_place(const SettingInfo& info, const std::string& text) const {
    if (info.kind == SettingKind::kFile || info.kind == SettingKind::kFileOrDirectory) {
      return path_of(text);
    }
    if (info.kind != SettingKind::kPathList) return text;
    std::string paths;
    size_t begin = 0;
    while (begin <= text.size()) {
      const size_t end = std::min(text.find(':', begin), text.size());
      if (end > begin) {
        paths += (paths.empty() ? "" : ":") + path_of(text.substr(begin, end - begin));
      }
      begin = end + 1;
    }
    return paths;
  }

  // A path that begins with a variable or the home directory is not below the repository.
  std::string path_of(const std::string& text) const {
    if (text.empty() || text.starts_with('$') || text.starts_with('~')) return text;
    return join_path(directory_, text);
  }

  std::vector<std::string> strings(std::string_view key, const DataNode& value) const {
    std::vector<std::string> list;
    if (value.is(DataKind::kString)) {
      list.emplace_back(value.text_value());
      return list;
    }
    if (!value.is(DataKind::kArray)) fail(key, fmt::format("'{}' takes a list of strings", key));
    for (const DataNode& item : value.items()) {
      if (!item.is(DataKind::kString)) fail(key, fmt::format("'{}' takes a list of strings", key));
      list.emplace_back(item.text_value());
    }
    return list;
  }

  void read_facts(std::string_view key, const DataNode& value) {
    check_name(key, std::array<std::string_view, 1>{"paths"}, "key of [facts]");
    for (const std::string& path : strings(key, value)) conf_.facts.push_back(path_of(path));
  }

  void read_ignored(std::string_view key, const DataNode& value) {
    const std::array<std::string_view, 2> kKeys = {"paths", "differences"};
    const size_t which = check_name(key, kKeys, "key of [ignore]");
    (which == 0 ? conf_.ignored_paths : conf_.ignored_differences) = strings(key, value);
  }

  void read_version(std::string_view key, const DataNode& value) {
    check_name(key, std::array<std::string_view, 1>{"bunraku"}, "key of [versions]");
    if (!value.is(DataKind::kString)) fail(key, "a range of versions is a string, \">= 0.1.0\"");
    conf_.bunraku_version = value.text_value();
  }

  RepositoryConf& conf_;
  std::string directory_;
  SourcePointer source_;
};

}  // namespace

const std::string* RepositoryConf::find(std::string_view setting) const {
  for (const auto& [name, value] : settings) {
    if (name == setting) return &value;
  }
  return nullptr;
}

RepositoryConf read_repository_conf(const std::string& directory) {
  RepositoryConf conf;
  const std::string path = join_path(directory, kRepositoryConfName);
  if (!exists(path)) return conf;
  conf.path = path;
  ConfReader(conf, directory, std::make_shared<SourceFile>(path, read_file(path))).read();
  return conf;
}

}  // namespace bunraku
