# case: oracle=no
# The definitions for GitHub, GitLab and pre-commit, each run step by step as its runner would.
root="$CASE/../../.."
cat > run.rb <<'RUBY'
# run.rb github ACTION INPUTS... | gitlab TEMPLATE | pre-commit HOOKS FILES...
require 'yaml'
require 'open3'
kind, file, *rest = ARGV
definition = YAML.load_file(file)
shell = lambda do |script, env, *options|
  puts "-- #{script.lines.first.strip}"
  system(env, 'bash', *options, '-c', script) ? true : (puts("   step ended with #{$?.exitstatus}"); false)
end
case kind
when 'github'
  inputs = definition['inputs'].transform_values { |input| input['default'] }
  rest.each { |pair| name, value = pair.split('=', 2); inputs.fetch(name); inputs[name] = value }
  fill = ->(text) { text.gsub(/\$\{\{ *inputs\.([\w-]+) *\}\}/) { inputs.fetch($1) } }
  paths = File.expand_path('github_path')
  File.write(paths, '')
  definition['runs']['steps'].each do |step|
    condition = step['if'].to_s[/\Ainputs\.([\w-]+) != ''\z/, 1]
    next if condition && inputs.fetch(condition).empty?
    env = (step['env'] || {}).transform_values(&fill)
    env.update('RUNNER_TEMP' => Dir.pwd, 'GITHUB_PATH' => paths, 'PATH' => [*File.readlines(paths, chomp: true), ENV['PATH']].join(':'))
    shell.call(fill.call(step['run']), env, '--noprofile', '--norc', '-e', '-o', 'pipefail') or break
  end
when 'gitlab'
  job = definition.fetch('bunraku validate')
  shell.call(job['script'].join("\n"), {}, '-e')
  report = job['artifacts']['reports']['codequality']
  require 'json'
  puts JSON.parse(File.read(report)).map { |problem| problem.values_at('severity', 'location').inspect }
when 'pre-commit'
  definition.each do |hook|
    files = rest.grep(Regexp.new(hook['files']))
    puts "-- #{hook['id']}: #{files.join(' ')}"
    shell.call("#{hook['entry']} #{files.join(' ')}", {})
  end
end
RUBY
mkdir -p manifests data
touch environment.conf
echo 'notify { "a": }' > manifests/site.pp
echo 'a: 1' > data/common.yaml
all() {
  ruby run.rb github "$root/action.yml" "$@" 2>&1
  ruby run.rb gitlab "$root/packaging/ci/gitlab-ci.yml" 2>&1
  ruby run.rb pre-commit "$root/.pre-commit-hooks.yaml" README.md manifests/site.pp data/common.yaml .travis.yml 2>&1
}
all
echo "# with mistakes"
echo 'notify { "a" }' > manifests/site.pp
printf 'a: [\n' > data/common.yaml
all paths=manifests
echo "# installed from a tarball"
mkdir -p release/bin
printf '#!/bin/sh\necho "the program of the tarball: $*"\n' > release/bin/bunraku
chmod +x release/bin/bunraku
tar -czf release.tar.gz release
rm -r release
ruby run.rb github "$root/action.yml" package=release.tar.gz 2>&1 | sed 's/^-- mkdir.*/-- install/'
echo "# the problem matcher finds the parts of a line"
bunraku validate --format one-line manifests 2> /dev/null | ruby -rjson -e '
  pattern = JSON.parse(File.read(ARGV[0]))["problemMatcher"][0]["pattern"][0]
  $stdin.each_line(chomp: true) do |line|
    match = line.match(Regexp.new(pattern["regexp"])) or abort("no match: #{line}")
    puts %w[severity message file line column].map { |part| "#{part}: #{match[pattern[part]]}" }
  end' "$root/packaging/ci/problem-matcher.json"
