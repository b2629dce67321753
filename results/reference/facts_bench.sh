# shellcheck shell=bash
# For facts.sh: times, and identification from tracks: bench.csv, bench_fluid.csv, peers.csv,
# bench_threads.csv, bench_grains.csv, grains_lammps.csv, fluid_splishsplash.csv, identify_material.csv, identify_rest.csv, identify_compare.csv,
# identify_coverage.csv, identify_two_tests.csv, identify_field.csv, identify_compare_field.csv.

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

turns() { # CASE QUANTITY: forward / backward, of programs that ran in turns
  local pass
  for pass in forward backward; do pick bench_before value "case=$1" "pass=$pass" "quantity=$2"; done
}
scaled() { # CASE
  turns "$1" after | awk -v "peak=$(pick bench_before value "case=$1" quantity=peak_f32)" '{ print $1 * peak / 177 }'
}
pair() { # FORMAT: two lines as one
  awk -v "f=$1" '{ printf (NR > 1 ? " / " : "") f, $1 }'
}
{
  echo "| case | before | after | scaled | naive over after |"
  echo "|---|---|---|---|---|"
  while read -r case name; do
    echo "| $name | $(turns "$case" before | pair %.1f) | $(turns "$case" after | pair %.1f) |" \
      "$(scaled "$case" | pair %.1f) | $(paste <(turns "$case" naive) <(turns "$case" after) | awk '{ print $1 / $2 }' | pair %.1f) |"
  done << 'CASES'
2d_f64_6k4 2D double 6.4k
2d_f32_6k4 2D float 6.4k
small_2d 2D double 400
3d_f32_8k 3D float 8k
3d_f32_64k 3D float 64k
3d_f64_64k 3D double 64k
CASES
} | fact bench.before
turns small_2d after_step | pair %.1f | fact bench.small

# what of a step is not the particles' own work
{
  echo "| scene | grid | walls | observing | sort | controls | threads | all of these | the whole step |"
  echo "|---|---|---|---|---|---|---|---|---|"
  awk -F, 'NR == 1 { next }
    $1 != scene { if (scene != "") { print line(scene) } scene = $1; b = a = 0; cells = "" }
    $2 != "all" { b += $3; a += $4; cells = cells sprintf(" %.1f, %.1f |", $3, $4) }
    $2 == "all" { whole = sprintf("%.1f, %.1f", $3, $4) }
    function line(name) { return sprintf("| `%s` |%s %.1f, %.1f (%.2f) | %s |", name, cells, b, a, a / b, whole) }
    END { print line(scene) }' fixed.csv
} | fact small.fixed

# small WHAT SCENE: its four columns
small() {
  awk -F, -v what="$1" -v scene="$2" '$1 == what && $2 == scene { print $3, $4, $5, $6 }' small.csv
}
{
  echo "| gradient of | before | after |"
  echo "|---|---|---|"
  for scene in bounce finger walker_2d bridge rolling_hill; do
    small step $scene | awk -v s="$scene" '{ printf "| `%s` | %.1f | %.1f |\n", s, $1 < $2 ? $1 : $2, $3 < $4 ? $3 : $4 }'
  done
} | fact small.step
{
  echo "| | before: with, without walls | ratio | after | ratio |"
  echo "|---|---|---|---|---|"
  for scene in walker_2d rolling_hill; do
    small walls $scene | awk -v s="$scene" '{ printf "| `%s` | %.1f, %.1f | %.2f | %.1f, %.1f | %.2f |\n", s, $1, $2, $1 / $2, $3, $4, $3 / $4 }'
  done
} | fact small.walls
{
  echo "| particles | before: 1 thread, 2 threads | gain | after | gain |"
  echo "|---|---|---|---|---|"
  for scene in "2D 529" "2D 1024" "2D 2025" "2D 5041" "3D 512" "3D 2197"; do
    small threads "$scene" | awk -v s="$scene" '{ printf "| %s | %.0f, %.0f | %.2f | %.0f, %.0f | %.2f |\n", s, $1, $2, $1 / $2, $3, $4, $3 / $4 }'
  done
} | fact small.threads
{
  echo "| | 1 thread | 2 threads | gain |"
  echo "|---|---|---|---|"
  while read -r name text; do
    small side "$name" | awk -v s="$text" '{ printf "| %s | %.1f | %.1f | %.2f |\n", s, $3, $4, $3 / $4 }'
  done << 'SIDE'
starts four starts of `walker_2d`
scenarios eight scenarios of `finger_random`
SIDE
} | fact small.side
{
  echo "| problem | before | after | ratio |"
  echo "|---|---|---|---|"
  awk -F, 'NR > 1 && $2 != "none" && $3 != "none" { printf "| `%s` | %.2f | %.2f | %.2f |\n", $1, $2, $3, $2 / $3 }' builtin_times.csv
} | fact builtins.times

