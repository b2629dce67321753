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
