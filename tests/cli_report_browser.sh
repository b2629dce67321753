#!/usr/bin/env bash
# report.html in a browser without a display: see_report.py. Exit code 77: there is none, or no Python.
tests=$(cd "$(dirname "$0")" && pwd)
source "$tests/cli_lib.sh"

if ! python3 "$tests/browser.py" > /dev/null 2>&1; then
  echo "skipped: no chromium for python3 (apt: chromium; or name a browser of its kind in CQ_BROWSER)"
  exit 77
fi

expect 3 "$cqopt" solve bounce --quiet --output flat --set optimizer.max_evaluations=4
expect 0 "$cqopt" simulate bounce --quiet --output flight --design flat
python3 "$tests/see_report.py" flat/report.html flight/particles.csv || fail "flat/report.html"
finish
