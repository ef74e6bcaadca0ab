# On a terminal: a transient progress line, and a plan that must be confirmed before it is applied.
# case: oracle=no timeout=60
mkdir -p conf
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --facts facts.json --certname n"
echo '{}' > facts.json
program=$(command -v bunraku)
on_terminal() { script -qefc "$program $1" /dev/null | tee screen | tr -d '\r' | sed -e "s,$PWD,<here>,g" -e 's/since [0-9:]*/since <time>/g' -e 's/in [0-9.]* seconds/in <time> seconds/g' -e "s/$(printf '\033')\[[0-9;]*m//g" -e "s/$(printf '\033')\[K/<clear>/g" -e 's/{sha256}[0-9a-f]*/<sum>/g'; }
# Types the answer when the question is on the screen; earlier, its echo could precede any line.
answer() {
  until grep -q 'Apply this plan' screen 2> /dev/null; do sleep 0.02; done
  echo "$1"
}
cat > site.pp <<END
file { '$PWD/one': content => "1\n" }
-> exec { '/bin/sleep 0.1': }
-> file { '$PWD/two': content => "2\n" }
END
answer no | on_terminal "apply $settings site.pp --plan"
ls one two 2>&1 | sed 's/.*: //'
rm screen
answer yes | on_terminal "apply $settings site.pp --plan"
cat one two
on_terminal "apply $settings site.pp" < /dev/null
