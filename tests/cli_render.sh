#!/usr/bin/env bash
# render: pictures of runs and of problems, by options and endings, and what is refused.
source "$(dirname "$0")/cli_lib.sh"

export TMPDIR=$work/scratch
mkdir "$TMPDIR"
cat > toss.cfg << 'END'
problem: { name = "toss"; };
simulation: { dimension = 2; grid = [32, 24]; cell = 0.05; time_step = 2e-3; steps = 60; gravity = [0.0, -1.0]; };
materials: ( { name = "soft"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; },
             { name = "hard"; youngs_modulus = 160; poisson_ratio = 0.3; density = 1; } );
bodies: ( { name = "A"; material = "soft"; low = [0.3, 0.4]; size = [0.2, 0.15]; spacing = 0.025; },
          { name = "B"; material = "hard"; low = [0.8, 0.4]; size = [0.2, 0.15]; spacing = 0.025; } );
design: ( { variable = "initial_velocity"; body = "A"; start = [0.5, 1]; } );
objective: ( { term = "distance"; body = "A"; target = [0.6, 0.6]; } );
optimizer: { name = "gradient_descent"; learning_rate = 0.5; max_evaluations = 3; };
output: { frames = 12; };
END

# without the library it says how to get it
code=0
"$cqopt" render toss.cfg > out 2> err || code=$?
if [ "$code" -eq 8 ]; then
  error_says 'cairo was not found when it was built; install it (Debian: apt install libcairo2-dev)'
  finish
  exit
fi

# size FILE: WIDTHxHEIGHT of a PNG
size() {
  od -An -t u1 -j 16 -N 8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}
