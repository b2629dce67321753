#!/usr/bin/env bash
# A fit by gauss_newton: error bars in every file, the same bits by any threads and after an end and a
# resume, what the data do not determine, and what is refused.
source "$(dirname "$0")/cli_lib.sh"

# a soft block falls on the floor, and four markers on it are seen where it is with 40 Pa and density 1
scene() {
  cat <<END
simulation: { grid = [20, 20]; cell = 0.05; time_step = 2e-3; steps = 60; gravity = [0, -4]; };
materials: ( { name = "soft"; youngs_modulus = 30; poisson_ratio = 0.3; density = 1.2; } );
bodies: ( { name = "A"; material = "soft"; low = [0.4, 0.16]; size = [0.2, 0.2]; spacing = 0.025;
  velocity = [0.3, -1]; } );
design: ( $1 );
objective: ( $2 );
optimizer: { name = "gauss_newton"; };
END
}
modulus='{ variable = "youngs_modulus"; body = "A"; lower = 10; upper = 80; }'
density='{ variable = "density"; body = "A"; lower = 0.5; upper = 3; }'
friction='{ variable = "initial_velocity"; body = "A"; lower = [-1, -2]; upper = [1, 0]; }'
markers='{ term = "marker_distance"; body = "A"; file = "tracks.csv"; deviation = 1e-3; }'

# the truth, with a millimetre of noise
printf 'time,id,x,y\n0,1,0.4125,0.1725\n0.02,1,0.4,0.2\n' > tracks.csv
scene "$modulus" "$markers" > true.cfg
"$cqopt" simulate true.cfg --output true --quiet --frames 12 --set 'design.[0].start=40' \
  --set 'materials.[0].density=1' > /dev/null
awk -F, 'BEGIN { srand(3); print "time,id,x,y" }
  function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand()) }
  NR > 1 && ($2 == 9 || $2 == 18 || $2 == 45 || $2 == 54) { e = $1 > 0 ? 1e-3 : 0
    printf "%.6g,%d,%.9f,%.9f\n", $1 * 2e-3, $2, $4 + e * normal(), $5 + e * normal() }' true/particles.csv > tracks.csv

scene "$modulus, $friction" "$markers" > fit.cfg
expect 0 "$cqopt" solve fit.cfg --output fit --threads 1 --set 'materials.[0].density=1'
for words in 'Error bars .*std. error' 'chi-square [0-9.]*, probability' 'uncertainty.csv'; do
  grep -q "$words" out || fail "the summary lacks $words: $(cat out)"
done
has_file fit/uncertainty.csv
[ "$(wc -l < fit/uncertainty.csv)" -eq 4 ] || fail "rows of uncertainty.csv: $(cat fit/uncertainty.csv)"
grep -q '"deviations": "given"' fit/run.json || fail "run.json has no uncertainty"
grep -q 'function uncertaintyTable' fit/report.html || fail "the report has no table of error bars"
# the truth is within four standard errors, and they are no wider than a tenth of it
awk -F, 'NR == 2 && !(($3 - 40) ^ 2 < (4 * $4) ^ 2 && $4 < 4 && $5 < $3 && $3 < $6 && $7 == 1) { exit 1 }' \
  fit/uncertainty.csv || fail "error bars: $(cat fit/uncertainty.csv)"

expect 0 "$cqopt" solve fit.cfg --output fit2 --threads 2 --set 'materials.[0].density=1'
cmp fit/evals.bin fit2/evals.bin || fail "other bits by two threads"
cmp fit/uncertainty.csv fit2/uncertainty.csv || fail "other error bars by two threads"

# the Jacobian by adjoint sweeps: the same error bars, and the same bits by two threads with few states stored
grep -q '"derivatives": "differences of 6 runs"' fit/run.json || fail "run.json does not tell how derivatives were made"
for way in '--threads 1' '--threads 2 --set simulation.memory="60KiB"'; do
  rm -rf adjoint
  expect 0 "$cqopt" solve fit.cfg --output adjoint $way --set 'materials.[0].density=1' --set optimizer.jacobian=adjoint
  [ ! -e sweeps.bin ] || cmp adjoint/evals.bin sweeps.bin || fail "other bits of sweeps by $way"
  cp adjoint/evals.bin sweeps.bin
done
grep -q '^  96 residuals, derivatives by 96 adjoint seeds' out || fail "the description does not tell: $(cat out)"
grep -q '"derivatives": "96 adjoint seeds"' adjoint/run.json || fail "no sweeps: $(grep derivatives adjoint/run.json)"
awk -F, 'NR == FNR { error[FNR] = $4; next } FNR > 1 && ($4 / error[FNR] - 1) ^ 2 > 1e-8 { exit 1 }' \
  fit/uncertainty.csv adjoint/uncertainty.csv || fail "sweeps have other error bars"

