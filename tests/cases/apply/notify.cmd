# Messages of notify that are lists and hashes, in the log and in events; sensitive values are not shown.
# case: oracle=no timeout=60
mkdir -p conf
echo '{}' > facts.json
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --certname n"
bunraku apply $settings --facts facts.json -e '
notify { "hash": message => { "k" => "v", "n" => undef, "f" => 1.5, "l" => [1, { "a" => "b" }, [2, 3], [[4]]], "s" => Sensitive("secret") } }
notify { "list": message => [[1, 2], [3]] }
notify { "first": message => [{ "a" => 1.0e20 }, 2] }
notify { "none": message => [] }
notify { "false": message => false }
notify { "symbol": message => default }' 2>&1 | grep -v -e Applied -e Compiled
bunraku apply $settings --facts facts.json -e "file { '$PWD/f': content => [Sensitive('secret')] }" 2>&1 | grep -v Compiled | sed "s, (file.*,,"
echo '# values that JSON does not have'
bunraku apply $settings --facts facts.json -e '
notify { "hash": message => { "regexp" => /a\/b/, /key/ => SemVer("1.2.3"), 3 => [SemVerRange(">=1"), Timespan(3), URI("http://h/"), Integer], default => Timestamp(0) } }
notify { "regexp": message => /top/, withpath => true }
notify { "version": message => SemVer("1.2.3") }
notify { "nested": message => { "l" => [["a"], "it'"'"'s", "c", { "k" => {} }, "e\n", []] } }' 2>&1 | grep -v -e Applied -e Compiled
grep -A8 "resource: Notify\[hash\]" "$PWD/var/state/last_run_report.yaml" | head -3
sed -n "/desired_value/,/historical_value/p" "$PWD/var/state/last_run_report.yaml"
echo '# types'
bunraku apply $settings --facts facts.json -e '
notify { "integer": message => Integer[1, 2] }
notify { "list": message => [Optional[Enum["a", "b"]], Pattern[/x/]] }
notify { "struct": message => Struct[{ "a" => Integer, Optional["b"] => Tuple[String[1], Integer, 1, 3] }] }
notify { "bare": message => Variant }' 2>&1 | grep -v -e Applied -e Compiled
