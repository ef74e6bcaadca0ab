# A worker that dies during a function: one clear error, and the next call uses another worker.
mkdir -p made/modules/m/lib/puppet/functions/m
echo 'modulepath = modules' > made/environment.conf
cat > made/modules/m/lib/puppet/functions/m/kill.rb <<'RUBY'
Puppet::Functions.create_function(:'m::kill') do
  def kill
    Process.kill(:KILL, Process.pid)
    sleep
  end
end
RUBY
cat > made/modules/m/lib/puppet/functions/m/leave.rb <<'RUBY'
Puppet::Functions.create_function(:'m::leave') do
  def leave
    exit!(3)
  end
end
RUBY
echo "Puppet::Functions.create_function(:'m::add') { def add(a, b); a + b; end }" > made/modules/m/lib/puppet/functions/m/add.rb
ask() {
  bunraku eval --environmentpath . --environment made "$@" 2>&1 || true
}
ask -e 'm::kill()'
ask -e 'm::leave()'
ask -e 'm::add(1, 2)'
