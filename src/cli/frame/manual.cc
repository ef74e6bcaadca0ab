// Manual pages and the JSON form of the help.
#include "cli/frame/manual.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/formats/json.h"
#include "base/system/version.h"
#include "cli/frame/command.h"
#include "cli/frame/common_options.h"
#include "cli/frame/help.h"

namespace bunraku {
namespace {

// Escapes text so that troff shows it literally. A line must not start with a control character (a
// dot or a quote).
std::string escaped(std::string_view text) {
  std::string result;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    begins_line = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string page_name(std::string_view command) {
  std::string name = fmt::format("bunraku-{}", command);
  std::ranges::replace(name, ' ', '-');
  return name;
}

class ManualWriter {
 public:
  void title(std::string_view name) {
    std::string capitals(name);
    for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    text_ += fmt::format(".TH {} 1 \"\" \"bunraku {}\" \"Bunraku\"\n", escaped(capitals), kVersion);
    text_ += ".nh\n.ad l\n";
  }
  void section(std::string_view name) { text_ += fmt::format(".SH {}\n", name); }
  void line(std::string_view text) { text_ += escaped(text) + "\n"; }
  void bold_line(std::string_view text) { text_ += "\\fB" + escaped(text) + "\\fR\n"; }

  // Empty lines separate paragraphs.
  void paragraphs(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find("\n\n");
      text_ += ".PP\n" + escaped(text.substr(0, end)) + "\n";
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    }
  }
  void item(std::string_view name, std::string_view text) {
    text_ += ".TP\n";
    bold_line(name);
    line(text);
  }
  void code(std::string_view text) {
    text_ += ".PP\n.RS 4\n.nf\n" + escaped(text) + "\n.fi\n.RE\n";
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string names_of(const CommandOption& option) {
  std::string names;
  if (option.letter != '\0') names = fmt::format("-{}", option.letter);
  if (!option.name.empty()) names += (names.empty() ? "" : ", ") + option.name;
  if (!option.is_flag()) names += " " + option.value_name;
  return names;
}

std::string help_of(const Command& command, const CommandOption& option) {
  const bool is_format = option.name == "--format" && option.choices.empty();
  const std::vector<std::string>& choices = is_format ? command.formats() : option.choices;
  std::string text = option.help;
  for (size_t i = 0; i < choices.size(); ++i) text += (i == 0 ? ": " : ", ") + choices[i];
  return text;
}

void write_options(ManualWriter& page, const Command& command,
                   const std::vector<CommandOption>& options) {
  for (const CommandOption& option : options) {
    if (option.name == "--format" && option.choices.empty() && command.formats().empty()) continue;
    page.item(names_of(option), help_of(command, option));
  }
}

void write_option(JsonWriter& json, const CommandOption& option) {
  json.begin_object();
  json.member("names", std::string_view(names_of(option)));
  json.member("help", std::string_view(option.help));
  if (!option.choices.empty()) {
    json.key("choices");
    json.begin_array();
    for (const std::string& choice : option.choices) json.string(choice);
    json.end_array();
  }
  json.end_object();
}

void write_command(JsonWriter& json, const Command& command) {
  json.begin_object();
  json.member("name", std::string_view(command.name()));
  json.member("summary", std::string_view(command.summary()));
  json.member("usage", std::string_view(usage_of(command)));
  json.member("details", std::string_view(command.details()));
  json.key("arguments");
  json.begin_array();
  for (const CommandArgument& argument : command.arguments()) {
    json.begin_object();
    json.member("name", std::string_view(argument.name));
    json.member("help", std::string_view(argument.help));
    json.end_object();
  }
  json.end_array();
  json.key("options");
  json.begin_array();
  for (const CommandOption& option : command.options()) write_option(json, option);
  json.end_array();
  json.key("formats");
  json.begin_array();
  for (const std::string& format : command.formats()) json.string(format);
  json.end_array();
  json.key("examples");
  json.begin_array();
  for (const CommandExample& example : command.examples()) {
    json.begin_object();
    json.member("command", std::string_view(example.command));
    json.member("explanation", std::string_view(example.explanation));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string program_manual(std::span<const Command> commands) {
  ManualWriter page;
  page.title("bunraku");
  page.section("NAME");
  page.line("bunraku - the Puppet language: catalogs, data, checks, servers");
  page.section("SYNOPSIS");
  page.bold_line("bunraku COMMAND [OPTIONS] [ARGUMENTS]");
  page.section("DESCRIPTION");
  page.paragraphs(
      "Bunraku compiles and applies the Puppet language, checks code and data, compares the "
      "catalogs of many nodes, and serves agents. Inside a control repository or a module it finds "
      "modules, data and facts by itself.");
  page.section("COMMANDS");
  for (const Command& command : commands) {
    page.item(page_name(command.name()) + "(1)", command.summary());
  }
  page.section("EXIT STATUS");
  page.item("0", "success");
  page.item("1", "the program failed: syntax, validation, evaluation, look-up");
  page.item("2", "of commands that compare: there is a difference");
  page.item("3", "the result has no form in the format that was asked for");
  page.item("64", "the command line is wrong");
  page.section("FILES");
  page.item("bunraku.toml", "settings, facts and exceptions of a repository");
  page.item("puppet.conf", "settings, in the directory that `bunraku config print confdir` names");
  return page.take();
}

std::string command_manual(const Command& command) {
  ManualWriter page;
  const std::string name = page_name(command.name());
  page.title(name);
  page.section("NAME");
  page.line(fmt::format("{} - {}", name, command.summary()));
  page.section("SYNOPSIS");
  page.bold_line(usage_of(command));
  if (!command.details().empty()) {
    page.section("DESCRIPTION");
    page.paragraphs(command.details());
  }
  if (!command.arguments().empty()) {
    page.section("ARGUMENTS");
    for (const CommandArgument& argument : command.arguments()) {
      page.item(argument.name, argument.help);
    }
  }
  if (!command.options().empty()) {
    page.section("OPTIONS");
    write_options(page, command, command.options());
  }
  CommonOptions unused;
  for (const OptionGroupHelp& group : common_options(unused)) {
    if (!command.shows(group.group)) continue;
    std::string title = fmt::format("{} options", group.title);
    for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    page.section("\"" + title + "\"");
    write_options(page, command, group.options);
  }
  if (!command.examples().empty()) {
    page.section("EXAMPLES");
    for (const CommandExample& example : command.examples()) {
      page.code(example.command);
      page.paragraphs(example.explanation);
    }
  }
  page.section("\"SEE ALSO\"");
  page.line("bunraku(1)");
  return page.take();
}

std::string commands_json(std::span<const Command> commands) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.key("commands");
  json.begin_array();
  for (const Command& command : commands) write_command(json, command);
  json.end_array();
  json.key("common_options");
  json.begin_array();
  CommonOptions unused;
  for (const OptionGroupHelp& group : common_options(unused)) {
    for (const CommandOption& option : group.options) write_option(json, option);
  }
  json.end_array();
  json.end_object();
  return text + "\n";
}

}  // namespace bunraku
