# All origins of a file: declaration, containers, defaults, collectors, data and variables.
why() { bunraku catalog why web "$@" --environmentpath "$CASE/why/environments" --facts "$CASE/why/facts.yaml"; }
why 'File[/etc/motd]'
# One attribute of a class, a define's content, a realized resource, an override.
why "Class['motd']" lines
why 'Notify[part first]' message
why 'Notify[note]'
why 'Notify[tail]'
why 'Notify[before]'
# The declarations of a class.
why 'Class[Motd::Tail]'
# Machine-readable output.
why 'Class[Motd]' greeting --format json
# Missing resources and attributes.
why 'File[/etc/mtd]' || echo "exit $?"
why 'File[/etc/motd]' contnt || echo "exit $?"
why 'motd' || echo "exit $?"
# A class with parameters from a classifier.
echo '{"classes": {"given": {"x": 1}}}' > enc.json
bunraku catalog why web 'Class[Given]' -e 'class given($x, $y = $x + 1) { }' --enc enc.json --environmentpath "$PWD"
# Secrets remain hidden, including the values that led to them.
for code in '$p = Sensitive("hidden") file { "/s": content => $p }' 'file { "/s": content => ["a", Sensitive("hidden")] }'; do
  bunraku catalog why n 'File[/s]' content -e "$code"
  bunraku catalog why n 'File[/s]' content -e "$code" --format json | grep -c hidden || true
done
# Facts by name.
why 'Notify[facts]' message -e 'notify { "facts": message => "${facts[role]} ${facts["nosuch"]} ${facts["role"]}" }'
