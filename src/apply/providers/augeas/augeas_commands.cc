// Parses commands of augeas resources.
#include "apply/providers/augeas/augeas_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "apply/transaction/failure.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

enum class ArgumentKind : uint8_t { kNone, kPath, kText, kComparison, kNumber, kRest };

struct Syntax {
  std::string_view name;
  ArgumentKind arguments[3];
};

using enum ArgumentKind;
constexpr Syntax kCommands[] = {
    {"set", {kPath, kText}},
    {"setm", {kPath, kText, kText}},
    {"rm", {kPath}},
    {"remove", {kPath}},
    {"clear", {kPath}},
    {"clearm", {kPath, kText}},
    {"touch", {kPath}},
    {"mv", {kPath, kPath}},
    {"move", {kPath, kPath}},
    {"rename", {kPath, kText}},
    {"insert", {kText, kText, kPath}},
    {"ins", {kText, kText, kPath}},
    {"get", {kPath, kComparison, kText}},
    {"values", {kPath, kRest}},
    {"defvar", {kText, kPath}},
    {"defnode", {kText, kPath, kText}},
    {"match", {kPath, kRest}},
    {"size", {kComparison, kNumber}},
    {"include", {kText}},
    {"not_include", {kText}},
    {"==", {kRest}},
    {"!=", {kRest}},
};

// Parses one line from left to right.
class LineReader {
 public:
  LineReader(std::string_view line, const std::string& context) : rest_(line), context_(context) {}

  AugeasCommand command() {
    AugeasCommand command;
    command.name = name();
    const auto* const syntax = std::ranges::find(kCommands, command.name, &Syntax::name);
    if (syntax == std::end(kCommands)) {
      throw Failure(fmt::format("Unknown command {}", command.name));
    }
    int number = 0;
    for (const ArgumentKind kind : syntax->arguments) {
      if (kind == kNone) break;
      ++number;
      while (!rest_.empty() && is_white(rest_.front())) rest_.remove_prefix(1);
      command.arguments.push_back(argument(kind, command.name, number));
    }
    return command;
  }

 private:
  std::string name() {
    size_t size = 0;
    while (size < rest_.size() && is_word_character(rest_[size])) ++size;
    if (size == 0 && (rest_.starts_with("==") || rest_.starts_with("!="))) size = 2;
    return std::string(take(size));
  }

  std::string argument(ArgumentKind kind, const std::string& command, int number) {
    switch (kind) {
      case kPath:
        return path();
      case kText:
        return text(command, number);
      case kComparison:
        return comparison(command);
      case kNumber: {
        size_t size = 0;
        while (size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '9') ++size;
        return size == 0 ? "0" : std::string(take(size));
      }
      default:
        return std::string(take(rest_.size()));
    }
  }

  // Reads up to a blank outside of brackets and quotes.
  std::string path() {
    int depth = 0;
    bool is_in_single = false, is_in_double = false;
    size_t at = 0;
    size_t size = rest_.size();
    while (at < rest_.size()) {
      const char c = rest_[at];
      if (c == '\\' && at + 1 < rest_.size()) {
        at += 2;
        continue;
      }
      ++at;
      if (c == '[') ++depth;
      if (c == ']') --depth;
      if (c == '\'') is_in_single = !is_in_single;
      if (c == '"') is_in_double = !is_in_double;
      if (depth < 0) throw Failure("unmatched [");
      if (is_white(c) && depth == 0 && !is_in_single && !is_in_double) {
        size = at - 1;
        break;
      }
    }
    std::string path(take(size));
    if (path.starts_with('\'') || path.starts_with('"')) {
      path = path.size() < 2 ? std::string() : path.substr(1, path.size() - 2);
    }
    if (path.ends_with('/')) path.pop_back();
    return path.starts_with('$') || path.starts_with('/') ? path : context_ + path;
  }

  // Reads a word or a quoted text. A backslash is removed only before the quote itself.
  std::string text(const std::string& command, int number) {
    if (rest_.empty()) {
      throw Failure(fmt::format("missing string argument {} for {}", number, command));
    }
    const char quote = rest_.front();
    if (quote != '\'' && quote != '"') {
      size_t size = 0;
      while (size < rest_.size() && !is_white(rest_[size])) ++size;
      return std::string(take(size));
    }
    std::string text;
    size_t at = 1;
    while (at < rest_.size() && rest_[at] != quote) {
      if (rest_[at] == '\\' && at + 1 < rest_.size()) {
        if (rest_[at + 1] != quote) text += '\\';
        ++at;
      }
      text += rest_[at++];
    }
    take(std::min(at + 1, rest_.size()));
    return text;
  }

  std::string comparison(const std::string& command) {
    for (const std::string_view known : {"==", "!=", "=~", "<=", ">=", "<", ">"}) {
      if (rest_.starts_with(known)) return std::string(take(known.size()));
    }
    throw Failure(fmt::format("invalid comparator for command {}", command));
  }

