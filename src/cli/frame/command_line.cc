#include "cli/frame/command_line.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/suggestion.h"
#include "cli/frame/help.h"
#include "site/settings/settings_table.h"

namespace bunraku {
namespace {

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Hyphens and underscores are equal in names of options.
bool is_same_name(std::string_view a, std::string_view b) {
  auto fold = [](char c) { return c == '_' ? '-' : c; };
  return std::ranges::equal(a, b, [fold](char x, char y) { return fold(x) == fold(y); });
}

class CommandLineParser {
 public:
  CommandLineParser(std::span<const std::string> words, std::span<const Command> commands,
                    CommonOptions& common, ParsedCommandLine& result)
      : words_(words),
        commands_(commands),
        common_(common),
        common_groups_(common_options(common)),
        result_(result) {}

  void parse() {
    // Words after --version are ignored.
    while (at_ < words_.size() && !common_.version) {
      const std::string_view word = words_[at_++];
      const bool is_option = !are_options_over_ && word.size() > 1 && word[0] == '-';
      if (!is_option) {
        read_word(word);
      } else if (word == "--") {
        are_options_over_ = true;
      } else if (starts_with(word, "--")) {
        read_long_option(word);
      } else {
        read_short_option(word);
      }
    }
    if (common_.help_all && !common_.help) throw unknown_option("--all");
    if (result_.command != nullptr && !common_.help && !common_.version) store_arguments();
  }

 private:
  // Reads a word of the command's name, or an argument.
  void read_word(std::string_view word) {
    std::string name =
        result_.group.empty() ? std::string(word) : fmt::format("{} {}", result_.group, word);
    // "server" is a command, and "server status" another one.
    const bool may_be_name = result_.command == nullptr || at_ == name_end_ + 1;
    const Command* command = may_be_name ? find_command(commands_, name) : nullptr;
    if (result_.command != nullptr && command == nullptr) {
      arguments_.push_back(word);
      return;
    }
    result_.command = command;
    name_end_ = at_;
    if (result_.command == nullptr && !is_command_group(commands_, name)) {
      throw unknown_command(commands_, name);
    }
    result_.group = std::move(name);
  }

  const CommandOption* find_option(std::string_view name) const {
    if (result_.command != nullptr) {
      for (const CommandOption& option : result_.command->options()) {
        if (is_same_name(option.name, name)) return &option;
      }
    }
    for (const OptionGroupHelp& group : common_groups_) {
      for (const CommandOption& option : group.options) {
        if (is_same_name(option.name, name)) return &option;
      }
    }
    return nullptr;
  }

  const CommandOption* find_letter(char letter) const {
    if (result_.command != nullptr) {
      for (const CommandOption& option : result_.command->options()) {
        if (option.letter == letter) return &option;
      }
    }
    for (const OptionGroupHelp& group : common_groups_) {
      for (const CommandOption& option : group.options) {
        if (option.letter == letter) return &option;
      }
    }
    return nullptr;
  }

  std::string_view next_value(std::string_view name) {
    if (at_ >= words_.size()) throw UsageError(fmt::format("option '{}' needs a value", name));
    return words_[at_++];
  }

  void read_long_option(std::string_view word) {
    const size_t sign = word.find('=');
    const bool has_value = sign != std::string_view::npos;
    const std::string_view name = word.substr(0, sign);
    const std::string_view value = has_value ? word.substr(sign + 1) : std::string_view();
    if (const CommandOption* option = find_option(name)) {
      if (option->is_flag()) return store_flag(*option, name, has_value ? value : "true");
      return store(*option, name, has_value ? value : next_value(name));
    }
    if (name == "--all" && !has_value) {
      common_.help_all = true;
      return;
    }
    if (starts_with(name, "--no-") || starts_with(name, "--no_")) {
      const std::string positive = fmt::format("--{}", name.substr(5));
      const CommandOption* option = find_option(positive);
      if (option != nullptr && option->is_flag() && !has_value)
        return store_flag(*option, name, "false");
    }
    if (read_setting(name.substr(2), value, has_value)) return;
    throw unknown_option(name);
  }

