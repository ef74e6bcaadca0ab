# Files, facts and data change at random; a cached answer always equals that of a fresh run.
# case: timeout=300
mkdir environments facts && cp -r "$CASE/varied" environments/production
cat > change.pl <<'PERL'
# change.pl STATE: makes one random change, or first makes the facts. The same each time.
use strict; use warnings; use integer;
my ($state_file) = @ARGV;
my $state = 4711;
if (open my $in, '<', $state_file) { $state = <$in>; }
sub roll { $state = $state * 48271 % 2147483647; return $state % $_[0] }
sub pick { return $_[roll(scalar @_)] }
sub write_file { my ($path, $text) = @_; my $folder = $path =~ s{/[^/]*$}{}r; system('mkdir', '-p', $folder); open my $out, '>', $path or die "$path: $!"; print {$out} $text; close $out }
sub read_text { my ($path) = @_; open my $in, '<', $path or return ''; local $/; return scalar <$in> }
sub facts {
  my ($node) = @_;
  my $deep = join ', ', map { "\"$_\": " . pick(1, 2, '"x"', '{"down": 1}', '{"up": 5, "down": {"a": 2}}') } grep { roll(3) } qw(way one two);
  my @more = grep { roll(4) == 0 } '"absent": true', '"top": "a fact"', '"late": 1', '"server_facts": 2', '"uptime": ' . roll(100);
  my $os = pick('"Debian"', '"Rocky"');
  my $family = $os eq '"Debian"' ? '"Debian"' : pick('"RedHat"', '"Other"');
  return '{' . join(', ', "\"os\": {\"name\": $os, \"family\": $family}", "\"deep\": {$deep}", '"which": ' . pick('"one"', '"two"'),
    '"numbers": [' . roll(3) . ', 2]', '"teams": ' . pick('["red"]', '["red", "blue"]', '[]'), "\"hostname\": \"$node\"",
    "\"networking\": {\"fqdn\": \"$node." . pick('a', 'b') . "\"}", @more) . "}\n";
}
my @nodes = qw(n1 n2 n3 n4 n5);
my $env = 'environments/production';
if (!-e 'facts/n1.json') { write_file("facts/$_.json", facts($_)) for @nodes }
else {
  my $kind = roll(12);
  if ($kind < 3) { my $node = pick(@nodes); write_file("facts/$node.json", facts($node)) }
  elsif ($kind < 7) {
    my $file = pick('common.yaml', 'nodes/n1.yaml', 'nodes/n4.yaml', 'teams/red.yaml', 'teams/blue.yaml', 'os/Debian.yaml', 'os/RedHat.yaml', 'extra/a.yaml', 'extra/b.yaml');
    my $path = "$env/data/$file";
    my %lines = map { /^([\w:]+): / ? ($1 => $_) : () } split /^/, $file eq 'common.yaml' ? '' : read_text($path);
    my ($key, $value) = @{ pick(['m::first', pick('uno', 'due', '"%{facts.which}"')], ['m::list', '[' . roll(5) . ']'], ['m::merged', '{' . pick('a', 'c') . ': ' . roll(9) . '}'],
      ['second', pick('zwei', 'deux')], ['m::size', roll(12)], ['plain', pick('"%{lookup(\'second\')}"', '"%{hostname}"', 'text')], ['other', roll(5)], ['third', roll(5)], ['m::own', 'of the data']) };
    if ($file eq 'common.yaml') { my $text = read_text($path); $text =~ s/^\Q$key\E: .*\n//m; $text = "$key: $value\n$text" if roll(4) || $key =~ /^(m::first|plain|second)$/; write_file($path, $text) }
    elsif (roll(5) == 0) { unlink $path }
    else { $lines{$key} = "$key: $value\n"; delete $lines{pick(sort keys %lines)} if roll(3) == 0 && keys %lines > 1; write_file($path, join '', map { $lines{$_} } sort keys %lines) }
  } else {
    my ($path, @texts) = @{ pick(
      ["$env/modules/m/manifests/optional.pp", "class m::optional { notify { 'optional': } }\n", undef],
      ["$env/modules/m/files/none.txt", "now there\n", undef], ["$env/modules/m/files/hint", "x\n", undef],
      ["$env/modules/m/files/some.txt", "some\n", "other\n"], ["$env/modules/m/functions/f.pp", "function m::f(\$family) { \"f of \${family}\" }\n", "function m::f(\$family) { 'constant' }\n"],
      ["$env/modules/m/types/size.pp", "type M::Size = Integer[0, 10]\n", "type M::Size = Integer[0, 3]\n"],
      ["$env/manifests/more.pp", "notify { 'more': }\n", "\$late = 1\n", "\$absent = 1\n", undef], ["$env/modules/m/data/all.yaml", "m::own: of the module\n", "m::own: changed\n", undef],
      ["$env/modules/m/data/Debian.yaml", "m::own: of Debian\n", undef], ["$env/data/common.json", "{\"m::first\": \"json\", \"third\": 3}\n", "{\"third\": 4}\n", "{\n"],
      ["$env/more/m/manifests/init.pp", "class m { }\n", undef], ["$env/more/z/manifests/init.pp", "class z { }\n", undef],
      ["$env/modules/m/templates/m.epp", "<%- | String \$first | -%>\n<%= \$first %> <%= \$facts['networking'] %>\n", "<%- | String \$first | -%>\n<%= \$first %> <%= \$facts['networking']['fqdn'] %>\n"],
      ["$env/functions/nobody.pp", "function environment::nobody() { 1 }\n", undef], ["$env/modules/m/manifests/thing.pp", "define m::thing(\$x = lookup('second')) { notify { \"thing \${title} \${x} \${hostname}\": } }\n", "define m::thing { notify { \"\${title} \${Timestamp.new}\": } }\n"]) };
    my $text = pick(@texts);
    if (defined $text) { write_file($path, $text) } else { unlink $path; rmdir $path =~ s{/[^/]*$}{}r }
  }
}
write_file("./$state_file", $state);
PERL
fleet() { bunraku fleet compile facts --environmentpath environments --format json --jobs 2 "$@" 2> /dev/null | sed -E 's/"seconds":[0-9.e-]+/"seconds":0/g; s/"processors":[0-9.e-]+//; s/"cached":(true|false|[0-9]+)//g; s/"untracked":\[.*\],"summary"/"summary"/; s/,"untracked":\[[^]]*\]//g'; }
rounds=25 from_cache=0
for round in $(seq $rounds); do
  perl change.pl state
  rm -rf with without
  fleet --cache cache --output with > with.json
  fleet --output without > without.json
  # Catalogs that depended on random numbers or the time are compiled again, and differ.
  if grep -rqs 'UTC' without; then grep -rlZ 'UTC' with without | xargs -0 rm -f; fi
  if ! diff -r with without > difference || ! cmp -s with.json without.json; then
    echo "round $round differs"; cat difference; diff with.json without.json; exit 1
  fi
  from_cache=$((from_cache + $(bunraku fleet compile facts --environmentpath environments --cache cache --format json 2> /dev/null | grep -c '"cached":true' || true)))
done
echo "$rounds rounds, nothing differs"
test $from_cache -gt $((rounds * 2)) && echo 'and many answers came from the cache'
