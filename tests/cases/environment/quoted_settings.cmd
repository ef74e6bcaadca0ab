# One quote at each end of a setting's value is removed, on the command line as in files.
# case: oracle=no
mkdir conf
show() { bunraku config print "$@" --confdir conf --vardir "$PWD/v" 2>&1; }
show tags --tags "'b'"
show tags --tags "\"b'"
show tags --tags "'b"
show tags --tags "'b','c'"
show tags --tags "'b '"
show tags --set "tags='b'"
show runinterval --runinterval "'10'"
show strict --strict "'off'"
printf "[main]\ntags = 'b','c'\nserver = 'xx\n" > conf/puppet.conf
show tags server
# Facts of the system's modules may take seconds.
bunraku apply --confdir conf --vardir "$PWD/v" --modulepath "$PWD/none" --tags "'a%b'" -e 'notify { a: }' 2>&1 | grep tag

# Owners in braces are checked only in the sections of puppet.conf that are used.
for section in main server; do
  printf "[$section]\nssldir = ssl { owner = foo, mode = 0711 }\n" > conf/puppet.conf
  show user | grep -o "The :owner .*'foo'" || echo "not in [$section]"
done
rm conf/puppet.conf
mkdir -p code/environments/production
echo 'modulepath = /m { owner = foo }' > code/environments/production/environment.conf
show modulepath --codedir "$PWD/code"
