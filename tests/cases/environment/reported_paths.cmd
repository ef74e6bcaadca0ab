# case: oracle=no differs=D712
# The files of resources where environments are links to versions. Version 8 shows the link; the reference of the
# other cases is version 7, which shows the version.
mkdir -p versions/v7/manifests versions/v7/modules/m/manifests envs elsewhere/m2/manifests
ln -s "$PWD/versions/v7" envs/production
echo 'class m { notify { "m": } }' > versions/v7/modules/m/manifests/init.pp
echo 'class m2 { notify { "m2": } }' > elsewhere/m2/manifests/init.pp
echo 'modulepath = modules:$basemodulepath' > versions/v7/environment.conf
echo 'include m, m2' > versions/v7/manifests/site.pp
echo 'notify { "a": }' > versions/v7/manifests/z.pp
for options in '' --versioned_environment_dirs '--versioned_environment_dirs --no-report_configured_environmentpath' --no-report_configured_environmentpath; do
  echo "## $options"
  bunraku catalog compile n --no-facts --environmentpath envs --basemodulepath elsewhere $options 2>&1 | grep -o '"file".*' | sed "s,$PWD,<here>,g"
done
echo '## Messages show the version'
echo 'notify { "m": }' > versions/v7/manifests/zz.pp
bunraku catalog compile n --no-facts --environmentpath envs --basemodulepath elsewhere --versioned_environment_dirs --log-format one-line 2>&1 | sed "s,$PWD,<here>,g"
