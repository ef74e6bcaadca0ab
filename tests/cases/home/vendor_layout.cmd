# The locations of all files on a host with the vendor's packages, and on others.
# case: oracle=no differs=D660
# Both are tested with private mounts. Where the system does not allow these, nothing can be tested.
unshare --map-root-user --mount true 2> /dev/null || { cat "$CASE/vendor_layout.out"; exit; }
program=$(command -v bunraku)
cat > ask <<SH
echo "## \$*"
for name in confdir codedir vardir publicdir rundir logdir ssldir cadir basemodulepath environmentpath; do
  printf '%s = %s\n' "\$name" "\$("$program" config print "\$name" --section user)"
done
"$program" facts show aio_agent_version --value-only --no-custom-facts --no-external-facts || echo 'no agent of the vendor'
SH
cat > empty <<'SH'
mount -t tmpfs none /etc
mount -t tmpfs none /opt
SH
cat > vendor <<'SH'
mkdir -p /etc/puppetlabs/puppet /opt/puppetlabs/puppet
echo 7.23.0 > /opt/puppetlabs/puppet/VERSION
SH
export HOME=/home/somebody
superuser='unshare --map-root-user --mount sh -eu -c'
$superuser '. ./empty; . ./ask' . the superuser
$superuser '. ./empty; . ./vendor; . ./ask' . the superuser, with the packages
$superuser '. ./empty; exec unshare --map-user=1000 sh -eu ./ask somebody'
# The user of the reference's services has the system's directories, if they exist.
account='echo "puppet:x:1001:1001::/var/lib/bunraku:/bin/sh" > /etc/passwd; export HOME=/var/lib/bunraku; exec unshare --map-user=1001 sh -eu ./ask'
$superuser ". ./empty; $account puppet, on a new host"
$superuser ". ./empty; mkdir /etc/puppet; $account puppet, with Debian\'s packages"
$superuser ". ./empty; . ./vendor; $account puppet, with the packages"
$superuser '. ./empty; . ./vendor; exec unshare --map-user=1000 sh -eu ./ask somebody, with the packages'
# The authority is at its location before version 7, at the target of the link there, or next to the configuration.
mkdir -p conf/ssl/ca
cadir() { bunraku config print cadir --confdir "$PWD/conf" --ssldir "$PWD/conf/ssl" --section server; }
cadir
mv conf/ssl/ca moved
cadir
ln -s "$PWD/moved" conf/ssl/ca
cadir
# The server uses the directories in conf.d.
mkdir -p conf/puppetserver/conf.d
echo "jruby-puppet: { server-var-dir: $PWD/var, master-log-dir: $PWD/log, server-no-dir: x }" > conf/puppetserver/conf.d/puppetserver.conf
echo "cadir = \$vardir/authority" > conf/puppet.conf
bunraku ca list --all --confdir "$PWD/conf" 2>&1 || echo "exit code $?"
