#!/usr/bin/env bash
# bench: the rows it prints, what can be asked of it, and how it refuses. Times are not looked at.
source "$(dirname "$0")/cli_lib.sh"

expect 0 "$cqopt" help bench
for option in --threads --case --quick --csv --device; do
  grep -q -e "^  $option" out || fail "help does not name $option"
done

expect 1 "$cqopt" bench --qick
error_says 'unknown option "--qick"; did you mean "--quick"?'
expect 1 "$cqopt" bench --case
error_says "option --case wants"
expect 1 "$cqopt" bench --case 3d_f32_8K
error_says 'no case is called "3d_f32_8K"; did you mean "3d_f32_8k"?'
expect 1 "$cqopt" bench --csv=yes
error_says "option --csv takes no value"
expect 1 "$cqopt" bench --device gpu
error_says 'option --device wants cpu, cuda or auto'
expect 1 "$cqopt" bench 3d_f32_8k
error_says "one argument too many"
expect 1 "$cqopt" bench --output x
error_says "'cqopt bench' takes no --output"
expect 1 env CQ_SIMD=axv2 "$cqopt" bench --quick
error_says "CQ_SIMD is set to an unknown level .axv2."
expect 1 "$cqopt" solve velocity_2d --quick
error_says "'cqopt solve' takes no --quick"

# every number that the table shows is a row, and is a number
expect 0 "$cqopt" bench --quick --csv --threads 2
[ "$(head -n 1 out)" = "case,pass,quantity,value,unit,relation,bar,level" ] || fail "heading"
awk -F, 'NR > 1 && (NF != 8 || $4 !~ /^[0-9.e+-]+$/ || $4 <= 0) { print; bad = 1 }
         END { exit bad }' out || fail "a row is not as it should be"
for case in 3d_f32_8k 2d_f64_6k4 small_2d sparse_3d; do
  for pass in forward backward; do
    for quantity in engine_1_thread engine_all_threads naive ratio speedup frame_1_thread \
      frame_all_threads of_peak of_bandwidth step; do
      [ "$(grep -c "^$case,$pass,$quantity," out)" -eq 1 ] || fail "no $case,$pass,$quantity"
    done
  done
  grep -q "^$case,step,memo_bytes," out || fail "no $case,step,memo_bytes"
done
grep -q '^3d_f32_8k,forward,ratio,[^,]*,,>=,4.5,' out || fail "no bar of 3d_f32_8k"
grep -q '^3d_f32_8k,backward,naive_guard,[^,]*,,<=,1.3,' out || fail "no guard of 3d_f32_8k"
for case in fluid_2d_f64,2 fluid_3d_f32,2.5; do
  grep -q "^${case%,*},step,ratio,[^,]*,,>=,${case#*,}," out || fail "no bar of $case"
  for quantity in particle_iteration naive step speedup; do
    grep -q "^${case%,*},step,$quantity," out || fail "no $quantity of $case"
  done
done
for quantity in threads float double memory_1_thread memory_all_threads; do
  grep -q "^machine,peak,$quantity," out || fail "no machine,peak,$quantity"
done

for row in step,engine_1_thread step,engine_all_threads step,speedup step,contact_iteration step,ratio \
  step,penetration longer_step,engine_1_thread longer_step,penetration; do
  grep -q "^grains_4k,$row," out || fail "no grains_4k,$row"
done
# figures of a paper run by name alone
! grep -q '^paper_' out || fail "a figure runs unasked"
expect 0 "$cqopt" bench --case paper_schedules --csv
[ "$(grep -c '^paper_schedules,[0-9]*,[a-z_]*,' out)" -eq 9 ] || fail "no paper_schedules"

# a beginning picks cases; one thread; a plainer SIMD level, of which the naive loops are, too
expect 0 env CQ_SIMD= "$cqopt" bench --quick --csv --case small --threads 1
[ "$(cut -d, -f1 out | sort -u | tr '\n' ' ')" = "case machine small_2d " ] || fail "--case small"
if [ "$(uname -m)" = x86_64 ]; then
  expect 0 env CQ_SIMD=sse2 "$cqopt" bench --quick --csv --case small
  [ "$(tail -n +2 out | cut -d, -f8 | sort -u)" = sse2 ] || fail "not at level sse2"
fi

# the table fits a screen
expect 0 "$cqopt" bench --quick --case sp
awk 'length($0) > 100 { print; bad = 1 } END { exit bad }' out || fail "a line is too long"
grep -q "^sparse_3d  *forward " out || fail "no row of sparse_3d"

# a gradient under a budget of memory
expect 0 "$cqopt" bench --quick --csv --case gradient
grep -q '^gradient_64k,gradient,process_memory,[^,]*,GiB,<=,2,' out || fail "no memory of the gradient"
finish
