#!/usr/bin/env bash
# The program is the library's first user: cli/ includes the public headers, its own, and those that
# stand here: what every layer stands on, and the parts of the program that no library has (recorded
# motions, pictures, measurements). A line that nothing includes any more goes.
#   tests/cli_headers.sh SOURCE
set -euo pipefail
cd "${1:?the folder of the sources}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
code=0

cat > "$work/list" << 'END_OF_LIST'
bench/bench.h
bench/closed_form.h
record/motion.h
record/trajectory.h
render/camera.h
render/paint.h
render/render.h
END_OF_LIST
sed 's/^/sim\/base\//' >> "$work/list" << 'END_OF_LIST'
alloc.h
csv.h
csv_read.h
file_kind.h
fresh.h
hash.h
json.h
nearest.h
open.h
plural.h
simd.h
status.h
text_file.h
threads.h
timer.h
utf8.h
whole.h
wrap.h
END_OF_LIST
# made by the build
printf '%s\n' build_id.h page_data.h > "$work/made"

# the path of a header that a file includes: its own folders, the public ones, then the list
place() {
  local folder
  for folder in cli cli/report cli/pages; do
    [ ! -f "$folder/$1" ] || { echo "$folder/$1"; return; }
  done
  [ ! -f "include/$1" ] || { echo "include/$1"; return; }
  ! grep -qxF "$1" "$work/made" || { echo "made/$1"; return; }
  grep -E "/${1//./\\.}\$" "$work/list" && return
  find api opt problems controllers sim record render bench -path "*/$1" | sort | head -n 1
}

# check FILE...: prints "FILE HEADER" of what a file may not include
check() {
  local file header found
  grep -HoE '^ *# *include "[^"]+"' "$@" | sed 's/: *# *include "/ /; s/"$//' > "$work/includes"
  while read -r file header; do
    found=$(place "$header")
    case $found in
      cli/* | include/cqopt/* | made/*) ;;
      *)
        if grep -qxF "$found" "$work/list"; then
          echo "$found" >> "$work/used"
        else
          echo "$file ${found:-$header}"
        fi
        ;;
    esac
  done < "$work/includes"
}

: > "$work/used"
printf '#include "%s"\n' cqopt/file.h status.h scene.h trace.h no_such.h > "$work/probe.c"
[ "$(check "$work/probe.c" | wc -l)" -eq 3 ] || { echo "a header of problems or opt is not noticed"; exit 1; }

mapfile -t files < <(find cli -name '*.[ch]')
check "${files[@]}" > "$work/wrong"
if [ -s "$work/wrong" ]; then
  echo "cli/ may not include these; what it needs of them belongs into include/cqopt:"
  cat "$work/wrong"
  code=1
fi
sort -u "$work/used" > "$work/had"
left=$(sort "$work/list" | comm -23 - "$work/had")
[ -z "$left" ] || { echo "nothing includes these any more, take them off the list:" $left; code=1; }
[ $code -ne 0 ] || echo "$(wc -l < "$work/list") headers beside the public ones"
exit $code
