# shellcheck shell=bash
# For facts.sh: the arm in three dimensions, arm_3d.csv, and the legs, leg.csv.

awk -F, '
  NR == 1 { print "| run | changed | evaluations | nearest [cm] | speed [m/s] | J | torn |"; print "|---|---|---|---|---|---|---|"; next }
  { printf "| %s | %s | %d | %.1f | %.2f | %.2f | %s |\n", $1, $2, $3, 100 * $4, $5, $6, ($7 == "" ? "-" : ($7 > 0 ? sprintf("%.0f %%", 100 * $7) : "no")) }' \
  arm_3d.csv | fact arm_3d.table
pick arm_3d distance 'run=reach|reach_[tms3f].*|sqp|IPOPT|particles|seed_2|gravity_2|goal_3|published' torn=0.000 | least | times 100 | as %.0f | fact arm_3d.whole
pick arm_3d distance run=gravity_0 | times 100 | as %.0f | fact arm_3d.weightless
pick arm_3d evaluations run=shipped | as %d | fact arm_3d.evaluations
pick arm_3d effort run=shipped | as %.3f | fact arm_3d.effort

# the table's f is 1e4 times squared distances [m^2]: 1e-2 is a millimetre
leg() { pick leg "$1" task="$2" method="$3"; }

for task in pneumatic_leg pneumatic_leg_drop; do
  leg evaluations $task gradients | as %d | fact $task.evaluations
  leg f $task gradients | as %.1e | fact $task.f
  leg f $task random | as %.2g | fact $task.random
done
leg design pneumatic_leg gradients | awk '{ printf "%.0f, %.0f, %.0f and %.0f\n", $1 / 1e3, $2 / 1e3, $3 / 1e3, $4 / 1e3 }' |
  fact pneumatic_leg.pressures
leg design pneumatic_leg_drop gradients | awk '{ printf "%.0f kPa and %.2f 1/s\n", $1 / 1e3, $2 }' | fact pneumatic_leg_drop.design
leg design pneumatic_leg_drop fine | awk '{ printf "%.1f and %.1f\n", 100 * $1, 100 * $2 }' | fact pneumatic_leg_drop.fine
pick leg_published f task=pneumatic_leg | as %.1e | fact pneumatic_leg.published
pick leg_published user_seconds | as %.0f | fact leg_published.seconds
pick leg_published peak_gib | most | as %.1f | fact leg_published.peak
