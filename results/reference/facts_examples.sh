# shellcheck shell=bash
# For facts.sh: the examples, examples.csv.

for run in finger_polygon finger_polygon_optimum swimmer quadruped two_materials silicone_beam; do
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
{
  echo "| | found | standard error | tracks made from |"
  echo "|---|---|---|---|"
  while IFS=, read -r variable value deviation truth; do
    case $variable in
      beam.youngs_modulus) printf '| Young%ss modulus | %.1f kPa | %.1f kPa | %.0f kPa |\n' "'" \
        "$(times 1e-3 <<< "$value")" "$(times 1e-3 <<< "$deviation")" "$(times 1e-3 <<< "$truth")" ;;
      damping) printf '| damping | %.2f /s | %.2f /s | %.0f /s |\n' "$value" "$deviation" "$truth" ;;
      time_offset) printf '| clock | %.2f ms | %.2f ms | %.0f ms |\n' "$(times 1e3 <<< "$value")" \
        "$(times 1e3 <<< "$deviation")" "$(times 1e3 <<< "$truth")" ;;
      view_rotation) printf '| axes turned by | %.4f | %.4f | %.2f |\n' "$value" "$deviation" "$truth" ;;
    esac
  done < silicone_beam.csv
} | fact silicone_beam.table
pick silicone_beam value variable=probability | times 100 | as %.1f | fact silicone_beam.probability
pick examples f run=silicone_beam | as %.0f | fact silicone_beam.f
pick examples half_step_f run=silicone_beam | as %.0f | fact silicone_beam.half_step_f
