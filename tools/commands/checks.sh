# Checks beyond the tests: fuzzers, attacks, lint, kills, guests; and all of them in a nightly run. Read by ./dev.
# shellcheck shell=bash disable=SC2154 # its variables are those of dev

# The directories with the initial inputs of a fuzzer.
fuzz_corpora() {
  case $1 in
    lexer | parse) echo manifest template ;;
    parser) echo manifest ;;
    *) echo "$1" ;;
  esac
}

# run_fuzzer NAME SECONDS
run_fuzzer() {
  local name=$1 seconds=$2 directory words=()
  # Inputs that earlier runs found interesting come first.
  local directories=("build/corpus/fuzz_$name")
  mkdir -p "${directories[0]}"
  for directory in $(fuzz_corpora "$name"); do directories+=("tests/fuzz/corpus/$directory"); done
  case $name in lexer | parse | parser | heredoc | template) words=(-dict=tests/fuzz/puppet.dict) ;; esac
  "build/fuzz/tests/fuzz_$name" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
    -print_final_stats=0 -print_funcs=0 "${words[@]}" -artifact_prefix="build/fuzz-found/$name-" "${directories[@]}" \
    > "build/fuzz-logs/$name.log" 2>&1 && return
  say "$name has found something: build/fuzz-logs/$name.log"
  tail -n 40 "build/fuzz-logs/$name.log" >&2
  return 1
}

