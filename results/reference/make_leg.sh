#!/usr/bin/env bash
# Solves pneumatic_leg and pneumatic_leg_drop: leg.csv and leg.png. Each by the method of its file and at twenty random
# designs; the answer of the drop with eight times the particles. A minute or two of one core.
#
#   results/reference/make_leg.sh [build/cqopt] [FOLDER]
#
# Runs that FOLDER has are not made again; without it they are in a folder that is removed at the end.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

# best RUN: the values of its best design
best() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next } { printf "%s%.4g", (NR > 2 ? " " : ""), $at["best"] }' \
    "$1/design.csv"
}

# row TASK METHOD RUN
row() {
  printf '%s,%s' "$1" "$2"
  local name
  for name in exit_code evaluations f; do
    printf ',%s' "$(member "$3" "$name" | awk '{ printf "%.4g", $1 }')"
  done
  printf ',%s\n' "$(best "$3")"
}

echo "task,method,exit_code,evaluations,f,design" > leg.csv
for task in pneumatic_leg pneumatic_leg_drop; do
  solve "$task" "$task" --threads 1
  row "$task" gradients "$task" >> leg.csv
  solve "$task-random" "$task" --threads 1 --set optimizer.name=random_search --set optimizer.max_evaluations=21
  row "$task" random "$task-random" >> leg.csv
done

# where the middle is at a time, of the 0.153 and 0.2 m that were asked for
height() {
  awk -F, -v time="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    $1 > time - 1e-6 && !found { found = 1; printf "%.4f", $at["leg.y"] }' "$1/observations.csv"
}

# half the spacing and the cell
if ! grep -qs '"exit_code"' fine/run.json; then
  rm -rf fine
  "$cqopt" simulate pneumatic_leg_drop --design pneumatic_leg_drop --threads 1 --frames 2 --output fine --quiet \
    --set 'bodies.[0].spacing=2.5e-3' --set simulation.cell=5e-3 --set 'simulation.grid=[40, 80, 40]' \
    --set simulation.time_step=1e-4 --set simulation.steps=3500
fi
printf 'pneumatic_leg_drop,fine,%s,1,,%s %s\n' "$(member fine exit_code)" "$(height fine 0.24)" "$(height fine 0.34)" >> leg.csv
cp leg.csv "$here/leg.csv"

"$cqopt" render pneumatic_leg --sheet 3 --columns 3 --color strain --view 20,15 --size 480x230 --output "$here/leg.png"
