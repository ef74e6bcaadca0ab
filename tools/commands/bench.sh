# Measurements. Read by ./dev.
# shellcheck shell=bash disable=SC2154 # its variables are those of dev

# Measures how fast the files of the installed modules are lexed, parsed and validated.
run_syntax_bench() {
  need syntax
  local directory=/usr/share/puppet/modules.available log reference ours
  build_preset release syntax_bench >&2
  log=$(build/release/tests/syntax_bench "$directory")
  printf '%s\n' "$log"
  say 'How cost grows with size'
  build/release/tests/syntax_bench --growth
  command -v puppet > /dev/null || return 0
  reference=$(tests/bench/syntax_reference "$directory" 2> /dev/null)
  ours=$(awk '/validate/ {print $6}' <<< "$log")
  awk -v a="$ours" -v b="$reference" 'BEGIN {printf "the reference          %8.1f MB/s: %.0f times slower\n", b, a / b}'
}

# Measures how fast the catalogs of a generated environment are compiled in a warm process, compared
# with the reference; how cost and memory grow; and how long a compilation takes from the shell.
run_catalog_bench() {
  need bench
  build_preset release bunraku catalog_bench >&2
  local directory=build/bench/environments facts=tests/oracle/facts/debian.yaml
  local nodes=(n10 n30 n100 n300 n1000 n2000 n3000 n5000 n10000 n20000)
  tests/bench/catalog/generate "$directory"
  local bench=(build/release/tests/catalog_bench) where=("$directory" bench "$facts")
  "${bench[@]}" "${where[@]}" "${nodes[@]}" | tee build/bench/ours.txt
  say 'Growth: the cost of a resource from 1,000 to 200,000 of them'
  "${bench[@]}" --times 3 "${where[@]}" n1000 n20000 n200000
  say 'The same with what "catalog why" asks for'
  "${bench[@]}" --why "${where[@]}" n1000 n20000
  say 'Memory: bytes of the process after many compilations'
  "${bench[@]}" --repeat 10000 "${where[@]}" n100
  say 'A node of 3,000 resources from the shell'
  hyperfine --shell=none --warmup 3 "$release/bunraku catalog compile n3000 --environmentpath $directory --environment bench --facts $facts" \
    | grep -E 'Time|Range'
  command -v puppet > /dev/null || return 0
  need oracle
  say "The reference, $(puppet --version), in a warm process"
  tests/bench/catalog/reference "$directory" "$facts" 3 "${nodes[@]}" | tee build/bench/theirs.txt
  awk 'NR == FNR {ours[$1] = $4; next}
       {printf "%-10s %6.0f times\n", $1, $4 * 1000 / ours[$1]; our_sum += ours[$1]; their_sum += $4}
       END {printf "%-10s %6.0f times\n", "all", their_sum * 1000 / our_sum}' build/bench/ours.txt build/bench/theirs.txt
}

run_bench() {
  if [[ ${1-} == start ]]; then
    build_preset release bunraku >&2
    tests/bench/start "$release/bunraku" "${2:-200}"
    return
  fi
  if [[ ${1-} == fleet ]]; then
    need modules bench
    build_preset release bunraku >&2
    tests/bench/fleet "$release/bunraku" "${2:-1000}"
    return
  fi
  if [[ ${1-} == real ]]; then
    shift
    need oracle syntax catalogs modules
    build_preset release bunraku >&2
    tests/bench/real/run "$release/bunraku" "$@"
    return
  fi
  if [[ ${1-} == syntax ]]; then
    run_syntax_bench
    return
  fi
  if [[ ${1-} == catalog ]]; then
    run_catalog_bench
    return
  fi
  if [[ ${1-} == apply ]]; then
    shift
    need oracle bench
    build_preset release bunraku >&2
    tests/bench/apply/run "$release/bunraku" "$@"
    return
  fi
  if [[ ${1-} == evaluation ]]; then
    shift
    need oracle
    build_preset release bunraku >&2
    tests/bench/evaluation/run "$@"
    return
  fi
  if [[ ${1-} == ruby ]]; then
    build_preset release ruby_bench >&2
    build/release/tests/ruby_bench
    return
  fi
  if [[ ${1-} == life ]]; then
    build_preset release long_life_bench memory_bombs_bench >&2
    build/release/tests/memory_bombs_bench
    build/release/tests/long_life_bench "${2:-100000}"
    return
  fi
  if [[ ${1-} == server ]]; then
    shift
    build_preset release bunraku server_bench >&2
    nice tests/bench/server/run "$release/bunraku" build/release/tests/server_bench "$@"
    return
  fi
  if [[ ${1-} == store ]]; then
    shift
    need store
    build_preset release store_bench >&2
    tests/bench/store build/release/tests/store_bench "$@"
    return
  fi
  if [[ ${1-} == templates ]]; then
    shift
    need oracle
    build_preset release catalog_bench >&2
    tests/bench/templates/run build/release/tests/catalog_bench "$@"
    return
  fi
  need modules bench
  build_preset release bunraku >&2
  local node
  for node in "${nodes[@]}"; do
    say "$node"
    hyperfine --shell=none --warmup 3 "$(demo_command "$node")" | grep -E 'Time|Range'
  done
  if command -v puppet > /dev/null; then
    say "The reference, $(puppet --version), for ${nodes[-1]}"
    tests/oracle/time_reference "${nodes[-1]}"
  fi
}
