#!/usr/bin/env bash
# report.html: what is in it, of runs that ended well, failed, were killed, had several starts; and of
# several runs.
source "$(dirname "$0")/cli_lib.sh"

# page FILE: whole, with nothing that asks for anything outside of it
page() {
  has_file "$1"
  tail -n 1 "$1" | grep -q '</html>' || fail "$1 has no end"
  ! grep -qE '(src|href)="[^"]' <(grep -v 'href="data:,"' "$1") || fail "$1 asks for another file"
  ! grep -q '{{' <(sed '/^<script>$/,$d' "$1") || fail "$1 has an unfilled mark"
  # the data ends where it should: nothing in it closes its element
  [ "$(grep -c '</script>' "$1")" -ge 2 ] || fail "$1 has no scripts"
}
# tells FILE TEXT...: the page has every text
tells() {
  local file=$1 text
  shift
  for text in "$@"; do
    grep -qF -e "$text" "$file" || fail "$file does not say $text"
  done
}

expect 3 "$cqopt" solve bounce --output run --set optimizer.max_evaluations=4 \
  --set 'problem.title="a <b>title</b> & </script> more"'
page run/report.html
has_file run/motion.bin
grep -q 'report.html' out || fail "the summary does not name report.html"
tells run/report.html '<title>a &lt;b>title&lt;/b> &amp; &lt;/script> more</title>' \
  '"status": "BUDGET"' '"evaluations": 4' '"ball.initial_velocity[0]"' '"ball.distance"' \
  '"half_step_f"' '"role": "target"' '"motion": "motion-0"' 'id="motion-0"' \
  'max_evaluations = 4;' "$(member run build_id)" '"rows": 4'
[ "$(grep -c 'optimizer.max_evaluations=4' run/report.html)" -ge 1 ] || fail "no command line"
# the motion is motion.bin to the bit
sed -n 's/.*id="motion-0">\([^<]*\)<.*/\1/p' run/report.html | base64 -d > packed.bin
cmp packed.bin run/motion.bin || fail "the motion in the page is not motion.bin"

# as it was, from the record alone; without simulating where that is wanted
cp -r run again
rm again/report.html again/motion.bin
before=$(cat again/evals.bin again/run.json again/history.csv | cksum)
expect 0 "$cqopt" report again --no-motion
[ "$(cat out)" = again/report.html ] || fail "report says $(cat out)"
tells again/report.html '"motion": ""'
[ ! -e again/motion.bin ] || fail "--no-motion simulated"
expect 0 "$cqopt" report again
cmp run/motion.bin again/motion.bin || fail "the motions differ from those of solve"
page again/report.html
[ "$before" = "$(cat again/evals.bin again/run.json again/history.csv | cksum)" ] ||
  fail "report changed the run"
# what is damaged is made again
head -c 1000 run/motion.bin > again/motion.bin
expect 0 "$cqopt" report again --output other.html
cmp run/motion.bin again/motion.bin || fail "a damaged motion was kept"
grep -q 'motion.bin is damaged' err || fail "not said: $(cat err)"
page other.html

# a run that was killed: run.json says running, a torn record and no design.csv
cp -r run killed
rm killed/report.html killed/motion.bin killed/design.csv
sed -i '/"ended"/,$d' killed/run.json
printf '  "status": "running"\n}\n' >> killed/run.json
printf 'torn' >> killed/evals.bin
expect 0 "$cqopt" report killed
page killed/report.html
tells killed/report.html '"status": "running"' '"rows": 4'
has_file killed/motion.bin

# interrupted: a page with the best design so far, which report completes
"$cqopt" solve bounce --quiet --output cut --set optimizer.max_evaluations=0 \
  --set optimizer.learning_rate=1e-9 > out 2> err &
pid=$!
for ((i = 0; i < 600; i++)); do
  if [ -f cut/history.csv ] && [ "$(wc -l < cut/history.csv)" -ge 3 ]; then
    break
  fi
  sleep 0.05
done
kill -INT "$pid"
code=0
wait "$pid" || code=$?
[ "$code" -eq 130 ] || fail "exit $code after an interrupt: $(cat out err)"
page cut/report.html
tells cut/report.html '"status": "INTERRUPTED"' '"motion": "motion-0"'
expect 0 "$cqopt" report cut
tells cut/report.html '"motion": "motion-0"'

# off
expect 3 "$cqopt" solve bounce --quiet --output off --set output.report=false \
  --set optimizer.max_evaluations=2
[ ! -e off/report.html ] && [ ! -e off/motion.bin ] || fail "output.report=false left a page"
has_file off/trajectory.h5