# run_fuzz [SECONDS] [NAME...]: runs as many fuzzers concurrently as there are processors.
run_fuzz() {
  need build fuzz
  local seconds=60 name result=0 names
  if [[ ${1-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
  fi
  names=("$@")
  if [[ $# -eq 0 ]]; then
    for name in tests/fuzz/*_fuzz.cc; do names+=("$(basename "$name" _fuzz.cc)"); done
  fi
  cmake --preset fuzz > build/configure-fuzz.log || { cat build/configure-fuzz.log >&2; exit 1; }
  ninja -C build/fuzz -j "$jobs" "${names[@]/#/fuzz_}" >&2 || fail "building the fuzzers failed"
  mkdir -p build/fuzz-found build/fuzz-logs
  local running=0
  for name in "${names[@]}"; do
    if ((running == jobs)); then
      wait -n || result=1
      running=$((running - 1))
    fi
    say "$name"
    run_fuzzer "$name" "$seconds" &
    running=$((running + 1))
  done
  for ((; running > 0; running--)); do wait -n || result=1; done
  return "$result"
}

run_attacks() {
  need modules
  build_preset release bunraku >&2
  if [[ ${1-} == growth ]]; then
    shift
    tests/attack/growth "$@"
    return
  fi
  if [[ ${1-} == secrets ]]; then
    need attack
    tests/attack/secrets "$release/bunraku"
    return
  fi
  if [[ ${1-} == deep ]]; then
    shift
    build_preset release deep_values >&2
    build/release/tests/deep_values "$@"
    # The main thread of a process may have a small stack.
    (ulimit -s 128 && build/release/tests/deep_values "$@" --levels 100000)
    return
  fi
  tests/attack/run --jobs "$jobs" "$@"
}

sources() { git ls-files '*.cc' '*.h'; }

# Checks that each handwritten file has fewer than 800 lines.
lengths() {
  local long
  long=$(git ls-files '*.cc' '*.h' '*.rb' '*.sh' dev '*CMakeLists.txt' | xargs wc -l | awk '$1 >= 800 && $2 != "total" { print $2 ": " $1 " lines" }')
  [[ -z $long ]] && return
  say "Files are shorter than 800 lines:"
  printf '%s\n' "$long"
  return 1
}

run_format() {
  need style
  sources | xargs clang-format-19 -i
}

# run_lint [--quick] [FILE...]: checks all sources, or the given ones.
run_lint() {
  local is_quick=false result=0
  if [[ ${1-} == --quick ]]; then
    is_quick=true
    shift
  fi
  need lint
  local files=("$@")
  [[ $# -gt 0 ]] || mapfile -t files < <(sources)
  if [[ $# -eq 0 ]]; then
    tools/differences.rb --check || result=1
    { git grep -lE '^#!.*\b(ba|da)?sh\b' -- ':!tests/cases'; git ls-files tools/commands; } | xargs shellcheck || result=1
    lengths || result=1
    rubocop --format simple src/ruby/prelude tests tools || result=1
  fi
  tools/lint/recursion "$@" || result=1
  # The formatter is part of a compiler package: a quick run uses it where it is installed.
  $is_quick || need style
  if ! $is_quick || command -v clang-format-19 > /dev/null; then
    clang-format-19 --dry-run --Werror "${files[@]}" || result=1
  fi
  $is_quick && return "$result"
  build_preset release > /dev/null
  tools/lint/tidy "$release" "$jobs" "${files[@]}" || result=1
  return "$result"
}

run_kills() {
  if [[ ${1-} == store ]]; then
    need store
    build_preset release bunraku >&2
    local rounds=500
    [[ ! ${2-} =~ ^[0-9]+$ ]] || { rounds=$2; shift; }
    tests/kills/store "$release/bunraku" "$rounds" "${@:2}"
    return
  fi
  build_preset release bunraku >&2
  if [[ ${1-} == apply ]]; then
    tests/kills/apply "$release/bunraku" "${@:2}"
    return
  fi
  tests/kills/run "$release/bunraku" "${1:-100}" "${@:2}"
}

# Guests booted with systemd, in which manifests and modules are applied.
run_guests() {
  [[ $(id -u) == 0 ]] || fail 'guests take root'
  need guests
  build_preset release bunraku >&2
  tests/guests/prepare "$PWD/build/guests" "$release/bunraku" >&2
  case ${1-} in
    service)
      tests/guests/service --root build/guests/root --binary "$release/bunraku" "${@:2}"
      tests/guests/server_service --root build/guests/root --binary "$release/bunraku" "${@:2}"
      ;;
    modules) tests/guests/modules --root build/guests/root --binary "$release/bunraku" "${@:2}" ;;
    examples) tests/guests/examples --root build/guests/root --binary "$release/bunraku" "${@:2}" ;;
    agent)
      need server puppetserver modules
      tests/guests/agent --root build/guests/root --binary "$release/bunraku" "${@:2}"
      ;;
    *) tests/guests/run --root build/guests/root --binary "$release/bunraku" "$@" ;;
  esac
}

# The state of the tracked files, or nothing if they have uncommitted changes: a record of such a state would be worthless.
tracked_state() { [[ -n $(git status --porcelain) ]] || git rev-parse 'HEAD^{tree}'; }

# All long-running checks. A failed step does not prevent the others from running. Each passed step is recorded with the state
# of the tracked files, so that an interrupted run can be resumed.
run_nightly() {
  local fuzz_seconds=600 kills=10000 only='' lists=false resumes=false
  while [[ $# -gt 0 ]]; do
    case $1 in
      --fuzz) fuzz_seconds=$2 && shift ;;
      --kills) kills=$2 && shift ;;
      --only) only=,$2, && shift ;;
      --list) lists=true ;;
      --resume) resumes=true ;;
      *) fail "nightly does not know '$1'" ;;
    esac
    shift
  done
  local steps=(sanitize "sanitize modules" threads lint "fuzz $fuzz_seconds" attack "attack growth" "attack secrets" "attack deep" "kills $kills" "bench life" test-server test-agent test-guests "test-guests modules" "test-guests agent" "test-guests service" oracle)
  local sweep
  for sweep in expressions manifests templates methods hiera commands facts types server store apply modules stdlib rspec; do steps+=("oracle $sweep"); done
  if $lists; then
    printf '%s\n' "${steps[@]}"
    return
  fi
  mkdir -p build/nightly
  local step name log line started failed=0 passed=0 state record=build/nightly/passed
  state=$(tracked_state)
  touch "$record"
  for step in "${steps[@]}"; do
    # "oracle hiera" becomes oracle-hiera; a number is not part of a name.
    name=${step// /-}
    name=${name%-[0-9]*}
    [[ -z $only || $only == *",$name,"* ]] || continue
    if $resumes && [[ -n $state ]] && grep "^$state $step:" "$record" | tail -n 1 | sed 's/^[^:]*: //' | grep .; then
      passed=$((passed + 1))
      continue
    fi
    log=build/nightly/$name.log
    started=$SECONDS
    # shellcheck disable=SC2086 # the words of a step
    if ./dev $step > "$log" 2>&1; then
      passed=$((passed + 1))
      printf -v line '%-20s ok      %5d s  %s' "$name" $((SECONDS - started)) "$(tail -n 1 "$log")"
      printf '%s\n' "$line"
      [[ -z $state || $state != "$(tracked_state)" ]] || printf '%s %s: %s  (%(%F %T)T)\n' "$state" "$step" "$line" -1 >> "$record"
    else
      printf '%-20s FAILED  %5d s  %s\n' "$name" $((SECONDS - started)) "$log"
      failed=1
    fi
  done
  printf '%d of %d steps passed at %s\n' "$passed" "${#steps[@]}" "$(git describe --always --dirty)"
  return "$failed"
}
