#!/usr/bin/env bash
# --device, and what doctor says, on machines with and without a CUDA device.
source "$(dirname "$0")/cli_lib.sh"

quick=(--set optimizer.max_evaluations=2 --set output.report=false --quiet)

# --- doctor: one screen ---
expect 0 "$cqopt" doctor
cp out doctor
[ ! -s err ] || fail "doctor complains: $(cat err)"
[ "$(wc -l < doctor)" -le 24 ] || fail "doctor has $(wc -l < doctor) lines"
[ "$(wc -L < doctor)" -le 80 ] || fail "doctor has lines of $(wc -L < doctor) columns"
[ "$(grep -vc '^.\{10\}  [^ ]' doctor)" -eq 0 ] || fail "not in columns: $(grep -v '^.\{10\}  [^ ]' doctor)"
version=$("$cqopt" --version)
tr -s '\n ' '  ' < doctor | grep -q "^$version, " || fail "doctor is of another version: $(head -n 1 doctor)"
for name in OpenMP optimizers cairo SQLite gnuplot ffmpeg CPU memory CUDA --device; do
  [ "$(grep -c -e "^$name  *[^ ]" doctor)" -eq 1 ] || fail "doctor does not say: $name"
done
grep -Eq '^memory +[0-9.]+ of [0-9.]+ GiB free$' doctor || fail "memory: $(grep ^memory doctor)"
expect 0 env PATH= "$cqopt" doctor
grep -q '^gnuplot  *not found: ' out || fail "gnuplot without a PATH: $(grep gnuplot out)"
expect 0 env CQ_SIMD=axv2 "$cqopt" doctor
grep -q '^CPU .*CQ_SIMD' out || fail "nothing is said of CQ_SIMD: $(grep ^CPU out)"
expect 1 "$cqopt" doctor who
error_says "one argument too many"
if grep -q -e '^--device  *cpu or cuda; auto is cuda$' doctor; then
  has_gpu=true found=cuda other=cpu
  grep -q '^GPU 0  ' doctor || fail "there is a device and it is not named"
else
  has_gpu=false found=cpu other=cuda
  grep -q -e '^--device  *cpu; auto is cpu$' doctor || fail "no device: $(grep -e --device doctor)"
  tr -s '\n ' '  ' < doctor | grep -q 'use --device cpu' || fail "doctor does not say what to do"
fi

# --- a word that is none, a command that simulates nothing ---
expect 1 "$cqopt" solve velocity_2d --device gpu
error_says "option --device wants cpu, cuda or auto, not 'gpu'"
expect 1 "$cqopt" solve velocity_2d --device
error_says "option --device wants"
expect 1 "$cqopt" list --device cpu
error_says "'cqopt list' takes no --device"
expect 1 "$cqopt" solve velocity_2d --set simulation.device=phone
error_says 'simulation.device must be one of "cpu", "cuda", "auto"'

# --- the device is recorded as what it was ---
expect 3 "$cqopt" solve bounce "${quick[@]}" --device auto --output auto
expect 3 "$cqopt" solve bounce "${quick[@]}" --output plain
[ "$(member auto device)" = $found ] || fail "auto is $(member auto device), not $found"
[ "$(member plain device)" = cpu ] || fail "without a word it is $(member plain device)"
grep -q "^  device = \"$found\";" auto/problem.cfg || fail "problem.cfg: $(grep device auto/problem.cfg)"
grep -q '  device: ' auto/log.txt || fail "the log names no device"
if ! $has_gpu; then
  [ "$(history auto)" = "$(history plain)" ] || fail "auto is another run than cpu"
fi
expect 3 "$cqopt" solve bounce "${quick[@]}" --device=$other --device $found --output twice
[ "$(member twice device)" = $found ] || fail "not the last --device: $(member twice device)"
expect 0 "$cqopt" show auto
grep -q "^  device  *$found" out || fail "show does not name the device"

# --- cuda, where it is and where it is not ---
tell() {
  if $has_gpu; then
    expect "$@"
    return
  fi
  shift
  expect 8 "$@"
  error_says "use --device cpu"
  [ ! -e cuda ] || fail "a run that never began left its folder: $*"
}
tell 3 "$cqopt" solve bounce --device cuda "${quick[@]}" --output cuda
$has_gpu || tell 3 "$cqopt" solve bounce --set simulation.device=cuda
rm -rf cuda
tell 0 "$cqopt" simulate bounce --device cuda --frames 2 --quiet --output cuda
rm -rf cuda
tell 0 "$cqopt" gradcheck bounce --device cuda --quiet --output cuda
rm -rf cuda
tell 0 "$cqopt" compare bounce --device cuda --with LD_SLSQP,LD_MMA --seeds 1 --budget 4 --gradient-cost 2 \
  --quiet --output cuda
rm -rf cuda
tell 0 "$cqopt" study bounce --device cuda --vary optimizer.ftol_rel=1e-3,1e-4 "${quick[@]}" --output cuda
tell 0 "$cqopt" show bounce --device cuda
[ ! -e results ] || fail "a run that never began left a folder"

# --- another device than that of the run ---
expect 1 "$cqopt" solve --resume plain --device auto
error_says "simulation.device cannot change in a run that is resumed"
# a run of a machine with a card
cp -r plain card
sed -i 's/device = "cpu"/device = "cuda"/' card/problem.cfg
sed -i 's/"device": "cpu"/"device": "cuda"/' card/run.json
if ! $has_gpu; then
  expect 8 "$cqopt" solve --resume card
  error_says "use --device cpu"
  expect 0 "$cqopt" report card # needs no device to look at it
  has_file card/report.html
fi
expect 3 "$cqopt" solve --resume card --allow-diverge --device cpu --set optimizer.max_evaluations=3
grep -q 'the run had device cuda, this is cpu' err out || fail "nothing is said of the other device"
[ "$(member card device)" = cpu ] || fail "resumed on $(member card device)"
finish
