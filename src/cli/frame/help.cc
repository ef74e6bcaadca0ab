#include "cli/frame/help.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "cli/frame/command.h"
#include "cli/frame/common_options.h"

namespace bunraku {
namespace {

constexpr std::string_view kHeadingColor = "\033[1m";
constexpr std::string_view kNameColor = "\033[1;36m";
constexpr std::string_view kReset = "\033[0m";
constexpr size_t kIndent = 2;
constexpr size_t kGap = 2;
constexpr size_t kWidestNames = 30;

class HelpWriter {
 public:
  explicit HelpWriter(const HelpStyle& style)
      : style_(style), width_(std::clamp(style.width, 50u, 100u)) {}

  void heading(std::string_view text) {
    if (!text_.empty()) text_ += '\n';
    paint(kHeadingColor, fmt::format("{}:", text));
    text_ += '\n';
  }

  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }

  void paint(std::string_view color, std::string_view text) {
    if (style_.color) text_ += color;
    text_ += text;
    if (style_.color) text_ += kReset;
  }

  // Writes wrapped text; empty lines separate paragraphs.
  void paragraphs(std::string_view text, size_t indent) {
    while (!text.empty()) {
      const size_t end = text.find("\n\n");
      text_.append(indent, ' ');
      wrap(text.substr(0, end), indent, indent);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
      if (!text.empty()) text_ += '\n';
    }
  }

  // Writes names, with explanations in a second column.
  // The explanations begin behind names of `widest` characters, or behind the widest name.
  void table(const std::vector<std::pair<std::string, std::string>>& rows, size_t widest = 0) {
    for (const auto& [name, help] : rows) widest = std::max(widest, name.size());
    const size_t column = kIndent + std::min(widest, kWidestNames) + kGap;
    for (const auto& [name, help] : rows) {
      text_.append(kIndent, ' ');
      paint(kNameColor, name);
      size_t used = kIndent + name.size();
      if (used + kGap > column) {
        text_ += '\n';
        used = 0;
      }
      text_.append(column - used, ' ');
      wrap(help, column, column);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  // Appends words to a line with `used` columns; further lines are indented.
  void wrap(std::string_view text, size_t used, size_t indent) {
    bool is_first = true;
    while (!text.empty()) {
      const size_t end = text.find_first_of(" \n");
      const std::string_view word = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (word.empty()) continue;
      const size_t length = character_count(word);
      if (!is_first && used + 1 + length > width_) {
        text_ += '\n';
        text_.append(indent, ' ');
        used = indent;
        is_first = true;
      }
      if (!is_first) {
        text_ += ' ';
        ++used;
      }
      text_ += word;
      used += length;
      is_first = false;
    }
    text_ += '\n';
  }

  HelpStyle style_;
  size_t width_;
  std::string text_;
};

std::string names_of(const CommandOption& option) {
  std::string names;
  if (option.letter != '\0') names = fmt::format("-{}", option.letter);
  if (!option.name.empty()) names += (names.empty() ? "" : ", ") + option.name;
  if (!option.is_flag()) names += " " + option.value_name;
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void write_options(HelpWriter& help, std::string_view title, const Command& command,
                   const std::vector<CommandOption>& options) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const CommandOption& option : options) {
    std::string text = option.help;
    if (option.name == "--format" && option.choices.empty()) {
      if (command.formats().empty()) continue;
      text = fmt::format("the form of the result: {} (the default is {})",
                         joined(command.formats()), command.formats().front());
    } else if (!option.choices.empty()) {
      text += fmt::format(": {}", joined(option.choices));
    }
    rows.emplace_back(names_of(option), std::move(text));
  }
  if (rows.empty()) return;
  help.heading(title);
  help.table(rows);
}

// Lists the names of the common options in one paragraph.
void name_common_options(HelpWriter& help, const Command& command) {
  CommonOptions unused;
  std::string names;
  for (const OptionGroupHelp& group : common_options(unused)) {
    if (!command.shows(group.group)) continue;
    for (const CommandOption& option : group.options) {
      if (option.name == "--format" && command.formats().empty()) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", option.name);
    }
  }
  help.heading("Common options");
  help.paragraphs(names, kIndent);
  help.line("");
  help.paragraphs(fmt::format("`bunraku help --all {}` explains them.", command.name()), kIndent);
}

void write_format_option(HelpWriter& help, const Command& command) {
  if (command.formats().size() < 2) return;
  help.heading("Format");
  help.table(
      {{"--format FORMAT", fmt::format("the form of the result: {} (the default is {})",
                                       joined(command.formats()), command.formats().front())}});
}

using Rows = std::vector<std::pair<std::string, std::string>>;

// The commands of a group, or all commands, by sections.
void list_commands(HelpWriter& help, std::span<const Command> commands, std::string_view group) {
  std::vector<std::pair<std::string_view, Rows>> sections;
  size_t widest = 0;
  const std::string prefix = group.empty() ? "" : fmt::format("{} ", group);
  for (const Command& command : commands) {
    if (!command.name().starts_with(prefix)) continue;
    const std::string_view title = group.empty() ? command.section() : "Commands";
    if (sections.empty() || sections.back().first != title) sections.push_back({title, {}});
    sections.back().second.emplace_back(command.name(), command.summary());
    widest = std::max(widest, command.name().size());
  }
  for (const auto& [title, rows] : sections) {
    help.heading(title);
    help.table(rows, widest);
  }
}

}  // namespace

std::string usage_of(const Command& command) {
  std::string usage = fmt::format("bunraku {} [OPTIONS]", command.name());
  for (const CommandArgument& argument : command.arguments()) {
    std::string name = argument.name + (argument.is_repeated ? "..." : "");
    usage += argument.is_required ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
  }
  return usage;
}

std::string wrapped(std::string_view text, size_t indent, uint32_t width) {
  std::string result;
  std::string line;
  auto end_line = [&] {
    if (line.empty()) return;
    result.append(indent, ' ');
    result += line + '\n';
    line.clear();
  };
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view source = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (source.empty() || source[0] == ' ') {
      end_line();
      if (!source.empty()) result += std::string(indent, ' ') + std::string(source);
      result += '\n';
      continue;
    }
    while (!source.empty()) {
      const size_t space = source.find(' ');
      const std::string_view word = source.substr(0, space);
      source.remove_prefix(space == std::string_view::npos ? source.size() : space + 1);
      if (word.empty()) continue;
      const size_t needed = character_count(line) + (line.empty() ? 0 : 1) + character_count(word);
      if (!line.empty() && indent + needed > width) end_line();
      line += (line.empty() ? "" : " ") + std::string(word);
    }
  }
  end_line();
  return result;
}

