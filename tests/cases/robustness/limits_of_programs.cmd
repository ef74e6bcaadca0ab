# A program that a compilation runs ends with it; the application afterwards has no limit.
# case: oracle=no
cat > slow <<'SH'
#!/bin/sh
sleep 3
touch late
SH
chmod +x slow
try() { bunraku "$@" 2>&1 || echo "exit $?"; [ ! -e late ] || echo "the program went on"; }
try catalog compile n --no-facts --timeout 0.3 -e "notice(generate('$PWD/slow'))"
mkdir -p e/production/manifests
echo "config_version = $PWD/slow" > e/production/environment.conf
touch e/production/manifests/site.pp
try catalog compile n --no-facts --timeout 0.3 --environmentpath e
try apply --certname n --no-facts --timeout 0.3 --environmentpath e
mkdir -p e/production/functions
printf -- '---\nversion: 5\nhierarchy:\n  - name: endless\n    data_hash: endless\n' > e/production/hiera.yaml
echo 'function endless($o, $c) { Integer[0, 9223372036854775806].each |$x| { }; $c }' > e/production/functions/endless.pp
try lookup key --node n --no-facts --timeout 0.3 --environmentpath e
try apply --certname n --no-facts --timeout 0.3 -e 'Integer[0, 9223372036854775806].each |$x| { }'
try apply --certname n --no-facts --timeout 1 --vardir v -e 'exec { "/bin/sleep 1.2": }' | grep -v Compiled |
  sed 's/in [0-9.]* seconds/in N seconds/'
