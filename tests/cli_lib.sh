# shellcheck shell=bash disable=SC2034
# What the tests of the program share: source it with the program as $1. Each test works in a folder
# of its own, which is removed at the end.
set -euo pipefail

cqopt=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

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

finish() {
  echo "$failures failed"
  [ "$failures" -eq 0 ]
}
