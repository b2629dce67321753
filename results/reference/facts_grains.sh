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
