# Comparisons with the reference. ./dev reads this file.
# shellcheck shell=bash disable=SC2154 # its variables are those of dev

# A native function stands for a known file only; a line more in each makes them all unknown.
run_stdlib_in_ruby() {
  build_tests release
  local directory=$root/build/stdlib
  rm -rf "$directory"
  mkdir -p "$directory/modules" "$directory/cases/stdlib"
  cp -rL /usr/share/puppet/modules/stdlib "$directory/modules"
  find "$directory/modules/stdlib/lib/puppet/"{,parser/}functions -name '*.rb' -exec sed -i '$a # changed' {} +
  cp tests/cases/functions/stdlib/*.cases "$directory/cases/stdlib"
  # Written in the language, with its path in messages.
  rm "$directory/cases/stdlib/stdlib_deferrable_epp.cases"
  printf 'product=eval\nmodulepath=%s:/usr/share/puppet/modules\n' "$directory/modules" > "$directory/cases/stdlib/defaults.case"
  build/release/tests/case_runner --binary "$release/bunraku" --cases "$directory/cases" --jobs "$jobs"
}

run_oracle() {
  need oracle
  if [[ ${1-} == expressions ]]; then
    shift
    build_preset release bunraku >&2
    tests/oracle/expressions "$@"
    return
  fi
  if [[ ${1-} == manifests ]]; then
    shift
    build_preset release bunraku >&2
    tests/oracle/manifests "$@"
    return
  fi
  if [[ ${1-} == hiera ]]; then
    shift
    build_preset release bunraku >&2
    tests/oracle/lookup "$@"
    return
  fi
  if [[ ${1-} == templates ]]; then
    shift
    need modules
    build_preset release bunraku >&2
    nice tests/oracle/templates "$@"
    return
  fi
  if [[ ${1-} == commands ]]; then
    shift
    need modules
    build_preset release bunraku >&2
    tests/oracle/commands "$@"
    return
  fi
  if [[ ${1-} == facts ]]; then
    shift
    build_preset release bunraku >&2
    tests/oracle/host_facts "$@"
    return
  fi
  if [[ ${1-} == apply ]]; then
    shift
    build_preset release bunraku >&2
    tests/oracle/apply "$@"
    return
  fi
  if [[ ${1-} == server ]]; then
    shift
    [[ " $* " != *' --record '* ]] || need puppetserver
    build_preset release bunraku >&2
    tests/oracle/server "$@"
    return
  fi
  if [[ ${1-} == store ]]; then
    shift
    need store
    build_preset release bunraku >&2
    tests/oracle/store "$@"
    return
  fi
  if [[ ${1-} == types ]]; then
    shift
    need modules
    build_preset release bunraku >&2
    tests/oracle/types "$@"
    return
  fi
  if [[ ${1-} == modules ]]; then
    shift
    need syntax catalogs modules
    build_preset release bunraku >&2
    nice tests/oracle/modules "$@"
    return
  fi
  if [[ ${1-} == rspec ]]; then
    shift
    need rspec
    build_preset release bunraku >&2
    nice tests/oracle/rspec "$@"
    return
  fi
  if [[ ${1-} == modern ]]; then
    shift
    build_preset release bunraku >&2
    nice tests/oracle/modern "$@"
    return
  fi
  if [[ ${1-} == stdlib ]]; then
    run_stdlib_in_ruby
    return
  fi
  build_tests release
  local filter=${1-}
  if [[ -z $filter || $filter == syntax ]]; then
    need syntax
    build_preset release syntax_answers >&2
    tests/oracle/syntax build/release/tests/syntax_answers
  fi
  local result=0
  run_cases release --engine reference ${filter:+--filter "$filter"} || result=1
  if [[ $filter == catalog ]]; then
    need syntax catalogs
    say 'Every class of the installed modules'
    nice tests/oracle/modules || result=1
  fi
  return "$result"
}
