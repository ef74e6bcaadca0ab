# The tests: file cases, unit tests, the tests of directories, and all of them with sanitizers. Read by ./dev.
# shellcheck shell=bash disable=SC2154 # its variables are those of dev

build_tests() {
  need modules shells documentation
  build_preset "$1" >&2
}

# run_cases PRESET OPTION...: the file cases, in the program's environment.
run_cases() {
  local preset=$1
  shift
  "build/$preset/tests/case_runner" --binary "build/$preset/bunraku" --cases tests/cases --jobs "$jobs" "$@"
}

# The maximum slowdown of a program with a sanitizer.
patience() { if [[ $1 == release ]]; then echo 1; else echo 10; fi; }

# Adds the counts of a runner ("… N passed, N failed") to passed and failed.
count() {
  local line=$1
  [[ $line =~ ([0-9]+)\ passed.*[^0-9]([0-9]+)\ failed ]] || return 1
  passed=$((passed + BASH_REMATCH[1]))
  failed=$((failed + BASH_REMATCH[2]))
}

# run_tests PRESET [FILTER]
run_tests() {
  local preset=$1 filter=${2-} log line
  passed=0 failed=0
  build_tests "$preset"
  log=$(mktemp)
  if [[ -z $filter && $preset == release ]]; then
    run_lint --quick > "$log" 2>&1 || { failed=$((failed + 1)); cat "$log"; say 'lint has found something'; }
    # The first command of the README.
    if ./dev demo > "$log" 2>&1; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      cat "$log"
      say 'The demo has failed'
    fi
  fi
  if [[ -z $filter ]]; then
    "build/$preset/tests/unit_tests" --no-colors > "$log" 2>&1 || true
    line=$(grep '^\[doctest\] test cases:' "$log" || true)
    if ! count "$line"; then
      failed=$((failed + 1))
      say "The unit tests did not come to an end"
    fi
    grep -q 'Status: SUCCESS' "$log" || cat "$log"
  fi
  run_cases "$preset" --patience "$(patience "$preset")" ${filter:+--filter "$filter"} | tee "$log" || true
  count "$(tail -n 1 "$log")" || failed=$((failed + 1))
  if [[ -z $filter ]]; then
    tests/attack/run --binary "build/$preset/bunraku" --quick --quiet --jobs "$jobs" --patience "$(patience "$preset")" | tee "$log" || true
    count "$(tail -n 1 "$log")" || failed=$((failed + 1))
  fi
  rm -f "$log"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [[ $failed == 0 && $passed -gt 0 ]]
}

# Sanitizers write their reports to build/reports, including those of processes whose output is not
# shown.
keep_reports() {
  rm -rf build/reports
  mkdir -p build/reports
  local reports=$root/build/reports
  export ASAN_OPTIONS=log_path=$reports/address
  export UBSAN_OPTIONS=log_path=$reports/undefined:print_stacktrace=1
  export TSAN_OPTIONS=log_path=$reports/thread:second_deadlock_stack=1:die_after_fork=0
}

