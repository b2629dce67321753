# shellcheck shell=bash
# For facts.sh: optimizers beside each other, compare_*.csv.

# cells FORMAT TABLE COLUMN [SIGN]: a cell of the table for each method
cells() {
  local method value
  for method in LD_SLSQP adam.* gradient_descent.* cmaes one_plus_one_es; do
    value=$(pick "compare_$2" "$3" "method=$method")
    if [ -n "$value" ]; then
      printf ' %s |' "$(echo "$value" | times "${4:-1}" | as "$1")"
    else
      printf ' never |'
    fi
  done
}
{
  echo "| problem (variables, budget) | LD_SLSQP | adam | gradient_descent | cmaes | one_plus_one_es |"
  echo "|---|---|---|---|---|---|"
  echo "| \`density_inference\` (1, 60) |$(cells %.3e density_inference f_median)"
  echo "| ERT to $(pick compare_density_inference target method=cmaes | as %.2e) |$(cells %.0f density_inference expected_to_target)"
  echo "| \`finger\` (30, 300), squared distance [m^2] |$(cells %.1e finger f_median)"
  echo "| ERT to $(pick compare_finger target method=cmaes | awk '{ print 1e3 * sqrt($1) }' | as %.0f) mm |$(cells %.0f finger expected_to_target)"
  echo "| \`walker_2d\` (116, 300), x of the head [m] |$(cells %.2f walker_2d f_median -1)"
  echo "| \`velocity_2d\` (2, 100), half a squared distance [m^2] |$(cells %.1e velocity_2d f_median)"
  echo "| ERT to $(pick compare_velocity_2d target method=cmaes | as %.0e) |$(cells %.0f velocity_2d expected_to_target)"
} | fact compare.medians

pick compare_costs gradient_cost | least | as %.1f | fact compare.cost.least
pick compare_costs gradient_cost | most | as %.1f | fact compare.cost.most
for method in LD_SLSQP cmaes; do
  pick compare_finger median_to_target method=$method | as %.0f | fact "compare.finger.$method"
done
pick compare_finger runs method=cmaes | as %d | fact compare.finger.runs
pick compare_finger successes method=cmaes | as %d | fact compare.finger.cmaes.successes
pick compare_velocity_2d successes method=LD_SLSQP | as %d | fact compare.velocity.successes
pick compare_velocity_2d runs method=LD_SLSQP | as %d | fact compare.velocity.runs
pick control_health result problem=walker_2d method=adam | least | as %.2f | fact walker.adam.least
for method in LD_SLSQP LN_COBYLA LD_MMA bipop_cmaes cmaes one_plus_one_es adam LN_NELDERMEAD; do
  pick compare_ecdf reached problem=functions "method=$method.*" | times 100 | as %.0f |
    fact "compare.functions.$method"
done

# the paper's question itself
pick density_inference_slsqp density | tail -n 1 | as %.4g | fact density.answer
for end in least most; do
  pick density_inference_seeds density | $end | as %.3g | fact "density.$end"
done
