# shellcheck shell=bash
# For the make scripts that time many gradients.

# designs FOLDER N: the start of the run there, N times, a little apart
designs() {
  awk -F, -v n="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "name") { name = i } if ($i == "start") { start = i } } next }
    { names = names sep $name; at[++k] = $start; sep = "," }
    END { print names
      for (i = 0; i < n; i++) { row = ""; for (j = 1; j <= k; j++) { row = row (j > 1 ? "," : "") sprintf("%.17g", at[j] + 1e-9 * i) }; print row } }' \
    "$1/design.csv"
}
