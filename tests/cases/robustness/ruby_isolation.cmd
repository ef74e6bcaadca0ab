# Changes that the Ruby code of one node makes in its process do not affect the next node, and its child processes end.
# case: oracle=no timeout=120
mkdir -p production/manifests production/modules/m/lib/puppet/functions/m facts
cat > production/modules/m/lib/puppet/functions/m/change.rb <<'RUBY'
Puppet::Functions.create_function(:'m::change') do
  dispatch(:change) { param 'String', :what }

  def change(what)
    case what
    when 'directory' then Dir.chdir('/')
    when 'umask' then File.umask(0)
    when 'environment' then ENV['PATH'] = '/nowhere'
    when 'global' then eval('$changed = 1; $, = nil')
    when 'constant' then Object.const_set(:CHANGED, 1)
    when 'replaced' then Object.send(:remove_const, :RUBY_COPYRIGHT) && Object.const_set(:RUBY_COPYRIGHT, 'ours')
    when 'core' then String.class_eval { define_method(:changed) { 1 } }
    when 'included' then Array.include(Module.new { def changed; end })
    when 'thread' then Thread.new { sleep }
    when 'handler' then trap('USR1') { nil }
    when 'limit' then Process.setrlimit(:NOFILE, 100)
    when 'class' then self.class.instance_variable_set(:@changed, 1)
    when 'instance' then @changed = 1
    when 'random' then srand(1)
    when 'child' then File.write("#{ENV['HOME']}/child", spawn('sleep', '1000'))
    when 'daemon' then `sh -c 'setsid sleep 1000 > /dev/null 2>&1 & echo $! > "$HOME/child"'`
    end
    what
  end
end
RUBY
cat > production/modules/m/lib/puppet/functions/m/see.rb <<'RUBY'
Puppet::Functions.create_function(:'m::see') do
  def see
    child = File.exist?("#{ENV['HOME']}/child") && File.read("#{ENV['HOME']}/child").to_i
    [Dir.pwd == ENV['PWD'], File.umask, ENV['PATH'] == '/nowhere', eval('$changed').inspect, Object.const_defined?(:CHANGED),
     RUBY_COPYRIGHT == 'ours', ''.respond_to?(:changed), [].respond_to?(:changed), Thread.list.size, Process.getrlimit(:NOFILE)[0] == 100,
     rand == Random.new(1).rand, trap('USR1', 'DEFAULT').inspect, child && File.exist?("/proc/#{child}") && File.read("/proc/#{child}/stat")[/\) (.)/, 1]].join(' ')
  end
end
RUBY
cat > production/manifests/site.pp <<'PP'
if $facts['what'] { notify { m::change($facts['what']): } }
else { notify { m::see(): } }
PP
export HOME="$PWD" PWD="$PWD"
for what in nothing directory umask environment global constant replaced core included thread handler limit class instance random child daemon; do
  rm -rf output child
  echo "{\"what\": \"$what\"}" > facts/a.json
  echo '{}' > facts/b.json
  bunraku fleet compile facts --environmentpath . --jobs 1 --output output --summary > /dev/null || echo "exit $?"
  printf '%-12s %s\n' "$what" "$(grep -oE '"title": ?"(true|false) [^"]*"' output/b.json | head -n 1)"
  [ -e child ] || continue
  for i in $(seq 100); do
    case $(cut -d' ' -f3 "/proc/$(cat child)/stat" 2> /dev/null) in '' | Z | X) break ;; *) sleep 0.05 ;; esac
  done
  [ "$i" != 100 ] && echo 'the process has ended'
done
