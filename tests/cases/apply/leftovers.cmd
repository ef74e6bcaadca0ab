# Leftovers of a killed run next to a file are removed by the next run that writes the file; nothing else is removed.
# case: differs=D625
mkdir site conf
echo '{}' > facts.json
umask 022
gone=$(sh -c 'echo $$')
for name in a20261122-$gone-abcdef a20261122-$$-abcdef a20261122-$gone-ABCDEF b20261122-$gone-abcdef; do echo kept > "site/$name"; done
bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json --certname n \
  -e "file { '$PWD/site/a': content => 'new', validate_cmd => '/bin/sh -c \"ls $PWD/site | wc -l\"' }" > /dev/null
ls site | sed "s/-$gone-/-gone-/; s/-$$-/-alive-/"