# peer TABLE SIDE: times over those of cqopt
peer() {
  echo "| scene | forward | gradient | the gradients differ by |"
  echo "|---|---|---|---|"
  for scene in falling_block walker crawler; do
    echo "| \`$scene\` | $(pick "$1" forward_ratio scene=$scene side="$2" | as %.1f) |" \
      "$(pick "$1" gradient_ratio scene=$scene side="$2" | as %.1f) |" \
      "$(pick "$1" gradient_difference scene=$scene side="$2" | as %.1e) |"
  done
}
peer peers taichi | fact peers.taichi
peer peers_warp warp | fact peers.warp
for end in least most; do
  pick peers gradient_ratio side=taichi | $end | as %.0f | fact "peers.gradient.$end"
  pick peers forward_ratio side=taichi | $end | as %.0f | fact "peers.forward.$end"
  pick peers_warp gradient_ratio side=warp | $end | as %.0f | fact "peers.warp.gradient.$end"
  pick peers_warp forward_ratio side=warp | $end | as %.0f | fact "peers.warp.forward.$end"
done

{
  echo "| grains | precision | LAMMPS | steps of 1 ms | ratio | of 2 ms | ratio |"
  echo "|---|---|---|---|---|---|---|"
  tail -n +2 grains_lammps.csv | awk -F, '{
    printf "| %d | %s | %.2f s | %.2f s | %.1f | %.2f s | %.1f |\n", $2, $3, $4, $5, $7, $6, $8 }'
} | fact peers.lammps
grains() { # CASES PASS QUANTITY FORMAT
  pick bench_grains value "case=$1" "pass=$2" "quantity=$3" | as "$4"
}
{
  both="grains_4k|grains_128k"
  echo "| | asked | measured |"
  echo "|---|---|---|"
  echo "| contact and iteration beside the plain loop, float, 4,000 | at least 2.5 | $(grains grains_4k step ratio %.1f) |"
  echo "| at 128,000 | at least 1.8 | $(grains grains_128k step ratio %.1f) |"
  echo "| time of a grain and step, 128,000 beside 4,000 | at most 2.5 |" \
    "$(pick bench_grains value "case=$both" pass=step quantity=engine_1_thread |
      awk 'NR == 1 { first = $1 } END { printf "%.1f", $1 / first }') |"
  echo "| bytes of a state by its grains, float, 4,000, 128,000 | at most 900 | $(grains "$both" step state_bytes %.0f) |"
  echo "| penetration at rest, radii, 1 ms and 10 iterations: 4,000, 128,000 | at most 0.01 | $(grains "$both" step penetration %.4f) |"
  echo "| 2 ms and 8 | at most 0.01 | $(grains "$both" longer_step penetration %.4f) |"
} | fact grains.bench
realtime() { # CASE STEP PASS QUANTITY: grains that a second of the clock is enough for, by hundreds
  pick bench_threads value "case=$1" "pass=$3" "quantity=$4" |
    awk -v dt="$2" '{ printf "%d", 100 * int(dt / ($1 * 1e-9) / 100) }'
}
{
  echo "| | steps of 1 ms, 10 iterations, one core | two cores | steps of 2 ms, 8 iterations, one core |"
  echo "|---|---|---|---|"
  for name in float double; do
    bed=grains_4k$([ $name = float ] || echo _f64)
    echo "| $name | $(realtime "$bed" 1e-3 step engine_1_thread) | $(realtime "$bed" 1e-3 step engine_all_threads) |" \
      "$(realtime "$bed" 2e-3 longer_step engine_1_thread) |"
  done
} | fact grains.realtime
{
  echo "| | particles | ns a particle and sweep | plain loops | ratio | bar | step of 1 + 10 sweeps |"
  echo "|---|---|---|---|---|---|---|"
  while read -r case n bar name; do
    printf '| %s | %s' "$name" "$n"
    for quantity in particle_iteration naive ratio; do
      printf ' | %.1f' "$(pick bench_fluid value "case=$case" quantity=$quantity)"
    done
    printf ' | %s | %.0f |\n' "${bar#-}" "$(pick bench_fluid value "case=$case" quantity=step)"
  done << 'CASES'
fluid_2d_f32 4,900 - 2D float
fluid_2d_f64 4,900 2 2D double
fluid_3d_f32 8,000 2.5 3D float
fluid_3d_f64 8,000 1.8 3D double
CASES
} | fact fluid.bench
{
  echo "| particles | SPlisHSPlasH, float | cqopt, float | ratio | double | ratio |"
  echo "|---|---|---|---|---|---|"
  tail -n +2 fluid_splishsplash.csv | awk -F, '{ printf "| %d | %.0f ns | %.0f ns | %.1f | %.0f ns | %.1f |\n", $1, $2, $3, $5, $4, $6 }'
} | fact peers.splishsplash
for side in splishsplash float; do
  pick fluid_splishsplash "moved_$side" | as %.3f | fact "peers.splishsplash.$side"
