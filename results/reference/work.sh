# For the make scripts: sets `here` and `cqopt` from "[build/cqopt] [FOLDER]" and goes into FOLDER, or
# into a folder that is removed at the end.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cqopt=$(realpath "${1:-$here/../../build/cqopt}")
if [ -n "${2:-}" ]; then
  mkdir -p "$2"
  cd "$2"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
fi

# solve RUN ARGUMENTS...: unless it is there
solve() {
  local run=$1
  shift
  grep -qs '"exit_code"' "$run/run.json" && return
  rm -rf "$run"
  "$cqopt" solve "$@" --quiet --output "$run" > "$run.out" 2>&1 || true # how it ended is in its run.json
}

# member RUN NAME: of its run.json
member() {
  sed -n "s/^  \"$2\": \"\{0,1\}\([^,\"]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1/run.json"
}

# solve_to EVALUATIONS RUN ARGUMENTS...: by one thread; a run that has fewer goes on
solve_to() {
  local run=$2 options=(--threads 1 --quiet --set optimizer.max_evaluations="$1")
  if [ -s "$run/evals.bin" ]; then
    grep -qs '"exit_code"' "$run/run.json" && [ "$(member "$run" evaluations)" -ge "$1" ] && return
    "$cqopt" solve --resume "$run" "${options[@]}" > "$run.out" 2>&1 || true
  else
    rm -rf "$run"
    "$cqopt" solve "${@:3}" "${options[@]}" --output "$run" > "$run.out" 2>&1 || true
  fi
}
