# Catalogs for test programs: one request and one answer per line. Changed files are detected.
mkdir -p modules/m/manifests modules/m/data
cat > modules/m/manifests/init.pp <<'CODE'
class m(String $text = 'first', Array $needs = []) {
  notify { 'n':
    message => $text,
    require => $needs,
  }
}
CODE
ask() {
  printf '{"settings": {"environment": "rp_env", "modulepath": "%s", "hiera_config": "%s", "strict": "error"}, "node": "n.example.com",' \
    "$PWD/modules" "${2-/nonexistent/hiera.yaml}"
  printf ' "facts": {"os": {"family": "Debian"}}, "parameters": {"given": [1, "two"]}, "trusted": {"certname": "n.example.com"},'
  printf ' "server_facts": {"serverversion": "8"}, "code": "%s"}\n' "$1"
}
show='
require "json"
STDIN.each_line do |line|
  answer = JSON.parse(line)
  Array(answer["logs"]).each { |record| puts "#{record["level"]} #{record["source"]} #{record["message"]}" }
  if answer["error"]
    puts "#{answer["error"]["kind"]} #{answer["error"]["line"]}:#{answer["error"]["pos"]} #{answer["error"]["message"]}"
  else
    answer["catalog"]["resources"].each do |resource|
      next if %w[Stage Class].include?(resource["type"])
      puts "#{resource["type"]}[#{resource["title"]}] #{resource["kind"]} #{File.basename(resource["file"].to_s)}:#{resource["line"]} #{JSON.generate(resource["parameters"])}"
    end
  end
end'
{
  ask 'include m'
  ask 'class { m: text => \"second ${given} ${facts[os][family]}\", needs => [File[\"/a\"], \"File[/a]\"] } file { \"/a\": }'
  ask 'notice(\"seen\") class { m: text => 1 }'
  ask 'node default {'
  ask 'node /^n/ { notify { \"node ${trusted[certname]} ${server_facts[serverversion]}\": } }'
  ask 'class m { notify { \"mine\": } } include m'
  echo '{"settings": {}}'
  echo 'no request'
} | bunraku rspec --serve | ruby -e "$show"
echo "-- a file changes between two requests"
mkfifo requests
bunraku rspec --serve < requests > answers &
exec 3> requests
ask 'include m' >&3
for _ in $(seq 100); do [ -s answers ] && break; sleep 0.1; done
sed -i "s/'first'/'changed'/" modules/m/manifests/init.pp
ask 'include m' >&3
exec 3>&-
wait
ruby -e "$show" < answers
echo "-- another class may stand for a module's main one"
cat > modules/m/manifests/part.pp <<'CODE'
class m::part { notify { 'part': message => $m::text } }
CODE
ask 'class m { $text = \"mine\" } include m include m::part' | bunraku rspec --serve | ruby -e "$show"
echo "-- a directory for as long as there are requests, whatever interrupts"
mkdir temporary
mkfifo later
TMPDIR=$PWD/temporary bunraku rspec --serve --directory < later > first &
exec 3> later
for _ in $(seq 100); do [ -s first ] && break; sleep 0.1; done
kill $!
test -d "$(cat first)" && echo "there"
exec 3>&-
wait
ls temporary
echo "-- what others write to /dev/null is no change of an environment whose Hiera configuration is that"
mkdir -p modules/m/lib/puppet/functions/m
cat > modules/m/lib/puppet/functions/m/process.rb <<'CODE'
Puppet::Functions.create_function(:'m::process') { def process = Process.pid }
CODE
mkfifo processes
bunraku rspec --serve < processes > answers &
exec 3> processes
: > answers
for count in 1 2; do
  ask 'notify { \"${m::process()}\": }' /dev/null >&3
  for _ in $(seq 100); do [ "$(wc -l < answers)" = $count ] && break; sleep 0.1; done
  echo > /dev/null
done
exec 3>&-
wait
ruby -e "$show" < answers | uniq -c | sed -E 's/^ *([0-9]+) .*/one process for \1 requests/'
