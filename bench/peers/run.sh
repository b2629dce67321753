#!/usr/bin/env bash
# Times cqopt beside Taichi on the scenes of DiffTaichi's diffmpm programs, in one run.
#
#   bench/peers/run.sh [BUILD-FOLDER [OPTIONS]]
#
# The build folder, ./build by default, must hold a built cqopt; Python, its packages in their pinned
# versions and what they compile go below it, into peers/. OPTIONS are those of compare.py, such as
# --threads 1 or --scenes walker. The table is printed and left in peers/peers.csv. The exit code is
# 1 when the two sides disagree. The first run compiles for several minutes, most of it for 3D.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:-$here/../../build}
[ $# -eq 0 ] || shift
if [ ! -x "$build/bench/bench_peer" ]; then
  echo "run.sh: $build/bench/bench_peer is not there: cmake --build $build --target bench_peer" >&2
  exit 1
fi
build=$(cd "$build" && pwd)
work=$build/peers
mkdir -p "$work"

if ! cmp -s "$here/requirements.txt" "$work/installed.txt"; then
  python3 -m venv --clear "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$work/installed.txt"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$work/venv/bin/python" "$here/compare.py" \
  --program "$build/bench/bench_peer" --folder "$work" --csv "$work/peers.csv" "$@"
