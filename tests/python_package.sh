#!/usr/bin/env bash
# The Python package: a wheel of the library of this build, in a fresh virtual environment, where
# python/tests and examples/python run beside no source. Skipped (77) where Python, pip or the
# packages that it would fetch are not there.
#   tests/python_package.sh PROGRAM LIBRARY SOURCE
set -euo pipefail
program=$1 library=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*"; exit 1; }

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || skip "no Python 3.9 or later"
python3 -m pip --version > /dev/null 2>&1 || skip "no pip (Debian: python3-pip)"
# pip installs from outside, so that the environment needs none of its own (Debian: python3-venv)
python3 -m venv --without-pip "$work/env" 2> "$work/log" || skip "no virtual environment: $(cat "$work/log")"
python=$work/env/bin/python
install() { python3 -m pip --python "$python" --quiet --disable-pip-version-check --retries 1 install "$@"; }
install numpy pytest gymnasium > "$work/log" 2>&1 || skip "numpy, pytest and gymnasium cannot be fetched"

# a copy without what git ignores: a build of the package writes nothing into the source
mkdir "$work/source"
(cd "$source" && cp -r pyproject.toml python include LICENSE "$work/source")
install "$work/source" "--config-settings=cmake.define.CQ_WHEEL_LIBRARY=$library" > "$work/log" 2>&1 ||
  { grep -qi "no matching distribution\|connection" "$work/log" && skip "scikit-build-core cannot be fetched"
    fail "the wheel cannot be built: $(cat "$work/log")"; }
mv "$work/source/python/tests" "$work/tests"
mv "$work/source/include" "$work/include"
rm -r "$work/source"
cp -r "$source/examples/python" "$work/examples"
cp "$source/bench/python.py" "$work/bench.py"

license=$(sed -n 's/^License-Expression: //p' "$work"/env/lib/python3*/site-packages/cqopt-*/METADATA)
[ "$license" = GPL-3.0-or-later ] || fail "the wheel has the licence '$license'"
cd "$work"
export CQOPT_PROGRAM=$program CQOPT_HEADERS=$work/include CQOPT_EXAMPLES=$work/examples PYTHONDONTWRITEBYTECODE=1
unset CQOPT_LIBRARY PYTHONPATH
"$python" -m pytest -q -p no:cacheprovider --durations=5 "$work/tests"

"$python" bench.py "$program" --quick > "$work/log" 2>&1 || fail "bench/python.py: $(cat "$work/log")"
for line in "density_inference" "evaluate adds" "an action of the finger" "8 side by side"; do
  grep -q "$line.*[0-9]" "$work/log" || fail "bench/python.py does not say '$line': $(cat "$work/log")"
done
