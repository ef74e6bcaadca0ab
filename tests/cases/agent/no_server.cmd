# Without a server no run starts, and no lock remains; a certificate request can be made without a server.
# case: oracle=no timeout=60
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --ssldir $PWD/ssl --rundir $PWD/run --logdir $PWD/log --certname a.test --keylength 2048 --server 127.0.0.1 --serverport 1"
run() { bunraku "$@" $settings > out 2>&1 && code=0 || code=$?; sed "s,$PWD,<here>,g; s/after [0-9.e-]* seconds/after N seconds/; s/[0-9A-F][0-9A-F]\(:[0-9A-F][0-9A-F]\)\{31\}/FINGERPRINT/" out; echo "exit $code"; }
run agent --test
run agent --onetime --no-daemonize --server_list 127.0.0.1:1,127.0.0.1:2
find . -name '*.lock'
run ssl generate_request
openssl req -in ssl/certificate_requests/a.test.pem -noout -subject -verify 2>&1
run agent --fingerprint
run agent --fingerprint --digest md5 | sed "s/[0-9A-F:]\{47\}/FINGERPRINT/"
run agent --fingerprint --digest nonsense
run ssl verify
run ssl show
run ssl download_cert --waitforcert 0
run ssl bootstrap --waitforcert 0
run ssl clean --localca
run ssl clean
