# shellcheck shell=bash
# Memory ends at the n-th allocation of a solve with its report, or of evaluate: it says so, with exit code 8 or, where
# it can do without, goes on; nothing crashes. $1: the program with short_memory.cpp in it; $2: how
# many of all n are tried, or "all".
. "$(dirname "${BASH_SOURCE[0]}")/cli_lib.sh"
tries=$2

cat > small.cfg <<'TEXT'
simulation: { grid = [24, 24]; cell = "1/24"; time_step = 4e-3; steps = 10; };
materials: ( { name = "rubber"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "disc"; material = "rubber"; shape = "ball"; center = [0.4, 0.5]; radius = 0.1; } );
design: ( { variable = "initial_velocity"; body = "disc"; start = [0.5, 0.4]; lower = -1; upper = 1; } );
objective: ( { term = "distance"; body = "disc"; target = [0.45, 0.52]; } );
constraints: ( { term = "mean_position"; body = "disc"; direction = "x"; lower = 0.3; } );
optimizer: { max_evaluations = 3; };
output: { frames = 4; };
TEXT

# solve NAME SETTING...: into out and err; sets code
solve() {
  rm -rf "$1"
  code=0
  env "${@:2}" "$cqopt" solve small.cfg --output "$1" --threads 1 --quiet --set "optimizer.name=$method" \
    > out 2> err || code=$?
}

# The same of evaluate: some designs by their names.
printf 'disc.initial_velocity[1],disc.initial_velocity[0]\n0.5,0.4\n0.3,0.2\n' > at.csv
evaluate() {
  code=0
  env "${@:2}" "$cqopt" evaluate small.cfg --at at.csv --gradient --threads 1 > out 2> err || code=$?
}

# One that fails of memory: the codes of errors have a sentence, a crash or a leak is no such thing.
ends_well() {
  local what=$1
  case $code in
    0 | 3) ;;
    8) grep -qi 'memory' out err || fail "$what: exit 8 without a word of memory: $(cat out err)" ;;
    2 | 6) [ -s err ] || [ -s out ] || fail "$what: exit $code without a word" ;;
    *) fail "$what: exit $code: $(tail -n 5 out err)" ;;
  esac
  if grep -q 'Sanitizer\|runtime error' err; then
    fail "$what: $(grep -m 3 'Sanitizer\|runtime error\| in ' err)"
  fi
}

# Every so manieth of all, alone, and some of them with all that follow.
try_all() {
  local of=$1 n total every=1 eights=0
  "$run" counted SHORT_MEMORY_OF="$of" SHORT_MEMORY_COUNT="$work/count"
  [ "$code" -eq 3 ] || [ "$code" -eq 0 ] || fail "$method does not even run: exit $code"
  total=$(cat count)
  [ "$total" -gt 20 ] || fail "only $total allocations ($of)"
  if [ "$tries" != all ]; then
    every=$((total / tries + 1))
  fi
  for ((n = 1; n <= total; n += every)); do
    "$run" short SHORT_MEMORY_OF="$of" SHORT_MEMORY_AT="$n"
    ends_well "$method, $of, allocation $n of $total"
    [ "$code" -ne 8 ] || eights=$((eights + 1))
    if [ $((n / every % 4)) -eq 0 ]; then
      "$run" short SHORT_MEMORY_OF="$of" SHORT_MEMORY_AT="$n" SHORT_MEMORY_LASTS=1
      ends_well "$method, $of, allocation $n of $total and all that follow"
    fi
  done
  [ "$eights" -gt 0 ] || fail "$method, $of: no failure ended with exit code 8"
  echo "$method, $of: $total allocations, every $every of them failed, $eights times exit 8"
}

export OMP_WAIT_POLICY=passive ASAN_OPTIONS=${ASAN_OPTIONS:-}
run=evaluate method=evaluate
try_all own
run=solve method=LD_SLSQP
try_all own
if "$cqopt" list optimizers | grep "^IPOPT " | grep -qv "coinor"; then
  method=IPOPT
  export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # what it does not give back is in its own code
  try_all new
fi
finish
