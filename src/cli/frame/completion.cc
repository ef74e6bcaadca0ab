// Completes command lines.
#include "cli/frame/completion.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_system.h"
#include "cli/frame/command_line.h"
#include "cli/frame/common_options.h"
#include "functions/core/registry.h"
#include "resource_types/native_type.h"
#include "site/settings/repository.h"
#include "site/settings/settings.h"

namespace bunraku {
namespace {

// The bounds on the search for data files and directories.
constexpr size_t kMostFiles = 500;
constexpr int kDeepest = 6;

class Completer {
 public:
  explicit Completer(std::span<const Command> commands)
      : commands_(commands), groups_(common_options(common_)) {}

  std::vector<Completion> complete(std::span<const std::string> words) {
    for (size_t i = 0; i + 1 < words.size(); ++i) take(words[i]);
    prefix_ = words.empty() ? std::string() : words.back();
    if (waiting_ != nullptr) {
      offer_values(*waiting_);
    } else if (!are_options_over_ && prefix_.starts_with('-')) {
      offer_options();
    } else if (command_ == nullptr) {
      offer_commands();
    } else {
      offer_arguments();
    }
    return std::move(found_);
  }

 private:
  // Processes a complete word.
  void take(const std::string& word) {
    if (waiting_ != nullptr) {
      if (waiting_->name == "--environment") environment_ = word;
      waiting_ = nullptr;
    } else if (are_options_over_ || word.size() < 2 || word[0] != '-') {
      take_plain(word);
    } else if (word == "--") {
      are_options_over_ = true;
    } else if (word.find('=') == std::string::npos) {
      const CommandOption* option = find_option(word);
      if (option != nullptr && !option->is_flag()) waiting_ = option;
    }
  }

  void take_plain(const std::string& word) {
    if (command_ != nullptr) {
      ++arguments_;
      return;
    }
    group_ += (group_.empty() ? "" : " ") + word;
    command_ = find_command(commands_, group_);
    // A command's name may also begin the names of others: "server", "server status".
  }

  const CommandOption* find_option(std::string_view word) const {
    const auto is_it = [&](const CommandOption& option) {
      const bool is_letter = word.size() == 2 && word[1] == option.letter;
      return option.name == word || (is_letter && option.letter != '\0');
    };
    if (command_ != nullptr) {
      for (const CommandOption& option : command_->options()) {
        if (is_it(option)) return &option;
      }
    }
    for (const OptionGroupHelp& group : groups_) {
      for (const CommandOption& option : group.options) {
        if (is_it(option)) return &option;
      }
    }
    return nullptr;
  }

  void offer(std::string_view word, std::string_view help = {}) {
    if (!word.starts_with(prefix_)) return;
    found_.push_back({std::string(word), std::string(help.substr(0, help.find('\n')))});
  }

  void offer_commands() {
    std::set<std::string_view> seen;
    const std::string start = group_.empty() ? "" : group_ + " ";
    for (const Command& command : commands_) {
      const std::string_view name = command.name();
      if (!name.starts_with(start)) continue;
      const std::string_view rest = name.substr(start.size());
      const std::string_view word = rest.substr(0, rest.find(' '));
      const bool is_whole = word.size() == rest.size();
      if (seen.insert(word).second) offer(word, is_whole ? command.summary() : std::string());
    }
  }

  void offer_options() {
    if (command_ != nullptr) {
      for (const CommandOption& option : command_->options()) offer(option.name, option.help);
    }
    for (const OptionGroupHelp& group : groups_) {
      if (command_ != nullptr && !command_->shows(group.group)) continue;
      for (const CommandOption& option : group.options) {
        const bool has_no_formats =
            option.name == "--format" && command_ != nullptr && command_->formats().empty();
        if (!has_no_formats) offer(option.name, option.help);
      }
    }
  }

  void offer_values(const CommandOption& option) {
    for (const std::string& choice : option.choices) offer(choice);
    if (option.name == "--format" && option.choices.empty() && command_ != nullptr) {
      for (const std::string& format : command_->formats()) offer(format);
    }
    if (option.name == "--environment") offer_environments();
    if (option.name == "--node") offer_nodes();
    if (option.name == "--log-level") {
      for (const char* level : {"debug", "info", "notice", "warning", "err"}) offer(level);
    }
    if (option.name == "--log-format") {
      for (const char* form : {"text", "one-line", "json"}) offer(form);
    }
    if (option.name == "--color") {
      for (const char* when : {"auto", "always", "never"}) offer(when);
    }
  }

