# Installation and publication. Read by ./dev.
# shellcheck shell=bash disable=SC2154 # its variables are those of dev

run_install() {
  build_preset release bunraku >&2
  cmake --install "$release" --prefix "${1:-/usr/local}" > /dev/null
}

run_package() {
  need package
  build_preset release bunraku >&2
  local kind
  for kind in "${@:-deb}"; do packaging/package "$kind"; done
}

run_site() {
  need site
  build_preset release bunraku >&2
  tools/site_pages.rb "$release/bunraku" build/site-pages
  mkdocs build --quiet --strict
  echo build/site/index.html
}

run_release() {
  need package release
  build_preset release bunraku >&2
  packaging/release-check "$@"
}
