#!/usr/bin/env bash
# What DiffFR's ablations ask, on small tasks in two dimensions: fluid_ablations.csv. Five minutes on one core.
#
#   results/reference/make_fluid_ablations.sh [build/cqopt [WORK [FIGURES]]]
#
# Columns: figure of the paper, case, where on the axis of that figure, value there.
#   6   the bottle of bottle_flip thrown the same way with and without water: how far it has turned [rad] at a time [s]
#   14  bottle_flip in thin water by adam and gradients of five grades: least f after so many evaluations
#   14_norm, 14_cosine  how long these gradients are at the start, and the cosine with the exact one, if the run ended at a time [s]
#   15  stone_skipping: norm of the derivative of where the stone is by its velocity, by differences of a width [m/s]
#   16  stone_skipping until 0.08 s: norm of the gradient, over the radius of particles [m]
#   spread  bottle_flip in thin water from 48 starts of the fluid moved by 1e-3 radii: mean and deviation of where it is [m]
#       and how it is turned [rad], and what they alone make of DiffFR's loss on average; that with other settings, too
#   stone  stone_skipping in thin water: f after 50 runs by seed, and its mean over other starts of the fluid
#   17  bottle_flip to five targets along an arc: each variable of the best design, f and runs
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
source "$here/fluid_starts.sh"
figures=${3:-6 15 16 14 17 spread stone}
export OMP_WAIT_POLICY=passive
one() { "$cqopt" "$@" --threads 1 --set optimizer.repeats=0; }
terms() { sed -n 's/^  "terms": \[\(-\{0,1\}[0-9].*\)\],\{0,1\}$/\1/p' | tr -d ','; }

# the bottle's axis, at times after its release
figure_6() {
  local full="" empty="--set bodies.[0].low=[8.0,0.2]" case k
  local at=""
  for k in 3 4 5 6 7 8 9 10; do
    for of in base cap; do
      for along in 1,0 0,1; do
        at="$at{term=\"mean_position\";body=\"$of\";direction=[$along];when=\"at\";time=0.$k;},"
      done
    done
  done
  at=${at//time=0.10/time=1.0}
  for case in full empty; do
    # shellcheck disable=SC2086
    one evaluate bottle_flip ${!case} --set materials.[0].viscosity=10 --set 'design.[0].start=[8.09,3.37]' --set design.[1].start=10.88 \
      --set "objective=(${at%,})" 2> /dev/null | terms | awk -v case="$case" '{
        turned = 0
        for (k = 0; k < 8; k++) {
          a = atan2(-($(4 * k + 3) - $(4 * k + 1)), $(4 * k + 4) - $(4 * k + 2))
          while (a < turned - 1) { a += 2 * atan2(0, -1) } # it only turns one way
          turned = a
          print "6," case "," (k + 3) / 10 "," a
        }
      }'
  done
}

grades="rigid local complete complete_published exact"

# steps of a run that ends sooner; the hand lets go at 250
figure_14_grades() {
  local steps grade
  for steps in 270 300 400 1000; do
    for grade in $grades; do
      one evaluate bottle_flip --gradient --set materials.[0].viscosity=10 --set simulation.steps=$steps --set simulation.gradient="$grade" \
        2> /dev/null | sed -n 's/^  "gradient": \[\(.*\)\].*/\1/p' | tr -d ',' | sed "s/^/$grade /"
    done | awk -v at=0.$((steps / 10)) '
      { for (i = 1; i < NF; i++) { g[$1, i] = $(i + 1) } name[NR] = $1; n = NF - 1 }
      END {
        for (k = 1; k <= NR; k++) {
          dot = square = exact = 0
          for (i = 1; i <= n; i++) {
            dot += g[name[k], i] * g["exact", i]; square += g[name[k], i] ^ 2; exact += g["exact", i] ^ 2
          }
          printf "14_norm,%s,%s,%.4g\n14_cosine,%s,%s,%.4g\n", name[k], at, sqrt(square), name[k], at, dot / sqrt(square * exact)
        }
      }' | sed 's/,0\.100,/,1,/'
  done
}

figure_14() {
  local grade
  figure_14_grades
  for grade in $grades; do
    solve "14-$grade" bottle_flip --threads 1 --set materials.[0].viscosity=10 --set simulation.gradient=$grade --set optimizer.name=adam \
      --set optimizer.learning_rate=0.5 --set optimizer.max_evaluations=10 --set optimizer.target=0 --set optimizer.repeats=0 \
      --set optimizer.verify_refined=false --set output.report=false --set output.trajectory=false
    awk -F, -v grade="$grade" '
      NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i } next }
      $c["eval"] <= 10 { if (best == "" || $c["f"] < best) { best = $c["f"] }
                         if ($c["eval"] % 5 == 0 || $c["eval"] == 1) { print "14," grade "," $c["eval"] "," best } }' "14-$grade/history.csv"
  done
}

