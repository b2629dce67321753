#!/usr/bin/env bash
# An engine is named in its folder alone. Nothing outside of sim/<engine>, but tests and the benchmark
# of the MPM engine, includes a header that stands there, uses a name that begins with its own, or says
# a word that only its tables have: its inputs, fields, materials, boundary conditions, actuators, keys
# and their words. Searched are names and texts in quotes of the sources; comments are free. Of the
# engines of the tests the house knows nothing at all.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:?the folder of the sources}"
layers=(include sim controllers opt record render problems api cli)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
code=0

engines() { # the folders of a list
  sed -n "s,^CQ_ENGINE(\(.*\))\$,$1/\1,p" "$2"
}
mapfile -t folders < <(engines sim sim/core/engine_list.h; engines tests/engines tests/engines/engine_list.h)

# names_of FILE...: of list headers their entries, of tables of keys the keys
names_of() {
  grep -hoE '^ *[A-Z_]+\([a-z_A-Z]+' "$@" | grep -vE '^ *(KEY|AFTER|CQ_[A-Z]+_KEY_LIST)\(' | sed 's/.*(//'
  grep -hoE '^ *(KEY|X)\([a-z_]+, [a-z_0-9]+' "$@" | sed 's/.* //' || true
}

# words_of FOLDER: of an engine's lists, its keys, and its type
words_of() {
  mapfile -t tables < <(find "$1" -name '*_list.h' -o -name '*_keys.h')
  [ ${#tables[@]} -eq 0 ] || names_of "${tables[@]}"
  [ ! -f "$1/type.c" ] ||
    sed -nE 's/^ *INPUT\(([A-Za-z_]+), .*/\1/p; s/.*cq_field_type .*\{"([a-z_]+)".*/\1/p' "$1/type.c"
}

find "${layers[@]}" \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.js' \) > "$work/files"
mapfile -t shared_tables < <(find sim/core sim/shapes controllers opt problems -name '*_list.h' -o -name 'schema_table.h' -o -name shape_keys.h -o -name track_keys.h -o -name rigid_keys.h)
{ names_of "${shared_tables[@]}"; printf '%s\n' x v density volume gravity friction track theta; } |
  sort -u > "$work/shared"
# said of something else: a control group without a limit, a grid of settings, the lines behind a
# curve; the roles of what is drawn, a call that opens a file, the key of a term
cat > "$work/else" << 'END'
sim/base/threads.c says "max"
api/run.c says "controls"
cli/cmd_bench.c says "frame"
cli/options.c says "grid"
cli/plan.c says "grid"
cli/report/batch.js says "grid"
cli/report/player.js says "controls"
cli/report/plot.js says "grid"
cli/report/view2d.js says "room"
cli/report/view2d.js says "wall"
cli/report/view3d.js says "wall"
cli/report_run.c says "motion"
opt/trace_append.c says "open"
problems/objective_build.c says "direction"
problems/rigid_read.c says "driven"
problems/scene_draw.c says "room"
render/picture.c says "room"
render/scenery.c says "wall"
sim/mpm/scene/walls.c says "wall"
END

for folder in "${folders[@]}"; do
  engine=${folder##*/}
  [ -d "$folder" ] || { echo "there is no folder $folder"; exit 1; }
  headers=$(find "$folder" -name '*.h' -o -name '*.cuh')
  [ -n "$headers" ] || { echo "$folder has no headers"; exit 1; }
  for header in $headers; do
    name=${header#"$folder"/}
    found=$(grep -rlE "#include \"(.*/)?$name\"" --include='*.[ch]' --include='*.cu' "${layers[@]}" |
      grep -v "^$folder/" || true)
    [ -z "$found" ] || { echo "$header is included by:" $found; code=1; }
  done
  found=$(grep -rlE "\bcq_${engine}_|\bcq_(engine|part)_$engine\b|\bCQ_${engine^^}_" --include='*.[ch]' \
    "${layers[@]}" | grep -v "^$folder/" || true)
  [ -z "$found" ] || { echo "names of $folder are in:" $found; code=1; }

  # what only this engine has
  for other in "${folders[@]}"; do
    [ "$other" = "$folder" ] || words_of "$other"
  done | sort -u | sort -u - "$work/shared" > "$work/others"
  words_of "$folder" | sort -u | comm -23 - "$work/others" > "$work/words"
  [ -s "$work/words" ] || { echo "$folder has no words of its own"; exit 1; }
  # a file that says one of them shows that the search finds it
  printf '/* %s */ const char *text = "%s";\n' "$(tail -n 1 "$work/words")" "$(head -n 1 "$work/words")" > "$work/probe.c"
  # another engine may have a word of its own that is the same
  { grep -vE "^($(IFS='|'; echo "${folders[*]}"))/" "$work/files"; echo "$work/probe.c"; } | xargs awk -f "$here/layers.awk" > "$work/said"
  # A text that is such a word, or has one with an underscore in it, or a path to one; a name that has
  # one with an underscore in it.
  awk -F '\t' -v list="$work/words" '
    BEGIN {
      while ((getline word < list) > 0) {
        own[word] = 1
        if (word ~ /_/) long[word] = 1
      }
    }
    {
      word = ""
      if ($2 == "text" && ($3 in own)) word = $3
      path = $3
      if ($2 == "text" && path ~ /^[a-z_.]+$/ && sub(/^.*\./, "", path) && (path in own)) word = path
      for (w in long) if (index($3, w)) word = w
      if (word != "" && !told[$1, word]++) print $1 " says \"" word "\""
    }' "$work/said" | grep -vxFf "$work/else" > "$work/found" || true
  [ "$(grep -c "^$work/probe.c" "$work/found")" = 1 ] || { echo "the search finds nothing"; exit 1; }
  sed -i "\\|^$work/probe.c|d" "$work/found"
  if [ -s "$work/found" ]; then
    echo "words of $folder are in:"
    sort "$work/found"
    code=1
  fi
done
exit $code
