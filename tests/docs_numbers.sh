#!/usr/bin/env bash
# The numbers in README.md, docs/ and examples/ are those of the tables in results/reference, and every picture there
# is shown by a page.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export FACTS=$work/facts
results/reference/fill.sh --check

# a number that is changed on either side, a mark with an unknown name, one that would turn a line into
# HTML, a name that no page has
mkdir -p "$work/results/reference"
cp -r README.md docs examples "$work"
cp results/reference/*.csv results/reference/fill.* results/reference/facts*.sh "$work/results/reference"
page=$work/docs/results.md
sed -i 's/^\(codesign_full_sqp_1,.*\),0\.15869,/\1,0.25869,/' "$work/results/reference/codesign_runs.csv"
sed -i 's/\(<!-- n: bridge.mass -->\)0\.8/\10.9/' "$page"
(cd "$work/results/reference" && bash facts.sh "$FACTS" codesign)
"$work/results/reference/fill.sh" > "$work/out"
diff docs/results.md "$page" > "$work/changes" || true
if [ "$(grep -c '^>' "$work/changes")" -ne 2 ] || ! grep -q '^> .*0\.259, 0\.209' "$work/changes"; then
  echo "fill.sh writes something else than one number of a changed table (and what depends on it):"
  cat "$work/changes"
  exit 1
fi
sed -i -e 's/\(<!-- n: bridge.mass -->\)0\.8/\10.9/' -e 's/<!-- n: walker.adam -->/<!-- n: no.such -->/' "$page"
echo '<!-- n: bridge.mass -->1<!-- end --> at the start of a line.' >> "$page"
if "$work/results/reference/fill.sh" --check > "$work/out" 2>&1; then
  echo "fill.sh --check sees nothing"
  exit 1
fi
for text in 'bridge.mass -->0\.803' 'has no "no.such"' 'must be alone' 'no page has walker.adam'; do
  grep -q "$text" "$work/out" || { echo "fill.sh --check does not say \"$text\":"; cat "$work/out"; exit 1; }
done

for picture in results/reference/*.{svg,png} examples/*.{svg,png}; do
  [ -e "$picture" ] || continue
  grep -qF "${picture##*/}" README.md docs/*.md examples/*.md || {
    echo "no page shows $picture"
    exit 1
  }
done
