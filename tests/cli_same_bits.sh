#!/usr/bin/env bash
# same_bits.sh finds no difference between a program and itself, and one in the last bit of a design.
same_bits=$(cd "$(dirname "$0")" && pwd)/same_bits.sh
source "$(dirname "$0")/cli_lib.sh"
export SAME_BITS=$work/records

printf '#!/bin/sh\nexec %q "$@"\n' "$cqopt" > same
printf '#!/bin/sh\n[ "$1" = solve ] || exec %q "$@"\nexec %q "$@" --set "design.[0].start=[0.2, 0.30000000000000004]"\n' \
  "$cqopt" "$cqopt" > other
chmod +x same other
expect 0 "$same_bits" "$cqopt" ./same bounce
grep -q 'the same bits: 1 problems' out || fail "$(cat out)"
expect 1 "$same_bits" "$cqopt" ./other bounce
grep -q 'bounce differs' out || fail "$(cat out)"
# one that leaves no record is no match
printf '#!/bin/sh\nexit 1\n' > broken
chmod +x broken
expect 1 "$same_bits" ./broken ./broken bounce
finish
