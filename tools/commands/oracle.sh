# Comparisons with the reference. Read by ./dev.
# shellcheck shell=bash disable=SC2154 # its variables are those of dev

# Native functions replace only files with known contents; an additional line in each file makes
# them unknown.
run_stdlib_in_ruby() {
  build_tests release
  local directory=$root/build/stdlib
  rm -rf "$directory"
  mkdir -p "$directory/modules" "$directory/cases/stdlib"
  cp -rL /usr/share/puppet/modules/stdlib "$directory/modules"
  find "$directory/modules/stdlib/lib/puppet/"{,parser/}functions -name '*.rb' -exec sed -i '$a # changed' {} +
  cp tests/cases/functions/stdlib/*.cases "$directory/cases/stdlib"
  # The expected message contains the path of a function that is written in the language.
  rm "$directory/cases/stdlib/stdlib_deferrable_epp.cases"
  printf 'product=eval\nmodulepath=%s:/usr/share/puppet/modules\n' "$directory/modules" > "$directory/cases/stdlib/defaults.case"
  build/release/tests/case_runner --binary "$release/bunraku" --cases "$directory/cases" --jobs "$jobs"
}

# run_sweep WHAT [OPTION...]: runs a comparison that is a separate program in tests/oracle.
run_sweep() {
  local program=$1
  shift
  case $program in
    hiera) program=lookup ;;
    facts) program=host_facts ;;
    templates | commands | types) need modules ;;
    server) [[ " $* " != *' --record '* ]] || need puppetserver ;;
    store) need store ;;
    modules) need syntax catalogs modules ;;
    rspec) need rspec ;;
  esac
  build_preset release bunraku >&2
  nice "tests/oracle/$program" "$@"
}

# The example requests at the beginning of CONTRIBUTING.md.
# shellcheck disable=SC2016 # code of the language
ask_as_documented() {
  {
    tests/oracle/reference eval -e '[1, 2] + 3'
    tests/oracle/reference catalog -e 'notify { "a": }' --node n
    tests/oracle/reference dump --format pn -e '$x = 1' --raw
  } > /dev/null
}

run_oracle() {
  need oracle
  case ${1-} in
    expressions | manifests | hiera | templates | methods | commands | facts | apply | server | store | types | modules | rspec | modern | calls | attributes)
      run_sweep "$@"
      return
      ;;
    stdlib)
      run_stdlib_in_ruby
      return
      ;;
  esac
  build_tests release
  local filter=${1-} result=0
  if [[ -z $filter || $filter == syntax ]]; then
    need syntax
    ask_as_documented
    build_preset release syntax_answers >&2
    tests/oracle/syntax build/release/tests/syntax_answers || result=1
  fi
  run_cases release --engine reference ${filter:+--filter "$filter"} || result=1
  if [[ $filter == catalog ]]; then
    need syntax catalogs
    say 'Every class of the installed modules'
    nice tests/oracle/modules || result=1
  fi
  return "$result"
}
