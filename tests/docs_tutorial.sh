#!/usr/bin/env bash
# What docs/tutorial.md shows of its problems is what they do: evaluations, designs, slopes. Counts of
# evaluations and numbers at rounding are left out, because they differ between machines.
# usage: docs_tutorial.sh PROGRAM
page=$(cd "$(dirname "$0")/.." && pwd)/docs/tutorial.md
source "$(dirname "$0")/cli_lib.sh"
quick=(--set output.report=false --set output.trajectory=false --set optimizer.verify_refined=false --quiet)

awk '/^```/ { if (file != "") close(file); file = $1 == "```cfg" ? $2 : ""; next }
  file != "" { print > file }' "$page"

# near VALUE WANTED TOLERANCE WORDS: relative, or absolute below 1
near() {
  awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; s = b < 0 ? -b : b; s = s < 1 ? 1 : s
    exit !(a != "" && b != "" && (d < 0 ? -d : d) <= t * s) }' || fail "$4: $1, the page says $2"
}

# the best value of a variable of design.csv
best() { awk -F, -v name="$2" '$1 == name { print $3 }' "$1/design.csv"; }

expect 0 "$cqopt" solve toss.cfg --output toss "${quick[@]}"
rows=0
# eval objective ... elapsed with its unit
while read -r eval f _; do
  rows=$((rows + 1))
  near "$(awk -F, -v e="$eval" '$1 == e { print $4; exit }' toss/history.csv)" "$f" 1e-5 "evaluation $eval"
done < <(grep -E '^ +[0-9]+  [0-9.]+e[-+][0-9]+ .* s( \*)?$' "$page")
[ "$rows" -ge 4 ] || fail "only $rows evaluations found in the page"
for j in 0 1; do
  near "$(best toss "disc.initial_velocity[$j]")" \
    "$(awk -v name="disc.initial_velocity[$j]" '$1 == name { print $3 }' "$page")" 1e-6 "velocity $j"
done

expect 0 "$cqopt" gradcheck toss.cfg
said=$(sed -n 's/^objective by .* slope \([0-9.]*\)$/\1/p' "$page")
near "$(sed -n 's/^objective by .* slope \([0-9.]*\)$/\1/p' out)" "$said" 1e-8 "the slope"

expect 0 "$cqopt" solve ceiling.cfg --output ceiling "${quick[@]}"
said=$(sed -n 's/^The new velocity is (\([0-9.]*\), \([0-9.]*\)) m.s.*/\1 \2/p' "$page")
near "$(best ceiling 'disc.initial_velocity[0]')" "${said% *}" 0.005 "under the ceiling, x"
near "$(best ceiling 'disc.initial_velocity[1]')" "${said#* }" 0.005 "under the ceiling, y"

expect 0 "$cqopt" solve toss.cfg --output other --set 'design.[0].start=[1, 1]' "${quick[@]}"
said=$(sed -n 's/^toss: verified optimum, f = \([0-9.]*\),.*/\1/p' "$page")
near "$(member other f)" "$said" 1e-6 "from another start"

expect 0 "$cqopt" solve hit.cfg --output hit "${quick[@]}"
said=$(sed -n 's/.*hit.cfg` finds \([0-9.]*\) kg.*/\1/p' "$page")
near "$(best hit disc.density)" "$said" 1e-4 "the density"
finish