no_reports() {
  # The search for leaks mentions threads that end while it runs, which is no report.
  local found mentioned='^==[0-9]+==Unable to get registers from thread'
  mapfile -t found < <(find build/reports -type f -exec grep -lvE "$mentioned" {} +)
  [[ ${#found[@]} == 0 ]] && return
  say "${#found[@]} reports in build/reports; the first one:"
  head -n 40 "${found[0]}" >&2
  return 1
}

# run_sanitize [FILTER], or run_sanitize modules [DIR...]
run_sanitize() {
  local result=0
  need fuzz
  keep_reports
  if [[ ${1-} == modules ]]; then
    need modules catalogs
    build_preset sanitize bunraku >&2
    tests/attack/modules --binary build/sanitize/bunraku "${@:2}" || result=1
  else
    run_tests sanitize "$@" || result=1
  fi
  no_reports || result=1
  return "$result"
}

# The thread sanitizer cannot run cases with little memory or deep stacks, so only some of robustness/ are listed.
# Multi-threaded operations: components in isolation, fleets, sixteen concurrent compilations, and servers under
# requests, attacks and kills, together with their agents.
run_threads() {
  local result=0 program=build/thread/bunraku room rooms=(fleet/ store/ agent/ apply/ environment/ robustness/request_limits robustness/program_timeout robustness/ruby_isolation)
  need modules server
  keep_reports
  build_preset thread bunraku case_runner unit_tests memory_bombs_bench >&2
  build/thread/tests/unit_tests --no-colors --test-case-exclude='*random*' || result=1
  for room in "${rooms[@]}"; do
    say "$room"
    run_cases thread --patience "$(patience thread)" --filter "$room" || result=1
  done
  say 'sixteen threads'
  build/thread/tests/memory_bombs_bench 500 || result=1
  say 'server'
  tests/server/attacks "$program" || result=1
  tests/server/authority_test "$program" || result=1
  tests/server/kills "$program" 5 || result=1
  say 'agent'
  tests/agent/agent_test "$program" || result=1
  no_reports || result=1
  return "$result"
}

run_bless() {
  local engine=bunraku
  if [[ ${1-} == --reference ]]; then
    engine=reference
    need oracle
    shift
  fi
  build_tests release
  run_cases release --engine "$engine" --bless ${1:+--filter "$1"}
  git --no-pager diff --stat -- tests/cases
}

# Separate from the other tests, because a browser is a large installation.
run_browser_tests() {
  need browser modules
  command -v npm > /dev/null || need npm
  build_preset release bunraku >&2
  local directory=$root/build/browser node=web01.example.com name
  mkdir -p "$directory"
  [[ -d $directory/node_modules/playwright-core ]] || npm install --silent --no-audit --no-fund --prefix "$directory" playwright-core
  for name in "$node" db01.example.com; do compile_demo_node "$name" > "$directory/$name.json" 2> /dev/null; done
  "$release/bunraku" catalog graph --node "$node" --environmentpath examples/environments \
    --facts "examples/control-repo/facts/$node.yaml" --format html > "$directory/graph.html" 2> /dev/null
  "$release/bunraku" catalog graph "$directory/$node.json" --format html > "$directory/read.html"
  "$release/bunraku" catalog diff "$directory/$node.json" "$directory/db01.example.com.json" --format html > "$directory/difference.html" || true
  cp tests/browser/pages.mjs "$directory"
  local result=0
  node "$directory/pages.mjs" "$directory/graph.html" "$directory/read.html" "$directory/difference.html" || result=1
  cp tests/browser/server_page.mjs "$directory"
  tests/browser/serve_page "$release/bunraku" 18923 node "$directory/server_page.mjs" || result=1
  return "$result"
}

# The store with PuppetDB's own components; or the named test.
run_store_tests() {
  need store
  build_preset release bunraku case_runner >&2
  local name result=0 names=("$@")
  [[ ${#names[@]} -gt 0 ]] || names=(routes termini clients postgres lifecycle outage)
  for name in "${names[@]}"; do
    say "$name"
    case $name in
      routes) tests/store/server_test "$release/bunraku" || result=1 ;;
      termini) tests/store/termini_test "$release/bunraku" || result=1 ;;
      lifecycle) tests/store/lifecycle_test "$release/bunraku" || result=1 ;;
      outage) tests/store/outage_test "$release/bunraku" || result=1 ;;
      clients) tests/store/clients_test "$release/bunraku" || result=1 ;;
      postgres) tests/store/postgres_cases "$release/bunraku" build/release/tests/case_runner || result=1 ;;
      *) fail "test-store does not know '$name'" ;;
    esac
  done
  return "$result"
}

# The real agent, attacks from the network, comparison with the reference's answers, kills, and load
# balancers; or the named test.
run_server_tests() {
  need server
  build_preset release bunraku >&2
  local name result=0 names=("$@")
  [[ ${#names[@]} -gt 0 ]] || names=(agent answers attacks authority reports operations kills balancer)
  for name in "${names[@]}"; do
    say "$name"
    case $name in
      agent) tests/server/agent_test "$release/bunraku" || result=1 ;;
      answers) tests/oracle/server --bunraku "$release/bunraku" || result=1 ;;
      attacks) tests/server/attacks "$release/bunraku" || result=1 ;;
      authority) tests/server/authority_test "$release/bunraku" || result=1 ;;
      kills) tests/server/kills "$release/bunraku" "${KILLS:-50}" || result=1 ;;
      reports | operations) "tests/server/${name}_test" "$release/bunraku" || result=1 ;;
      scenarios) need puppetserver; tests/server/scenarios_test "$release/bunraku" || result=1 ;;
      balancer) need balancers; tests/server/balancer_test "$release/bunraku" || result=1 ;;
      *) fail "test-server does not know '$name'" ;;
    esac
  done
  return "$result"
}

# The agent compared with the real one, and long-running tests: faults, many concurrent agents, a month; or the named test.
run_agent_tests() {
  need server
  build_preset release bunraku >&2
  local name result=0 names=("$@")
  [[ ${#names[@]} -gt 0 ]] || names=(agent faults names proxy takeover cost many month)
  for name in "${names[@]}"; do
    say "$name"
    case $name in
      agent) tests/agent/agent_test "$release/bunraku" || result=1 ;;
      reference) tests/agent/agent_test "$release/bunraku" 18990 reference || result=1 ;;
      faults | names | proxy | takeover | cost | many | month) "tests/agent/${name}_test" "$release/bunraku" || result=1 ;;
      *) fail "test-agent does not know '$name'" ;;
    esac
  done
  return "$result"
}
