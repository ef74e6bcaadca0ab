# Modules whose metadata.json is wrong, and functions in Ruby that several modules have.
# case: timeout=240
mkdir -p e/manifests
module() {
  mkdir -p "e/modules/$1/manifests"
  echo "class $1 { notice('$1') }" > "e/modules/$1/manifests/init.pp"
  printf '%s' "$2" > "e/modules/$1/metadata.json"
}
whole='"name": "x-y", "version": "1.0.0", "source": "s", "author": "a", "license": "l"'
module complete "{$whole, \"dependencies\": []}"
module empty_hash '{}'
module empty_array '[]'
module empty_text '""'
module without_source '{"name": "x-y", "version": "1.0.0", "author": "a", "license": "l", "dependencies": []}'
module without_dependencies "{$whole}"
module dependencies_are_null "{$whole, \"dependencies\": null}"
module dependencies_are_text "{$whole, \"dependencies\": {\"a\": [1, null]}}"
module only_provider '{"data_provider": "none"}'
module broken '{"name": '
module nothing ''
compile() {
  bunraku catalog compile n --no-facts --environmentpath . --basemodulepath base --hiera_config /nonexistent --environment e "$@" 2>&1 > catalog.json | sed "s,$PWD,<here>,g"
}
for name in e/modules/*; do
  echo "## ${name##*/}"
  rm -rf kept
  mkdir -p kept
  mv e/modules/* kept
  mv "kept/${name##*/}" e/modules
  compile -e "include ${name##*/}"
  mv kept/* e/modules
done
for strict in warning off; do
  echo "## strict=$strict"
  mkdir "$strict"
  mv e/modules/* "$strict"
  mv "$strict/broken" "$strict/without_source" e/modules
  compile -e 'include broken' --strict "$strict"
  mv "$strict"/* e/modules
done
echo '## functions'
rm -rf e/modules
in_ruby() {
  mkdir -p "$1/lib/puppet/functions"
  echo "Puppet::Functions.create_function(:$2) { dispatch(:it) { }; def it; '$2 of ${1##*/}'; end }" > "$1/lib/puppet/functions/$2.rb"
}
older() {
  mkdir -p "$1/lib/puppet/parser/functions"
  echo "module Puppet::Parser::Functions; newfunction(:$2, type: :rvalue) { |_| '$2 of ${1##*/}, older' }; end" > "$1/lib/puppet/parser/functions/$2.rb"
}
for m in first second third; do
  in_ruby "e/modules/$m" shared
  in_ruby "e/modules/$m" environments
done
in_ruby e environments
older e/modules/first mixed
in_ruby e/modules/second mixed
older e/modules/second both
in_ruby e/modules/second both
older e/modules/third both
for m in alone depending third; do
  mkdir -p "e/modules/$m/manifests" "e/modules/$m/templates"
  echo "class $m { notice('$m', shared(), mixed(), both(), environments(), epp('$m/t.epp')) }" > "e/modules/$m/manifests/init.pp"
  echo '<%= shared() %>' > "e/modules/$m/templates/t.epp"
done
echo "{$whole, \"dependencies\": [{\"name\": \"x-nosuch\"}, {\"name\": \"x/third\"}, {\"name\": \"second\"}]}" > e/modules/depending/metadata.json
compile -e "include alone, depending, third notice(shared(), mixed(), both())"
