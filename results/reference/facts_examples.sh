# shellcheck shell=bash
# For facts.sh: the examples, examples.csv.

for run in finger_polygon finger_polygon_optimum swimmer quadruped two_materials; do
  pick examples evaluations run=$run | as %d | fact "$run.evaluations"
done
for run in swimmer quadruped; do # what is minimised is minus a place
  for column in start f half_step_f; do
    pick examples $column run=$run | times -1 | as %.3f | fact "$run.$column"
  done
done
for run in finger_polygon finger_polygon_optimum; do # and here a squared distance in cm^2
  pick examples f run=$run | awk '{ print 10 * sqrt($1) }' | as %.2f | fact "$run.distance"
done
pick examples f run=two_materials | awk '{ print 30 * sqrt($1) }' | as %.0f | fact two_materials.tension
pick examples half_step_share run=two_materials | times 100 | as %.2g | fact two_materials.half_step
pick examples violation run=one_material | times 100 | as %.1f | fact one_material.missing
