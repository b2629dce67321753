#!/usr/bin/env bash
# Makes the picture of the README's robot again, readme_robot.png, from the problem file that stands there.
#
#   results/reference/make_readme.sh [build/cqopt] [FOLDER]
#
# A run that FOLDER has is not made again; without it the run is in a folder that is removed at the end.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

awk '/^```/ { inside = $0 == "```cfg robot.cfg"; next } inside' "$here/../../README.md" > robot.cfg
if ! grep -qs '"exit_code"' run_robot/run.json; then
  rm -rf run_robot
  "$cqopt" solve robot.cfg --quiet --output run_robot
fi
"$cqopt" render run_robot --sheet 6 --columns 3 --color actuation --size 1000x340 \
  --output "$here/readme_robot.png"