# residuals: a row each, whose squares add up to f, and whose measured places are those of the tracks
awk -F, 'NR == 1 { if ($0 != "scenario,term,marker,component,time,measured,simulated,residual,weight,standardised") exit 1 }
  NR > 1 { n++; sum += $9 * $8 * $8; if (($8 - $7 + $6) ^ 2 > 1e-24 || ($10 - $8 * 1000) ^ 2 > 1e-12) bad = 1 }
  END { printf "%d %.15g\n", n, sum; exit bad }' fit/residuals.csv > sums || fail "residuals.csv: $(head -n 3 fit/residuals.csv)"
awk -v f="$(member fit f)" '{ exit !($1 == 96 && ($2 - f) ^ 2 < 1e-16 * f * f) }' sums ||
  fail "residuals.csv adds up to $(cat sums), f is $(member fit f)"
[ "$(grep -c '"root_mean_square"' fit/run.json)" -eq 16 ] || fail "four markers and twelve times in run.json"
grep -q 'function residualsOf' fit/report.html || fail "the report does not show residuals"
head -n 1 fit/design.csv | grep -q ',standard_error$' || fail "design.csv has no errors"
expect 0 "$cqopt" evaluate fit.cfg --at fit --format csv # and is a design all the same
[ "$(cut -d, -f8 fit/design.csv | tail -n 3)" = "$(cut -d, -f4 fit/uncertainty.csv | tail -n 3)" ] ||
  fail "design.csv and uncertainty.csv differ"

# other methods have error bars where the data have deviations, and the best of several starts has its own
expect 0 "$cqopt" solve fit.cfg --output slsqp --quiet --set 'materials.[0].density=1' --set optimizer.name=LD_SLSQP \
  --set optimizer.starts=2
has_file slsqp/residuals.csv
best=$(member slsqp best_folder)
cmp slsqp/uncertainty.csv "slsqp/$best/uncertainty.csv" || fail "the best start has other error bars"
grep -q '"standard_error"' slsqp/run.json && grep -q '"starts_done": 2' slsqp/run.json ||
  fail "run.json of two starts has no error bars"
awk -F, 'NR == FNR { error[FNR] = $4; next } FNR > 1 && ($4 / error[FNR] - 1) ^ 2 > 1e-6 { exit 1 }' \
  fit/uncertainty.csv slsqp/uncertainty.csv || fail "LD_SLSQP has other error bars"
expect 0 "$cqopt" solve fit.cfg --output none --quiet --set 'materials.[0].density=1' --set optimizer.error_bars=no
[ ! -e none/uncertainty.csv ] || fail "error bars that nobody wanted"
expect 0 "$cqopt" solve fit.cfg --output held --set 'materials.[0].density=1' --set optimizer.name=sqp --set \
  'constraints=( { term = "height"; body = "A"; upper = 0.1545; } )' --set optimizer.error_bars=yes
grep -q 'Error bars  left out: a constraint holds the design' out || fail "error bars at a constraint: $(cat out)"

# profiles agree with the error bars of a fit that is nearly a straight line, and so does a bootstrap
expect 0 "$cqopt" profile fit --by youngs,A.initial_velocity[0] --bootstrap 40
for words in 'Intervals .*std. error' '^  A.youngs_modulus' '^    profile ' '^    bootstrap '; do
  grep -q -e "$words" out || fail "the table lacks $words: $(cat out)"
done
[ ! -s err ] || fail "a warning of a good profile: $(cat err)"
has_file fit/profile.csv
has_file fit/bootstrap.csv
[ "$(wc -l < fit/profile.csv)" -eq 27 ] && [ "$(wc -l < fit/bootstrap.csv)" -eq 41 ] || fail "rows of the profiles' files"
awk -F, '$1 == "A.youngs_modulus" { low[$3] = $6; high[$3] = $7; error[$3] = $5 }
  END { e = error["error bars"]; exit !((low["profile"] - low["error bars"]) ^ 2 < (0.1 * e) ^ 2 &&
    (high["profile"] - high["error bars"]) ^ 2 < (0.1 * e) ^ 2 && (error["bootstrap"] / e - 1) ^ 2 < 0.25 &&
    low["bootstrap"] < high["bootstrap"]) }' fit/intervals.csv || fail "intervals: $(cat fit/intervals.csv)"
