#!/usr/bin/env bash
# What the library shows and what it may call. Names of the API are those of symbols.txt, so that one
# that goes away is seen; new ones are added with --write. Nothing is printed, no signal is handled,
# no process ends from inside, and nothing of the whole process is set: the calls for it are not there.
# What it may write beside its contexts is a list: tables that are filled once, and handlers of other libraries.
# CUDA's runtime, which is in the library where it was built with it, has calls of its own.
#   tests/symbols.sh NM OBJDUMP LIBCQOPT.SO LIBCQOPT.A [--write|--cuda]
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"
nm=$1 objdump=$2 shared=$3 archive=$4
list=$(cd "$(dirname "$0")" && pwd)/symbols.txt

"$nm" -D --defined-only "$shared" | sed -nE 's/^[0-9a-f]+ [^A] ([^@]*).*/\1/p' | LC_ALL=C sort > "$work/shared"
[ "${5:-}" != --write ] || cp "$work/shared" "$list"
diff "$list" "$work/shared" > "$work/diff" || {
  fail "the library's names are others than those of tests/symbols.txt; one that is gone (<) breaks programs:"
  cat "$work/diff"
}
if grep -v '^cq_' "$work/shared"; then
  fail "these are no names of ours"
fi
# OpenMP shares its locks by name between the objects of a program
"$nm" --defined-only "$archive" | awk '$2 ~ /^[A-TV-Z]$/ {print $3}' | grep -v '^\.gomp_critical_user_' |
  LC_ALL=C sort > "$work/archive"
cmp -s "$work/shared" "$work/archive" || {
  fail "the archive has other names:"
  diff "$work/shared" "$work/archive" || true
}

"$nm" -D --undefined-only "$shared" | awk '{print $2}' | sed 's/@.*//' > "$work/calls"
grep -q '^calloc$' "$work/calls" || fail "the search finds nothing"
if [ "${5:-}" != --cuda ] && grep -xE '_?_?exit|_Exit|quick_exit|abort|atexit|on_exit|pthread_exit|signal|sigaction|sigprocmask|pthread_sigmask|chdir|umask|setenv|putenv|setlocale|s?rand|raise|kill|fork|exec.*|system|popen|(__)?v?d?printf(_chk)?|puts|putchar|perror|stdout|stderr|__assert_fail|_ZSt4c(err|out)' "$work/calls"; then
  fail "the library must not call these"
fi

# words of keys (problems/), guarded by pthread_once; what locks guard (opt/quiet_gsl.c, record/h5.c); bytes that nobody writes
written=(all before cq_block_words cq_body_blocks cq_field_blocks cq_term_blocks cq_tie_blocks
  h5_lock h5_told_before h5_told_to lock n_all n_inside nothing once)
"$objdump" -t "$archive" | awk '{ for (i = 2; i < NF; i++) if ($i == ".data" || $i == ".bss") print $NF }' |
  grep -v '^\.' | sed 's/\.[0-9]*$//' | LC_ALL=C sort -u > "$work/state"
printf '%s\n' "${written[@]}" | diff - "$work/state" > "$work/diff" || [ "${5:-}" = --cuda ] || {
  fail "contexts side by side must share nothing that is written, but for what this test lists:"
  cat "$work/diff"
}
finish
