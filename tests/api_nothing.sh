#!/usr/bin/env bash
# Every function that is called with nothing, 0 and NULL for all it takes, says CQ_USAGE where it has a
# status, and never crashes; and test_api_misuse, which knows more ways to be wrong, calls each of them.
# problem.h is left out, and of optimizer.h what has no status: these want what they ask for.
#   tests/api_nothing.sh CC NM INCLUDE LIBCQOPT.SO TEST_API_MISUSE
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"
cc=$1 nm=$2 include=$3 library=$4 misuse=$5
here=$(cd "$(dirname "$0")" && pwd)

# "name status|void numbers": of every prototype (tests/abi.txt, which has one a line)
sed -nE '/^typedef/ d; s/^([^(]*)\b(cq_\w+)\((.*)\);$/\2 \1|\3/p' "$here/abi.txt" |
  awk '{ name = $1; split($0, part, "|"); type = $2 == "cq_status" ? "status" : "other"
         n = part[2] == "void" ? 0 : 1 + gsub(",", ",", part[2]); print name, type, n }' > "$work/all"
diff <(cut -d' ' -f1 "$work/all" | LC_ALL=C sort) "$here/symbols.txt" > "$work/diff" ||
  fail "the headers declare others than the library shows: $(cat "$work/diff")"

# those that must take nothing; there is nothing wrong with closing it
while read -r name type n; do
  case $name in *_close) type=other ;; esac
  if grep -q "\b$name(" "$include/cqopt/problem.h"; then continue; fi
  if [ "$type" = other ] && grep -q "\b$name(" "$include/cqopt/optimizer.h"; then continue; fi
  echo "$name $type $n"
done < "$work/all" > "$work/asked"
[ "$(wc -l < "$work/asked")" -gt 70 ] || fail "only so many are asked: $(wc -l < "$work/asked")"

awk '
  BEGIN { print "#include <cqopt/cqopt.h>\n#include <stdio.h>\nint main(void) {\n  int wrong = 0;" }
  {
    call = $1 "("
    for (i = 0; i < $3; i++) call = call (i > 0 ? ", " : "") "0"
    call = call ")"
    printf "  fprintf(stderr, \"%s\\n\");\n", $1
    if ($2 == "status") printf "  if (%s != CQ_USAGE) { puts(\"%s takes nothing\"); wrong = 1; }\n", call, $1
    else printf "  (void)%s;\n", call
  }
  END { print "  return wrong;\n}" }' "$work/asked" > "$work/nothing.c"
"$cc" -std=c99 -I"$include" "$work/nothing.c" "$library" -Wl,-rpath,"$(dirname "$library")" -o "$work/nothing"
"$work/nothing" 2> "$work/said" || fail "with nothing, the last one that was called is $(tail -n 1 "$work/said")"

"$nm" --undefined-only "$misuse" | awk '{ print $2 }' | sed 's/@.*//' | LC_ALL=C sort > "$work/called"
missing=$(comm -23 <(cut -d' ' -f1 "$work/asked" | LC_ALL=C sort) "$work/called")
[ -z "$missing" ] || fail "test_api_misuse does not call $missing"
finish
