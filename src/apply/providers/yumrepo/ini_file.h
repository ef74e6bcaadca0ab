// Ini files as yum uses them: "[name]", then "key=value". Other lines (comments, empty lines) are
// kept in place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bunraku::apply {

class IniSection {
 public:
  IniSection(std::string name, std::string file) : name_(std::move(name)), file_(std::move(file)) {}

  const std::string& name() const { return name_; }
  const std::string& file() const { return file_; }
  // Returns null when there is no such key.
  const std::string* find(std::string_view key) const;
  // No value removes the key.
  void set(const std::string& key, std::optional<std::string> value);
  // The keys and values, without removed ones.
  std::vector<std::pair<std::string, std::string>> values() const;
  // Copies all lines of another section.
  void copy_from(const IniSection& other) { lines_ = other.lines_; }

  void destroy() { is_destroyed_ = true; }
  bool is_destroyed() const { return is_destroyed_; }
  bool is_changed() const { return is_changed_ || is_destroyed_; }
  void mark_clean() { is_changed_ = false; }
  std::string text() const;

 private:
  friend class IniFile;
  struct Value {
    std::string key;
    std::optional<std::string> value;
  };
  // the unchanged text with its line end, or a value
  using Line = std::variant<std::string, Value>;

  std::string name_, file_;
  std::vector<Line> lines_;
  bool is_changed_ = false;
  bool is_destroyed_ = false;
};

class IniFile {
 public:
  explicit IniFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // Parses the file's text. Throws Failure for a malformed line and for a repeated section.
  void parse(std::string_view text);
  IniSection* find(std::string_view name);
  // The section must not exist.
  IniSection& add(const std::string& name);
  std::vector<IniSection*> sections();
  std::string text() const;

 private:
  using Content = std::variant<std::string, IniSection>;
  std::string path_;
  std::vector<Content> contents_;
};

}  // namespace bunraku::apply