# the rise at the first point, three errors away, is about nine
awk -F, 'NR == 2 { exit !(($4 - 9) ^ 2 < 1) }' fit/profile.csv || fail "profile.csv: $(head -n 2 fit/profile.csv)"
expect 0 "$cqopt" profile fit --bootstrap 3 --seed 5
cp fit/bootstrap.csv five.csv
expect 0 "$cqopt" profile fit --bootstrap 3 --seed 5 --threads 2
cmp five.csv fit/bootstrap.csv || fail "other draws by two threads"
# one that was killed goes on after its fits, to the same bits; those of another command are no help
expect 0 "$cqopt" profile fit --by youngs --points 3 --bootstrap 4
cp fit/profile.csv whole.csv
cp fit/bootstrap.csv draws.csv
[ ! -e fit/fits.txt ] || fail "a finished profile leaves its fits"
rm fit/profile.csv
mkdir fit/profile.csv # so that its end fails
expect 2 "$cqopt" profile fit --by youngs --points 3 --bootstrap 4
rmdir fit/profile.csv
[ "$(wc -l < fit/fits.txt)" -eq 11 ] || fail "fits.txt: $(cat fit/fits.txt)"
cp fit/fits.txt all.txt
for kept in 11 8 1; do
  { head -n "$kept" all.txt; [ "$kept" = 11 ] || sed -n "$((kept + 1))p" all.txt | cut -c 1-30 | tr -d '\n'; } > fit/fits.txt
  expect 0 "$cqopt" profile fit --by youngs --points 3 --bootstrap 4
  cmp whole.csv fit/profile.csv && cmp draws.csv fit/bootstrap.csv || fail "other bits after $kept lines"
  [ "$kept" = 1 ] || grep -q "went on after $((kept - 1)) fits" err || fail "it began anew: $(cat err)"
done
cp all.txt fit/fits.txt
expect 0 "$cqopt" profile fit --by youngs --points 2
grep -q 'went on' err && fail "it took the fits of another command"
expect 0 "$cqopt" profile slsqp --by youngs --points 2
has_file slsqp/profile.csv
expect 1 "$cqopt" profile fit --by velocity
error_says '"velocity" is no variable, or several: A.youngs_modulus, '

# a budget ends it; with a larger one it goes on as if it had not
expect 3 "$cqopt" solve fit.cfg --output part --set optimizer.max_evaluations=3 --set 'materials.[0].density=1'
expect 0 "$cqopt" solve --resume part --set optimizer.max_evaluations=1000
cmp fit/design.csv part/design.csv || fail "other design after a resume"
cmp fit/uncertainty.csv part/uncertainty.csv || fail "other error bars after a resume"

# with a constraint, too, whose records hold both kinds of derivatives
held=(--set 'materials.[0].density=1' --set 'constraints=( { term = "height"; body = "A"; upper = 0.1545; } )')
expect 0 "$cqopt" solve fit.cfg --output held1 --quiet --threads 1 "${held[@]}"
expect 4 "$cqopt" solve fit.cfg --output held2 --quiet --threads 2 "${held[@]}" --set optimizer.max_evaluations=3
expect 0 "$cqopt" solve --resume held2 --set optimizer.max_evaluations=1000
cmp held1/evals.bin held2/evals.bin || fail "other bits of a constrained fit after a resume"
awk -v a="$(member held1 f)" -v b="$(member held f)" 'BEGIN { exit !((a / b - 1) ^ 2 < 1e-8) }' || fail "gauss_newton ends at $(member held1 f), sqp at $(member held f)"

# a block falls by g, whatever it weighs: only E over density is felt
scene "$modulus, $density" "$markers" > ratio.cfg
expect 6 "$cqopt" solve ratio.cfg --output ratio
grep -q 'the data determine A.youngs_modulus and A.density only as their ratio' err ||
  fail "the ratio is not named: $(cat err)"
grep -q 'in every direction' ratio/run.json || fail "verdict: $(grep reason ratio/run.json)"
grep -q '"is": "undetermined"' ratio/run.json || fail "run.json does not say what is undetermined"

# nor does another method call it verified; a constraint that must hold determines the rest, one that was run into does not
expect 6 "$cqopt" solve ratio.cfg --output ratio2 --quiet --set optimizer.name=LD_SLSQP
grep -q 'only as their ratio; verified' ratio2/run.json || fail "verdict: $(grep reason ratio2/run.json)"
expect 0 "$cqopt" solve ratio.cfg --output ratio3 --quiet --set 'constraints=( { term = "mass"; body = "A"; equals = 0.04; weight = 1e-5; } )'
expect 6 "$cqopt" solve ratio.cfg --output ratio4 --quiet --set 'constraints=( { term = "mass"; body = "A"; upper = 0.045; } )'
expect 6 "$cqopt" solve ratio.cfg --output ratio5 --quiet --set 'constraints=( { term = "height"; body = "A"; equals = 0.1545; } )'

scene "$modulus" '{ term = "height"; body = "A"; }' > height.cfg
expect 1 "$cqopt" solve height.cfg --output height
grep -q '"A.height" is none; marker_distance, distance' err || fail "refused otherwise: $(cat err)"
expect 0 "$cqopt" solve height.cfg --output height --quiet --set optimizer.name=LD_SLSQP --set optimizer.error_bars=yes
grep -q 'left out: the objective is no sum of squares' height/log.txt || fail "no word on error bars"
expect 1 "$cqopt" profile height
error_says 'height is no fit'
finish
