# shellcheck shell=bash
# For facts.sh: grains in bulk, validation_grains_*.csv.

heaps() { # ITERATIONS DRAW ROLLING
  pick validation_grains_heaps slope iterations="$1" draw="$2" rolling_friction="$3" | as %.1f
}
# TABLE MODEL ITERATIONS ASPECT: a run-out, and by how much it is off
runout() {
  awk -F, -v model="$2" -v iterations="$3" -v aspect="$4" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    $at["iterations"] == iterations && sprintf("%.1f", $at["aspect"]) == aspect {
      printf "%.2f (%+.0f %%)\n", $at["runout"], 100 * ($at["runout"] / $at[model] - 1) }' "$1.csv"
}
# ITERATIONS OPENINGS QUANTITY, in steps of 1 ms and in the order of size
openings() {
  tail -n +2 validation_grains_openings.csv | sort -t, -k 1n | awk -F, -v iterations="$1" -v openings="$2" -v column="$3" '
    BEGIN { n = split(openings, of, " ") }
    $2 == iterations && $3 == "0.001" { for (i = 1; i <= n; i++) { if ($1 == of[i]) { print $column } } }' | as %.0f
}
flow() { echo "$(openings "$1" "$2" 4) (+- $(openings "$1" "$2" 5))"; }
fit() { # ITERATIONS
  awk -F, -v iterations="$1" '$1 == iterations { printf "%.3f +- %.3f, %.2f +- %.2f\n", $2, $3, $4, $5 }' validation_grains_beverloo.csv
}
both() { # COMMAND ARGUMENTS..., where @ stands for the iterations
  echo "$("${@//@/10}") | $("${@//@/20}") |"
}

{
  echo "| quantity | outside number | ours, 10 iterations | 20 |"
  echo "|---|---|---|---|"
  echo "| **Heap**, slope in degrees, rolling friction 0; tube drawn up at 15 d/s | no heap | $(both heaps @ 15 0)"
  echo "| 0.1 | 14 to 22, glass beads 22 to 26 | $(both heaps @ 15 0.1)"
  echo "| 0.2 | sand, 30 to 35 | $(both heaps @ 15 0.2)"
  echo "| 0.3 | sand, 30 to 35 | $(both heaps @ 15 0.3)"
  echo "| 0, 0.1, 0.2, 0.3, drawn up at 5 d/s | | $(both heaps @ 5 '0|0.1|0.2|0.3')"
  echo "| **Column**, run-out by its radius, height 0.9 of it (Lube et al. 2004: 1.24 a) | 1.11 | $(both runout validation_grains_columns lube @ 0.9)"
  echo "| height 1.75 of it (1.6 sqrt a) | 2.12 | $(both runout validation_grains_columns lube @ 1.8)"
  echo "| height 3.9 of it, radius 8 d | 3.18 | $(runout validation_grains_columns lube 10 3.9) | $(runout validation_grains_columns lube 20 4.0) |"
  echo "| **Channel**, run-out by its length, height 0.95 of it (Lajeunesse et al. 2005: 1.2 a) | 1.14 | $(runout validation_grains_channels lajeunesse 10 0.9) | $(runout validation_grains_channels lajeunesse 20 1.0) |"
  echo "| height 3.1 of it (1.9 a^2/3) | 4.0 | $(runout validation_grains_channels lajeunesse 10 3.0) | $(runout validation_grains_channels lajeunesse 20 3.1) |"
  echo "| **Openings**, grains a second through 6, 8, 10, 12 d | 670, 1,650, 3,190, 5,380 (Beverloo: C = 0.58, k = 1.4) | $(both flow @ '6 8 10 12')"
  echo "| C, k of a fit with their standard errors | 0.55 to 0.65, 1 to 2 | $(both fit @)"
  echo "| 4, 5 d | 160, 360 | $(both flow @ '4 5')"
} | fact grains.bulk

# --- tasks: grain_tasks.csv, grain_identified.csv, grain_transfer.csv ---

# TASK METHOD: of the seeds that there are the mean of the re-runs' means, that of their deviations, and how many are at the target
# without a re-run that failed; a design that failed itself has no numbers
runs_of() {
  awk -F, -v task="$1" -v method="$2" -v target="$(task_target "$1")" '
    $1 == task && $2 == method { n++ }
    $1 == task && $2 == method && $6 != "" { ran++; mean += $6; deviation += $7; there += $6 <= target + 0 && $9 == 0 }
    END { if (ran == 0) { print "not yet" } else { printf "%.3g (%.2g), %d of %d\n", mean / ran, deviation / ran, there, n } }' grain_tasks.csv
}
task_target() { pick grain_targets target task="$1"; }
task_row() { # TASK
  local method row="| \`$1\` | $(task_target "$1") |"
  for method in start random LN_NELDERMEAD cmaes LN_BOBYQA random_smoothing random_search; do
    row+=" $(runs_of "$1" "$method") |"
  done
  echo "$row"
}
{
  echo "| | target | start | a random design | LN_NELDERMEAD | cmaes | LN_BOBYQA | random_smoothing | random_search |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for task in $(tail -n +2 grain_tasks.csv | cut -d, -f1 | uniq); do
    task_row "$task"
  done
} | fact grain.tasks
pick grain_identified friction | as %.3f | fact grain.identified.friction
pick grain_identified evaluations | as %.0f | fact grain.identified.evaluations
pick grain_identified rolling_friction | as %.3f | fact grain.identified.rolling
{
  echo "| from | by | among a thousand grains | among so many smaller ones |"
  echo "|---|---|---|---|"
  awk -F, 'NR > 1 { printf "| `%s` | %s, seed %d | %.3g | %.3g, %d |\n", $1, $2, $3, $5, $6, $4 }' grain_transfer.csv
} | fact grain.transfer

# --- published sizes: grain_sizes.csv ---

pick grain_sizes ms_a_step | least | as %.0f | fact grain.sizes.least
pick grain_sizes ms_a_step | most | as %.0f | fact grain.sizes.most

# --- learning: grain_learning.csv, means over five episodes ---

# METHOD SEEN: of each seed, the row's number by COLUMN, in its first row, its best or its last four
learned() { # METHOD SEEN COLUMN WHICH FORMAT
  awk -F, -v method="$1" -v seen="$2" -v column="$3" -v which="$4" -v format="$5" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    $1 == method && $2 == seen { s = $3; value[s, ++n[s]] = $at[column] }
    END { for (s = 1; s in n; s++) {
            first = which == "last" && n[s] > 4 ? n[s] - 3 : 1
            end = which == "first" ? 1 : n[s]
            sum = 0; best = value[s, first]
            for (i = first; i <= end; i++) { sum += value[s, i]; best = value[s, i] > best ? value[s, i] : best }
            x = which == "best" ? best : which == "end" ? value[s, n[s]] : sum / (end - first + 1)
            row = row (s > 1 ? ", " : "") sprintf(format, x) }
          print row }' grain_learning.csv
}
learned_row() { # METHOD SEEN NAME
  [ -n "$(learned "$1" "$2" episode end %d)" ] || return 0
  echo "| $3 | $(learned "$1" "$2" episode end %d) | $(learned "$1" "$2" seconds end %.0f) s | $(learned "$1" "$2" return first %.0f) | $(learned "$1" "$2" return best %.0f) | $(learned "$1" "$2" return last %.0f) | $(learned "$1" "$2" share last %.2f) |"
}
{
  echo "| | episodes | time of a core | return of the first five | best five | last twenty | their share in the box |"
  echo "|---|---|---|---|---|---|---|"
  learned_row td3 profile "TD3, heights"
  learned_row ppo profile "PPO, heights"
  learned_row td3 depth "TD3, depth images"
  learned_row ppo depth "PPO, depth images"
} | fact grain.learning
awk -F, '$1 == "straight" { print $7 }' grain_learning.csv | most | as %.0f | fact grain.straight
awk -F, '$1 == "straight" { print $8 }' grain_learning.csv | most | as %.2f | fact grain.straight.share
