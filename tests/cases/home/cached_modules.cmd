# case: oracle=no
# `fleet diff` of revisions uses modules of the Puppetfile from the caches of r10k and g10k, in the required version.
export HOME=$PWD g10k_cachedir=$PWD/g10k
git() { command git -c user.name=test -c user.email=test@example.com -c init.defaultBranch=main -c advice.detachedHead=false "$@"; }
# A mirror of a module with two versions.
mkdir -p source/manifests
cd source
git init -q .
echo 'class one { notify { "one, version 1": } }' > manifests/init.pp
git add -A && git commit -qm 1 && git tag v1
echo 'class one { notify { "one, version 2": } }' > manifests/init.pp
git commit -qam 2 && git tag v2
cd ..
git clone -q --mirror source '.r10k/git/https---example.com-owner-one.git'
git clone -q --mirror source 'g10k/modules/git@example.com-owner_four.git'
# Forge releases.
mkdir -p owner-two-1.2.3/manifests '.r10k/cache/owner-two-1.2.3/tarball' g10k/forge/owner-three-0.1.0/manifests
echo 'class two { notify { "two": } }' > owner-two-1.2.3/manifests/init.pp
tar -czf .r10k/cache/owner-two-1.2.3/tarball/owner-two-1.2.3.tar.gz owner-two-1.2.3
echo 'class three { notify { "three": } }' > g10k/forge/owner-three-0.1.0/manifests/init.pp
mkdir -p repository/manifests repository/facts
cd repository
git init -q .
cat > Puppetfile <<'END'
mod 'one',
  :git => 'https://example.com/owner/one.git',
  :tag => 'v1'
mod 'owner/two', '1.2.3'
mod 'owner-three', '0.1.0'
mod 'owner-five', '5.0.0'
END
echo modules > .gitignore
echo 'include one, two, three' > manifests/site.pp
echo '{}' > facts/web01.json
git add -A && git commit -qm one
sed -i 's/v1/v2/' Puppetfile && git commit -qam two
bunraku fleet diff HEAD~1 HEAD || echo "exit $?"
echo "## a name that leads out of the cache is none"
printf "mod 'one', git: '..', tag: 'v1'\nmod 'two', git: 'https://example.com/owner/one.git', tag: '--output=x'\n" > Puppetfile
git commit -qam three
bunraku fleet diff HEAD HEAD 2>&1 | grep -v '^ *|' | head -4
ls
