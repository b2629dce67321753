#!/usr/bin/env bash
# seeds.sh CQOPT FOLDER: what the targets begin with, FOLDER/<target>/, from files that the program
# writes of some small problems.
set -euo pipefail
cqopt=$1
out=$2
rm -rf "$out"
mkdir -p "$out"
cd "$out"
mkdir problem csv evals history run_json motion trajectory

cat > problem/small.cfg <<'TEXT'
problem: { title = "a small one"; };
simulation: { grid = [24, 24]; cell = "1/24"; time_step = 4e-3; steps = 25; gravity = [0, -9.8]; };
materials: ( { name = "rubber"; youngs_modulus = 20; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "disc"; material = "rubber"; shape = "ball"; center = [0.4, 0.5]; radius = 0.1; } );
design: ( { variable = "initial_velocity"; body = "disc"; start = [0.5, 0.5]; lower = -1; upper = 1; } );
objective: ( { term = "distance"; body = "disc"; target = [0.45, 0.52]; },
             { term = "kinetic_energy"; weight = 1e-3; } );
constraints: ( { term = "mean_position"; body = "disc"; direction = "x"; lower = 0.3; } );
optimizer: { max_evaluations = 4; starts = 2; };
output: { frames = 4; };
TEXT
code=0
"$cqopt" solve problem/small.cfg --output run --quiet --threads 1 > log 2>&1 || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat log; exit 1; }

for name in bounce finger cable_finger walker_2d billiards_3d; do
  (cd problem && "$cqopt" new "$name" > /dev/null)
done
printf 'time,x,y,weight\n0,0.1,0.2,1\n0.5,"0.3",0.4,0.5\n# a comment\n\n1;0.5;0.6;1\n' > csv/points.csv
for start in run/start-0?; do
  name=${start##*/}
  cp "$start/evals.bin" "evals/$name"
  cp "$start/run.json" "run_json/$name"
  head -c 32 "$start/evals.bin" | cat - "$start/history.csv" > "history/$name"
done
cp run/run.json run_json/run
head -c 32 run/start-01/evals.bin | cat - run/starts.csv > history/starts
cp run/motion.bin motion/run
printf '\003\001\002' > trajectory/version
printf '\000\012\026\001\011\030\002\003\004' > trajectory/some
printf '\001\011\200\003\000\001\002\000\007' > trajectory/others
rm -rf run log
