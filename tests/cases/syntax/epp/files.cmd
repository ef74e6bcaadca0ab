# Templates of modules, and the headers of several files.
mkdir -p modules/m/templates
echo 'module' > modules/m/templates/a.epp
echo 'file' > a.epp
printf 'x <%%= $x\n' > modules/m/templates/bad.epp
epp() {
  echo "## $*"
  status=0
  bunraku epp "$@" --modulepath modules --environmentpath . 2>&1 || status=$?
  [ "$status" = 0 ] || echo "-> $status"
}
epp dump a.epp --format pn
epp dump m/a.epp --format pn
epp dump m/a.epp a.epp | sed "s,$PWD,<folder>,"
epp dump m/a.epp a.epp --no-header
epp dump a.epp m/nope.epp
epp validate m/a.epp
epp validate modules/m/templates/bad.epp
epp validate m/nope.epp
