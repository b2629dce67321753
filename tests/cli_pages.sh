#!/usr/bin/env bash
# Man pages and completions say what the program's help says, and are what man, bash and zsh can read.
# usage: cli_pages.sh PROGRAM FOLDER-OF-PAGES
pages=$(realpath "$2")
source "$(dirname "$0")/cli_lib.sh"
mapfile -t commands < <("$cqopt" help | sed -n 's/^  \([a-z]\{2,\}\) .*/\1/p')
[ ${#commands[@]} -ge 14 ] || fail "only ${#commands[@]} commands"

# --- man pages ---

[ "$(ls "$pages" | grep -c '\.1$')" -eq $((${#commands[@]} + 1)) ] || fail "not a page a command: $(ls "$pages")"
# readable PAGE: no warning of those that read it; plain text into page.txt
readable() {
  if command -v man > /dev/null && [ -x /usr/bin/groff ]; then
    MANROFFOPT='' man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 > /dev/null | tee said | head -n 3
    [ ! -s said ] || fail "$1: man has warnings"
  fi
  if command -v mandoc > /dev/null; then
    mandoc -T lint -W warning "$1" > said || fail "$1: $(head -n 3 said)"
  fi
  # what roff makes of it, without roff: escapes undone
  sed 's/\\f[BIR]//g; s/\\(aq/'"'"'/g; s/\\&//g; s/\\-/-/g; s/\\e/\\/g' "$1" > page.txt
}
readable "$pages/cqopt.1"
for command in "${commands[@]}"; do
  grep -q "^\.BR cqopt\\\\-$command (1)" "$pages/cqopt.1" || fail "cqopt(1) does not name $command"
  readable "$pages/cqopt-$command.1"
  while read -r option; do
    grep -q -e "^$option\( \|$\)" page.txt || fail "cqopt-$command(1) has no $option"
  done < <("$cqopt" help "$command" | grep -oE '^  --[a-z-]+')
  for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' 'SEE ALSO'; do
    grep -qx "\.SH $section" "$pages/cqopt-$command.1" || fail "cqopt-$command(1) has no $section"
  done
done
grep -qx '130' <(sed -n 's/^\.B //p' "$pages/cqopt.1") || fail "cqopt(1) does not say what exit code 130 is"
readable "$pages/cqopt-plot.1"
grep -q '^only these rows of a table' page.txt || fail "cqopt-plot(1) does not explain --where"

# --- bash ---

source "$pages/cqopt.bash"
complete -p cqopt | grep -q _cqopt || fail "bash knows no completion of cqopt"
mkdir -p runs/one
touch my.cfg my.csv
# completes WORDS... gives WANTED...: the last of WORDS is being typed
completes() {
  local typed=() wanted
  while [ "$1" != gives ]; do
    typed+=("$1")
    shift
  done
  shift
  COMP_WORDS=("${typed[@]}")
  COMP_CWORD=$((${#typed[@]} - 1))
  _cqopt
  wanted=$(printf '%s\n' "$@" | sort)
  [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" = "$wanted" ] ||
    fail "bash: '${typed[*]}' is completed by '${COMPREPLY[*]}', not '$*'"
}
completes cqopt "" gives "${commands[@]}" --help --version
completes cqopt so gives solve
completes cqopt st gives study
completes cqopt solve velo gives $("$cqopt" list | sed -n 's/^\(velo[a-z_0-9]*\) .*/\1/p')
completes cqopt solve my gives my.cfg
completes cqopt solve runs gives runs
completes cqopt solve --prog gives --progress
completes cqopt solve bounce --progress "" gives auto bar plain none
completes cqopt solve bounce --progress = gives auto bar plain none
completes cqopt solve bounce --progress = b gives bar
completes cqopt evaluate bounce --format c gives csv
completes cqopt evaluate bounce --at my gives my.cfg my.csv
completes cqopt evaluate bounce --gradient --form gives --format
completes cqopt compare bounce --with LD_SL gives LD_SLSQP
completes cqopt report run gives runs
completes cqopt list opt gives optimizers
completes cqopt help ev gives evaluate
completes cqopt bench --fra gives
completes cqopt unknown --o gives
# words are those of the help
for option in 'solve --progress' 'solve --device' 'evaluate --format' 'compare --budget-in' 'compare --problem-set' \
  'render --take' 'render --map'; do
  words=$(_cqopt_values ${option})
  [ -n "$words" ] || fail "bash knows no words for $option"
  for word in $words; do
    "$cqopt" help "${option% *}" | grep -qw -e "$word" || fail "the help on $option does not say $word"
  done
done
for command in "${commands[@]}"; do
  mapfile -t options < <("$cqopt" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p')
  completes cqopt "$command" -- gives "${options[@]}"
done

# --- zsh, in a terminal of its own ---

if command -v zsh > /dev/null; then
  zsh -n "$pages/_cqopt" || fail "zsh cannot read _cqopt"
  cat > try.zsh << 'END'
zmodload zsh/zpty
zpty z zsh -f -i
typeset text= piece
# types a line and a tab, and waits for what it becomes
zpty -w z "PS1='> '; TERM=dumb; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; setopt no_always_last_prompt; unsetopt prompt_sp; print ready"
while zpty -r z piece && text+=$piece && [[ $text != *$'\n'ready* ]]; do :; done
for line wanted in "${@:2}"; do
  zpty -w -n z "$line"$'\t'
  text=
  for try in {1..100}; do
    while zpty -r -t z piece; do text+=$piece; done
    [[ $text == *"$wanted"* ]] && break
    sleep 0.1
  done
  [[ $text == *"$wanted"* ]] || print -r -- "'$line' is not completed to '$wanted': ${text//[^[:print:]]/ }"
  zpty -w -n z $'\x15'
done
zpty -d z
END
  if zsh -c 'zmodload zsh/zpty' 2> /dev/null; then
    timeout 60 zsh -f try.zsh "$pages" 'cqopt sol' 'cqopt solve ' 'cqopt solve --prog' '--progress=' \
      'cqopt evaluate --format=c' '--format=csv ' 'cqopt solve velocity_2' 'velocity_2d ' \
      'cqopt help gradc' 'gradcheck ' 'cqopt list opti' 'optimizers ' 'cqopt new boun' 'bounce ' > zsh.txt 2>&1 < /dev/null || fail "zsh ended with an error"
    [ ! -s zsh.txt ] || fail "zsh: $(cat zsh.txt)"
  fi
fi
finish