  void offer_arguments() {
    // "server" alone is a command, and "server status" another.
    if (arguments_ == 0) offer_commands();
    const std::vector<CommandArgument>& arguments = command_->arguments();
    if (arguments.empty()) return;
    const size_t index = std::min(arguments_, arguments.size() - 1);
    const CommandArgument& argument = arguments[index];
    if (arguments_ > index && !argument.is_repeated) return;
    const std::string& name = argument.name;
    if (name == "NODE") offer_nodes();
    if (name == "KEYS") offer_keys();
    if (name == "ENVIRONMENT") offer_environments();
    if (name == "COMMAND") offer_commands_at(arguments_);
    if (name == "TYPE") offer_types();
    if (name == "NAME" && command_->name() == "describe") offer_described();
    if (name == "NAME" && command_->name() == "config print") {
      for (const SettingInfo& setting : all_settings()) offer(setting.name);
    }
  }

  // For `help`: offers the first or second word of a command.
  void offer_commands_at(size_t position) {
    if (position == 0) {
      group_.clear();
      offer_commands();
    }
  }

  void offer_types() {
    for (const NativeType& type : native_types()) offer(type.name.text());
  }

  void offer_described() {
    offer_types();
    for (const auto& functions : {builtin_functions(), stdlib_functions(), module_functions()}) {
      for (const NativeFunctionInfo* function : functions) {
        const std::string_view words = function->documentation;
        offer(function->name, words.substr(0, words.find_first_of(".\n")));
      }
    }
    for (size_t i = 0; i < issue_count() && prefix_.starts_with("BK"); ++i) {
      offer(code(static_cast<Issue>(i)));
    }
  }

  const std::optional<Repository>& repository() {
    if (!has_looked_) {
      has_looked_ = true;
      try {
        const bool is_path = environment_.find('/') != std::string::npos || environment_ == ".";
        repository_ = is_path ? open_repository(absolute_path(environment_))
                              : find_repository(absolute_path("."));
      } catch (const EvaluationError&) {
        // The command itself reports the error when it runs.
      }
    }
    return repository_;
  }

  void offer_environments() {
    const Settings settings{SettingsSources()};
    for (const std::string& directory : settings.list("environmentpath")) {
      for (const DirectoryEntry& entry : entries(directory)) {
        if (entry.is_directory && !entry.name.starts_with('.')) offer(entry.name);
      }
    }
  }

  void offer_nodes() {
    if (!repository()) return;
    std::vector<std::string> directories = repository()->conf.facts;
    if (directories.empty()) directories.push_back(join_path(repository()->directory, "facts"));
    for (const std::string& directory : directories) {
      for (const DirectoryEntry& entry : entries(directory)) {
        for (const std::string_view ending : {".yaml", ".yml", ".json"}) {
          const std::string_view name = entry.name;
          if (name.ends_with(ending)) offer(name.substr(0, name.size() - ending.size()));
        }
      }
    }
  }

  void offer_keys() {
    if (!repository()) return;
    for (const char* name : {"data", "hieradata"}) {
      read_keys(join_path(repository()->directory, name), 0);
    }
    for (const std::string& key : keys_) offer(key);
  }

  void read_keys(const std::string& directory, int depth) {
    if (depth > kDeepest) return;
    for (const DirectoryEntry& entry : entries(directory)) {
      const std::string path = join_path(directory, entry.name);
      if (entry.is_directory) {
        read_keys(path, depth + 1);
      } else if (entry.name.ends_with(".yaml") && files_++ < kMostFiles) {
        read_keys_of(path);
      }
    }
  }

  // Reads the words before a colon at the starts of lines.
  void read_keys_of(const std::string& path) {
    std::string text;
    try {
      text = read_file(path);
    } catch (const FileError&) {
      return;
    }
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = std::string_view(text).substr(at, end - at);
      const size_t size = line.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-");
      std::string_view key = line.substr(0, size);
      if (key.ends_with(':') && key.size() > 1 && (size == line.npos || line[size] == ' ')) {
        key.remove_suffix(1);
        if (key != "lookup_options" && key != "--") keys_.emplace(key);
      }
      at = end + 1;
    }
  }

  static std::vector<DirectoryEntry> entries(const std::string& directory) {
    try {
      return list_directory(directory);
    } catch (const FileError&) {
      return {};
    }
  }

  std::span<const Command> commands_;
  CommonOptions common_;
  std::vector<OptionGroupHelp> groups_;
  std::string group_;
  const Command* command_ = nullptr;
  const CommandOption* waiting_ = nullptr;  // the option whose value comes next
  size_t arguments_ = 0;
  bool are_options_over_ = false;
  std::string environment_;
  std::string prefix_;
  bool has_looked_ = false;
  std::optional<Repository> repository_;
  std::set<std::string> keys_;
  size_t files_ = 0;
  std::vector<Completion> found_;
};

}  // namespace

std::vector<Completion> completions(std::span<const std::string> words,
                                    std::span<const Command> commands) {
  return Completer(commands).complete(words);
}

}  // namespace bunraku
