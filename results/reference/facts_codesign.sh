# shellcheck shell=bash
# For facts.sh: co-design, codesign_runs.csv.

for runs in codesign_ codesign_full_sqp_ codesign_full_IPOPT_; do
  pick codesign_runs first_feasible "run=$runs[123]" | as %d | fact "${runs%_}.feasible"
  pick codesign_runs f "run=$runs[123]" | as %.3f | fact "${runs%_}.J"
done
pick codesign_runs evaluations 'run=codesign_[123]' | as %d | fact codesign.evaluations
for stiffness in 100 215 300; do
  pick codesign_runs evaluations run=fixed_$stiffness | as %d | fact "fixed_$stiffness.evaluations"
  pick codesign_runs f run=fixed_$stiffness | as %.3f | fact "fixed_$stiffness.J"
  pick codesign_runs violation run=fixed_$stiffness | as %.1e | fact "fixed_$stiffness.violation"
done

# what the co-designed arms spend of what the arm of 100 % does [%]
share() {
  pick codesign_runs f "run=$1" | awk -v of="$(pick codesign_runs f run=fixed_100)" '{ print 100 * $1 / of }'
}
for end in least most; do
  share 'codesign|codesign_[123]' | $end | as %.0f | fact "codesign.share.$end"
  share 'codesign_full_.*' | $end | as %.0f | fact "codesign_full.share.$end"
  pick codesign_runs half_step_violation 'run=codesign_.*' | $end | as %.0e | fact "codesign.half_step.$end"
done

pick codesign_runs f run=bridge | as %.3f | fact bridge.mass
pick codesign_runs f run=bridge_uniform | as %.3f | fact bridge.uniform
{ pick codesign_runs f run=bridge; pick codesign_runs f run=bridge_uniform; } |
  awk '{ mass[NR] = $1 } END { print 100 * (1 - mass[1] / mass[2]) }' | as %.0f | fact bridge.saved
pick codesign_runs evaluations run=bridge | as %d | fact bridge.evaluations
pick codesign_runs evaluations run=bridge_uniform | as %d | fact bridge.uniform.evaluations
pick codesign_runs evaluations run=gait | as %d | fact gait.evaluations
pick codesign_runs f run=gait | times -1 | as %.2f | fact gait.head
pick codesign_runs f run=gait_fixed | times -1 | as %.2f | fact gait.fixed.head
