# shellcheck shell=bash
# For facts.sh: large problems, Hock and Schittkowski's, and CMA-ES beside pycma: optimizers_*.csv,
# cmaes_pycma.csv.

class() { # VARIABLES METHOD: medians of evaluations, and the more that the method takes [ms]
  local start where="factor=1 variables=$1 method=$2"
  pick optimizers_class method $where | grep -q . || return 0
  for start in feasible infeasible; do
    pick optimizers_class median_evaluations $where start=$start
  done | as %d
  pick optimizers_class overhead_ms_an_evaluation $where | most | as %g
}
class_cell() {
  class "$@" | awk 'NR == 1 { evaluations = $0 } NR == 2 { print evaluations "; " $0 " ms" }'
}
{
  echo "| variables | sqp | IPOPT | LD_SLSQP | AUGLAG_CCSAQ |"
  echo "|---|---|---|---|---|"
  for variables in 100 300 1000 3000; do
    printf '| %s |' "$(echo $variables | sed 's/\(.\)000$/\1,000/')"
    for method in sqp IPOPT LD_SLSQP AUGLAG_CCSAQ; do
      printf ' %s |' "$(class_cell $variables $method)"
    done
    echo
  done
} | sed 's/|  |/| |/g' | fact optimizers.class
for method in sqp IPOPT LD_SLSQP; do
  pick optimizers_hs evaluations method=$method reached=yes | awk '{ n += $1 } END { print n }'
done | as %d | fact optimizers.hs.evaluations
pick optimizers_hs problem method=sqp | wc -l | fact optimizers.hs.problems
for method in sqp IPOPT LD_SLSQP; do
  pick optimizers_hs problem method=$method reached=yes | wc -l
done | least | fact optimizers.hs.solved

pycma() { # VARIABLES
  local name
  for name in sphere ellipsoid cigar discus rosenbrock different_powers; do
    printf ' %s / %s |' "$(pick cmaes_pycma median_evaluations function=$name method=full "variables=$1")" \
      "$(pick cmaes_pycma pycma_median function=$name method=full "variables=$1")"
  done
}
{
  echo "| | sphere | ellipsoid | cigar | discus | Rosenbrock | different powers |"
  echo "|---|---|---|---|---|---|---|"
  echo "| n = 10 |$(pycma 10)"
  echo "| n = 20 |$(pycma 20)"
} | fact cmaes.pycma
