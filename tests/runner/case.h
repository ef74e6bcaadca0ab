#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::cases {

// The forms of a case; CONTRIBUTING.md describes how to write one.
enum class Form {
  kSource,    // NAME.pp or NAME.epp: the code; NAME.out and NAME.err are expected
  kSettings,  // NAME.case: only settings, for a product that needs no code
  kCommand,   // NAME.cmd: a shell script
  kInline     // a part of NAME.cases, with its expectation in the same file
};

// Settings of a case. A key may occur several times.
class Settings {
 public:
  // Reads `key=value` words; a value with spaces is in single or double quotes. Throws
  // std::runtime_error for a word without '=' or an unterminated quote.
  void read(std::string_view words);

  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  // The last value of the key, or `otherwise`.
  std::string get(std::string_view key, std::string_view otherwise = "") const;
  std::vector<std::string> all(std::string_view key) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

struct Case {
  std::string name;  // its file below the directory of cases; for a part of a file also its title
  Form form;
  std::filesystem::path file;
  Settings settings;
  std::string code;      // of kInline
  size_t part = 0;       // of kInline: which of the file's parts
  std::string expected;  // of kInline: the text after its "=>"

  std::filesystem::path expectation(const char* extension) const;
};

// One part of a NAME.cases file: `--- title`, code, and `=> result`.
struct Part {
  std::string before;  // all lines as in the file, up to the result
  std::string title;
  std::string code;
  std::string expected;
  Settings settings;
  size_t line = 0;
};

struct PartedFile {
  std::string header;  // the lines before the first part
  std::vector<Part> parts;

  // Throws std::runtime_error when a setting cannot be read.
  static PartedFile parse(std::string_view text, const Settings& defaults);
  // The text of the file with the expectations of its parts.
  std::string text() const;
};

// Returns every case below a directory, sorted by name. Settings in a file `defaults.case` apply to
// its directory and those below. A directory with an `environment.conf` or `metadata.json` is
// material of cases and contains none.
std::vector<Case> find_cases(const std::filesystem::path& directory);

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace bunraku::cases
