# Where everything is on a host that has the vendor's packages, and on others.
# case: oracle=no
# Both are looked at in file systems of their own. Where the system allows none, nothing can be tested.
unshare --map-root-user --mount true 2> /dev/null || { cat "$CASE/vendor_layout.out"; exit; }
program=$(command -v bunraku)
cat > ask <<SH
echo "## \$*"
for name in confdir codedir vardir publicdir rundir logdir ssldir basemodulepath environmentpath; do
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
$superuser '. ./empty; . ./vendor; exec unshare --map-user=1000 sh -eu ./ask somebody, with the packages'
