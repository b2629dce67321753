# shellcheck shell=bash disable=SC2034
# What the tests of the program share: source it with the program as $1. Each test works in a folder
# of its own, which is removed at the end.
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"

cqopt=$1
cd "$work"

# expect CODE COMMAND...: runs it into $work/out and $work/err
expect() {
  local wanted=$1 code=0
  shift
  "$@" > "$work/out" 2> "$work/err" || code=$?
  if [ "$code" -ne "$wanted" ]; then
    fail "exit $code instead of $wanted: $*"
    tail -n 12 "$work/out" "$work/err" | sed 's/^/  | /'
  fi
}

# the error is one line that says TEXT (a basic regular expression)
error_says() {
  if [ "$(grep -vc 'cqopt: warning:' "$work/err")" -ne 1 ]; then
    fail "not one line of error:"
    sed 's/^/  | /' "$work/err"
  fi
  if ! grep -q -e "$1" "$work/err"; then
    fail "the error does not say '$1': $(cat "$work/err")"
  fi
}

has_file() {
  [ -s "$1" ] || fail "$1 is missing or empty"
}

# killing K BYTES ARGUMENT...: the program dies BYTES into its K-th record, by the library $shim; the
# shell keeps quiet
killing() {
  local k=$1 bytes=$2
  shift 2
  (KILL_AT=$k KILL_TORN=$bytes LD_PRELOAD=$shim "$cqopt" "$@" --quiet > out 2>&1; exit $?) 2> /dev/null
}

# 60 particles thrown at a place, without a design: some ten evaluations in a thirtieth of a second
throw_scene() {
  cat << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 12; gravity = [0, -2]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.025; } );
objective: ( { term = "distance"; body = "A"; target = [0.45, 0.4]; },
             { term = "mean_square_velocity"; weight = 1e-3; when = "running"; } );
END
}

# 12 particles thrown at a point among walls: several optima, starts that leave the grid
wall_scene() {
  cat << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 4e-3; steps = 60; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.05; } );
design: ( { variable = "initial_velocity"; body = "A"; lower = -4; upper = 4; start = [0.5, 2]; } );
objective: ( { term = "distance"; body = "A"; target = [0.8, 0.6]; },
             { term = "mean_square_velocity"; weight = 1e-3; when = "running"; } );
END
}

# the value of a member of a run.json
member() {
  sed -n "s/^  \"$2\": \"\{0,1\}\(.*[^,\"]\)\"\{0,1\},\{0,1\}$/\1/p" "$1/run.json"
}

# history.csv without its columns of seconds, which are the last ones
history() {
  awk -F, 'NR == 1 { for (i = NF; $i ~ /_seconds$/; i--) { cut++ } }
           { line = $1; for (i = 2; i <= NF - cut; i++) { line = line "," $i } print line }' \
    "$1/history.csv"
}

# without_seconds FILE.csv: but for the columns that begin so
without_seconds() {
  awk 'BEGIN { FS = OFS = "," }
    NR == 1 { for (i = 1; i <= NF; i++) timed[i] = $i ~ /^seconds/ }
    { for (i = 1; i <= NF; i++) if (timed[i]) $i = ""; print }' "$1"
}
# same_tables FOLDER [NAME]: of a study, as those of the folder whole
same_tables() {
  local file
  for file in study.csv runs.csv; do
    diff <(without_seconds "whole/$file") <(without_seconds "$1/$file") || fail "${2:-$1}: $file differs"
  done
}
