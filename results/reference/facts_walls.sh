# shellcheck shell=bash
# For facts.sh: bodies on walls and slopes, validation_walls.csv.

# ours FORMAT CASE DIM PARAMETER CELLS QUANTITY
ours() { pick validation_walls value case="$2" dim="$3" parameter="$4" cells="$5" quantity="$6" | as "$1"; }

{
  echo "| | wall, gravity at once, 2D | 3D | rigid body | body of material | wall, begins at rest, 2D | 3D |"
  echo "|---|---|---|---|---|---|---|"
  echo "| friction 0.5: acceleration, of 0.669873 m/s^2 | $(ours %.4f swings 2 0.5 4 acceleration | tr -d -) | $(ours %.4f swings 3 0.5 4 acceleration | tr -d -) | $(ours %.4f inclined 2 0.5 4 acceleration | tr -d -) | $(ours %.4f laid 2 0.5 4 acceleration | tr -d -) | $(ours %.6f slope 2 0.5 4 acceleration | tr -d -) | $(ours %.6f slope 3 0.5 4 acceleration | tr -d -) |"
  for mu in 0.6 0.7 1; do
    echo "| friction $mu: speed [m/s] | $(ours %.0e swings 2 $mu 4 drift | sed 's/^-//') | $(ours %.0e swings 3 $mu 4 drift | sed 's/^-//') | $(ours %.0e inclined 2 $mu 4 drift | sed 's/^-//') | $(ours %.0e laid 2 $mu 4 drift | sed 's/^-//') | $(ours %.0e slope 2 $mu 4 speed) | $(ours %.0e slope 3 $mu 4 speed) |"
  done
} | fact walls.slope
for what in 'steep40 0.93' 'steep45 1.1'; do
  read -r case mu <<< "$what"
  echo "$(ours %.0e "$case" 2 "$mu" 4 drift) and $(ours %.0e "$case" 3 "$mu" 4 drift)" | sed 's/^-//; s/ -/ /' | fact "walls.$case"
done
pick validation_walls value case=flat quantity=way | as %.4f | fact walls.flat
pick validation_walls value case=flat quantity=mean_way | as %.4f | fact walls.flat.mean

{
  echo "| plane off the nodes below it, in cells | 0.01 | 0.25 | 0.5 | 0.75 | 0.99 |"
  echo "|---|---|---|---|---|---|"
  for touch in 0 0.6; do
    printf '| touch %s: way, speed |' "$touch"
    for part in 0.01 0.25 0.5 0.75 0.99; do
      printf ' %s, %s |' "$(ours %.3f roll 2 $part 12 "way_$touch")" "$(ours %.3f roll 2 $part 12 "speed_$touch")"
    done
    echo
  done
} | fact walls.roll

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

# stepped CASE QUANTITY DIVISOR: by the moment, by the mean
stepped() { pick friction_steps value case="$1" quantity="$2" divisor="$3" | as %.3f; }

{
  echo "| time step [ms] | speed back, of that towards the floor: moment, mean | impulse of friction, of 0.2 times that of the floor: moment, mean |"
  echo "|---|---|---|"
  for by in 1 2 4; do
    echo "| $(echo "$by" | awk '{ print 0.25/$1 }') | $(stepped block rebound $by) | $(stepped block friction $by) |"
  done
} | fact walls.bounce

# shorter TRAINED DIVISOR: of the way of each gait, which begins at 0.14 m, by the law that it was trained by; in percent
shorter() {
  awk -F, -v trained="$1" -v by="$2" '$2 == trained && $3 == trained && $5 == "way" {
    if ($4 == 1) { way = $6 - 0.14 }
    if ($4 == by) { printf "%.4f\n", 100*(way - ($6 - 0.14))/way } }' friction_steps.csv | as %.1f
}
for by in 2 4; do
  shorter false $by | fact walls.gaits.moment.$by
  shorter true $by | fact walls.gaits.mean.$by
done
pick friction_steps value case=ceiling quantity=kinks | as %d | fact walls.kinks
