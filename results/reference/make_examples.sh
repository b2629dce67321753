#!/usr/bin/env bash
# Solves the examples again: examples.csv, and their pictures in examples/. Some minutes on two cores.
#
#   results/reference/make_examples.sh [build/cqopt] [FOLDER]
#
# Runs that FOLDER has are not made again; without it they are in a folder that is removed at the end.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
examples=$here/../../examples

# picture RUN OPTIONS...: the command of examples/README.md
picture() {
  "$cqopt" render "$1" --sheet 3 --columns 3 "${@:2}" --output "$examples/$1.png"
}

solve finger_polygon "$examples/finger_polygon.cfg"
solve finger_polygon_optimum "$examples/finger_polygon.cfg" --set optimizer.stop_at_target=false
solve swimmer "$examples/swimmer.cfg"
solve quadruped "$examples/quadruped.cfg"
solve two_materials "$examples/two_materials.cfg"
solve silicone_beam "$examples/silicone_beam.cfg"
solve one_material "$examples/two_materials.cfg" --set optimizer.max_evaluations=40 \
  --set 'design=({variable="actuation"; start=[0, 5e3, 5e3, 5e3]; lower=0; upper=3e4;})'

picture finger_polygon --color body --size 640x260
picture swimmer --color body --size 640x200
picture quadruped --color actuation --size 640x200
picture two_materials --color youngs_modulus --size 640x200

{
  echo "run,exit_code,evaluations,start,f,half_step_f,half_step_share,violation,torn_share"
  for run in finger_polygon finger_polygon_optimum swimmer quadruped two_materials one_material silicone_beam; do
    start=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } NR == 2 { print $at["f"] }' "$run/history.csv")
    printf '%s,%s,%s,%.6g,%.6g,' "$run" "$(member "$run" exit_code)" "$(member "$run" evaluations)" "$start" \
      "$(member "$run" f)"
    awk -v f="$(member "$run" half_step_f)" -v share="$(member "$run" half_step_share)" \
      -v violation="$(member "$run" violation)" -v torn="$(member "$run" torn_share)" 'BEGIN {
        printf "%s,%s,%.3g,%s\n", f == "" ? "" : sprintf("%.6g", f), share == "" ? "" : sprintf("%.3g", share),
          violation, torn }'
  done
} > "$here/examples.csv"

# what the fit finds, its error bars, and what the tracks were made from
{
  echo "variable,value,standard_error,truth"
  awk -F, 'NR == FNR { truth[$1] = $2; next }
    FNR > 1 && $1 in truth { printf "%s,%.6g,%.3g,%s\n", $1, $3, $4, truth[$1] }' \
    <(printf '%s\n' beam.youngs_modulus,8e4 damping,2 time_offset,0.004 view_rotation,0.02 view_offset[0],0.003 \
      view_offset[1],-0.002) silicone_beam/uncertainty.csv
  sed -n 's/^ *"probability": \([^,]*\),*$/probability,\1,,/p' silicone_beam/run.json
} > "$here/silicone_beam.csv"
