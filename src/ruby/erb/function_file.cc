#include "ruby/erb/function_file.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

bool begins_word(std::string_view text, size_t at, std::string_view word) {
  return text.substr(at).starts_with(word);
}

// Replaces the heredoc of documentation between the name of an older function and its code by an
// empty string and blank lines, so that line numbers stay. A heredoc of another form stays, and the
// parser reports it as an obstacle.
std::string without_documentation(std::string_view source) {
  std::string code(source);
  const size_t arrow = code.find("<<");
  if (arrow == code.npos) return code;
  size_t before = arrow;
  while (before > 0 && (code[before - 1] == ' ' || code[before - 1] == '\n')) --before;
  const std::string_view head = std::string_view(code).substr(0, before);
  if (!head.ends_with("=>") && !head.ends_with("doc:")) return code;
  size_t at = arrow + 2;
  const bool is_indented = code[at] == '-' || code[at] == '~';
  if (is_indented) ++at;
  const char quote = code[at] == '\'' || code[at] == '"' ? code[at++] : '\0';
  const size_t begin = at;
  while (at < code.size() && ((code[at] >= 'A' && code[at] <= 'Z') ||
                              (code[at] >= 'a' && code[at] <= 'z') || code[at] == '_')) {
    ++at;
  }
  const std::string word = code.substr(begin, at - begin);
  if (word.empty() || (quote != '\0' && code[at++] != quote)) return code;
  const size_t token_end = at;
  const size_t body = code.find('\n', token_end);
  if (body == code.npos) return code;
  for (size_t line = body + 1; line < code.size();) {
    const size_t end = std::min(code.find('\n', line), code.size());
    std::string_view text = std::string_view(code).substr(line, end - line);
    if (is_indented) text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text == word) {
      const std::string_view all = std::string_view(code).substr(body, end - body);
      if (quote != '\'' && all.find("#{") != all.npos) return code;
      const std::string blank(static_cast<size_t>(std::ranges::count(all, '\n')), '\n');
      const std::string rest = code.substr(token_end, body - token_end);
      return code.substr(0, arrow) + "''" + rest + blank + code.substr(end);
    }
    line = end + 1;
  }
  return code;
}

// Replaces lines that add to the load path by blanks: files of the module itself are found anyway.
void blank_load_paths(std::string& code) {
  for (size_t line = 0; line < code.size(); line = code.find('\n', line) + 1) {
    const size_t end = std::min(code.find('\n', line), code.size());
    const std::string_view text = std::string_view(code).substr(line, end - line);
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    if (text.substr(begin).starts_with("$LOAD_PATH.unshift(") && text.ends_with(")")) {
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(line),
                code.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
    if (end == code.size()) break;
  }
}

// Reads the comments before the code: whether they freeze string literals. No value where one has
// another setting.
std::optional<bool> has_frozen_texts(std::string_view source) {
  bool is_frozen = false;
  while (source.starts_with('#') || source.starts_with('\n')) {
    const std::string_view line = source.substr(0, source.find('\n'));
    if (line.find("coding") != line.npos) return std::nullopt;
    if (line.find("frozen_string_literal") != line.npos) {
      if (!begins_word(line, 0, "# frozen_string_literal: ")) return std::nullopt;
      is_frozen = line.ends_with("true");
    }
    source.remove_prefix(std::min(line.size() + 1, source.size()));
  }
  return is_frozen;
}

class Cache {
 public:
  std::shared_ptr<const FunctionFile> find(std::string_view source, const std::string& path,
                                           bool is_legacy) {
    const std::string key = (is_legacy ? '3' : '4') + path + '\0' + std::string(source);
    std::shared_ptr<const FunctionFile> known;
    {
      const std::lock_guard lock(mutex_);
      const auto found = files_.find(key);
      if (found != files_.end()) known = found->second;
    }
    if (known != nullptr && known->is_current()) return known;
    auto file = std::make_shared<const FunctionFile>(source, path, is_legacy);
    const std::lock_guard lock(mutex_);
    if (files_.size() >= kMost) files_.clear();
    files_.insert_or_assign(key, file);
    return file;
  }

 private:
  static constexpr size_t kMost = 1000;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const FunctionFile>> files_;
};

}  // namespace

FunctionFile::FunctionFile(std::string_view source, const std::string& path, bool is_legacy)
    : is_legacy_(is_legacy) {
  if (!is_valid_utf8(source)) {
    obstacle_ = {1, "text that is not UTF-8"};
    return;
  }
  const std::optional<bool> frozen = has_frozen_texts(source);
  if (has_marks(source) || !frozen) {
    obstacle_ = {1, frozen ? "a control character" : "a comment with settings"};
    return;
  }
  script_.code = is_legacy ? without_documentation(source) : std::string(source);
  blank_load_paths(script_.code);
  try {
    parsed_ = parse_function(script_, arena_, is_legacy, path, required_);
    parsed_.script.has_frozen_texts =
        *frozen || std::ranges::any_of(required_.files, [](const RequiredFile& file) {
          return has_frozen_texts(file.text).value_or(true);
        });
  } catch (Obstacle& obstacle) {
    obstacle_ = std::move(obstacle);
  }
}

bool FunctionFile::is_current() const {
  return std::ranges::all_of(required_.files, [](const RequiredFile& file) {
    try {
      return read_file(file.path) == file.text;
    } catch (const FileError&) {
      return false;
    }
  });
}

Value FunctionFile::call(TemplateScope& scope, size_t dispatch,
                         std::span<const Value> arguments) const {
  std::string text;
  Interpreter interpreter(parsed_.script, scope, text, nullptr);
  std::vector<Object> objects;
  for (const Value& argument : arguments) objects.push_back(interpreter.bring_over(argument));
  if (is_legacy_) objects = {interpreter.array(objects)};
  const Object result = interpreter.run_method(*parsed_.dispatches.at(dispatch).method, objects);
  interpreter.load_brought_hashes();
  // Older functions get copies, whose changes have no effect; so have those of a look-up's options.
  const bool is_look_up = std::ranges::any_of(
      arguments, [&](const Value& argument) { return scope.is_context(argument); });
  const bool has_result = !is_legacy_ || parsed_.is_rvalue;
  const Value value = has_result ? interpreter.to_value(result) : Value();
  if (!is_legacy_ || parsed_.script.uses_scope) {
    interpreter.finish_method(!is_legacy_ && !is_look_up);
  }
  return value;
}

std::shared_ptr<const FunctionFile> compiled_function(std::string_view source,
                                                      const std::string& path, bool is_legacy) {
  static Cache cache;
  return cache.find(source, path, is_legacy);
}

}  // namespace bunraku::erb
