# shellcheck shell=bash
# For facts.sh: times, and identification from tracks: bench.csv, peers.csv, grains_lammps.csv,
# identify_material.csv, identify_rest.csv, identify_compare.csv, identify_coverage.csv, identify_field.csv, identify_compare_field.csv.

both() { # CASE QUANTITY FORMAT [SUFFIX]: forward / backward
  printf "$3$4 / $3$4" "$(pick bench value "case=$1" pass=forward "quantity=$2")" \
    "$(pick bench value "case=$1" pass=backward "quantity=$2")"
}
bars() { # CASE
  echo "$(pick bench bar "case=$1" pass=forward quantity=ratio) / $(pick bench bar "case=$1" pass=backward quantity=ratio)"
}
{
  echo "| case | 1 thread | 2 threads | naive | ratio | bar | of FMA peak |"
  echo "|---|---|---|---|---|---|---|"
  while read -r case name; do
    echo "| $name | $(both "$case" engine_1_thread %.0f "") | $(both "$case" engine_all_threads %.0f "") |" \
      "$(both "$case" naive %.0f "") | $(both "$case" ratio %.1f "") | $(bars "$case") |" \
      "$(both "$case" of_peak %.0f " %%") |"
  done << 'CASES'
3d_f32_8k 3D float 8k
3d_f32_64k 3D float 64k
3d_f32_512k 3D float 512k
3d_f64_64k 3D double 64k
2d_f32_6k4 2D float 6.4k
2d_f64_6k4 2D double 6.4k
CASES
} | fact bench.cases

{
  echo "| scene | forward | gradient | the gradients differ by |"
  echo "|---|---|---|---|"
  for scene in falling_block walker crawler; do
    echo "| \`$scene\` | $(pick peers forward_ratio scene=$scene side=taichi | as %.1f) |" \
      "$(pick peers gradient_ratio scene=$scene side=taichi | as %.1f) |" \
      "$(pick peers gradient_difference scene=$scene side=taichi | as %.1e) |"
  done
} | fact peers.taichi
for end in least most; do
  pick peers gradient_ratio side=taichi | $end | as %.0f | fact "peers.gradient.$end"
  pick peers forward_ratio side=taichi | $end | as %.0f | fact "peers.forward.$end"
done

{
  echo "| grains | LAMMPS, double | float | ratio | double | ratio |"
  echo "|---|---|---|---|---|---|"
  tail -n +2 grains_lammps.csv | awk -F, '{ printf "| %d | %.1f s | %.1f s | %.1f | %s | %s |\n", $2, $3, $4, $6,
    ($5 == "" ? "" : sprintf("%.1f s", $5)), ($7 == "" ? "" : sprintf("%.1f", $7)) }'
} | fact peers.lammps

{
  echo "| noise | Young's modulus | Poisson's ratio |"
  echo "|---|---|---|"
  for noise in 0.001 0.003 0.01 0.03 0.1; do
    printf '| %s %%' "$(echo $noise | times 100 | as %g)"
    for error in E_error_percent nu_error_percent; do
      printf ' | %s %%' "$(pick identify_material $error noise=$noise | tr -d - | most |
        awk '{ printf $1 < 10 ? "%.2g" : "%.0f", $1 }')"
    done
    echo ' |'
  done
} | fact identify.errors
{
  echo "| samples at rest | error of E | of nu | standard error of E | of nu |"
  echo "|---|---|---|---|---|"
  for rest in one mean; do
    tail -n +2 identify_rest.csv | awk -F, -v rest=$rest '$1 == rest {
        n++; for (i = 3; i <= 6; i++) sum[i] += $i * $i }
      END {
        printf "| %s", rest == "one" ? "one" : "2,501, their mean"
        for (i = 3; i <= 6; i++) printf " | %.2g %%", sqrt(sum[i] / n)
        print " |" }'
  done
} | fact identify.rest
for variable in E nu; do
  pick identify_coverage covered_percent variable=$variable | as %.1f | fact identify.covered.$variable
done
for method in gauss_newton LD_SLSQP LD_LBFGS cmaes; do
  pick identify_compare median_to_target method=$method | as %.0f | fact identify.runs.$method
done
for method in gauss_newton LD_SLSQP LD_LBFGS sqp; do
  pick identify_compare_field median_to_target method=$method | as %.0f | fact identify.field.runs.$method
done
for truth in 300 60; do
  pick identify_field found truth=$truth | awk '{ sum += $1; n++ } END { print sum / n }' | as %.0f | fact identify.field.$truth
done
tail -n +2 identify_field.csv | awk -F, '{ n += $5 ^ 2 <= 1.96 ^ 2 } END { print n }' | fact identify.field.held
pick identify_material youngs_modulus noise=refined | as %.1f | fact identify.refined.modulus
pick identify_material poisson_ratio noise=refined | as %.3f | fact identify.refined.ratio
