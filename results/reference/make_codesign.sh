#!/usr/bin/env bash
# Makes the tables and pictures of the co-design problems again: codesign_*.csv, .svg and .png.
#
#   results/reference/make_codesign.sh [build/cqopt] [FOLDER]
#
# Two runs at a time, each on one thread. Runs that FOLDER has are not made again; without it they are
# in a folder that is removed at the end.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

# solve RUN ARGUMENTS...: beside the one before it; how it ended is in its run.json
solve() {
  local run=$1
  shift
  if ! grep -qs '"exit_code"' "$run/run.json"; then
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
      wait -n || true
    done
    rm -rf "$run"
    "$cqopt" solve "$@" --threads 1 --quiet --output "$run" > "$run.out" 2>&1 &
  fi
}

full=(--set optimizer.max_evaluations=150 --set optimizer.target=unset)
for seed in 1 2 3; do
  solve "codesign_$seed" arm_codesign --seed "$seed"
  solve "codesign_full_sqp_$seed" arm_codesign_full --seed "$seed" "${full[@]}"
done
for seed in 1 2 3; do
  solve "codesign_full_IPOPT_$seed" arm_codesign_full --seed "$seed" "${full[@]}" \
    --set optimizer.name=IPOPT
done
solve bridge bridge_codesign
solve bridge_uniform bridge_codesign --set 'design.[0].per=body' --set 'design.[0].patches=unset'
solve gait gait_codesign
solve gait_fixed gait_codesign --set 'design=({variable="controller";})'
wait

# the co-design and the arms of one stiffness, with one method and budget
arms=(codesign fixed_100 fixed_215 fixed_300)
"$cqopt" study arm_codesign --vary "problem=$(printf 'arm_%s,' "${arms[@]}" | sed 's/,$//')" "${full[@]}" \
  --set optimizer.name=sqp --workers 2 --quiet --output arms > arms.out
for arm in "${arms[@]}"; do
  ln -sfn "arms/runs/problem_arm_$arm-seed-01" "$arm"
done
cp arms/study.csv "$here/codesign_study.csv"

# member RUN NAME: of its run.json
member() {
  sed -n "s/^  \"$2\": \"\{0,1\}\([^,\"]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1/run.json"
}

# history RUN: evaluation,f,violation, a row an evaluation
history() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { n = $c["eval"]; row[n] = $c["f"] "," (("violation" in c) ? $c["violation"] : 0) }
    END { for (i = 1; i <= n; i++) print i "," row[i] }' "$1/history.csv"
}

# thinking RUN: CPU time of its method [ms an evaluation]: the run is resumed for one evaluation more, so
# that all others come from the record
thinking() {
  local n seconds
  n=$(member "$1" evaluations)
  rm -rf again
  cp -r "$1" again
  TIMEFORMAT=%U
  seconds=$({ time "$cqopt" solve --resume again --threads 1 --quiet --set optimizer.target=unset \
    --set optimizer.max_evaluations=$((n + 1)) --set optimizer.verify_refined=false \
    --set output.trajectory=false > again.out 2>&1 || true; } 2>&1)
  if [ "$(member again evaluations)" = $((n + 1)) ]; then # else another build made it
    awk -v seconds="$seconds" -v n="$n" 'BEGIN { printf "%.1f", 1e3 * seconds / n }'
  fi
  rm -rf again
}

# summary RUN
summary() {
  local first thought=
  case $1 in codesign_full*) thought=$(thinking "$1") ;; esac
  first=$(history "$1" | awk -F, 'first == "" && $3 <= 1e-6 { first = $1 } END { print first }')
  awk -v run="$1" -v first="${first:--}" -v variables="$(($(wc -l < "$1/design.csv") - 1))" \
    -v problem="$(member "$1" problem)" -v code="$(member "$1" exit_code)" \
    -v n="$(member "$1" evaluations)" -v best="$(member "$1" best_evaluation)" \
    -v f="$(member "$1" f)" -v violation="$(member "$1" violation)" \
    -v finer="$(member "$1" half_step_violation)" \
    -v thought="$thought" 'BEGIN {
      printf "%s,%s,%d,%d,%d,%s,%d,%.6g,%.3g,%s,%s\n", run, problem, variables, code, n, first,
        best, f, violation, finer == "" ? "" : sprintf("%.3g", finer), thought }'
}

{
  echo "run,problem,variables,exit_code,evaluations,first_feasible,best_evaluation,f,violation,\
half_step_violation,optimizer_ms"
  for run in codesign* fixed* bridge* gait*; do
    [ ! -d "$run" ] || summary "$run"
  done
} > "$here/codesign_runs.csv"

# convergence NAME RUN: what the best design has after each evaluation
convergence() {
  history "$2" | awk -F, -v name="$1" 'NR == 1 || ($3 > 1e-6 ? $3 < v : v > 1e-6 || $2 < f) {
      f = $2; v = $3 }
    { printf "%s,%d,%.4g,%.5g\n", name, $1, v < 1e-6 ? 1e-6 : v, f }'
}

{
  echo "run,evaluation,least_violation,effort"
  for stiffness in 100 215 300; do
    convergence "fixed_$stiffness" "fixed_$stiffness"
  done
  convergence codesign codesign
  convergence codesign_full codesign_full_IPOPT_1
} > "$here/codesign_convergence.csv"

# arm NAME RUN PROBLEM: particles of its best design at the end
arm() {
  rm -rf motion
  "$cqopt" simulate "$3" --design "$2" --frames 1 --threads 1 --quiet --output motion > motion.out
  awk -F, -v name="$1" '$1 == 800 { printf "%s,%.4f,%.4f,%.4g\n", name, $4, $5, $8 }' \
    motion/particles.csv
  rm -rf motion
}

{
  echo "arm,x,y,youngs_modulus"
  for stiffness in 100 215 300; do
    arm "fixed_$stiffness" "fixed_$stiffness" "arm_fixed_$stiffness"
  done
  arm codesign codesign_1 arm_codesign
  arm codesign_full codesign_full_IPOPT_1 arm_codesign_full
} > "$here/codesign_arms.csv"

cd "$here"
gnuplot codesign_convergence.gp
gnuplot codesign_arms.gp