  // Every setting of the reference is an option as well.
  bool read_setting(std::string_view name, std::string_view value, bool has_value) {
    if (const SettingInfo* setting = find_setting(name)) {
      if (has_value) {
        store_setting(common_, name, value);
      } else if (setting->kind == SettingKind::kBoolean) {
        const bool has_word =
            at_ < words_.size() && (words_[at_] == "true" || words_[at_] == "false");
        store_setting(common_, name, has_word ? std::string_view(words_[at_++]) : "true");
      } else {
        store_setting(common_, name, next_value(fmt::format("--{}", name)));
      }
      return true;
    }
    if (!starts_with(name, "no-") && !starts_with(name, "no_")) return false;
    const SettingInfo* setting = find_setting(name.substr(3));
    if (setting == nullptr || setting->kind != SettingKind::kBoolean || has_value) return false;
    store_setting(common_, name.substr(3), "false");
    return true;
  }

  // Reads "-e CODE", "-eCODE", "-s".
  void read_short_option(std::string_view word) {
    std::string_view name = word.substr(0, 2);
    const CommandOption* option = find_letter(word[1]);
    if (option == nullptr) throw unknown_option(name);
    if (!option->is_flag())
      return store(*option, name, word.size() > 2 ? word.substr(2) : next_value(name));
    if (word.size() > 2) throw UsageError(fmt::format("option '{}' takes no value", name));
    store_flag(*option, name, "true");
  }

  static void store_flag(const CommandOption& option, std::string_view name,
                         std::string_view value) {
    if (value != "true" && value != "false") {
      throw UsageError(fmt::format("option '{}' is either on or off, not '{}'", name, value));
    }
    option.store(value);
  }

  void store(const CommandOption& option, std::string_view name, std::string_view value) {
    std::vector<std::string> choices = option.choices;
    const bool is_format = option.name == "--format" && choices.empty();
    if (is_format && result_.command != nullptr) choices = result_.command->formats();
    if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
      std::string all;
      for (const std::string& choice : choices) all += (all.empty() ? "" : ", ") + choice;
      throw UsageError(fmt::format("option '{}' takes one of {}, not '{}'", name, all, value));
    }
    try {
      option.store(value);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("option '{}': {}", name, error.what()));
    }
  }

  UsageError unknown_option(std::string_view name) const {
    std::vector<std::string_view> names;
    if (result_.command != nullptr) {
      for (const CommandOption& option : result_.command->options()) names.push_back(option.name);
    }
    for (const OptionGroupHelp& group : common_groups_) {
      for (const CommandOption& option : group.options) names.push_back(option.name);
    }
    std::vector<std::string> settings;
    for (const SettingInfo& setting : all_settings())
      settings.push_back(fmt::format("--{}", setting.name));
    names.insert(names.end(), settings.begin(), settings.end());
    std::string_view close = name.size() > 2 ? closest_name(name, names) : std::string_view();
    std::string message = fmt::format("unknown option '{}'", name);
    if (!close.empty()) message += fmt::format("; did you mean '{}'?", close);
    return UsageError(message);
  }

  void store_arguments() const {
    const std::vector<CommandArgument>& wanted = result_.command->arguments();
    size_t next = 0;
    for (const CommandArgument& argument : wanted) {
      if (next == arguments_.size()) {
        if (argument.is_required)
          throw UsageError(
              fmt::format("argument {} is missing: {}", argument.name, usage_of(*result_.command)));
        return;
      }
      do {
        argument.store(arguments_[next++]);
      } while (argument.is_repeated && next < arguments_.size());
    }
    if (next < arguments_.size())
      throw UsageError(fmt::format("unexpected argument '{}'", arguments_[next]));
  }

  std::span<const std::string> words_;
  std::span<const Command> commands_;
  CommonOptions& common_;
  std::vector<OptionGroupHelp> common_groups_;
  size_t at_ = 0;
  size_t name_end_ = 0;  // how many words had been read after the last one of the command's name
  bool are_options_over_ = false;
  std::vector<std::string_view> arguments_;
  ParsedCommandLine& result_;
};

}  // namespace

