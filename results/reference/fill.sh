#!/usr/bin/env bash
# Writes the numbers of the tables of this folder into README.md, docs/ and examples/, where a page has
#
#   <!-- n: KEY -->28, 45, 28<!-- end -->    within a line, or the same on lines of their own around a table
#
# KEY is a name in facts.sh, which says what stands there.
#
#   results/reference/fill.sh             writes them
#   results/reference/fill.sh --check     changes nothing: exit code 1 where a page has another number
#
# With $FACTS, a folder, they are those that it has; if there is no such folder yet they go there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
facts=${FACTS:-$work/facts}
if [ ! -d "$facts" ]; then
  mkdir "$facts"
  (cd "$here" && bash facts.sh "$facts")
fi
cd "$here/../.."

pages=(README.md docs/*.md examples/*.md)
failed=0
for page in "${pages[@]}"; do
  awk -v facts="$facts" -f "$here/fill.awk" "$page" > "$work/page" || failed=1
  cmp -s "$page" "$work/page" && continue
  if [ "${1:-}" = --check ]; then
    echo "$page: numbers are not those of results/reference; run: results/reference/fill.sh"
    diff "$page" "$work/page" || failed=1
  elif [ "$failed" -eq 0 ]; then
    cat "$work/page" > "$page"
  fi
done

# what no page has is not computed
while read -r fact; do
  echo "facts.sh: no page has $fact"
  failed=1
done < <(LC_ALL=C comm -23 <(cd "$facts" && printf '%s\n' * | LC_ALL=C sort) \
  <(grep -oh '<!-- n: [^ ]* -->' "${pages[@]}" | cut -d' ' -f3 | LC_ALL=C sort -u))
exit "$failed"
