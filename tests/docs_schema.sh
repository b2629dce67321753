#!/usr/bin/env bash
# The reference in docs/problem-file.md is what `cqopt help schema` prints, and the problem files shown
# in README.md and docs/ and those of examples/ load. usage: docs_schema.sh PROGRAM [--write]
set -euo pipefail
cqopt=$(realpath "$1")
cd "$(dirname "$0")/.."
page=docs/problem-file.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the page with the reference of this program between its two marks
"$cqopt" help schema > "$work/schema"
awk -v schema="$work/schema" '
  /^<!-- schema: end -->$/ { inside = 0 }
  !inside { print }
  /^<!-- schema: begin -->$/ {
    inside = 1
    print "```text"
    while ((getline line < schema) > 0) print line
    print "```"
  }' "$page" > "$work/page"
if [ "${2:-}" = --write ]; then
  cat "$work/page" > "$page"
elif ! cmp -s "$page" "$work/page"; then
  diff "$page" "$work/page" | head -20
  echo "docs/problem-file.md is out of date; run: bash tests/docs_schema.sh build/cqopt --write"
  exit 1
fi

# blocks that begin with ```cfg NAME
awk -v to="$work" '
  /^```/ { if (file != "") close(file); file = $1 == "```cfg" ? to "/" $2 : ""; next }
  file != "" { print > file }' README.md docs/*.md
shown=0
for file in "$work"/*.cfg examples/*.cfg; do
  "$cqopt" show "$file" > "$work/out" || { echo "a problem file of the pages does not load: ${file##*/}"; exit 1; }
  shown=$((shown + 1))
done
[ "$shown" -ge 5 ] || { echo "only $shown problem files found in the pages"; exit 1; }
