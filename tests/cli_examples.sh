#!/usr/bin/env bash
# Every example is solved, with exit code 0; no body is torn, and no design turns a particle inside out,
# which would be a failed evaluation or one solved in smaller steps.
examples=$(cd "$(dirname "$0")/../examples" && pwd)
source "$(dirname "$0")/cli_lib.sh"

for file in "$examples"/*.cfg; do
  name=$(basename "$file" .cfg)
  expect 0 "$cqopt" solve "$file" --quiet --set optimizer.verify_refined=false --output "$name"
  case $(member "$name" reason) in
    "target reached"* | "verified optimum"*) ;;
    *) fail "$name: $(member "$name" reason)" ;;
  esac
  for none in failures recovered torn_share; do
    [ "$(member "$name" "$none")" = 0 ] || fail "$name: $none is $(member "$name" "$none")"
  done
done
finish
