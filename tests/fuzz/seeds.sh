#!/usr/bin/env bash
# seeds.sh CQOPT FOLDER: what the targets begin with, FOLDER/<target>/, from files that the program
# writes of some small problems.
set -euo pipefail
cqopt=$1
out=$2
rm -rf "$out"
mkdir -p "$out"
cd "$out"
mkdir problem csv evals history run_json motion trajectory mesh

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
printf 'time,x1,y1,X12 [m],y12\n0,0.1,0.2,,\n0.5,0.1,0.2,0.3,nan\n' > csv/wide.csv
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

# a cube in every format
awk -v folder=mesh '
  function corner(i) { return int(i / 4) " " int(i / 2) % 2 " " i % 2 }
  BEGIN {
    n = split("0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 0 2 6 0 6 4 1 5 7 1 7 3", v, " ")
    stl = folder "/stl"; obj = folder "/obj"; ply = folder "/ply"
    print "solid cube" > stl
    printf "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n" \
      "property float z\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n" > ply
    for (i = 0; i < 8; i++) {
      print "v", corner(i) > obj
      print corner(i) > ply
    }
    for (i = 1; i < n; i += 3) {
      print "f " v[i] + 1 "//1 " v[i + 1] + 1 "/1/1 " v[i + 2] + 1 > obj
      print 3, v[i], v[i + 1], v[i + 2] > ply
      print "facet normal 0 0 1\nouter loop" > stl
      for (k = 0; k < 3; k++) print "vertex", corner(v[i + k]) > stl
      print "endloop\nendfacet" > stl
    }
    print "endsolid" > stl
  }'
# a tetrahedron, binary
{
  printf '%-80s' head
  printf '\004\000\000\000'
  for face in '0 0 0 0 1 0 1 0 0' '0 0 0 1 0 0 0 0 1' '0 0 0 0 0 1 0 1 0' '1 0 0 0 1 0 0 0 1'; do
    printf '\000\000\000\000\000\000\000\000\000\000\000\000'
    for number in $face; do
      if [ "$number" = 1 ]; then printf '\000\000\200\077'; else printf '\000\000\000\000'; fi
    done
    printf '\000\000'
  done
} > mesh/stl_binary
{
  printf 'ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n'
  printf 'property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n'
  for number in 0 0 0 1 0 0 0 1 0 0 0 1; do
    if [ "$number" = 1 ]; then printf '\000\000\200\077'; else printf '\000\000\000\000'; fi
  done
  for face in '0 2 1' '0 1 3' '0 3 2' '1 2 3'; do
    printf '\003'
    for v in $face; do printf "\\00$v\\000\\000\\000"; done
  done
} > mesh/ply_binary
# pictures
printf 'P2 5 4 9\n0 0 5 9 9\n0 9 9 0 0\n9 0 0 9 0\n0 9 9 9 0\n' > mesh/pgm
printf 'P5\n# grey\n3 3 255\n\000\377\000\377\200\377\000\177\377' > mesh/pgm_binary
rm -rf run log
