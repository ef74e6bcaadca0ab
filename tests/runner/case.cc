#include "runner/case.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bunraku::cases {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHeader = "# case:";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const size_t length = end == text.npos ? text.size() : end + 1;
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(length);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Reads the settings in comments at the top of a source.
void read_header(Settings& settings, std::string_view text) {
  while (starts_with(text, "#")) {
    const std::string_view line = take_line(text);
    if (starts_with(line, kHeader)) settings.read(line.substr(kHeader.size()));
  }
}

// Reads the settings of a file that contains nothing else.
void read_settings_file(Settings& settings, std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (!starts_with(line, "#")) settings.read(line);
  }
}

bool is_material(const fs::path& directory) {
  return fs::exists(directory / "environment.conf") || fs::exists(directory / "metadata.json");
}

class Finder {
 public:
  explicit Finder(fs::path top) : top_(std::move(top)) {}

  std::vector<Case> find() {
    search(top_, Settings());
    return std::move(cases_);
  }

 private:
  void search(const fs::path& directory, Settings settings) {
    if (is_material(directory)) return;
    const fs::path defaults = directory / "defaults.case";
    if (fs::exists(defaults)) read_settings_file(settings, read_file(defaults));

    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(directory)) entries.push_back(entry.path());
    std::ranges::sort(entries);
    for (const fs::path& entry : entries) {
      if (fs::is_directory(entry)) {
        search(entry, settings);
      } else if (entry != defaults) {
        add_file(entry, settings);
      }
    }
  }

  void add_file(const fs::path& file, Settings settings) {
    const std::string extension = file.extension();
    try {
      if (extension == ".cases") {
        add_parts(file, settings);
      } else if (extension == ".pp" || extension == ".epp") {
        const fs::path beside = fs::path(file).replace_extension(".case");
        if (fs::exists(beside)) read_settings_file(settings, read_file(beside));
        read_header(settings, read_file(file));
        add(Form::kSource, file, settings);
      } else if (extension == ".cmd") {
        read_header(settings, read_file(file));
        add(Form::kCommand, file, settings);
      } else if (extension == ".case" && !has_source(file)) {
        read_settings_file(settings, read_file(file));
        add(Form::kSettings, file, settings);
      }
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(file.string() + ": " + error.what());
    }
  }

  static bool has_source(const fs::path& file) {
    return fs::exists(fs::path(file).replace_extension(".pp")) ||
           fs::exists(fs::path(file).replace_extension(".epp"));
  }

  Case& add(Form form, const fs::path& file, const Settings& settings) {
    Case& added = cases_.emplace_back();
    added.name = fs::relative(file, top_);
    added.form = form;
    added.file = file;
    added.settings = settings;
    return added;
  }

  void add_parts(const fs::path& file, const Settings& defaults) {
    PartedFile parted = PartedFile::parse(read_file(file), defaults);
    for (size_t i = 0; i < parted.parts.size(); ++i) {
      Part& part = parted.parts[i];
      Case& added = add(Form::kInline, file, part.settings);
      added.name += ':' + std::to_string(part.line) + (part.title.empty() ? "" : ' ' + part.title);
      added.code = std::move(part.code);
      added.expected = std::move(part.expected);
      added.part = i;
    }
  }

  fs::path top_;
  std::vector<Case> cases_;
};

// A line that starts a result: "=> 3", or "=>" alone with the result on the lines that follow.
bool starts_result(std::string_view line) {
  return starts_with(line, "=> ") || trimmed(line) == "=>";
}

Part parse_part(std::string_view text, size_t line, const Settings& defaults) {
  Part part;
  part.line = line;
  part.settings = defaults;
  std::string_view rest = text;
  part.title = trimmed(take_line(rest).substr(3));

  size_t result = text.size(), code = text.size() - rest.size();
  while (!rest.empty()) {
    const size_t start = text.size() - rest.size();
    const std::string_view current = take_line(rest);
    if (starts_with(current, kHeader) && start == code) {
      part.settings.read(current.substr(kHeader.size()));
      code = text.size() - rest.size();
    }
    if (starts_result(current)) result = start;
  }
  part.before = text.substr(0, result);
  part.code = trimmed(text.substr(code, result - code));
  part.expected = result < text.size() ? trimmed(text.substr(result + 2)) : "";
  return part;
}

}  // namespace

void Settings::read(std::string_view words) {
  size_t at = 0;
  while ((at = words.find_first_not_of(" \t\r\n", at)) != words.npos) {
    const size_t equals = words.find('=', at);
    if (equals == words.npos) {
      throw std::runtime_error("a setting is written key=value: " + std::string(words.substr(at)));
    }
    const std::string key(words.substr(at, equals - at));
    std::string value;
    at = equals + 1;
    if (at < words.size() && (words[at] == '\'' || words[at] == '"')) {
      const size_t end = words.find(words[at], at + 1);
      if (end == words.npos) throw std::runtime_error("no end of the quoted value of " + key);
      value = words.substr(at + 1, end - at - 1);
      at = end + 1;
    } else {
      const size_t end = std::min(words.find_first_of(" \t\r\n", at), words.size());
      value = words.substr(at, end - at);
      at = end;
    }
    values_[key].push_back(std::move(value));
  }
}

std::string Settings::get(std::string_view key, std::string_view otherwise) const {
  auto found = values_.find(key);
  return found == values_.end() ? std::string(otherwise) : found->second.back();
}

std::vector<std::string> Settings::all(std::string_view key) const {
  auto found = values_.find(key);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

fs::path Case::expectation(const char* extension) const {
  return fs::path(file).replace_extension(extension);
}

PartedFile PartedFile::parse(std::string_view text, const Settings& defaults) {
  PartedFile file;
  Settings settings = defaults;
  read_header(settings, text);

  std::string_view rest = text;
  std::vector<std::pair<size_t, size_t>> starts;  // offset and line of each part
  for (size_t line = 1; !rest.empty(); ++line) {
    const size_t start = text.size() - rest.size();
    if (starts_with(take_line(rest), "---")) starts.emplace_back(start, line);
  }
  file.header = text.substr(0, starts.empty() ? text.size() : starts[0].first);
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1].first : text.size();
    file.parts.push_back(parse_part(text.substr(starts[i].first, end - starts[i].first),
                                    starts[i].second, settings));
  }
  return file;
}

std::string PartedFile::text() const {
  std::string out = header;
  for (const Part& part : parts) {
    out += trimmed(part.before);
    const bool in_line = part.expected.find('\n') == std::string::npos;
    out += part.expected.empty() ? "\n=>" : in_line ? "\n=> " : "\n=>\n";
    out += part.expected;
    out += &part == &parts.back() ? "\n" : "\n\n";
  }
  return out;
}

std::vector<Case> find_cases(const fs::path& directory) {
  return Finder(directory).find();
}

std::string read_file(const fs::path& file) {
  const std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace bunraku::cases
