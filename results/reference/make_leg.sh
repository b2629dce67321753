#!/usr/bin/env bash
# Solves pneumatic_leg and pneumatic_leg_drop: leg.csv and leg.png. Each by the method of its file and at twenty random
# designs; the answer of the drop with eight times the particles. A minute or two of one core. leg_published.csv has one run of
# the answer of pneumatic_leg with the published 290,000 particles, in float, with processor time and memory: a minute more.
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

# the answer among as many particles as published
tail -n +2 pneumatic_leg/design.csv | cut -d, -f3 > published.at
"$cqopt" new pneumatic_leg published.cfg > published.out
sed -i 's/spacing = 0.005/spacing = 0.001/; s/hold = 900/hold = 2250/' published.cfg
[ -s published.csv ] || /usr/bin/time -v "$cqopt" evaluate published.cfg --threads 1 --at published.at --format csv \
  --set simulation.precision=float --set simulation.memory="512 MiB" --set simulation.cell=4e-3 \
  --set 'simulation.grid=[60, 60, 60]' --set simulation.time_step=8e-5 --set simulation.steps=2250 > published.csv 2> published.time
{
  echo "task,particles,steps,f,user_seconds,peak_gib"
  awk -F: -v f="$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next } { print $at["f"] }' published.csv)" '
    /User time/ { user = $2 }
    /Maximum resident/ { printf "pneumatic_leg,290000,2250,%.4g,%.1f,%.2f\n", f, user, $2 / 1048576 }' published.time
} > leg_published.csv
cp leg_published.csv "$here/leg_published.csv"

"$cqopt" render pneumatic_leg --sheet 3 --columns 3 --color strain --view 20,15 --size 480x230 --output "$here/leg.png"