done

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
  echo "| a marker is bound by | error of E | of nu | standard error of E | of nu |"
  echo "|---|---|---|---|---|"
  for rest in one places mean offsets both; do
    case $rest in
      one) words="one sample at rest" ;;
      places) words="\`rest_positions\`, to 0.05 mm" ;;
      mean) words="the mean of 2,501 samples" ;;
      offsets) words="one sample, and \`marker_offset\`" ;;
      both) words="the mean of 2,501, and \`marker_offset\`" ;;
    esac
    tail -n +2 identify_rest.csv | awk -F, -v rest=$rest -v words="$words" '$1 == rest {
        n++; for (i = 3; i <= 6; i++) sum[i] += $i * $i }
      END {
        printf "| %s", words
        for (i = 3; i <= 6; i++) printf " | %.2g %%", sqrt(sum[i] / n)
        print " |" }'
  done
} | fact identify.rest
{
  echo "| fitted to | Young's modulus | Poisson's ratio | friction | correlation of the last two |"
  echo "|---|---|---|---|---|"
  for tests in drop press both; do
    awk -F, -v tests="$tests" '$1 == tests { bar[$2] = sprintf("%.3g ± %.2g", $3, $4); last = sprintf("%.2f", $5) }
      END { printf "| %s | %s | %s | %s | %s |\n", tests == "both" ? tests : "the " tests " alone", bar["cube.youngs_modulus"],
              bar["cube.poisson_ratio"], "domain.friction" in bar ? bar["domain.friction"] : "-",
              "domain.friction" in bar ? last : "-" }' identify_two_tests.csv
  done
} | fact identify.two
for variable in E nu; do
  pick identify_coverage covered_percent variable=$variable | as %.1f | fact identify.covered.$variable
  pick identify_coverage bias variable=$variable | as %.2f | fact identify.bias.$variable
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
pick depth_images us wide=36 high=36 | most | as %.0f | fact depth.us
pick depth_images share_of_action wide=36 high=36 | times 100 | most | as %.1f | fact depth.share
pick depth_images share_of_step wide=36 high=36 | times 100 | most | as %.0f | fact depth.step

# built-in problems in both precisions
awk -F, '
  function verdict(code) { return code == 0 ? "solved" : code == 3 ? "budget" : code == 4 ? "infeasible" : "exit " code }
  NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }
    print "| problem | double | evaluations, seconds | float | evaluations, seconds | an evaluation in float, of the time | gradients differ at the start, at the end |"
    print "|---|---|---|---|---|---|---|"
    next }
  { d = $at["double_seconds"]; f = $at["float_seconds"]; m = $at["double_evaluations"]; n = $at["float_evaluations"]
    printf "| `%s` | %s, %.4g | %d, %.1f | %s, %.4g | %d, %.1f | %.2f | %.0e, %.0e |\n", $1, verdict($at["double_exit"]), $at["double_f"], m, d,
      verdict($at["float_exit"]), $at["float_f"], n, f, f / n / (d / m), $at["gradient_start"], $at["gradient_end"] }' float.csv | fact float.table
awk 'END { print NR - 1 }' float.csv | fact float.count
awk -F, 'NR > 1 && $2 == $6 { n++ } END { print n }' float.csv | fact float.alike
awk -F, 'NR > 1 { print $9 / $8 / ($5 / $4) }' float.csv | sort -g | awk '{ x[NR] = $1 } END { printf "%.2f\n", x[int((NR + 1) / 2)] }' | fact float.median
