#!/usr/bin/env bash
# An engine is named in its folder alone: nothing outside of sim/<engine> includes a header that stands
# there, but tests, the benchmark of the MPM engine, and the schema, whose rows are made of its lists. Of
# the engines of the tests the house knows nothing at all.
set -euo pipefail
cd "${1:?the folder of the sources}"
code=0
engines() { # the folders of a list
  sed -n "s,^CQ_ENGINE(\(.*\))\$,$1/\1,p" "$2"
}
for engine in $(engines sim sim/core/engine_list.h) \
  $(engines tests/engines tests/engines/engine_list.h); do
  list=${engine##*/}
  [ -d "$engine" ] || { echo "there is no folder $engine"; exit 1; }
  headers=$(find "$engine" -name '*.h' -o -name '*.cuh')
  [ -n "$headers" ] || { echo "$engine has no headers"; exit 1; }
  for header in $headers; do
    name=${header#"$engine"/}
    found=$(grep -rlE "#include \"(.*/)?$name\"" --include='*.[ch]' --include='*.cu' \
      include sim controllers opt record render problems cli |
      grep -vE "^$engine/|^problems/schema(_rows)?\.[ch]$" || true)
    [ -z "$found" ] || { echo "$header is included by:" $found; code=1; }
  done
  found=$(grep -rlE "\bcq_${list}_|\bcq_(engine|part)_$list\b|\bCQ_${list^^}_" --include='*.[ch]' \
    include sim controllers opt record render problems cli | grep -v "^$engine/" || true)
  [ -z "$found" ] || { echo "names of $engine are in:" $found; code=1; }
done
exit $code
