# Below a directory of manifests, directories that are links are not entered; files that are links are read.
mkdir -p envs/production/manifests/real outside envs/production/modules/m/manifests classes
echo 'notify { "site": } include m::x::y' > envs/production/manifests/site.pp
echo 'notify { "real": }' > envs/production/manifests/real/r.pp
echo 'notify { "outside": }' > outside/o.pp
echo 'class m::x::y { notify { "class": } }' > classes/y.pp
ln -s ../../../outside envs/production/manifests/linked
ln -s ../../../outside/o.pp envs/production/manifests/file.pp
ln -s nowhere envs/production/manifests/dangling.pp
ln -s . envs/production/manifests/itself
ln -s ../../../../../classes envs/production/modules/m/manifests/x
bunraku catalog compile n --no-facts --environmentpath envs > catalog.json
grep -o '"title": *"[a-zM].*"' catalog.json
