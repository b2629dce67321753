#!/usr/bin/env bash
# Times the fluid engine beside SPlisHSPlasH (DFSPH, boundaries of Akinci) on one dam that breaks: 3D,
# single precision, one thread, steps of 1 + 10 sweeps each, in turns; times are of the processor's
# clock.
#
#   bench/peers/fluid_splishsplash.sh [CQOPT [FOLDER [ROUNDS]]]
#
# Needs Python 3, PyPI and Debian's libgl1. The wheel of pysplishsplash brings a part of OpenGL with it,
# which does not start beside the system's other parts: so the system's own is loaded first. Writes
# FOLDER/fluid_splishsplash.csv.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cqopt=$(realpath "${1:-build/cqopt}")
folder=${2:-build/peers}
rounds=${3:-3}
mkdir -p "$folder"
cd "$folder"
folder=$PWD
gl=$(ldconfig -p | sed -n 's/.*libGL\.so\.1 .* => //p' | head -n 1)
[ -n "$gl" ] || { echo "fluid_splishsplash.sh: there is no libGL.so.1 (Debian: libgl1)" >&2; exit 1; }
if [ ! -d splishsplash ]; then
  python3 -m venv splishsplash
  splishsplash/bin/pip install --quiet --disable-pip-version-check pysplishsplash==2.19.0
fi
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
PYTHONDONTWRITEBYTECODE=1 exec splishsplash/bin/python "$here/fluid_splishsplash.py" "$cqopt" "$folder" "$rounds" "$gl"
