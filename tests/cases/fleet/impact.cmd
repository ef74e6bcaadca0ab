# Whom a file can reach, and by which read.
mkdir environments && cp -r "$CASE/small" environments/production
bunraku fleet compile "$CASE/facts" --environmentpath environments --cache cache --only 'web*' --only db1.example.com --summary > /dev/null
cd environments/production
impact() { bunraku fleet impact "$@" --cache ../../cache || echo "exit $?"; }
impact data/common.yaml
impact data/roles/web.yaml modules/site/manifests/db.pp
impact data/nodes/web1.example.com.yaml
impact modules/site/templates/nobody.epp
impact manifests/new.pp
impact "$CASE/facts/web1.example.com.yaml"
sed -i 's/text: hello/text: welcome/' data/common.yaml
impact data/common.yaml --changed --format json
bunraku fleet impact x || echo "exit $?"
bunraku fleet impact x --cache empty || echo "exit $?"
