# Code on standard input is applied; if it is empty, the environment's manifests are.
# case: differs=D690 oracle=no
mkdir manifests
touch environment.conf
echo 'notify { "of the environment": }' > manifests/site.pp
try() {
  echo "-- apply $*"
  bunraku apply --certname n --no-facts --noop --environment . --vardir v --publicdir p "$@" 2>&1 | grep 'Notify\|no code' || true
}
echo 'notify { "piped": }' | try
echo 'notify { "piped": }' | try -
echo | try
try -e 'notify { "given": }' < /dev/null
echo 'notify { "not read": }' | try manifests/site.pp
echo "-- apply, on a terminal"
script -qc "bunraku apply --certname n --no-facts --noop --vardir v --publicdir p --color false" /dev/null < /dev/null | tr -d '\r'