# widths in one file: the start, then either component moved by it
figure_15() {
  awk 'BEGIN {
    print "stone.initial_velocity[0],stone.initial_velocity[1],stone.spin"
    print "20,-8,5"
    for (k = 1; k <= 10; k++) { h = 10 ^ -k; printf "%.17g,-8,5\n20,%.17g,5\n", 20 + h, -8 + h }
  }' > designs.csv
  local precision
  for precision in double float; do
    one evaluate stone_skipping --at designs.csv --set materials.[0].viscosity=10 --set simulation.precision=$precision \
      --set 'objective=({term="mean_position";body="stone";direction=[1,0];},{term="mean_position";body="stone";direction=[0,1];})' \
      2> /dev/null | terms | awk -v precision="$precision" '
        NR == 1 { x = $1; y = $2; next }
        NR % 2 == 0 { sum = 0 }
        { sum += ($1 - x) ^ 2 + ($2 - y) ^ 2 }
        NR % 2 == 1 { h = 10 ^ -((NR - 1) / 2); printf "15,%s,1e-%d,%.6g\n", precision, (NR - 1) / 2, sqrt(sum) / h }'
  done
}

figure_16() {
  local radius grade
  for radius in 0.03 0.024 0.02 0.016 0.012; do
    for grade in local rigid exact; do
      one evaluate stone_skipping --gradient --set simulation.gradient=$grade --set materials.[0].viscosity=10 \
        --set simulation.radius=$radius --set simulation.time_step=2.5e-4 --set simulation.steps=320 2> /dev/null |
        sed -n 's/^  "gradient": \[\(.*\)\].*/\1/p' | tr -d ',' |
        awk -v at="$grade,$radius" '{ for (i = 1; i <= NF; i++) { s += $i ^ 2 } printf "16,%s,%.6g\n", at, sqrt(s) }'
    done
  done
}

figure_17() {
  local k
  for k in 1 2 3 4 5; do
    # a start that is moved and turned is a target that is
    solve "17-$k" bottle_flip --threads 1 $(awk -v k="$k" 'BEGIN {
        a = (k - 3) * 0.1; x = 9 + (k - 3) * 0.4; y = 6.25 + 0.15 * (k - 3) ^ 2
        printf "--set=objective.[0].target=[%.6g,%.6g] --set=objective.[1].target=[%.6g,%.6g]", x + 1.3 * sin(a), y - 1.3 * cos(a), x - 1.3 * sin(a), y + 1.3 * cos(a)
      }') --set optimizer.repeats=0 --set optimizer.verify_refined=false --set output.report=false --set output.trajectory=false
    tail -n +2 "17-$k/design.csv" | awk -F, -v k="$k" '{ print "17," $1 "," k "," $3 }'
    echo "17,f,$k,$(member "17-$k" f)"
    echo "17,runs,$k,$(member "17-$k" evaluations)"
  done
}

# spread NAME STARTS ARGUMENTS...: where one throw ends from so many starts of the fluid
spread() {
  local name=$1 starts=$2 k at=""
  shift 2
  for of in base cap; do
    for along in 1,0 0,1; do
      at="$at{term=\"mean_position\";body=\"$of\";direction=[$along];},"
    done
  done
  for ((k = 1; k <= starts; k++)); do
    [ -s "spread-$name-$k" ] ||
      one evaluate bottle_flip --set materials.[0].viscosity=10 --set 'design.[0].start=[8.094,3.37]' --set design.[1].start=10.88 \
        --set simulation.start_jitter=1e-3 --set simulation.start_repeat="$k" --set "objective=(${at%,})" "$@" 2> /dev/null |
        terms > "spread-$name-$k"
    cat "spread-$name-$k"
  done | awk -v name="$name" '
    { now["x"] = ($1 + $3) / 2; now["y"] = ($2 + $4) / 2; now["turned"] = atan2($1 - $3, $4 - $2)
      n++
      for (of in now) { sum[of] += now[of]; square[of] += now[of] ^ 2 } }
    END {
      for (of in sum) {
        variance[of] = (square[of] - sum[of] ^ 2 / n) / (n - 1)
        if (name == "as_it_is") {
          print "spread," of ",mean," sum[of] / n
          print "spread," of ",deviation," sqrt(variance[of])
        }
      }
      print "spread,loss," name "," 0.05 * (variance["x"] + variance["y"]) + 0.125 * variance["turned"]
    }' | sort
}

figure_spread() {
  spread as_it_is 48
  spread half_step 16 --set simulation.time_step=5e-4 --set simulation.steps=2000
  spread sweeps_12 16 --set simulation.sweeps=12
  spread warm_start 16 --set simulation.warm_start=true
}

# five searches from far, as those of make_fluid_methods.sh but for their differences, and five from near
figure_stone() {
  local case seed width start
  for case in narrow near; do
    for seed in 1 2 3 4 5; do
      width=0.015 start=$(starts stone_skipping "$seed")
      [ $case = narrow ] || width=0.06 start=$(starts stone_near "$seed")
      # shellcheck disable=SC2046,SC2086
      solve "stone-$case-$seed" stone_skipping --threads 1 --seed "$seed" $(sizes stone_skipping) $start --set materials.[0].viscosity=10 \
        --set optimizer.difference_step=$width --set optimizer.target=0 --set optimizer.max_cost=50 --set optimizer.max_evaluations=0 \
        --set optimizer.verify_refined=false --set output.report=false --set output.trajectory=false
      echo "stone,$case,$seed,$(member "stone-$case-$seed" f)"
      echo "stone,${case}_mean,$seed,$(member "stone-$case-$seed" f_mean)"
    done
  done
}

for figure in $figures; do
  figure_"$figure" > "figure_$figure.new"
  mv "figure_$figure.new" "figure_$figure"
done
{
  echo "figure,case,at,value"
  for figure in 6 14 15 16 17 spread stone; do
    [ ! -f "figure_$figure" ] || cat "figure_$figure"
  done
} > "$here/fluid_ablations.csv"
