#!/usr/bin/env bash
# What a run says of its gradient: growth, contacts, adjoint.csv.
source "$(dirname "$0")/cli_lib.sh"

between() {
  awk -v low="$1" -v x="$2" -v high="$3" 'BEGIN { exit !(low <= x && x <= high) }'
}

# --- every solve
expect 3 "$cqopt" solve bounce --output plain --set optimizer.max_evaluations=3
grep -q '^Gradient  *grows [0-9.]*-fold backward in time ([0-9.]* per s)' out || fail "$(cat out)"
between 1 "$(member plain gradient_growth)" 1000 || fail "growth $(member plain gradient_growth)"
[ "$(awk -v r="$(member plain gradient_growth_rate)" 'BEGIN { printf "%.6g", exp(1.5 * r) }')" = \
  "$(awk -v g="$(member plain gradient_growth)" 'BEGIN { printf "%.6g", g }')" ] ||
  fail "a rate of $(member plain gradient_growth_rate)"
[ "$(member plain gradient_growth_evaluation)" = "$(member plain best_evaluation)" ] ||
  fail "growth at another evaluation"
[ ! -e plain/adjoint.csv ] && ! grep -q '^Contacts\|adjoint' out || fail "what nobody asked for"

# --- on request, the same bits otherwise
expect 3 "$cqopt" solve bounce --output asked --set optimizer.max_evaluations=3 --set output.adjoint=true
grep -q '^Contacts  *in [0-9]* of 200 steps, 1 spell; [0-9]* switches of a node' out ||
  fail "$(cat out)"
grep -q 'adjoint.csv' out || fail "adjoint.csv is not among the files"
[ "$(wc -l < asked/adjoint.csv)" = 202 ] || fail "$(wc -l < asked/adjoint.csv) rows"
[ "$(member asked contact_spells)" = 1 ] || fail "spells $(member asked contact_spells)"
[ "$(member asked contact_switches)" = \
  "$(awk -F, 'NR > 1 { n += $4 } END { print n }' asked/adjoint.csv)" ] || fail "switches"
diff <(history plain) <(history asked) || fail "another history"
grep -q '"adjoint": \|adjoint = true' asked/problem.cfg || fail "problem.cfg does not ask for it"

# --- simulate
expect 0 "$cqopt" simulate bounce --output simulated --set output.adjoint=true
[ "$(wc -l < simulated/adjoint.csv)" = 202 ] || fail "simulate: rows"
grep -q '^Contacts' out || fail "simulate: $(cat out)"
[ -n "$(member simulated contact_steps)" ] || fail "simulate: run.json"

# --- gradcheck
expect 0 "$cqopt" gradcheck bounce
grep -q '^Gradient  *grows [0-9.]*-fold backward' out || fail "gradcheck: $(cat out)"

# --- a gradient that explodes is warned of
expect 3 "$cqopt" solve rolling_hill --output chaos --set optimizer.max_evaluations=1 \
  --set simulation.steps=2400 --set output.trajectory=false --set optimizer.verify_refined=false
grep -q 'warning: the gradient of the objective grows .*-fold backward in time' err ||
  fail "no warning: $(cat err)"
between 1e4 "$(member chaos gradient_growth)" 1e9 || fail "$(member chaos gradient_growth)"

finish
