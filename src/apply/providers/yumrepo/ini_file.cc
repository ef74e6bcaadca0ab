// Parses and writes ini files.
#include "apply/providers/yumrepo/ini_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "apply/transaction/failure.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool is_comment(std::string_view line) {
  const size_t start = line.find_first_not_of(kBlanks);
  if (start == std::string_view::npos || line.starts_with('#') || line.starts_with(';'))
    return true;
  const std::string_view rest = line.substr(start);
  return rest.size() > 3 && downcase(rest.substr(0, 3)) == "rem" &&
         kBlanks.find(rest[3]) != std::string_view::npos;
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Parses "key = value"; no value for other lines.
std::optional<std::pair<std::string, std::string>> read_value(std::string_view line) {
  const size_t start = line.find_first_not_of(kBlanks);
  const size_t equals = line.find('=');
  if (start == std::string_view::npos || equals == std::string_view::npos || equals <= start) {
    return std::nullopt;
  }
  std::string_view key = line.substr(start, equals - start);
  key = key.substr(0, key.find_last_not_of(kBlanks) + 1);
  if (key.empty() || key.find_first_of(kBlanks) != std::string_view::npos) return std::nullopt;
  std::string_view value = without_end(line).substr(equals + 1);
  value.remove_prefix(std::min(value.find_first_not_of(kBlanks), value.size()));
  value = value.substr(0, value.find_last_not_of(kBlanks) + 1);
  return std::pair(std::string(key), std::string(value));
}

}  // namespace

const std::string* IniSection::find(std::string_view key) const {
  for (const Line& line : lines_) {
    const auto* value = std::get_if<Value>(&line);
    if (value != nullptr && value->key == key) {
      return value->value ? &*value->value : nullptr;
    }
  }
  return nullptr;
}

void IniSection::set(const std::string& key, std::optional<std::string> value) {
  is_changed_ = true;
  for (Line& line : lines_) {
    auto* known = std::get_if<Value>(&line);
    if (known == nullptr || known->key != key) continue;
    known->value = std::move(value);
    return;
  }
  lines_.emplace_back(Value{key, std::move(value)});
}

std::vector<std::pair<std::string, std::string>> IniSection::values() const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Line& line : lines_) {
    const auto* value = std::get_if<Value>(&line);
    if (value != nullptr && value->value) values.emplace_back(value->key, *value->value);
  }
  return values;
}

std::string IniSection::text() const {
  if (is_destroyed_) return {};
  std::string text = fmt::format("[{}]\n", name_);
  for (const Line& line : lines_) {
    if (const auto* plain = std::get_if<std::string>(&line)) {
      text += *plain;
    } else if (const auto& value = std::get<Value>(line); value.value) {
      text += fmt::format("{}={}\n", value.key, *value.value);
    }
  }
  return text;
}

void IniFile::parse(std::string_view text) {
  contents_.clear();
  IniSection* section = nullptr;
  std::string last_key;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    ++number;
    const size_t closing = line.find(']');
    if (is_comment(line)) {
      if (section == nullptr) {
        contents_.emplace_back(std::string(line));
      } else {
        section->lines_.emplace_back(std::string(line));
      }
    } else if (kBlanks.find(line.front()) != std::string_view::npos && section != nullptr &&
               !last_key.empty()) {
      const std::string* before = section->find(last_key);
      section->set(last_key,
                   fmt::format("{}\n{}", before == nullptr ? "" : *before, without_end(line)));
    } else if (line.starts_with('[') && closing != std::string_view::npos && closing > 1) {
      const std::string name(line.substr(1, closing - 1));
      if (find(name) != nullptr) {
        throw Failure(fmt::format("Section \"{}\" is already defined, cannot redefine (file: {})",
                                  name, path_));
      }
      section = &add(name);
      last_key.clear();
    } else if (auto value = read_value(line)) {
      if (section == nullptr) {
        throw Failure(fmt::format("Property with key \"{}\" outside of a section", value->first));
      }
      last_key = value->first;
      section->set(value->first, std::move(value->second));
    } else {
      throw Failure(fmt::format("Can't parse line '{}' (file: {}, line: {})", without_end(line),
                                path_, number));
    }
  }
  for (IniSection* one : sections()) one->mark_clean();
}

IniSection* IniFile::find(std::string_view name) {
  for (Content& content : contents_) {
    auto* section = std::get_if<IniSection>(&content);
    if (section != nullptr && section->name() == name) return section;
  }
  return nullptr;
}

IniSection& IniFile::add(const std::string& name) {
  return std::get<IniSection>(contents_.emplace_back(IniSection(name, path_)));
}

std::vector<IniSection*> IniFile::sections() {
  std::vector<IniSection*> all;
  for (Content& content : contents_) {
    if (auto* section = std::get_if<IniSection>(&content)) all.push_back(section);
  }
  return all;
}

std::string IniFile::text() const {
  std::string text;
  for (const Content& content : contents_) {
    if (const auto* line = std::get_if<std::string>(&content)) {
      text += *line;
    } else {
      text += std::get<IniSection>(content).text();
    }
  }
  return text;
}

}  // namespace bunraku::apply
