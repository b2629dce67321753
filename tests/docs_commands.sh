#!/usr/bin/env bash
# The commands that the pages show are commands of this program. Those that are cheap are run as they
# stand. A solve or simulate of a problem file of the pages is run with a small budget. What would take
# minutes, or is written with placeholders, is parsed: subcommand, options, built-in problem, --set keys.
# usage: docs_commands.sh PROGRAM
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
set -- "$(realpath "$1")"
source "$root/tests/cli_lib.sh"
program=$cqopt
cqopt() { "$program" "$@"; }
small=(--set optimizer.max_evaluations=2 --set optimizer.verify=residual --set optimizer.verify_refined=false
  --set output.report=false)
declare -A count=([run]=0 [small]=0 [parsed]=0) seen=()

# ```cfg NAME of the pages as files, and those of examples/
awk -v to="$work" '
  /^```/ { if (file != "") close(file); file = $1 == "```cfg" ? to "/" $2 : ""; next }
  file != "" { print > file }' "$root"/README.md "$root"/docs/*.md
cp "$root"/examples/*.cfg "$root"/examples/*.csv "$root"/examples/*.stl .
cat > tiny.cfg << 'END'
simulation: { grid = [24, 24]; cell = 0.05; time_step = 4e-3; steps = 400; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "disc"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.05; } );
design: ( { variable = "initial_velocity"; body = "disc"; lower = -2; upper = 2; start = [0.5, 1]; } );
objective: ( { term = "distance"; body = "disc"; target = [0.8, 0.6]; } );
END
# what the pages take for granted
expect 0 cqopt solve tiny.cfg --output RUN --quiet
expect 0 cqopt simulate tiny.cfg --output flight --quiet
expect 0 cqopt compare tiny.cfg --with LD_SLSQP,LN_COBYLA --budget 8 --seeds 2 --output compared --quiet
cp compared/curves.csv .
mkdir results
cp -r RUN results/
cqopt list > problems.txt
cqopt list optimizers > optimizers.txt
cqopt help > help.txt

# --- commands of a page, one a line: "block COMMAND" or "inline COMMAND" -------------------------------

commands_of() {
  awk '
    function take(line) {
      sub(/^\$ /, "", line)
      sub(/ +#.*$/, "", line)
      sub(/   +.*$/, "", line)          # what is explained beside it
      sub(/^[A-Z_]+=[^ ]+ /, "", line)  # a variable for the command
      if (line ~ /^(cqopt [a-z-]|\.\/bootstrap |bench\/|bash |cp )/) print "block " line
    }
    /^ *```/ { code = !code; shell = $0 ~ /```(sh|text)?$/; next }
    code { if (shell && ($0 ~ /^\$ / || $0 ~ /^(cqopt|\.\/bootstrap|cp )/)) take($0); next }
    /^    [^ ]/ { take(substr($0, 5)); next }
    { prose = prose " " $0 }
    END {
      n = split(prose, part, "`")
      for (i = 2; i <= n; i += 2)
        if (part[i] ~ /^(cqopt|\.\/bootstrap) [a-z-]/) {
          gsub(/ +/, " ", part[i])
          print "inline " part[i]
        }
    }' "$1"
}

# --- what is checked of every command ---------------------------------------------------------------

# the options of a subcommand, one a line
options_of() {
  [ -f "options.$1" ] || cqopt help "$1" | grep -oE '^  --[a-z-]+' | tr -d ' ' > "options.$1"
  cat "options.$1"
}

check_method() {
  grep -qE "^$1( |$)" optimizers.txt || fail "$page: $command: $1 is no optimizer"
}

# the problem loads, with the --set of the command
check_problem() {
  local problem=$1 word sets=()
  shift
  while [ $# -gt 0 ]; do
    word=$1
    shift
    if [ "$word" = --set ]; then sets+=(--set "$1"); fi
  done
  cqopt show "$problem" "${sets[@]}" > out 2> err || fail "$page: $command: $(cat err)"
}

is_problem() {
  [[ "$1" == *.cfg && -f "$1" ]] || grep -qE "^$1 " problems.txt
}

# parse SUBCOMMAND ARGUMENTS...
parse() {
  local sub=$1 word
  shift
  grep -qE "^  $sub( |$)" help.txt || { fail "$page: $command: no subcommand $sub"; return; }
  for word in "$@"; do
    if [[ "$word" == --* && "$word" != --version ]] && ! options_of "$sub" | grep -qx -e "$word"; then
      fail "$page: $command: $sub has no option $word"
    fi
  done
  case "$sub" in
    solve | simulate | gradcheck | evaluate | compare | study | show | render | new)
      # a name in small letters is a problem, placeholders are capitals
      if [[ "${1:-}" =~ ^[a-z][a-z0-9_]*(\.cfg)?$ ]]; then
        if is_problem "$1"; then
          check_problem "$@"
        elif [ ! -d "$1" ] && [ "$1" != my.cfg ]; then
          fail "$page: $command: $1 is no problem"
        fi
      fi ;;
  esac
  while [ $# -gt 0 ]; do
    if [ "$1" = --with ] && [[ "${2:-}" != *NAME* ]]; then
      for word in $(echo "$2" | sed 's/([^)]*)//g; s/,/ /g'); do check_method "$word"; done
    fi
    shift
  done
}

# --- what is run -------------------------------------------------------------------------------------

# may CODES COMMAND...: one of these exit codes
may() {
  local codes=$1 code=0
  shift
  "$@" > out 2> err || code=$?
  [[ " $codes " == *" $code "* ]] || fail "$page: $command: exit $code: $(tail -n 3 err)"
}

# run_it SUBCOMMAND ARGUMENTS...: runs it, or fails where it is one to parse alone
run_it() {
  local sub=$1 on=${2:-} all=" $* " i output
  # a page may write the same file twice; study and compare go on in their folder
  for ((i = 1; i < $#; i++)); do
    output=$((i + 1))
    if [ "${!i}" = --output ] && [ "$sub" != study ]; then rm -rf "./${!output}"; fi
  done
  case "$sub" in
    help | list | doctor | show) kind=run ;;
    report) kind=run; [ -d "$on" ] || return 1 ;;
    new) kind=run; rm -f my.cfg ;;
    plot) kind=run; command -v gnuplot > /dev/null || return 1 ;;
    render)
      kind=run
      { [ -d "$on" ] || [[ "$on" = [a-z]* && "$all" != *--design* ]]; } && [[ "$all" != *.mp4* ]] &&
        cqopt doctor | grep -q '^cairo *yes' || return 1 ;;
    compare) kind=run; [ "$on" = --problem-set ] && [[ "$all" != *NAME* ]] || return 1 ;;
    gradcheck) kind=run; [ "$on" = toss.cfg ] || return 1 ;;
    study) kind=small; [ -f "$on" ] || return 1 ;;
    solve) kind=small; { [ "$on" = --resume ] && [ -d "${3:-}" ]; } || [ -f "$on" ] || return 1 ;;
    evaluate) kind=run; [ -f "$on" ] && [[ "$all" != *" --at "* ]] || return 1 ;;
    simulate) kind=run; [ -f "$on" ] && [[ "$all" != *" --design RUN "* ]] || return 1 ;;
    *) return 1 ;;
  esac
  case "$kind $on" in
    run*) may 0 cqopt "$@" ;;
    *--resume) may "0 3" cqopt "$@" --set optimizer.max_evaluations=3 ;;
    *) may "0 3 6" cqopt "$@" "${small[@]}" ;;
  esac
}

check_cqopt() {
  local words kind
  mapfile -t words < <(printf '%s\n' "$command" | xargs -n 1 printf '%s\n')
  words=("${words[@]:1}")
  parse "${words[@]}"
  # placeholders but RUN are nobody's to run
  if [ "$where" = block ] || ! [[ "$command" =~ (\.\.\.|\[[A-Z]|PROBLEM|FILE|NAME|FOLDER|--resume|--start) ]]; then
    # those of examples/ are run by tests of their own
    [[ "$command" != *'...'* && "$page" != examples/* ]] && run_it "${words[@]}" || kind=parsed
  else
    kind=parsed
  fi
  count[$kind]=$((count[$kind] + 1))
  [ -z "${DOCS_VERBOSE:-}" ] || echo "$SECONDS s: $kind: $page: $command"
}

check_bootstrap() {
  bash "$root/bootstrap" help | grep -qE "\./bootstrap $(echo "$command" | cut -d ' ' -f 2)( |$)" ||
    fail "$page: $command: bootstrap has no such command"
  count[parsed]=$((count[parsed] + 1))
}

check_script() {
  local script
  script=$(echo "$command" | sed 's/^bash //; s/ .*//')
  [[ "$script" == DIR/* || -f "$root/$script" ]] || fail "$page: $command: no file $script"
  count[parsed]=$((count[parsed] + 1))
}

while read -r page; do
  while read -r where command; do
    # inline ones are often the same
    [ "$where" = block ] || [ -z "${seen[$command]:-}" ] || continue
    seen[$command]=1
    case "$command" in
      *'<('*) ;;
      './bootstrap '*) check_bootstrap ;;
      bench/* | 'bash '*) check_script ;;
      'cp '*) $command || fail "$page: $command" ;;
      cqopt\ --version) ;;
      *) check_cqopt ;;
    esac
  done < <(commands_of "$root/$page")
done < <(cd "$root" && ls README.md CONTRIBUTING.md docs/*.md examples/README.md)

# a study in two parts: all values, and none solved twice
[ "$(wc -l < shared/study.csv)" -eq 5 ] || fail "not 4 rows of a shared study: $(cat shared/study.csv)"
[ "$(grep -c ' seed 1: ' shared/log.txt)" -eq 4 ] || fail "runs of a part were solved again: $(cat shared/log.txt)"

# the layout of evals.bin: what the page's reader sees is what history.csv has
if command -v python3 > /dev/null; then
  awk '/^```/ { inside = $0 == "```python"; next } inside' "$root/docs/runs.md" > reader.py
  python3 reader.py | cut -d ' ' -f 1,2 > rows || fail "the reader of evals.bin in docs/runs.md"
  awk -F, 'NR > 1 { printf "%d %.12g\n", $1, $4 }' RUN/history.csv > wanted
  awk '{ printf "%d %.12g\n", $1, $2 }' rows | diff - wanted || fail "docs/runs.md reads evals.bin in another way"
fi

echo "${count[run]} commands run, ${count[small]} with a small budget, ${count[parsed]} parsed"
[ $((count[run] + count[small])) -ge 25 ] || fail "too few commands found"
finish
