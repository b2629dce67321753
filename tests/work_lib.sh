# shellcheck shell=bash disable=SC2034
# What shell tests share: a folder $work, which is removed at the end, and fail, which says what is wrong and
# lets the test go on.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# the last line of a test
finish() {
  echo "$failures failed"
  [ "$failures" -eq 0 ]
}
