// Files of sections, as yum has them: "[name]", then "key=value". What is not understood as such
// (comments, empty lines) stays where it is.
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
  // Null when there is no such key.
  const std::string* find(std::string_view key) const;
  // Nothing: the key is left out.
  void set(const std::string& key, std::optional<std::string> value);
  // Keys and values, without those that are left out.
  std::vector<std::pair<std::string, std::string>> values() const;
  // Takes over all lines of another section.
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
  using Line = std::variant<std::string, Value>;  // as it stands, with its end; or a value

  std::string name_, file_;
  std::vector<Line> lines_;
  bool is_changed_ = false;
  bool is_destroyed_ = false;
};

class IniFile {
 public:
  explicit IniFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // Reads the file's text. Throws Failure for a line that is none of a section, and for a section
  // that is there twice.
  void parse(std::string_view text);
  IniSection* find(std::string_view name);
  // The section must not be there.
  IniSection& add(const std::string& name);
  std::vector<IniSection*> sections();
  std::string text() const;

 private:
  using Content = std::variant<std::string, IniSection>;
  std::string path_;
  std::vector<Content> contents_;
};

}  // namespace bunraku::apply