# a trajectory is not needed for a page
expect 3 "$cqopt" solve bounce --quiet --output bare --set output.trajectory=false \
  --set optimizer.max_evaluations=2
has_file bare/motion.bin
[ ! -e bare/trajectory.h5 ] || fail "a trajectory that was not wanted"

# failures: where and when; a first design that fails leaves a page, too
cat > up.cfg << 'END'
simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 2e-3; steps = 100; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.3]; size = [0.2, 0.15]; spacing = 0.025; } );
boundaries: { domain: { type = "none"; }; };
design: ( { variable = "initial_velocity"; body = "A"; start = [0, 1]; } );
objective: ( { term = "mean_position"; direction = "y"; weight = -1; } );
optimizer: { name = "gradient_descent"; learning_rate = 40; on_failure = "penalty"; max_evaluations = 4; };
END
code=0
"$cqopt" solve up.cfg --quiet --output fails > out 2> err || code=$?
page fails/report.html
tells fails/report.html '"failures": [' '"evaluation": 2' 'evaluation 2 failed:' 'left the grid'
expect 5 "$cqopt" solve up.cfg --quiet --output first --set 'design.[0].start=[0, 20]'
page first/report.html
tells first/report.html '"status": "OUT_OF_ROOM"'

# scenarios: what they set, and what each has
expect 3 "$cqopt" solve bounce --quiet --output served --set optimizer.max_evaluations=2 \
  --set optimizer.verify_refined=false \
  --set 'scenarios={vary=({key="objective.[0].target"; values=[0.8, 0.2, 0.5, 0.6];});}'
page served/report.html
tells served/report.html '"objective.[0].target=[0.8, 0.2]"' '"objective.[0].target=[0.5, 0.6]"'
own=$(awk -F, 'NR == 2 { printf "%.6g %.6g", $5, $6 }' served/history.csv)
[ "$(sed -n 's/^  "scenarios": \[\(.*\), \(.*\)\],$/\1 \2/p' served/report.html | awk 'NR == 1 { printf "%.6g %.6g", $1, $2 }')" = "$own" ] ||
  fail "the page does not say of the first design: $own"

# several starts: a page of them, with the motion of the best
expect 3 "$cqopt" solve bounce --quiet --output starts --set optimizer.starts=2 \
  --set 'design.[0].lower=0.1' --set 'design.[0].upper=0.5' --set optimizer.max_evaluations=2
page starts/report.html
tells starts/report.html '"name": "start 1"' '"name": "start 2"' 'id="motion-0"'
[ ! -e starts/start-01/report.html ] || fail "a start has a page of its own"

# several runs
expect 0 "$cqopt" report run bare starts --output all.html
page all.html
tells all.html '"name": "run"' '"name": "bare"' '"name": "starts"' 'id="motion-0"' 'id="motion-1"' 'id="motion-2"'

# what cannot be reported
expect 2 "$cqopt" report nothing
error_says 'nothing has no record of evaluations (evals.bin): a report is of a folder that solve left'
expect 0 "$cqopt" simulate bounce --quiet --output flight
expect 2 "$cqopt" report flight
error_says 'flight has no record of evaluations'
expect 1 "$cqopt" report
error_says "'cqopt report' wants RUN-FOLDER..."
expect 2 "$cqopt" report run --output no/such/place.html
error_says 'no/such/place.html: No such file or directory'
(
  ulimit -f 60
  expect 2 "$cqopt" report run --output full.html
  error_says 'full.html: File too large'
  [ ! -e full.html ] && [ -z "$(find . -name 'full.html*')" ] || fail "a torn page is left"
  exit "$failures"
) || failures=$((failures + $?))

# more particles than a page has room for: thinned, and below 10 MB
cat > many.cfg << 'END'
simulation: { dimension = 2; grid = [160, 160]; cell = 0.01; time_step = 1e-3; steps = 120; };
materials: ( { name = "soft"; youngs_modulus = 4; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.2, 0.2]; size = [0.75, 0.75]; spacing = 0.005; } );
design: ( { variable = "initial_velocity"; body = "A"; per = "particle"; } );
objective: ( { term = "distance"; body = "A"; target = [0.6, 0.5]; } );
optimizer: { name = "gradient_descent"; max_evaluations = 2; };
output: { frames = 100; trajectory = false; };
END
expect 3 "$cqopt" solve many.cfg --quiet --output many --set optimizer.verify_refined=false
page many/report.html
[ "$(wc -c < many/motion.bin)" -le 6000000 ] || fail "motion.bin has $(wc -c < many/motion.bin) bytes"
[ "$(wc -c < many/report.html)" -le 10000000 ] || fail "the page has $(wc -c < many/report.html) bytes"
finish