  std::string_view take(size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  const std::string& context_;
};

void add_lines(const Datum& commands, std::vector<std::string>& lines) {
  // Nested lists are flattened. They come from a catalog, whose depth is bounded.
  std::vector<const Datum*> waiting{&commands};
  while (!waiting.empty()) {
    const Datum& datum = *waiting.back();
    waiting.pop_back();
    if (datum.is_array()) {
      for (size_t i = datum.items().size(); i > 0; --i) waiting.push_back(&datum.items()[i - 1]);
    } else if (!datum.is_null()) {
      lines.push_back(datum.to_text());
    }
  }
}

// Reads an escape in double quotes, after the backslash; no value for an invalid one.
class EscapeReader {
 public:
  explicit EscapeReader(std::string_view& rest) : rest_(rest) {}

  std::optional<std::string> read() {
    if (rest_.empty()) return std::nullopt;
    const char c = rest_.front();
    constexpr std::string_view kNames = "abtnvfres\\\"";
    constexpr std::string_view kValues = "\a\b\t\n\v\f\r\x1b \\\"";
    if (const size_t at = kNames.find(c); at != std::string_view::npos) {
      rest_.remove_prefix(1);
      return std::string(1, kValues[at]);
    }
    if (c >= '0' && c <= '7') return byte(number(3, 8));
    rest_.remove_prefix(1);
    if (c == 'x') {
      const std::optional<uint32_t> value = number(2, 16);
      return value ? byte(value) : std::nullopt;
    }
    if (c == 'u') return characters();
    return std::nullopt;
  }

 private:
  static std::optional<std::string> byte(std::optional<uint32_t> value) {
    return std::string(1, static_cast<char>(value.value_or(0)));
  }

  std::optional<uint32_t> number(size_t digits, int base) {
    uint32_t value = 0;
    const char* const begin = rest_.data();
    const auto [end, error] =
        std::from_chars(begin, begin + std::min(digits, rest_.size()), value, base);
    if (error != std::errc() || end == begin) return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(end - begin));
    return value;
  }

  // Four digits, or several numbers in braces.
  std::optional<std::string> characters() {
    std::string text;
    if (!rest_.starts_with('{')) {
      if (rest_.size() < 4) return std::nullopt;
      const std::optional<uint32_t> value = number(4, 16);
      if (!value) return std::nullopt;
      append_character(text, static_cast<char32_t>(*value));
      return text;
    }
    rest_.remove_prefix(1);
    while (const std::optional<uint32_t> value = number(6, 16)) {
      append_character(text, static_cast<char32_t>(*value));
      if (!rest_.starts_with(' ')) break;
      rest_.remove_prefix(1);
    }
    if (!rest_.starts_with('}') || text.empty()) return std::nullopt;
    rest_.remove_prefix(1);
    return text;
  }

  std::string_view& rest_;
};

std::optional<std::string> quoted_text(std::string_view& rest) {
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) return std::nullopt;
  const char quote = rest.front();
  rest.remove_prefix(1);
  std::string text;
  while (!rest.empty() && rest.front() != quote) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\') {
      text += c;
    } else if (quote == '"') {
      const std::optional<std::string> character = EscapeReader(rest).read();
      if (!character) return std::nullopt;
      text += *character;
    } else {
      if (rest.empty() || (rest.front() != '\'' && rest.front() != '\\')) return std::nullopt;
      text += rest.front();
      rest.remove_prefix(1);
    }
  }
  if (rest.empty()) return std::nullopt;
  rest.remove_prefix(1);
  return text;
}

void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_white(rest.front())) rest.remove_prefix(1);
}

}  // namespace

std::vector<AugeasCommand> parse_augeas_commands(const Datum& commands, std::string context) {
  if (!context.empty() && !context.ends_with('/')) context += '/';
  std::vector<std::string> texts;
  if (commands.is_array()) {
    add_lines(commands, texts);
  } else {
    const std::string all = commands.to_text();
    for (size_t at = 0; at < all.size();) {
      const size_t end = std::min(all.find('\n', at), all.size());
      texts.push_back(all.substr(at, end - at));
      at = end + 1;
    }
  }
  std::vector<AugeasCommand> read;
  for (const std::string& text : texts) {
    const std::string_view line = trimmed(text);
    if (!line.empty()) read.push_back(LineReader(line, context).command());
  }
  return read;
}

std::optional<std::vector<std::string>> parse_quoted_list(std::string_view text) {
  skip_blanks(text);
  if (!text.starts_with('[')) return std::nullopt;
  text.remove_prefix(1);
  skip_blanks(text);
  std::vector<std::string> items;
  while (!text.empty() && text.front() != ']') {
    std::optional<std::string> item = quoted_text(text);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
    skip_blanks(text);
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
    skip_blanks(text);
  }
  if (!text.starts_with(']')) return std::nullopt;
  text.remove_prefix(1);
  skip_blanks(text);
  if (!text.empty()) return std::nullopt;
  return items;
}

std::string shown_arguments(const std::vector<std::string>& arguments) {
  std::string text = "[";
  for (const std::string& argument : arguments) {
    if (text.size() > 1) text += ", ";
    text += '"';
    for (const char c : argument) {
      if (c == '"' || c == '\\') text += '\\';
      if (c == '\n') {
        text += "\\n";
      } else {
        text += c;
      }
    }
    text += '"';
  }
  return text + "]";
}

}  // namespace bunraku::apply
