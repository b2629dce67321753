#!/usr/bin/env bash
# What programs are compiled against: every type, member, value and prototype of the public headers, in
# their order, is that of abi.txt. Where abidiff (abigail-tools) is installed it says what a change does to
# sizes and offsets.
#   tests/abi.sh CC INCLUDE [--write]
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"
cc=$1 include=$(realpath "$2")
list=$(cd "$(dirname "$0")" && pwd)/abi.txt

# declarations FOLDER: what our headers there declare, without comments and however lines are broken;
# functions that are inline are part of the programs that use them
declarations() {
  "$cc" -std=c17 -E -xc -I"$1" "$1/cqopt/cqopt.h" |
    awk -v ours="\"$1/cqopt/" '/^# [0-9]+ "/ { keep = index($3, ours) == 1; next } keep' |
    sed 's/__attribute__((visibility("default"))) *//' | tr -s '[:space:]' ' ' |
    sed -E 's/ ?([{;]) ?/\1\n/g' | sed -E '/^CQ_[A-Z0-9_]+[ ,]/ s/, /,\n/g; s/^ +//' |
    awk 'inside && sub(/^} ?/, "") { inside = 0 } /^static inline/ { inside = 1 } !inside && NF'
}

# library TEXT NAME: one that uses every function of such a text by its type, for abidiff
library() {
  {
    printf '#include <%s>\n' stdbool.h stddef.h stdint.h stdio.h
    cat "$1"
    sed -nE 's/^[^(]*\W(cq_\w+)\(.*\);$/\1/p' "$1" | sed 's/.*/__typeof__(\&&) of_&;/'
  } > "$2.c"
  "$cc" -std=gnu17 -g -fPIC -shared "$2.c" -o "$2.so"
}

# report OLD NEW: what abidiff finds between two such texts
report() {
  command -v abidiff > /dev/null || return 0
  library "$1" "$work/old"
  library "$2" "$work/new"
  abidiff "$work/old.so" "$work/new.so" || true
}

declarations "$include" > "$work/now"
[ "${3:-}" != --write ] || cp "$work/now" "$list"
diff "$list" "$work/now" > "$work/diff" || {
  fail "the headers declare something else than tests/abi.txt (--write, once that is meant):"
  cat "$work/diff"
  report "$list" "$work/now"
  echo "What goes, moves or changes its type breaks programs that were built before: if a release had it,"
  echo "raise CQ_ABI in cqopt/version.h. Functions more, values at the end of an enum and members at the end"
  echo "of a struct with struct_size do not."
}

# what it has to see, by the text and by abidiff, and what is no change
sees() {
  local wanted=$1 header=$2 change=$3 said=same
  rm -rf "$work/include"
  cp -r "$include" "$work/include"
  sed -i -E "$change" "$work/include/cqopt/$header"
  ! cmp -s "$include/cqopt/$header" "$work/include/cqopt/$header" || fail "the check is no change of $header: $change"
  declarations "$work/include" > "$work/then"
  cmp -s "$work/now" "$work/then" || said=change
  [ "$said" = "$wanted" ] || fail "a change of $header ($change) is called $said"
  if command -v abidiff > /dev/null && [ "$wanted" = change ]; then
    report "$work/now" "$work/then" > "$work/report"
    grep -q "$4" "$work/report" || fail "abidiff does not see $change: $(cat "$work/report")"
  fi
}
sees change file.h '/^typedef struct cq_about_file/,/^}/ s/^  int dimension/  int more;\n&/' 'cq_about_file.*changed'
sees change optimizer.h 's/^\} cq_result;/  int more;\n&/' 'cq_result.*changed'
sees change solve.h 's/^(  bool )has_point, reached_target/\1reached_target, has_point/' 'cq_outcome.*changed'
sees change base.h 's/^  X\(IO,.*/  X(MORE, 1, "more") \\\n&/' 'CQ_MORE'
sees change run.h 's/(cq_run_advance\(cq_run \*run, )int/\1long/' 'cq_run_advance'
sees same file.h 's/^(\/\* )(Loads a built-in.*)/\1Said otherwise: \2/'
finish
