# Planned changes: shown, saved, and applied if they are still valid.
# case: oracle=no timeout=60
mkdir -p conf
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{}' > facts.json
plain() { sed -e "s,$PWD,<here>,g" -e 's/{sha256}[0-9a-f]*/<sum>/g' -e 's/"<sum>[^"]*"/"<sum>"/g' | grep -v 'Compiled catalog\|Applied catalog' || true; }
apply() { bunraku apply $settings --facts facts.json --certname n "$@" > log 2>&1 && code=0 || code=$?; plain < log; echo "exit $code"; }
echo old > f
touch gone
cat > site.pp <<END
file { '$PWD/f': content => "new\n", notify => Exec['/bin/touch $PWD/made'] }
file { '$PWD/new': ensure => directory, noop => false }
file { '$PWD/gone': ensure => absent }
exec { '/bin/touch $PWD/made': refreshonly => true }
exec { '/bin/true': }
file { '$PWD/secret': content => Sensitive('hidden') }
END
apply site.pp --plan
cat f; ls; [ -e var/state/last_run_report.yaml ] || echo "no report"
apply site.pp --plan --out site.plan
stat -c %a site.plan
echo other > f
apply site.plan
ls gone
echo old > f
apply site.plan
cat f; ls
apply site.pp --plan --format json | sed 's/"line":[0-9]*/"line":N/g'
apply -e "file { '$PWD/f': content => \"new\n\" }" --plan
apply -e "file { '$PWD/none/f': content => 'x' } file { '$PWD/g': source => '$PWD/nosuch' }" --plan
apply site.pp --out x | grep Error
apply site.plan --plan | grep Error
apply --why "File[$PWD/f]" -e "class motd { file { '$PWD/f': content => 'x', require => Notify['first'] } } notify { 'first': } class { 'motd': before => Notify['last'] } notify { 'last': }"
