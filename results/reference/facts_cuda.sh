# shellcheck shell=bash
# For facts.sh: times on a CUDA device: bench_cuda.csv (OUT/gpu.csv of bench/gpu.sh; the case _again is of a process of its own)
# and bench_cuda_kernels.csv (ncu --cache-control none: 30 steps of the quadruped, and the largest cube in its fall).

of_cuda() { # CASE QUANTITY FORMAT: forward / backward
  printf "$3 / $3" "$(pick bench_cuda value "case=$1" pass=forward "quantity=$2")" \
    "$(pick bench_cuda value "case=$1" pass=backward "quantity=$2")"
}
{
  echo "| case | ns a particle | us a step | of memory [%] | naive ns | gain | ms for 3 steps |"
  echo "|---|---|---|---|---|---|---|"
  for case in 2d_f32_6k4 2d_f64_6k4 3d_f32_8k 3d_f32_64k 3d_f32_512k 3d_f64_8k 3d_f64_64k 3d_f64_512k; do
    echo "| \`$case\` | $(of_cuda $case engine %.2f) | $(of_cuda $case step %.0f) | $(of_cuda $case of_bandwidth %.0f) |" \
      "$(of_cuda $case naive %.2f) | $(of_cuda $case ratio %.2f) | $(of_cuda $case frame %.3f) |"
  done
} | fact cuda.cases
{
  echo "| scene | paper, forward / backward [ms] | bar | H200, before the changes below |"
  echo "|---|---|---|---|"
  echo "| 3D 512k, float | 10.501 / 11.594 | 0.50 / 1.1 | $(of_cuda 3d_f32_512k frame %.2f), again $(of_cuda 3d_f32_512k_again frame %.2f) |"
  echo "| 3D 64k | 1.594 / 1.774 | 0.10 / 0.18 | $(of_cuda 3d_f32_64k frame %.2f) |"
  echo "| 3D 8k | 0.392 / 0.406 | 0.045 / 0.075 | $(of_cuda 3d_f32_8k frame %.3f) |"
  echo "| 2D 6.4k | 0.10 / 0.14 | 0.035 / 0.05 | $(of_cuda 2d_f32_6k4 frame %.3f) |"
} | fact cuda.frames
of_cuda 3d_f32_512k_again frame %.2f | fact cuda.again
pick bench_cuda value case=machine quantity=memory_copy | as %.0f | fact cuda.copy
of_gradient() { pick bench_cuda value case=gradient_64k "quantity=$1"; } # QUANTITY
printf "The gradient of 1,000 steps of 64,000 particles takes %.2f s, %.2f of them backward, with all states in %.1f GiB." \
  "$(($(of_gradient forward | times 1e6 | as %.0f) + $(of_gradient backward | times 1e6 | as %.0f)))e-6" \
  "$(of_gradient backward)" "$(of_gradient states_memory)" | fact cuda.gradient
for case in fluid_2d_f32 fluid_3d_f32 fluid_3d_64k; do
  pick bench_cuda value case=$case quantity=step
done | as %.0f | fact cuda.fluid
awk -F, 'NR > 1 { us[$1, $2] = $3; if (!seen[$2]++) { name[++n] = $2 } }
  function cell(scene, kernel) { return (scene, kernel) in us ? sprintf("%.0f", us[scene, kernel]) : "" }
  END {
    print "| kernel | quadruped, 6,144 particles | cube, 512,000 |"
    print "|---|---|---|"
    for (i = 1; i <= n; i++) {
      if (name[i] == "begin" || name[i] == "adjoint_norms") { continue }
      printf "| `%s` | %s | %s |\n", name[i], cell("quadruped", name[i]), cell("3d_f32_512k", name[i])
    }
  }' bench_cuda_kernels.csv | fact cuda.kernels
