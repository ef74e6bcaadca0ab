# case: oracle=no timeout=120
# The completion scripts in the shells themselves: nodes, keys, commands, and files where nothing else matches.
mkdir -p repo/facts repo/data
cd repo
touch Puppetfile facts/web01.example.com.yaml facts/web02.example.com.yaml
printf 'ntp::servers: [a]\nntp::port: 1\n' > data/common.yaml
printf 'version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n' > hiera.yaml
for shell in bash zsh fish; do bunraku completion $shell > ../complete.$shell; done
ask() {
  echo "## $1"
  for line in 'bunraku catalog compile web01' 'bunraku lookup ntp::p' 'bunraku catalog com' 'bunraku validate dat'; do
    echo "-- $line"
    "$1_completes" "$line"
  done
}
bash_completes() {
  LINE=$1 bash --norc -c '
    source ../complete.bash
    read -ra COMP_WORDS <<< "$LINE"
    [[ $LINE == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _bunraku
    (( ${#COMPREPLY[@]} )) || mapfile -t COMPREPLY < <(compgen -f "${COMP_WORDS[COMP_CWORD]}")
    printf "%s\n" "${COMPREPLY[@]}"'
}
# A shell with a line editor on a separate terminal: sends the key, and then one that writes down the current line.
cat > ../drive.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'autoload -U compinit; compinit -u -D; source ../complete.zsh'
zpty -w shell 'show() { print -r -- $BUFFER > ../buffer; exit }; zle -N show; bindkey "^G" show; print rea""dy'
zpty -r shell out '*ready*'
zpty -w -n shell "$LINE"$'\t\a'
for i in {1..100}; do [[ -s ../buffer ]] && break; sleep 0.1; done
ZSH
zsh_completes() {
  rm -f ../buffer
  LINE=$1 TERM=dumb zsh -f ../drive.zsh
  cat ../buffer
}
fish_completes() { LINE=$1 fish --no-config -c 'source ../complete.fish; complete -C "$LINE"'; }
for shell in bash zsh fish; do
  ask $shell
done
