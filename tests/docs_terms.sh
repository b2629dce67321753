#!/usr/bin/env bash
# The table of docs/terms.md has every term of problems/term_list.h, with the keys of its header and
# its default of `when`, and no other; the exit codes in docs/runs.md are those of include/cqopt/base.h.
set -euo pipefail
cd "$(dirname "$0")/.."

# name|keys|default, as the source has them
source_rows() {
  local name default keys
  sed -n 's/^CQ_TERM(\([a-z_]*\), [A-Z]*, "\([a-z]*\)", .*)$/\1 \2/p' problems/term_list.h |
    while read -r name default; do
      keys=$({
        sed -n "s/^  K($name, \([a-z_]*\),.*/\1/p" "problems/terms/$name.h"
        # and those that several terms share, by the macro that stands in a header of theirs
        shared=$(sed -nE "s/.*\b(CQ_[A-Z_]+_KEYS)\(K, $name\b.*/\1/p" "problems/terms/$name.h")
        if [ -n "$shared" ]; then
          sed -n 's/^  K(name, \([a-z_]*\),.*/\1/p' "$(grep -l "#define $shared(" problems/terms/*.h)"
        fi
      } | paste -sd ' ')
      echo "$name|$keys|$default"
    done
}

# the same of the table whose first column is headed "term"; an escaped | is none of the table's
page_rows() {
  sed 's/\\|//g' docs/terms.md | awk -F ' *[|] *' '
    $2 == "term" { inside = 1; getline; next }
    !/^\|/ { inside = 0 }
    inside { gsub(/`/, ""); gsub(/, /, " ", $6); print $2 "|" $6 "|" $7 }'
}

[ "$(source_rows | wc -l)" -ge 10 ] || { echo "FAIL: the terms of term_list.h are not found"; exit 1; }
diff <(source_rows) <(page_rows) || { echo "FAIL: docs/terms.md is not what the source says"; exit 1; }

source_codes() {
  sed -n 's/^  X([A-Z_]*, \([0-9]*\), ".*/\1/p' include/cqopt/base.h | sort -n -u
}
page_codes() {
  awk -F ' *[|] *' '$2 == "code" { inside = 1; getline; next } !/^\|/ { inside = 0 }
    inside { gsub(/, /, "\n", $2); print $2 }' docs/runs.md
}
[ "$(source_codes | wc -l)" -ge 8 ] || { echo "FAIL: the exit codes of base.h are not found"; exit 1; }
diff <(source_codes) <(page_codes) || { echo "FAIL: the exit codes of docs/runs.md are not the source's"; exit 1; }
