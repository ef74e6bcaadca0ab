# Files that can be read without end, and links that lead to them, are not read for a static catalog.
mkdir -p envs/production/modules/m/files/dir
cd envs/production/modules/m/files
mkfifo pipe
ln -s ../pipe dir/pipe_link
ln -s /dev/zero dir/device_link
printf 'bytes\n' > "dir/$(printf 'not \377 utf8')"
cd ../../../../..
compile() {
  echo "# $*"
  bunraku catalog compile n --no-facts --environmentpath envs --static --code-id 1 "$@" 2>&1 | grep 'Error\|"value": \|"type": "[a-z0-9]*",\?$\|relative_path' | sed 's/{ctime}[^"]*/{ctime}TIME/'
}
compile -e 'file { "/a": source => "puppet:///modules/m/pipe" }'
compile -e 'file { "/a": source => "puppet:///modules/m/dir/pipe_link" }'
compile -e 'file { "/a": source => "puppet:///modules/m/dir/pipe_link", links => follow }'
compile -e 'file { "/a": source => "puppet:///modules/m/dir/device_link" }'
compile -e 'file { "/a": source => "puppet:///modules/m/dir/device_link", links => follow }'
compile -e 'file { "/a": source => "puppet:///modules/m/dir", recurse => true }'
# Directories with the maximum depth of a path.
deep=$(for i in $(seq 90); do printf 'a_folder_with_a_name_of_forty_characters/'; done)
mkdir -p "envs/production/modules/m/files/deep/$deep"
compile -e 'file { "/a": source => "puppet:///modules/m/deep", recurse => true }' | grep -c relative_path
