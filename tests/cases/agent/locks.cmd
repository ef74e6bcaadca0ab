# Runs are disabled in the reference's form; the command line is checked; a fingerprint needs a certificate.
# case: oracle=no timeout=60
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --ssldir $PWD/ssl --rundir $PWD/run --logdir $PWD/log --certname a.test"
agent() { bunraku agent $settings "$@" > out 2>&1 && code=0 || code=$?; sed "s,$PWD,<here>,g" out; echo "exit $code"; }
agent --fingerprint
agent --disable 'disk is being replaced'
cat var/state/agent_disabled.lock; echo
agent --disable again
cat var/state/agent_disabled.lock; echo
agent --test
agent --onetime --no-daemonize
agent --enable
ls var/state
agent --disable
cat var/state/agent_disabled.lock; echo
agent --enable
for wrong in '--enable --disable' '--test word' --no-such-option; do agent $wrong | head -n 1; done
