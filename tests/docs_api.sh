#!/usr/bin/env bash
# The page of the public headers is made, and every function, type and macro in them has a comment.
# Members of structs may go without one, where name and unit say it all. usage: docs_api.sh DOXYFILE
. "$(dirname "${BASH_SOURCE[0]}")/work_lib.sh"
doxyfile=$(realpath "$1")
command -v doxygen > /dev/null || { echo "skipped: doxygen is not installed"; exit 77; }
cd "$work"

# warnings_of INPUT: what Doxygen misses there
warnings_of() {
  { cat "$doxyfile"; printf 'OUTPUT_DIRECTORY = %s\nWARN_LOGFILE = %s\n%s\n' "$work" "$work/log" "${1:+INPUT = $1}"; } |
    doxygen - > said 2>&1 || { cat said; exit 1; }
  { grep -v ' (variable) of struct ' log || true; } | sed 's,^.*/include/,,'
}

warnings_of "" > missing
[ ! -s missing ] || fail "the headers lack comments: $(cat missing)"
for name in cq_file_load cq_optimize cq_ctx_create cq_status; do
  grep -qr ">$name<" html || fail "the page has no $name"
done
# a comment behind a line is of all that it declares
grep -q 'a_word_of_both.*a_word_of_both' <(
  cat > probe.h << 'END'
/* probe.h: what the check has to see. */
/* Said. */
typedef struct cq_probe {
  double lower, upper; /* a_word_of_both */
} cq_probe;
void cq_unsaid(int n);
/* Said: n < 3. */
void cq_said(int n);
END
  warnings_of "$work/probe.h" > unsaid
  tr -d '\n' < html/structcq__probe.html
) || fail "a comment is not of both members of its line"
grep -q 'cq_unsaid' unsaid || fail "a function without a comment is not noticed: $(cat unsaid)"
[ "$(wc -l < unsaid)" -eq 1 ] || fail "what has a comment is a warning: $(cat unsaid)"
finish
