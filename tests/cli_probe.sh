#!/usr/bin/env bash
# kill -9 at any probe of a claim, also in the middle of its record and past a budget, and the
# resumed run has the bits of one that was never interrupted.
source "$(dirname "$0")/cli_lib.sh"
shim=$2

# SLSQP claims its optimum after some ten evaluations
{
  throw_scene
  cat << 'END'
design: ( { variable = "initial_velocity"; body = "A"; lower = -8; upper = 8; start = [0.5, 2]; } );
optimizer: { max_evaluations = 60; };
END
} > throw.cfg

# numbers of the records that are probes
probes() {
  awk -F, 'NR > 1 && $2 == "probe" { print NR - 1 }' "$1/history.csv"
}

# at_each METHOD CODE ARGUMENT...: killed at each probe in turn
at_each() {
  local method=$1 code=$2 k bytes killed
  shift 2
  local command=(solve throw.cfg --set "optimizer.name=$method" "$@")
  rm -rf whole
  expect "$code" "$cqopt" "${command[@]}" --output whole --quiet
  [ "$(probes whole | wc -l)" -ge 2 ] || fail "$method $*: too few probes to test on: $(cat out)"
  for k in $(probes whole); do
    for bytes in 90 100000; do
      rm -rf part
      killed=0
      killing "$k" "$bytes" "${command[@]}" --output part || killed=$?
      [ "$killed" -eq 137 ] || fail "$method $*: not killed at record $k: exit $killed"
      expect "$code" "$cqopt" solve --resume part --quiet
      cmp -s whole/evals.bin part/evals.bin || fail "$method $* killed at $k, $bytes: evals.bin differs"
      diff <(history whole) <(history part) > /dev/null || fail "$method $* killed at $k: history.csv differs"
      diff whole/design.csv part/design.csv > /dev/null || fail "$method $* killed at $k: design.csv differs"
    done
  done
}

if [ -n "$shim" ]; then
  at_each LD_LBFGS 0
  at_each LD_SLSQP 0
  # budgets of what the method evaluates itself, and of one less: the probes come after them
  claimed=$(awk -F, 'NR > 1 && $2 != "probe" { print $1 }' whole/history.csv | sort -nu | wc -l)
  for budget in "$claimed" $((claimed - 1)); do
    at_each LD_SLSQP 0 --set "optimizer.max_evaluations=$budget"
    [ "$(member whole evaluations)" -gt "$budget" ] || fail "no probe went past a budget of $budget"
  done
fi
finish
