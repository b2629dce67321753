# shellcheck shell=bash
# For facts.sh: controllers, control_*.csv.

gradient() { # COLUMN: the least a number of steps
  local steps
  for steps in 1 10 100 1000; do
    pick control_gradient "$1" steps=$steps | least
  done
}
gradient published | as %.1e | fact gradient.published
gradient difference | as %.1e | fact gradient.here
awk -F, 'NR > 1 { d = $2 - $3; print d < 0 ? -d : d }' control_diffmpm.csv | most | as %.1e |
  fact diffmpm.difference
for end in least most; do
  pick control_finger best simulations=1 | $end | as %.3f | fact "finger.1.$end"
  for simulations in 50 100; do
    pick control_finger best simulations=$simulations | times 1e3 | $end | as %.1f |
      fact "finger.$simulations.$end"
  done
done
for method in gradient_descent adam; do
  pick control_health result problem=walker_2d method=$method | as %.2f | fact "walker.$method"
done
for end in least most; do
  pick control_health growth_best problem=finger | $end | as %.1f | fact "growth.finger.best.$end"
  pick control_health growth_best problem=walker_2d | $end | as %.0f | fact "growth.walker.best.$end"
done
pick control_health growth_most problem=finger | most | as %.0f | fact growth.finger.most
pick control_health growth_most problem=walker_2d | most | as %.0f | fact growth.walker.most
pick control_health seed failed=0 | wc -l | fact health.runs

random() { # METHOD RANGE: [mm] of each seed, a cell of the table each number of simulations
  local simulations
  for simulations in 1 10 30 100 300 600; do
    printf ' %s |' "$(pick control_random distance "method=$1" "range=$2" "simulations=$simulations" | times 1e3 | as %.0f)"
  done
  echo
}
{
  echo "| simulations | 1 | 10 | 30 | 100 | 300 | 600 |"
  echo "|---|---|---|---|---|---|---|"
  echo "| 0.1 m, gradient descent with rate 2 [mm] |$(random gradient_descent 0.1)"
  echo "| 0.15 m, seeds 1 and 2 |$(random gradient_descent 0.15)"
  echo "| 0.15 m, CMA-ES on the mean of ten targets |$(random cmaes 0.15)"
} | sed 's/|  |/| |/g' | fact random.targets

ball() { pick control_ball "$@"; }
ball seed method=adam | wc -l | fact ball.adam.runs
ball seed method=adam exit_code=0 | wc -l | fact ball.adam.up
for end in least most; do
  ball evaluations method=adam exit_code=0 | $end | fact "ball.adam.$end"
done
ball seed method=gradient_descent | wc -l | fact ball.descent.runs
ball exit_code method=gradient_descent | awk '$1 == 0 { n++ } END { print n + 0 }' | fact ball.descent.up
