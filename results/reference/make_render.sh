#!/usr/bin/env bash
# Makes the pictures of motions and of a report again: render_walker_sheet.png, render_crawler.png,
# report_walker.png and report_phone.png (the last two by chromium).
#
#   results/reference/make_render.sh [build/cqopt] [FOLDER]
#
# Runs that FOLDER has are not made again; without it they are in a folder that is removed at the end.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/work.sh"

# solve RUN ARGUMENTS...: these end by their budgets, with exit code 3
solve() {
  local run=$1
  shift
  if ! grep -qs '"exit_code"' "$run/run.json"; then
    rm -rf "$run"
    "$cqopt" solve "$@" --quiet --output "$run" || [ $? -eq 3 ]
  fi
}

solve run_walker walker_2d
"$cqopt" render run_walker --sheet 6 --columns 3 --color actuation \
  --output "$here/render_walker_sheet.png"

solve run_crawler diffmpm3d_crawler --set optimizer.max_evaluations=25
"$cqopt" render run_crawler --sheet 3 --columns 3 --color actuation --size 1080x312 \
  --output "$here/render_crawler.png"

# the report of the walker, in a window and on a phone
look() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=4000 \
    --window-size="$2" "${@:3}" --screenshot="$here/$1" "file://$PWD/run_walker/report.html" 2> look.err ||
    cat look.err >&2
}
look report_walker.png 1100,850
look report_phone.png 390,844 --blink-settings=preferredColorScheme=0
