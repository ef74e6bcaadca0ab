# Resources in an editor, and then applied.
# case: oracle=no differs=D626 timeout=120
mkdir -p conf code/environments/production
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --facts facts.json --certname n"
echo '{}' > facts.json
umask 022
echo hello > a
chmod 640 a
mkdir bin
cat > bin/show <<'SH'
#!/bin/sh
# An editor that shows what it is called with.
echo "editor: $# words, mode $(stat -c %a "$1"), $(echo "$1" | sed -E 's/resource-.{6}/resource-XXXXXX/')"
sed -i -E '/(.time|owner|group) *=>/d' "$1"
cat "$1"
SH
cat > bin/tighten <<'SH'
#!/bin/sh
sed -i "s/mode *=>.*/mode => '0600',/; /time *=>/d; /content *=>/d" "$1"
SH
cat > bin/rename <<'SH'
#!/bin/sh
echo 'notify { "written anew": }' > "$1.new"
mv "$1.new" "$1"
SH
chmod +x bin/*
PATH=$PWD/bin:$PATH
plain() { sed -E -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' -e 's/(configuration version .)[0-9]+/\1N/' -e 's/resource-.{6}\.pp/resource-XXXXXX.pp/'; }
edit() {
  echo "## EDITOR='${EDITOR-}' $*"
  { bunraku resource "$@" $settings 2>&1 || echo "exit $?"; } | plain
  ls | grep '^bunraku-resource' || true
}
export EDITOR=show
edit file "$PWD/a" --edit
EDITOR=tighten
edit file "$PWD/a" -e
stat -c %a a
echo '# a change comes first'
EDITOR=show
edit file "$PWD/b" ensure=directory --edit
EDITOR=rename
edit file "$PWD/a" -e
echo '# options of the editor'
EDITOR='sed -i s/directory/absent/'
edit file "$PWD/b" -e
test -e b || echo 'b is gone'
echo '# nothing is applied'
for EDITOR in false 'kill -9 $$;' nosuch "$PWD/a" 'echo "notify { " >'; do edit file "$PWD/a" -e; done
EDITOR='rm -f'
edit file "$PWD/a" -e
edit file "$PWD/a" -e --to_yaml
edit nosuch -e
echo '# a directory that takes no file, an empty EDITOR'
mkdir full
printf '#!/bin/sh\necho "vi was called"\n' > bin/vi
chmod +x bin/vi
EDITOR=
edit host localhost -e | sed -n '1,2p'
cd /proc
EDITOR=show
edit file /etc -e 2>&1 | sed 's/:.*//'
cd "$OLDPWD"
echo '# a signal while the code is applied'
cat > bin/slow <<'SH'
#!/bin/sh
echo 'exec { "/bin/sh -c \"touch started; exec sleep 60\"": cwd => "'"$PWD"'" }' > "$1"
SH
chmod +x bin/slow
EDITOR=slow
# The caller of the cases may ignore the signal.
env --default-signal=HUP bunraku resource file "$PWD/a" -e $settings > /dev/null 2>&1 &
while ! test -e started; do sleep 0.1; done
ls | grep -c '^bunraku-resource'
kill -HUP $!
wait $! 2> /dev/null || echo "exit $?"
ls | grep '^bunraku-resource' || true