begins() {
  [ "$(head -c "${#2}" "$1")" = "$2" ] || fail "$1 does not begin with $2"
}

# a problem: its end, here
expect 0 "$cqopt" render toss.cfg
[ "$(cat out)" = toss.png ] || fail "render says $(cat out)"
has_file toss.png
[ "$(size toss.png)" = 1200x"$(size toss.png | cut -dx -f2)" ] || fail "toss.png is $(size toss.png)"
for color in body youngs_modulus density speed strain; do
  expect 0 "$cqopt" render toss.cfg --color "$color" --output "$color.png" --size 320x240
  [ "$(size "$color.png")" = 320x240 ] || fail "$color.png is $(size "$color.png")"
done
cmp -s speed.png strain.png && fail "two colours give one picture"

# endings, and the same bits each time
for ending in png svg pdf; do
  expect 0 "$cqopt" render toss.cfg --sheet 3 --color speed --output "one.$ending"
  expect 0 "$cqopt" render toss.cfg --sheet 3 --color speed --output "two.$ending" --threads 1
  cmp "one.$ending" "two.$ending" || fail "$ending has other bits the second time"
done
begins one.svg '<?xml'
begins one.pdf '%PDF'
rsvg=$(command -v rsvg-convert || true)
[ -z "$rsvg" ] || expect 0 "$rsvg" one.svg -o from-svg.png

# a run that failed has the motion of its best design so far
expect 5 "$cqopt" solve toss.cfg --quiet --output broken --set optimizer.learning_rate=1e4 \
  --set optimizer.on_failure=abort --set output.trajectory=false
expect 0 "$cqopt" render broken --output broken.png --size 320x240
has_file broken.png

# a run: its folder has the picture; each take is of its own design
expect 3 "$cqopt" solve toss.cfg --quiet --output run
expect 0 "$cqopt" render run
[ "$(cat out)" = run/render.png ] || fail "render says $(cat out)"
for take in first best last; do
  expect 0 "$cqopt" render run --take "$take" --output "$take.png"
done
cmp -s first.png last.png && fail "the first and the last design look alike"
expect 0 "$cqopt" render toss.cfg --output start.png
expect 0 "$cqopt" render toss.cfg --design run --output design.png
cmp -s start.png design.png && fail "--design changes nothing"
expect 0 "$cqopt" render run --time 0 --output begin.png
expect 0 "$cqopt" render run --time last --output end.png
cmp -s begin.png end.png && fail "nothing moves"
cmp run/render.png end.png || fail "the last time is not where a still is by default"
# trajectory.h5 alone, of simulate
expect 0 "$cqopt" simulate toss.cfg --quiet --output flight
[ ! -e flight/motion.bin ] || fail "simulate leaves motion.bin: then this is no test of trajectory.h5"
for color in body speed strain youngs_modulus; do
  expect 0 "$cqopt" render flight --color "$color" --output "flight-$color.png" --title "as it flew" --dark
done

# frames
expect 0 "$cqopt" render run --frames 4 --output frames --size 200x160
[ "$(ls frames | tr '\n' ' ')" = "frame_0000.png frame_0001.png frame_0002.png frame_0003.png " ] ||
  fail "frames has $(ls frames)"
[ "$(size frames/frame_0003.png)" = 200x160 ] || fail "a frame is $(size frames/frame_0003.png)"
cmp -s frames/frame_0000.png frames/frame_0003.png && fail "the frames are alike"
expect 0 "$cqopt" render run --frames 40 --output many --size 160x120
grep -q 'only 13 frames were recorded' err || fail "no word on frames that were not recorded: $(cat err)"

# films
mkdir nothing
expect 8 env PATH="$work/nothing" "$cqopt" render run --output run.mp4
error_says 'run.mp4: a film is made by ffmpeg, which is not installed; install it'
if command -v ffmpeg > /dev/null; then
  for ending in mp4 gif; do
    expect 0 "$cqopt" render run --output "run.$ending" --size 200x160 --fps 10
    has_file "run.$ending"
  done
  begins run.gif GIF89a
  [ "$(head -c 8 run.mp4 | tail -c 4)" = ftyp ] || fail "run.mp4 is no MP4"
  expect 1 "$cqopt" render run --output odd.mp4 --size 201x160
  error_says 'a film has an even number of pixels each way, not 201 x 160'
  expect 2 "$cqopt" render run --output no/such.mp4
  error_says 'no/such.mp4: No such file or directory'
else
  echo "skipped: films (ffmpeg is not installed)"
fi

# in space
expect 0 "$cqopt" render billiards_3d --view 20,40 --output space.png --set simulation.steps=10
expect 0 "$cqopt" render billiards_3d --view y --output above.png --set simulation.steps=10
cmp -s space.png above.png && fail "--view changes nothing"
expect 0 "$cqopt" render billiards_3d --view y --cut A --output open.png --set simulation.steps=10
cmp -s open.png above.png && fail "--cut changes nothing"

# what is refused, before anything is simulated
refused() {
  local says=$1
  shift
  expect 1 "$cqopt" render "$@"
  error_says "$says"
}
refused 'this motion has no sped to colour it by; did you mean "speed"?' run --color sped
refused '--map does not know "virids"; did you mean "viridis"?' run --color speed --map virids
refused '--take does not know "bset"; did you mean "best"?' run --take bset
refused '--output does not know ".pgn"; did you mean ".png"?' run --output a.pgn
refused '--output picture has no ending' run --output picture
refused '--map and --range are of a field: give one by --color' run --map magma
refused 'this motion has no actuation to colour it by: nothing in it is actuated' run --color actuation
refused 'this motion has no body "C" to cut open' run --cut C
refused 'only bodies of particles in 3D can be cut open' run --cut A
refused '--view wants AZIMUTH,ELEVATION in degrees, x, y or z, not .up.' run --view up
refused '--size wants WIDTHxHEIGHT from 64x64 to 16384x16384, not .1200.' run --size 1200
refused "--range wants two numbers, such as 0:1.5, not '2:1'" run --color speed --range 2:1
refused '--time 9 is not in the motion, which lasts from 0 to 0.12 s' run --time 9
refused "--time wants a time in seconds, or last, not 'end'" run --time end
refused '--sheet is one picture of many times' run --sheet 3 --time 0
refused '--frames makes a film' run --frames 3
refused '--time is of a still' run --time 0 --frames 3 --output some
refused '--columns needs --sheet' run --columns 2
refused '--fps is of a film' run --fps 10
refused 'run is a run folder, whose motion is recorded' run --set optimizer.seed=2
refused '--take is of a run folder' toss.cfg --take best
refused 'pixels have no room for 90 frames' run --sheet 90 --size 200x100
expect 2 "$cqopt" render run --output no/such.png
error_says 'no/such.png: No such file or directory'
expect 2 "$cqopt" render nothing
error_says 'nothing/problem.cfg'
rm run/motion.bin
expect 2 "$cqopt" render run --take first
error_says "run has no motion of its first design; 'cqopt report run' makes it"
expect 0 "$cqopt" render run
rm run/trajectory.h5
expect 2 "$cqopt" render run
error_says "run has no motion (motion.bin or trajectory.h5); 'cqopt report run' makes it"

# a run that fails is drawn as far as it came
expect 5 "$cqopt" render toss.cfg --set 'design.[0].start=[0, 40]' --output failed.png
has_file failed.png
[ -z "$(ls "$TMPDIR")" ] || fail "left in TMPDIR: $(ls "$TMPDIR")"
[ -z "$(find . -name '*.tmp')" ] || fail "left: $(find . -name '*.tmp')"
finish
