# case: oracle=no differs=D533
# Invalid command lines, and those of other programs.
ask() {
  echo "## bunraku $*"
  status=0
  bunraku "$@" > answer 2>&1 || status=$?
  head -3 answer
  echo "exit $status"
}
ask compile
ask diff
ask validat
ask master
ask cert list
ask catalog find
ask parser chek
ask module install puppetlabs-stdlib
ask catalog why
ask eval --nosuch
ask eval --all
ask lookup
ask describe nothing
ask fleet compile
ask parser
ask server status more
ask server --no-ca status
ask facts show a b --value-only
ask --version
ask apply -V
ask catalog compile --version
ask store --version
ask apply --environment x --version --nosuch
ask apply --nosuch --version
ask help --version
ask help nosuch
echo "# without a word"
bunraku | sed -n '1,5p'
echo "# common options are named, and explained on demand"
bunraku lookup --help | sed -n '/^Common options/,$p' | head -3
bunraku lookup --help --all | grep -c -- '--memory'
bunraku lookup --help | grep -c -- 'how much memory' || true
echo "# manual pages"
bunraku help --format man lookup | sed -n '1s/"bunraku .*" "/"VERSION" "/p; 4,8p'
test "$(bunraku help --format man | grep -c '^.TP')" -gt 40 && echo 'more than 40 items'
bunraku help --format json | ruby -rjson -e 'help = JSON.parse($stdin.read); puts help["commands"].map { |c| c["name"] }.include?("catalog compile"), help["common_options"].size > 20'
echo "# completion"
complete() { bunraku __complete "$@" | cut -f1 | head -${most:-4} | tr '\n' ' '; echo; }
complete cat
complete catalog ''
complete catalog compile --env
complete eval --format ''
complete describe spli
complete config print environmentp
mkdir -p repo/facts repo/data/nodes
cd repo
touch Puppetfile facts/web01.example.com.yaml facts/db01.example.com.json
printf -- '---\nntp::servers: [a]\nntp::port: 1\n# comment: 1\n  nested: 1\n' > data/nodes/a.yaml
complete catalog compile ''
complete lookup ntp::
complete lookup --node w
for shell in bash zsh fish; do bunraku completion $shell | grep -c __complete; done
bunraku completion csh 2>&1 || echo "exit $?"
bunraku completion bash > ../complete.bash
bash -c 'source ../complete.bash; COMP_WORDS=(bunraku catalog comp); COMP_CWORD=2; _bunraku; echo "${COMPREPLY[@]}"'
