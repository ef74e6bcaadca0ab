# One quote at each end of a setting's value is left out, on the command line as in files.
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
# Facts of modules of the system may take seconds.
bunraku apply --confdir conf --vardir "$PWD/v" --modulepath "$PWD/none" --tags "'a%b'" -e 'notify { a: }' 2>&1 | grep tag
