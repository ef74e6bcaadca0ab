# Keys, certificates and lists are checked against each other, with the reference's messages.
# case: oracle=no timeout=60
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --ssldir $PWD/ssl --certname a.test --keylength 2048"
run() { bunraku "$@" $settings > out 2>&1 && code=0 || code=$?; sed "s,$PWD,<here>,g; s/[0-9A-F][0-9A-F]\(:[0-9A-F][0-9A-F]\)\{31\}/FINGERPRINT/" out; echo "exit $code"; }
server="--confdir $PWD/sconf --vardir $PWD/svar --codedir $PWD/code --ssldir $PWD/sssl --certname puppet.test --keylength 2048"
bunraku ca setup $server > log 2>&1 || cat log
run ssl generate_request
ca=sconf/puppetserver/ca
mkdir -p ssl/certs $ca/requests
cp ssl/certificate_requests/a.test.pem $ca/requests/a.test.pem
bunraku ca sign --certname a.test $server > log 2>&1 || cat log
run ssl verify
cp $ca/ca_crt.pem ssl/certs/ca.pem
run ssl verify
cp $ca/ca_crl.pem ssl/crl.pem
run ssl verify
cp $ca/signed/a.test.pem ssl/certs/a.test.pem
run ssl verify
bunraku ssl show $settings | grep -c "Subject: CN *= *a.test"
run agent --fingerprint
bunraku ca revoke --certname a.test $server > log 2>&1 || cat log
cp $ca/ca_crl.pem ssl/crl.pem
run ssl verify
run ssl verify --certificate_revocation false
rm ssl/private_keys/a.test.pem
run ssl verify
run ssl generate_request
run ssl verify --certificate_revocation false
echo nonsense > ssl/certs/ca.pem
run ssl verify
run ssl clean --localca
