#!/usr/bin/env bash
# The numbers in README.md and docs/ are those of the tables in results/reference, and every picture there
# is shown by a page.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

results/reference/fill.sh --check

# it sees a number that is changed on either side, a mark that is not known, and one that would break a line
mkdir -p "$work/results/reference"
fresh() {
  rm -rf "$work/docs"
  cp -r README.md docs "$work"
  cp results/reference/*.csv results/reference/fill.sh results/reference/*.awk results/reference/facts*.sh \
    "$work/results/reference"
}
refused() { # WHAT SAYS
  if "$work/results/reference/fill.sh" --check > "$work/out" 2>&1; then
    echo "not seen: $1"
    exit 1
  fi
  grep -q "$2" "$work/out" || { echo "$1: does not say \"$2\":"; cat "$work/out"; exit 1; }
}
page=$work/docs/results.md
fresh
sed -i 's/^\(codesign_full_sqp_1,.*\),0\.15869,/\1,0.15969,/' "$work/results/reference/codesign_runs.csv"
refused "a number of a table" '^< .*0\.159, 0\.209.*'
fresh
sed -i 's/\(<!-- n: codesign_full_sqp.J -->\)0\.1/\10.2/' "$page"
refused "a number of a page" '^> .*0\.159, 0\.209'
"$work/results/reference/fill.sh" > "$work/out"
cmp -s docs/results.md "$page" || { echo "fill.sh does not mend a page"; exit 1; }
fresh
echo 'It is <!-- n: no.such -->1<!-- end --> now.' >> "$page"
refused "an unknown name" 'has no "no.such"'
fresh
echo '<!-- n: walker.adam -->1<!-- end --> at the start of a line.' >> "$page"
refused "a mark at the start of a line" 'must be alone'
fresh
sed -i 's/<!-- n: walker.adam -->/<!-- n: walker.gradient_descent -->/' "$page"
refused "a name that no page has" 'no page has walker.adam'

for picture in results/reference/*.{svg,png} examples/*.{svg,png}; do
  [ -e "$picture" ] || continue
  grep -qF "${picture##*/}" README.md docs/*.md examples/*.md || {
    echo "no page shows $picture"
    exit 1
  }
done
