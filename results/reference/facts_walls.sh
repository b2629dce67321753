# shellcheck shell=bash
# For facts.sh: bodies on walls and slopes, validation_walls.csv.

# ours FORMAT CASE DIM PARAMETER CELLS QUANTITY
ours() { pick validation_walls value case="$2" dim="$3" parameter="$4" cells="$5" quantity="$6" | as "$1"; }

{
  echo "| | gravity at once, 2D | 3D | begins at rest, 2D | 3D | rigid body |"
  echo "|---|---|---|---|---|---|"
  echo "| friction 0.5: acceleration, of 0.669873 m/s^2 | $(ours %.4f swings 2 0.5 4 acceleration | tr -d -) | $(ours %.4f swings 3 0.5 4 acceleration | tr -d -) | $(ours %.6f slope 2 0.5 4 acceleration | tr -d -) | $(ours %.6f slope 3 0.5 4 acceleration | tr -d -) | $(ours %.6f inclined 2 0.5 4 acceleration | tr -d -) |"
  for mu in 0.6 0.7 1; do
    echo "| friction $mu: speed [m/s] | $(ours %.0e swings 2 $mu 4 drift | sed 's/^-//') | $(ours %.0e swings 3 $mu 4 drift | sed 's/^-//') | $(ours %.0e slope 2 $mu 4 speed) | $(ours %.0e slope 3 $mu 4 speed) | $(ours %.0e inclined 2 $mu 4 speed) |"
  done
} | fact walls.slope
pick validation_walls value case=flat quantity=way | as %.4f | fact walls.flat
pick validation_walls value case=flat quantity=mean_way | as %.4f | fact walls.flat.mean

{
  echo "| dimensions, Poisson's ratio, cells high | mirrors | nodes |"
  echo "|---|---|---|"
  for what in '2 0.3 16' '2 0.3 32' '2 0 32' '3 0.3 16'; do
    read -r dim nu cells <<< "$what"
    echo "| ${dim}D, $nu, $cells | $(ours %.4f column "$dim" "$nu" "$cells" mirror) | $(ours %.3f column "$dim" "$nu" "$cells" nodes) |"
  done
} | fact walls.column

{
  echo "| Poisson's ratio | 10 cells high | 20 |"
  echo "|---|---|---|"
  for nu in 0.3 0.45 0.49 0.495 0.499; do
    echo "| $nu | $(ours %.3f block 2 $nu 10 settles) | $(ours %.3f block 2 $nu 20 settles) |"
  done
} | fact walls.block

{
  echo "| cells in the radius | 10 | 20 | 40 |"
  echo "|---|---|---|---|"
  echo "| force | $(ours %.3f hertz 2 0.05 10 force) | $(ours %.3f hertz 2 0.05 20 force) | $(ours %.3f hertz 2 0.05 40 force) |"
} | fact walls.hertz

echo "$(ours %.2f meeting 2 1 12 gap) cells (on one grid $(ours %.1f meeting 2 0 12 gap), balls in 3D $(ours %.1f meeting 3 0 12 gap))" | fact walls.gap

# mean_row PROBLEM
mean_row() {
  local mean name cells=()
  for name in f gradient_norm solved_f evaluations; do
    for mean in false true; do
      cells+=("$(pick friction_mean $name problem="$1" friction_mean=$mean)")
    done
  done
  awk -v problem="$1" -v row="${cells[*]/#/x}" 'BEGIN {
    n = split(row, x, " ")
    for (i = 1; i <= n; i++) { x[i] = substr(x[i], 2) }
    printf "| `%s` | %.9g, %.9g | %.6g, %.6g | %s |\n", problem, x[1], x[2], x[3], x[4],
      x[5] == "" ? "-" : sprintf("%.4g after %d, %.4g after %d", x[5], x[7], x[6], x[8])
  }'
}

{
  echo "| problem | f at the start: moment, mean | gradient norm: moment, mean | solved: moment, mean |"
  echo "|---|---|---|---|"
  while IFS= read -r problem; do
    mean_row "$problem"
  done < <(awk -F, 'NR > 1 && $2 == "false" { print $1 }' friction_mean.csv)
} | fact walls.mean