std::string overview_help(std::span<const Command> commands, std::string_view group,
                          const HelpStyle& style) {
  HelpWriter help(style);
  if (group.empty()) {
    help.paragraphs(
        "Bunraku compiles and applies the Puppet language, checks code and data, compares the "
        "catalogs of many nodes, and serves agents.",
        0);
    help.heading("Usage");
    help.line("  bunraku COMMAND [OPTIONS] [ARGUMENTS]");
  } else {
    help.heading("Usage");
    help.line(fmt::format("  bunraku {} COMMAND [OPTIONS] [ARGUMENTS]", group));
  }
  list_commands(help, commands, group);
  help.line("");
  help.paragraphs("`bunraku help COMMAND` and `bunraku COMMAND --help` say more, with examples.",
                  0);
  return help.take();
}

std::string command_help(const Command& command, const HelpStyle& style, bool with_common) {
  HelpWriter help(style);
  help.paint(kHeadingColor, fmt::format("bunraku {}", command.name()));
  help.line(fmt::format(": {}", command.summary()));
  help.heading("Usage");
  help.line(fmt::format("  {}", usage_of(command)));
  if (!command.details().empty()) {
    help.line("");
    help.paragraphs(command.details(), 0);
  }
  if (!command.arguments().empty()) {
    help.heading("Arguments");
    std::vector<std::pair<std::string, std::string>> rows;
    for (const CommandArgument& argument : command.arguments())
      rows.emplace_back(argument.name, argument.help);
    help.table(rows);
  }
  write_options(help, "Options", command, command.options());
  if (with_common) {
    CommonOptions unused;
    for (const OptionGroupHelp& group : common_options(unused)) {
      if (command.shows(group.group)) {
        write_options(help, fmt::format("{} options", group.title), command, group.options);
      }
    }
  } else {
    write_format_option(help, command);
  }
  if (!command.examples().empty()) {
    help.heading("Examples");
    for (const CommandExample& example : command.examples()) {
      help.line(fmt::format("  $ {}", example.command));
      help.paragraphs(example.explanation, 6);
    }
  }
  if (!with_common) name_common_options(help, command);
  return help.take();
}

}  // namespace bunraku
