#!/usr/bin/env bash
# Every built-in problem runs for two evaluations, with the numbers of builtins.csv: f and the norm of
# the gradient at the start, f at the second point. Long ones are cut down by a setting there.
numbers=$(cd "$(dirname "$0")" && pwd)/builtins.csv
source "$(dirname "$0")/cli_lib.sh"

# has_numbers PROBLEM: what is chaotic and has no gradient depends on the SIMD level, as it does on precision
has_numbers() {
  awk -F, -v problem="$1" '
    function differs(what, is, wanted, part) {
      if (!(is - wanted <= part * size(wanted) && wanted - is <= part * size(wanted))) {
        print problem ": " what " is " is ", not " wanted
        bad++
      }
    }
    function size(x) { return x < 0 ? -x : x }
    NR == FNR { if ($1 == problem) { found++; f = $2; norm = $3; second = $4; loose = $5; looser = $7 } next }
    FNR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
    $1 == 1 && !started { started = 1; first_f = $column["f"] }
    $1 == 1 && $column["gradient_norm"] != "" { first_norm = $column["gradient_norm"] }
    $1 == 2 && !ended { ended = 1; second_f = $column["f"] }
    END {
      none = norm == "nan"
      if (found != 1 || !started || !ended) { print problem ": " found + 0 " lines of numbers"; exit 1 }
      differs("f", first_f, f, none ? loose : 1e-6)
      differs("the second f", second_f, second, none ? looser : 1e-6)
      if (none != (first_norm == "")) { print problem ": |gradient| " first_norm; bad++ }
      if (!none) { differs("|gradient|", first_norm, norm, 1e-6) }
      exit bad > 0
    }' "$numbers" "$1/history.csv" || fail "$1: other numbers"
}

"$cqopt" list > list
problems=$(cut -d' ' -f1 list)
[ -n "$problems" ] || fail "no built-in problems"
for problem in $problems; do
  ! grep "^$problem " list | grep -q ' -  ' || fail "$problem has no problem.expected_time"
  code=0 method=()
  # gauss_newton has no gradient at the start
  [[ $problem != identify_* ]] || method=(--set optimizer.name=LD_SLSQP)
  # of each kind one has its page and its run at half the step; all of them would cost as much again
  [[ $problem =~ ^(bounce|pneunet|finger|walker_2d|arm_codesign|identify_field|bottle_flip|bulldozing)$ ]] ||
    method+=(--set output.report=false --set output.trajectory=false --set optimizer.verify_refined=false)
  for cut in $(awk -F, -v problem="$problem" '$1 == problem { gsub(";", " ", $8); print $8 }' "$numbers"); do
    method+=(--set "$cut")
  done
  "$cqopt" solve "$problem" --output "$problem" --quiet --set optimizer.max_evaluations=2 \
    --set optimizer.repeats=0 "${method[@]}" > out 2> err || code=$?
  # a budget, or infeasible so far, or done already
  case $code in
    0 | 3 | 4) ;;
    *) fail "exit $code: $problem: $(cat out err)" ;;
  esac
  has_file "$problem/history.csv"
  ! grep -q nan "$problem/history.csv" || fail "NaN in $problem/history.csv"
  has_numbers "$problem"
done
finish
