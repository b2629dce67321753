#!/usr/bin/env bash
# No circle of files, and no library that needs one above it. A file A stands on a file B if A's
# object needs a symbol that B's defines; both are read from the libraries.
#   tests/circles.sh NM LIBRARIES...    lowest first; "a.a,b.a": these two may need each other
set -euo pipefail
nm=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# loops < "a b" a line, a stands on b: prints the files of each circle; 1 if there is one
loops() {
  local said
  if said=$(LC_ALL=C tsort 2>&1 > /dev/null); then
    return 0
  fi
  sed 's/^tsort: -: input contains a loop:$/a circle of files:/; s/^tsort: /  /' <<< "$said"
  return 1
}

# symbols RANK LIBRARY: "RANK library:file D|U symbol". A file that is compiled more than once is one
# file; weak symbols are of the language, not of a file.
symbols() {
  "$nm" -A -g "$2" 2> /dev/null | awk -v rank="$1" '{
    split($0, part, ":")
    n = split(part[1], path, "/")
    file = part[2]
    sub(/\.o$/, "", file)
    type = $(NF - 1)
    if (type ~ /^[TDBRC]$/) print rank, path[n] ":" file, "D", $NF
    if (type == "U") print rank, path[n] ":" file, "U", $NF
  }'
}

printf 'a b\nb c\nc a\nd a\n' | loops > /dev/null && { echo "it does not see a circle"; exit 1; }
printf 'a b\nb c\na c\nd a\n' | loops

rank=0
for level in "$@"; do
  rank=$((rank + 1))
  for library in ${level//,/ }; do
    symbols $rank "$library"
  done
done > "$work/symbols"
# rank of A, A, rank of B, B, a symbol
awk '$3 == "D" { file[$4] = $2; rank[$4] = $1 }
     $3 == "U" { needs[++n] = $1 " " $2 " " $4; of[n] = $4 }
     END { for (i = 1; i <= n; i++) {
             split(needs[i], a, " ")
             if (of[i] in file && file[of[i]] != a[2] && !seen[a[2], file[of[i]]]++)
               print a[1], a[2], rank[of[i]], file[of[i]], of[i]
           } }' "$work/symbols" > "$work/edges"
count=$(wc -l < "$work/edges")
[ "$count" -gt 500 ] || { echo "only $count needs were found: what does $nm say?"; exit 1; }

code=0
awk '{ print $2, $4 }' "$work/edges" | loops > "$work/circles" || code=1
cat "$work/circles"
# who needs what of whom in them
awk 'NR == FNR { if ($1 ~ /:/ && NF == 1) within[$1] = 1; next }
     $2 in within && $4 in within { print "  " $2 " needs " $5 " of " $4 }' \
  "$work/circles" "$work/edges"
awk '$1 < $3 { print $2 " needs " $5 " of " $4 ", which is above it"; bad = 1 } END { exit bad }' \
  "$work/edges" || code=1
[ $code -ne 0 ] || echo "no circle: $count needs of one file by another"
exit $code
