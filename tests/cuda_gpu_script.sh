#!/usr/bin/env bash
# cuda_gpu_script.sh PROGRAM SOURCE: bench/gpu.sh packs programs that run with the libraries beside
# them; without a device it says so and exits with 8. With a stand-in for the program: what a section
# has done is not done again, what failed is.
source "$(dirname "$0")/cli_lib.sh"
source=$2

expect 0 bash "$source/bench/gpu.sh" pack packed "$(dirname "$cqopt")"
grep -q 'MiB$' out || fail "pack does not say how much it is"
tar -C packed -xzf packed/lib.tar.gz
expect 0 env -i ./packed/cqopt doctor
device=$(grep '^--device' out)
for program in cqopt test_cuda_engine test_cuda_grains test_fluid_device; do
  env -i LD_TRACE_LOADED_OBJECTS=1 "./packed/$program" |
    awk '$2 == "=>" && $3 !~ "packed/lib/" && $1 !~ /^lib(c|m|dl|rt|pthread|resolv)\.so/' > outside
  [ ! -s outside ] || fail "$program wants from outside: $(cat outside)"
done
case $device in
  *cuda\;*) ;;
  *)
    expect 8 bash packed/gpu.sh run packed results
    error_says "use --device cpu"
    ;;
esac

# a program that notes what it is asked for, and fails at gradient_64k as long as there is no file
# "mended"
mkdir fake
cp packed/*.sh fake
cat > fake/cqopt <<'FAKE'
#!/bin/sh
here=$(dirname "$0")
echo "$*" >> "$here/calls"
case $* in
  *--quick*) printf 'device    one\nmemory    fast\n' ;;
  *gradient*) [ -e "$here/mended" ] || exit 5
    printf 'case,pass\ngradient_64k,gradient,forward,2,s,,,cuda\n' ;;
  *3d_f32*) printf 'case,pass\nmachine,peak,memory_copy,9,GB/s,,,cuda\n3d_f32_8k,forward,engine,7.5,ns,,,cuda\n' ;;
  *) exit 8 ;;
esac
FAKE
printf '#!/bin/sh\nexit 77\n' | tee fake/test_cuda_engine fake/test_cuda_grains > fake/test_fluid_device
chmod +x fake/cqopt fake/test_*
expect 1 bash fake/gpu.sh run fake results
grep -q '^bench_gradient_64k .*FAILED with exit code 5' out || fail "a failed section is not named"
grep -q '^tests .*skipped' out || fail "a skipped section is not named"
grep -q '^3d_f32_8k *forward *7.5' out || fail "no table"
touch fake/mended
: > fake/calls
expect 1 bash fake/gpu.sh run fake results
grep -q gradient_64k fake/calls || fail "a failed section is not done again"
grep -q 3d_f32 fake/calls && fail "a section is done twice"
grep -q '^gradient_64k,gradient,forward,2,s' results/gpu.csv || fail "gpu.csv lacks a row"
[ "$(grep -c '^case,' results/gpu.csv)" -eq 1 ] || fail "gpu.csv has not one heading"
finish
