// A subcommand: its options and arguments, its help, and its action. One file for each command:
//
//   Command make_eval_command() {
//     auto options = std::make_shared<EvalOptions>();
//     Command command("eval", "The value of code");
//     command.option("-e, --execute CODE", "evaluate CODE; may be repeated", options->code);
//     command.flag("--script", "no catalog: catalog expressions are errors", options->is_script);
//     command.takes(OptionGroup::kEnvironment);
//     command.example("bunraku eval -e '1 + 2'", "prints 3");
//     command.run([options](Session& session) { return evaluate(*options, session); });
//     return command;
//   }
//
// Declare the function in commands.h and list it in commands.cc; nothing else is needed. The frame
// provides the rest (help, common options, log, errors, exit codes): see session.h.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class Session;

// The program's exit codes.
constexpr int kExitSuccess = 0;
constexpr int kExitFailure = 1;          // syntax, validation, evaluation, lookup
constexpr int kExitUsage = 64;           // a mistake in the command line
constexpr int kExitDifferent = 2;        // of commands that compare: there is a difference
constexpr int kExitUnrepresentable = 3;  // the requested format cannot represent the result

// The groups of common options by subject. Every command accepts all of them; its help shows the
// groups that have a meaning for it.
enum class OptionGroup : uint8_t {
  kGeneral,      // --help, --log-level, --color and the like: always shown
  kEnvironment,  // --environment, --modulepath, --set...
  kNode,         // --facts, --trusted, --enc...
  kStore         // --store
};

struct CommandOption {
  std::string name;        // "--format"; empty for an option with only a letter
  char letter = '\0';      // 'f' for "-f"
  std::string value_name;  // "FORMAT"; empty for a flag
  std::string help;
  std::vector<std::string> choices;  // empty: any value
  // Stores a value; "true" or "false" for flags. Throws UsageError for an invalid value.
  std::function<void(std::string_view)> store;
  bool is_flag() const { return value_name.empty(); }
};

struct CommandArgument {
  std::string name;  // "FILE"
  std::string help;
  bool is_required = false;
  bool is_repeated = false;
  std::function<void(std::string_view)> store;
};

struct CommandExample {
  std::string command;
  std::string explanation;
};

class Command {
 public:
  // The name may have several words, "parser validate". The summary is one line without a full
  // stop.
  Command(std::string name, std::string summary);

  // `names` is "--format FORMAT" or "-e, --execute CODE". The value is stored in `target`, which
  // must live as long as the command.
  void option(std::string_view names, std::string help, std::string& target);
  void option(std::string_view names, std::string help, std::optional<std::string>& target);
  void option(std::string_view names, std::string help, std::vector<std::string>& target);
  void option(std::string_view names, std::string help, int64_t& target);
  // An option with a list of allowed values; other values are a usage error.
  void choice(std::string_view names, std::vector<std::string> choices, std::string help,
              std::string& target);
  // `names` is "--script" or "-s, --script"; "--no-script" unsets it.
  void flag(std::string_view names, std::string help, bool& target);

  // "NODE": required; "[NODE]": optional; "FILES...": one or more; "[FILES...]": any number.
  // Arguments are filled in the order of their declaration.
  void argument(std::string_view name, std::string help, std::string& target);
  void argument(std::string_view name, std::string help, std::vector<std::string>& target);

  // The values of the common option --format for this command; the first is the default. Commands
  // without a call of this have no --format.
  void formats(std::vector<std::string> names) { formats_ = std::move(names); }
  // Paragraphs of the help, separated by empty lines.
  void details(std::string text) { details_ = std::move(text); }
  void example(std::string command, std::string explanation);
  void takes(OptionGroup group) { groups_.push_back(group); }
  // Commands about an environment use the repository of the current directory as environment,
  // unless they call this: commands that serve hosts use only the environment path.
  void ignores_repository() { ignores_repository_ = true; }
  // The action returns the exit code. The frame reports its exceptions, EvaluationError and others.
  void run(std::function<int(Session&)> action) { action_ = std::move(action); }

  const std::string& name() const { return name_; }
  const std::string& summary() const { return summary_; }
  // The heading that the command has in the list of all commands.
  std::string_view section() const { return section_; }
  void section(std::string_view title) { section_ = title; }
  const std::string& details() const { return details_; }
  const std::vector<CommandOption>& options() const { return options_; }
  const std::vector<CommandArgument>& arguments() const { return arguments_; }
  const std::vector<CommandExample>& examples() const { return examples_; }
  const std::vector<std::string>& formats() const { return formats_; }
  bool shows(OptionGroup group) const;
  bool uses_repository() const { return shows(OptionGroup::kEnvironment) && !ignores_repository_; }
  int execute(Session& session) const { return action_(session); }

 private:
  CommandOption& add_option(std::string_view names, std::string help);
  CommandArgument& add_argument(std::string_view name, std::string help);

  std::string name_;
  std::string summary_;
  std::string_view section_;
  std::string details_;
  std::vector<CommandOption> options_;
  std::vector<CommandArgument> arguments_;
  std::vector<CommandExample> examples_;
  std::vector<std::string> formats_;
  std::vector<OptionGroup> groups_;
  bool ignores_repository_ = false;
  std::function<int(Session&)> action_;
};

// A mistake in the command line: reported with a reference to the help, exit code 64.
class UsageError : public std::exception {
 public:
  explicit UsageError(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

}  // namespace bunraku
