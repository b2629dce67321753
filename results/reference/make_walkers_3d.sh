#!/usr/bin/env bash
# The tasks in three dimensions: walkers_3d.csv, walkers_3d_scale.csv, and a picture of each, walkers_3d_TASK.png. Hours on two cores.
#
#   results/reference/make_walkers_3d.sh [build/cqopt] [FOLDER]
#
# A run that was cut off goes on where it was, and the tables are written anew after each, so that they are there at any time with what
# there is so far; without FOLDER the runs are in one that is removed at the end. TABLES=1 makes tables and pictures of what FOLDER has;
# ONLY=quadruped makes the runs of one task alone, MOST=100 those of so many evaluations.
#
# walkers_3d.csv has the distance to the goal [m]: at the start, the least one after 30, 100 and 300 evaluations (with a gradient: one of
# sep_cmaes counts a third), of the best design, and of that at half the time step. walkers_3d_scale.csv has two gradients of the
# hexapod as published.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

# row TASK METHOD PRECISION SEED: of the run of that name; distances are roots of f
row() {
  local run=$1-$2-$3-$4 share=1
  [ -s "$run/history.csv" ] || return 0
  [ "$2" != sep_cmaes ] || share=3
  awk -F, -v head="$1,$2,$3,$4" -v share=$share -v half="$(member "$run" half_step_f)" \
    -v torn="$(member "$run" torn_share)" '
    function distance(f) { return f == "" ? "" : sprintf("%.4g", sqrt(f)) }
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    { n = $at["eval"] / share }
    $at["status"] != "OK" { failed++; next }
    start == "" { start = best = $at["f"]; norm = $at["gradient_norm"] }
    $at["f"] < best { best = $at["f"] }
    n >= 30 && after[30] == "" { after[30] = best }
    n >= 100 && after[100] == "" { after[100] = best }
    n >= 300 && after[300] == "" { after[300] = best }
    END {
      printf "%s,%d,%s,%s,%s,%s,%s,%s,%d,%s,%s\n", head, n, distance(start), distance(after[30]), distance(after[100]),
        distance(after[300]), distance(best), distance(half), failed, torn, norm == "" ? "" : sprintf("%.6g", norm)
    }' "$run/history.csv"
}

tasks=(quadruped crawler arm_3d runner_3d_codesign hexapod)
header=evaluations,start,after_30,after_100,after_300,best,half_step,failures,torn_share,gradient_norm
tables() {
  local task method precision seed
  {
    echo "task,method,precision,seed,$header"
    for task in "${tasks[@]}"; do
      for method in start adam gradient_descent sep_cmaes; do
        for precision in float double; do
          for seed in 1 2 3; do
            row "$task" "$method" "$precision" "$seed"
          done
        done
      done
    done
  } > "$here/walkers_3d.csv"
  [ ! -s scale.txt ] || { # the largest resident set of /usr/bin/time is in KiB
    echo "particles,steps,evaluations,states,peak_gib,user_seconds,f,gradient_norm"
    awk -F, -v user="$(sed -n 's/.*User time (seconds): //p' scale.txt)" -v states="$(member scale memo_states)" \
      -v peak="$(sed -n 's/.*Maximum resident set size (kbytes): //p' scale.txt)" '
      NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
      { f = $at["f"]; norm = $at["gradient_norm"]; n = $at["eval"] }
      END { printf "131625,600,%d,%d,%.3g,%.3g,%.6g,%.6g\n", n, states, peak / 1048576, user, f, norm }' scale/history.csv
  } > "$here/walkers_3d_scale.csv"
}

# run TASK METHOD PRECISION SEED EVALUATIONS ARGUMENTS...
run() {
  [ "${ONLY:-$1}" = "$1" ] || return 0
  [ -n "${TABLES:-}" ] || solve_to "$5" "$1-$2-$3-$4" "$1" --seed "$4" --set simulation.precision="$3" "${@:6}" \
    --set optimizer.stop_at_target=false --set output.report=false
  tables
}

# picture TASK RUN: of its best design
picture() {
  [ ! -s "$2/design.csv" ] ||
    "$cqopt" render "$1" --design "$2" --color actuation --sheet 4 --columns 2 --size 640x256 --threads 1 \
      --output "$here/walkers_3d_$1.png" > picture.out 2>&1 || cat picture.out >&2
}

descent=(--set optimizer.name=gradient_descent --set optimizer.clip=1)
quick=(--set optimizer.name=adam --set optimizer.learning_rate=0.003)
cmaes=(--set optimizer.name=sep_cmaes --set optimizer.force=true --set optimizer.sigma=0.05)

for task in "${tasks[@]}"; do
  for precision in float double; do
    run "$task" start "$precision" 1 1 --set optimizer.verify_refined=false
  done
done
for most in ${MOST:-100 300}; do
  run quadruped adam float 1 $most
  run crawler adam float 1 $most
  run quadruped gradient_descent float 1 $most "${descent[@]}" --set optimizer.learning_rate=1
  run quadruped sep_cmaes float 1 $((3 * most)) "${cmaes[@]}"
  run arm_3d gradient_descent float 1 $most
  run arm_3d adam float 1 $most "${quick[@]}"
  run runner_3d_codesign adam float 1 $most
  run hexapod adam float 1 $most
  for seed in 2 3; do
    for task in quadruped crawler runner_3d_codesign hexapod; do
      run $task adam float $seed $most
    done
    run arm_3d adam float $seed $most "${quick[@]}"
  done
  run quadruped adam double 1 $most
  run crawler gradient_descent float 1 $most "${descent[@]}" --set optimizer.learning_rate=10
  run crawler sep_cmaes float 1 $((3 * most)) "${cmaes[@]}"
  run hexapod gradient_descent float 1 $most "${descent[@]}" --set optimizer.learning_rate=1
done

# the published number of particles, in double, with states in 3 GiB
if [ ! -s scale.txt ] && [ -z "${TABLES:-}${ONLY:-}" ]; then
  "$cqopt" new hexapod scale.cfg > scale.out
  sed -i 's/count = [^;]*;/count = 15;/; s/particle_volume = [^;]*;/particle_volume = 1;/' scale.cfg
  rm -rf scale
  /usr/bin/time -v "$cqopt" solve scale.cfg --threads 1 --quiet --set simulation.steps=600 --set simulation.memory="3 GiB" \
    --set simulation.precision=double --set optimizer.max_evaluations=2 --set optimizer.verify_refined=false \
    --set output.report=false --set output.trajectory=false --output scale 2> scale.time || true
  mv scale.time scale.txt
fi
tables

for task in "${tasks[@]}"; do
  best=adam
  case $task in quadruped | arm_3d) best=gradient_descent ;; esac
  picture "$task" "$task-$best-float-1"
done
