# How attributes of types in Ruby are set, and which values they refuse.
# case: timeout=60 oracle=no
mkdir -p conf code/environments/production
echo '{"kernel": "Linux"}' > facts.json
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --modulepath $CASE/ruby_types/modules"
apply() {
  echo "# $1"
  shift
  bunraku apply $settings --facts facts.json --certname node.example.com --detailed-exitcodes "$@" > output 2>&1 && code=0 || code=$?
  echo "exit $code" >> output
  sed -e "s,$PWD,<here>,g" output | grep -v '^Notice: Compiled\|^Notice: Applied'
}
apply 'in the order of the type' -e "kit_tag { 'a': size => 5, unit => cm }"
apply 'false alone manages nothing' -e "kit_tag { 'a': shown => false }"
apply 'a boolean in capitals' -e "kit_tag { 'a': shown => 'Yes' }"
apply 'as files have them' -e "kit_tag { 'a': size => 5, mode => '644', source => '/a+b//' }"
apply 'for an unknown user' -e "kit_tag { 'a': reader => 'kit_nobody' }"
apply 'chosen by a tag that the type adds' --tags labelled -e "kit_tag { 'a': ensure => present } notify { 'another': }"
apply 'metaparameters as code reads them' -e "
  kit_view { 'a': shown => 1 }
  kit_view { 'b': shown => 1, loglevel => verbose, noop => 'true', audit => 'shown', alias => 'q', tag => 't', require => Kit_view['a'] }
  kit_view { 'c': shown => 1, loglevel => info, noop => false, audit => all, require => [Kit_view['a'], Kit_view['b']] }"
echo '## values that are refused'
apply 'a name' -e "kit_tag { 'a b': }"
apply 'a word that was added twice' -e "kit_tag { 'a': unit => inch }"
apply 'a boolean' -e "kit_tag { 'a': shown => 'perhaps' }"
apply 'an error of the code' -e "kit_tag { 'a': lines => 5 }"
apply 'a group' -e "kit_tag { 'a': group => '' }"
for mode in 644 '888' "'rw'"; do apply "the mode $mode" -e "kit_tag { 'a': mode => $mode }"; done
for source in a 'some:a' 'ftp://h/a'; do apply "the source $source" -e "kit_tag { 'a': source => '$source' }"; done
