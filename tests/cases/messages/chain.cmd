# A mistake in a define or class of another file is shown at its place, with the path to it; the reference's line nests the messages, and
# JSON contains the whole chain of causes.
# case: oracle=no
mkdir -p environments/production modules/site/manifests
cat > modules/site/manifests/greeting.pp <<'CODE'
define site::greeting(String $whom) {
  notify { $title: message => $whom + 1 }
}
CODE
cat > modules/site/manifests/init.pp <<'CODE'
class site {
  include site::inner
}
CODE
cat > modules/site/manifests/inner.pp <<'CODE'
class site::inner {
  notify { 'a': message => split('a') }
}
CODE
cat > declares.pp <<'CODE'
site::greeting { 'hello': whom => 'you' }
CODE
cat > includes.pp <<'CODE'
include site
CODE
for manifest in declares includes; do
  for form in text one-line json; do
    bunraku catalog compile n --environmentpath "$PWD/environments" --modulepath "$PWD/modules" --manifest "$PWD/$manifest.pp" --log-format $form 2>&1 | sed "s|$PWD|<folder>|g" || true
  done
done
