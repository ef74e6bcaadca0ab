# The report and the state files of a run, without values that differ between runs.
mkdir -p conf code/environments/production
echo '{}' > facts.json
bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json \
  --certname node.example.com --no-exclude_unchanged_resources --write-catalog-summary --report-file report.json \
  -e "class c { file { '$PWD/a': content => 'x' } } include c exec { '/bin/false': } notify { 'n': noop => true }" > /dev/null 2>&1
plain() {
  sed -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' -e "s/'20[0-9-]*T[0-9:.+]*'/<time>/" -e 's/20[0-9-]* [0-9:.]* +00:00/<time>/' \
    -e 's/\(uuid\|evaluation_time\|configuration_version\|config\|last_run\): .*/\1: <value>/' -e 's/[0-9]\.[0-9e-]\{4,\}/<seconds>/' \
    -e 's/: [0-9]*\.[0-9]*$/: <seconds>/'
}
plain < var/state/last_run_report.yaml
plain < pub/last_run_summary.yaml
plain < var/state/state.yaml
cat var/state/classes.txt
plain < var/state/resources.txt
stat -c '%a %n' var/state var/state/*.yaml var/state/*.txt pub/last_run_summary.yaml var/reports/node.example.com | plain
ls var/reports/node.example.com | sed 's/[0-9]/N/g'
sed 's/.*\("report_format":[0-9]*\).*/\1/' report.json
