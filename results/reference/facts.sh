#!/usr/bin/env bash
# For fill.sh: the numbers that pages have from the tables of this folder. One file a name in FOLDER.
#
#   facts.sh FOLDER [PART]     PART: those of facts_PART.sh alone
set -euo pipefail

folder=$1

# fact NAME: what is read becomes that name's text
fact() {
  cat > "$folder/$1"
  [ -s "$folder/$1" ] || { echo "facts.sh: nothing is found for $1" >&2; exit 1; }
}

# pick TABLE COLUMN [COLUMN=REGEX]...: a number a line, of the rows in which the columns are that
pick() {
  local table=$1 column=$2
  shift 2
  awk -F, -v column="$column" -v wanted="$*" '
    function place(name) {
      if (!(name in at)) { print "facts.sh: " FILENAME " has no column " name > "/dev/stderr"; exit 1 }
      return at[name]
    }
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }
              n = split(wanted, w, " ")
              for (k = 1; k <= n; k++) { split(w[k], pair, "="); of[k] = place(pair[1]); is[k] = "^(" pair[2] ")$" }
              c = place(column)
              next }
    { for (k = 1; k <= n; k++) { if ($of[k] !~ is[k]) { next } }
      print $c }' "$table.csv"
}

# as FORMAT: numbers, a line each, in a row
as() {
  awk -v format="$1" '
    { text = sprintf(format, $1); sub(/e-0/, "e-", text); row = row (NR > 1 ? ", " : "") text }
    END { if (NR > 0) { print row } }'
}

least() { sort -g | sed -n 1p; }
most() { sort -g | sed -n '$p'; }

# times FACTOR: numbers, each times that
times() { awk -v factor="$1" '{ print $1 * factor }'; }

parts=(control codesign compare optimizers bench cuda examples tools fluid walls chambers arm_3d grains ppo gaits walkers_3d)
[ $# -lt 2 ] || parts=("$2")
for part in "${parts[@]}"; do
  # shellcheck source=/dev/null
  source "facts_$part.sh"
done
