#!/usr/bin/env bash
# Wrong calls of the Python package under AddressSanitizer: none corrupts memory, and none leaves any
# of the library's behind. Python's own losses are not looked at. Skipped (77) where Python, pip, numpy
# or pytest are not there.
#   tests/python_sanitized.sh PROGRAM LIBRARY SOURCE, both built with the sanitizers
set -euo pipefail
program=$1 library=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*"; exit 1; }

# any Python that has what is wanted; else one of its own, with packages that are fetched
ready() { "$1" -c 'import sys, numpy, pytest; sys.exit(sys.version_info < (3, 9))' > "$work/log" 2>&1; }
python=python3
ready "$python" || python=/usr/bin/python3
if ! ready "$python"; then
  python=$work/env/bin/python
  python3 -m venv --without-pip "$work/env" 2> "$work/log" || skip "no virtual environment: $(cat "$work/log")"
  python3 -m pip --python "$python" --quiet --disable-pip-version-check --retries 1 install numpy pytest > "$work/log" 2>&1 ||
    skip "numpy and pytest cannot be fetched"
fi

preload=$(ldd "$library" | awk '/lib[at]san/ { print $3 }')
[ -n "$preload" ] || fail "$library is not built with AddressSanitizer"

# checked NAME COMMAND...: under the sanitizer; Python's memory too is from malloc, so that it is seen.
# Its reports go to NAME.log.PROCESS
checked() {
  local name=$1
  shift
  env LD_PRELOAD="$preload" PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/python" \
    CQOPT_PROGRAM="$program" CQOPT_LIBRARY="$library" OMP_WAIT_POLICY=passive \
    ASAN_OPTIONS="detect_leaks=1:log_path=$work/$name.log:stack_trace_format='#%n %F %S in %m'" \
    LSAN_OPTIONS=exitcode=0 "$@"
}

# faults NAME: of its reports, leaks with a frame in the library or those it is linked with, and
# everything that is no leak
faults() {
  cat /dev/null "$work/$1".log.* 2> /dev/null | awk -v RS= -v ORS='\n\n' '
    /ERROR: AddressSanitizer|runtime error/ ||
      (/(Direct|Indirect) leak/ && /lib(cqopt|nlopt|gsl|config|hdf5)/)'
}

checked leak "$python" -c 'from cqopt._lib import lib; lib.cq_ctx_create(1, 1)'
faults leak | grep -q cq_ctx_create || fail "a context that is never destroyed was not reported"

cd "$work"
checked tests "$python" -m pytest -q -p no:cacheprovider --durations=5 "$source/python/tests/test_errors.py" ||
  { faults tests; fail "the tests fail under AddressSanitizer"; }
found=$(faults tests)
[ -z "$found" ] || fail "$found"
