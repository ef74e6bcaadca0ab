// `completion`: scripts for shells, which call the program for completions.
#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/frame/session.h"

namespace bunraku {
namespace {

// In bash a colon ends a word, so names of classes arrive in pieces; bash-completion, where it is
// loaded, joins them.
constexpr std::string_view kBash = R"SH(# bash completion for bunraku
_bunraku() {
  local cur prev words cword line
  COMPREPLY=()
  if declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref -n := cur prev words cword
  else
    words=("${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    cur=${words[cword]}
  fi
  while IFS= read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("${words[0]}" __complete "${words[@]:1:cword}" 2> /dev/null)
  if declare -F __ltrim_colon_completions > /dev/null; then
    __ltrim_colon_completions "$cur"
  fi
}
complete -o default -o bashdefault -F _bunraku bunraku
)SH";

constexpr std::string_view kZsh = R"SH(#compdef bunraku
_bunraku() {
  local -a found
  local line word
  while IFS= read -r line; do
    word=${${line%%$'\t'*}//:/\\:}
    if [[ $line == *$'\t'* ]]; then
      found+=("$word:${line#*$'\t'}")
    else
      found+=("$word")
    fi
  done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)
  if (( ${#found} )); then
    _describe 'bunraku' found
  else
    _files
  fi
}
if [[ $funcstack[1] == _bunraku ]]; then
  _bunraku "$@"
else
  compdef _bunraku bunraku
fi
)SH";

constexpr std::string_view kFish = R"SH(# fish completion for bunraku
function __bunraku_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c bunraku -f -a '(__bunraku_complete)'
)SH";

}  // namespace

Command make_completion_command() {
  auto shell = std::make_shared<std::string>();
  Command command("completion", "A script that lets a shell complete command lines");
  command.details(
      "Prints a script for bash, zsh or fish. With it, the shell completes commands, options and "
      "their values, the names of nodes and environments, keys of data, settings, resource types, "
      "functions and diagnostics. Packages install it.");
  command.argument("SHELL", "bash, zsh or fish", *shell);
  command.example("source <(bunraku completion bash)", "for this shell alone");
  command.example("bunraku completion zsh > ~/.zfunc/_bunraku",
                  "for every zsh, when ~/.zfunc is in fpath");
  command.example("bunraku completion fish > ~/.config/fish/completions/bunraku.fish", "for fish");
  command.run([shell](Session& session) {
    if (*shell == "bash") {
      session.print(kBash);
    } else if (*shell == "zsh") {
      session.print(kZsh);
    } else if (*shell == "fish") {
      session.print(kFish);
    } else {
      throw UsageError("there are scripts for bash, zsh and fish, not for '" + *shell + "'");
    }
    return kExitSuccess;
  });
  return command;
}

}  // namespace bunraku