void parse_command_line(std::span<const std::string> words, std::span<const Command> commands,
                        CommonOptions& common, ParsedCommandLine& line) {
  CommandLineParser(words, commands, common, line).parse();
}

const Command* find_command(std::span<const Command> commands, std::string_view name) {
  for (const Command& command : commands) {
    if (command.name() == name) return &command;
  }
  return nullptr;
}

bool is_command_group(std::span<const Command> commands, std::string_view name) {
  std::string start = fmt::format("{} ", name);
  return std::ranges::any_of(
      commands, [&start](const Command& command) { return starts_with(command.name(), start); });
}

namespace {

// A command of other programs, and its equivalent here.
struct Habit {
  std::string_view words;
  std::string_view answer;
};
constexpr Habit kHabits[] = {
    {"master", "it is `bunraku server`"},
    {"puppetserver", "it is `bunraku server`"},
    {"cert", "it is `bunraku ca`"},
    {"puppetdb", "`bunraku query` asks the store, `bunraku store` keeps it"},
    {"doc", "`bunraku describe` shows types, functions and diagnostics"},
    {"man", "it is `bunraku help`"},
    {"console", "`bunraku eval` without code is one"},
    {"lint", "`bunraku validate` checks a repository; there is no linter yet"},
    {"fmt", "there is no formatter yet"},
    {"format", "there is no formatter yet"},
    {"strings", "there is no documentation generator yet"},
    {"test", "there is no test runner yet; `bunraku fleet compile` compiles all nodes"},
    {"check", "it is `bunraku validate`"},
    {"hiera", "it is `bunraku lookup`"},
    {"catalog find", "it is `bunraku catalog compile`"},
    {"catalog apply", "it is `bunraku apply --catalog FILE`"},
    {"facts find", "it is `bunraku facts show`"},
    {"config set",
     "write it into puppet.conf or bunraku.toml; `bunraku config print` shows values"},
    {"module install", "r10k, g10k and librarian-puppet install modules"},
    {"deploy", "r10k and g10k deploy environments"},
    {"parser check", "it is `bunraku parser validate`"},
};

// The commands of a group, or those whose last word is the name.
std::vector<std::string_view> related_commands(std::span<const Command> commands,
                                               std::string_view name) {
  const size_t space = name.find(' ');
  std::vector<std::string_view> related;
  for (const Command& command : commands) {
    const std::string_view words = command.name();
    const bool is_of_group = space != name.npos && starts_with(words, name.substr(0, space + 1));
    const bool ends_so = space == name.npos && words.size() > name.size() &&
                         words.ends_with(name) && words[words.size() - name.size() - 1] == ' ';
    if (is_of_group || ends_so) related.push_back(words);
  }
  return related;
}

std::string listed(const std::vector<std::string_view>& commands) {
  std::string text;
  for (size_t i = 0; i < commands.size(); ++i) {
    const std::string_view separator = i == 0 ? "" : i + 1 == commands.size() ? " or " : ", ";
    text += fmt::format("{}`bunraku {}`", separator, commands[i]);
  }
  return text;
}

}  // namespace

UsageError unknown_command(std::span<const Command> commands, std::string_view name) {
  std::string message = fmt::format("unknown command '{}'", name);
  for (const Habit& habit : kHabits) {
    if (habit.words == name) return UsageError(fmt::format("{}; {}", message, habit.answer));
  }
  std::vector<std::string_view> names;
  for (const Command& command : commands) {
    names.push_back(command.name());
    names.push_back(std::string_view(command.name()).substr(0, command.name().find(' ')));
  }
  const std::vector<std::string_view> related = related_commands(commands, name);
  if (!related.empty() && (name.find(' ') == name.npos || closest_name(name, names).empty())) {
    return UsageError(fmt::format("{}; there is {}", message, listed(related)));
  }
  std::string_view close = closest_name(name, names);
  if (!close.empty()) message += fmt::format("; did you mean '{}'?", close);
  return UsageError(message);
}

}  // namespace bunraku
