#!/usr/bin/env bash
# A fit to two experiments: a folder that has all of it, the same bits by any threads and after kills,
# each of them alone, and errors that name the included file.
source "$(dirname "$0")/cli_lib.sh"
shim=$2

# scene VELOCITY SAMPLES
scene() {
  cat << END
simulation: { grid = [20, 20]; cell = 0.05; time_step = 2e-3; steps = 40; gravity = [0, -4]; };
materials: ( { name = "soft"; youngs_modulus = 30; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.4, 0.16]; size = [0.2, 0.2]; spacing = 0.025; velocity = $1; } );
boundaries: { domain: { friction = 0.3; }; };
objective: ( { term = "marker_distance"; file = "$2"; deviation = 1e-3; } );
END
}
mkdir data
printf 'time,id,x,y\n0,1,0.43,0.33\n0.04,1,0.43,0.298\n0.08,1,0.431,0.290\n' > data/fall.csv
printf 'time,id,x,y\n0,1,0.57,0.2\n0.04,1,0.608,0.188\n0.08,1,0.643,0.182\n' > data/slide.csv
scene '[0, -1]' fall.csv > data/fall.cfg
scene '[1, -0.5]' slide.csv > data/slide.cfg
cat > fit.cfg << 'END'
design: (
  { variable = "youngs_modulus"; body = "A"; lower = 10; upper = 80; },
  { variable = "friction"; boundary = "domain"; lower = 0; upper = 1; experiments = ["slide"]; }
);
experiments: ( { include = "data/fall.cfg"; }, { include = "data/slide.cfg"; } );
optimizer: { name = "gauss_newton"; max_evaluations = 40; };
END

# the files that it was made of are gone, and the folder goes on
code=0
"$cqopt" solve fit.cfg --output fit --threads 2 > out 2> err || code=$?
case $code in 0 | 6) ;; *) fail "exit $code: $(cat out err)" ;; esac
for words in 'In each experiment' '  fall .* 4$' '  slide .* 4$' 'slide: .*marker_distance' 'domain.friction'; do
  grep -q "$words" out || fail "the summary lacks $words: $(cat out)"
done
for file in fit/problem.cfg fit/experiments/{fall,slide}/{problem.cfg,motion.bin}; do
  has_file "$file"
done
expect 0 "$cqopt" simulate fit.cfg --output motion --quiet --frames 7
for one in fall slide; do
  has_file motion/experiments/$one/observations.csv
  [ "$(cut -d, -f1 motion/experiments/$one/particles.csv | sort -u | wc -l)" -eq 9 ] || fail "frames of $one"
done
cmp -s motion/experiments/{fall,slide}/particles.csv && fail "the experiments moved alike"
grep -q 'function experimentsTable' fit/report.html || fail "the report has no table of experiments"
grep -q '"experiments": \[' fit/report.html || fail "the report knows no experiments"
grep -q '"name": "slide"' fit/run.json || fail "run.json has no experiments"
expect "$code" "$cqopt" solve fit.cfg --output fit1 --threads 1
cmp fit/evals.bin fit1/evals.bin || fail "other bits by one thread"

if [ -n "$shim" ]; then
  killed=0 kills=0
  command=(solve fit.cfg --output part --threads 1)
  while [ "$kills" -lt 60 ]; do
    killed=0
    killing 2 $((kills % 2 * 100)) "${command[@]}" || killed=$?
    [ "$killed" -eq 137 ] || break
    kills=$((kills + 1))
    command=(solve --resume part --threads 1)
    [ -d gone ] || mv data gone # the folder has all of it
  done
  [ "$killed" -eq "$code" ] || fail "exit $killed, not $code, after $kills kills: $(cat out)"
  [ "$kills" -gt 3 ] || fail "$kills kills"
  cmp fit/design.csv part/design.csv || fail "other design after $kills kills"
  cmp fit/uncertainty.csv part/uncertainty.csv || fail "other error bars after $kills kills"
fi
[ -d gone ] || mv data gone
expect 0 "$cqopt" simulate fit/experiments/slide/problem.cfg --output again --quiet
mv gone data

# one of them, with the settings after it in its own terms
expect 0 "$cqopt" evaluate fit.cfg --format csv
all=$(awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) if (name[i] == "f") print $i } NR == 1 { split($0, name, ",") }' out)
sum=0
for one in fall slide; do
  expect 0 "$cqopt" evaluate fit.cfg --format csv --set experiments=$one
  f=$(awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) if (name[i] == "f") print $i } NR == 1 { split($0, name, ",") }' out)
  sum=$(awk "BEGIN { printf \"%.17g\", $sum + $f }")
done
awk "BEGIN { exit !($all > 0 && ($all - $sum)^2 <= (1e-14 * $all)^2) }" || fail "f is $all, not $sum"
expect 0 "$cqopt" evaluate fit.cfg --set experiments=slide --set 'bodies.[0].velocity=[0.5,0]'

expect 0 "$cqopt" gradcheck fit.cfg --output check
expect 0 "$cqopt" show fit.cfg
for words in '2 experiments' 'experiment slide, weight 1' 'all of them'; do
  grep -q "$words" out || fail "show lacks $words: $(cat out)"
done

# what is warned of, once for each
expect 0 "$cqopt" simulate fit.cfg --output unstable --set simulation.time_step=4.6e-3
[ "$(grep -c 'may be unstable' err)" -eq 2 ] || fail "warnings: $(cat err)"
grep -q 'warning: experiment slide: ' err || fail "a warning does not name its experiment: $(cat err)"

sed -i 's/spacing/spaceing/' data/slide.cfg
expect 1 "$cqopt" show fit.cfg
error_says '^cqopt: experiment slide: data/slide.cfg:3: unknown key "spaceing" in bodies.\[0\]; did you mean "spacing"'
finish
