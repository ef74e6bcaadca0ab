# What no node comes to.
mkdir environments && cp -r "$CASE/small" environments/production
sed -i 's/size: 5/size: 3/' environments/production/data/roles/db.yaml
echo 'a: 1' > environments/production/data/roles/gone.yaml
mkdir environments/production/modules/site/files/tree && echo x > environments/production/modules/site/files/tree/leaf
sed -i "s|^  service|  file { '/tree': source => 'puppet:///modules/site/tree', recurse => true }\n  service|" environments/production/modules/site/manifests/web.pp
bunraku fleet unused "$CASE/facts" --environmentpath environments
bunraku fleet unused "$CASE/facts" --environmentpath environments --only 'web*' --format json | grep -c '"kind"'
