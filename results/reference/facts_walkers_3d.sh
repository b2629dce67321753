# shellcheck shell=bash
# For facts.sh: the tasks in three dimensions, walkers_3d.csv and walkers_3d_scale.csv.

# a row for each task and method; seeds beside each other
awk -F, '
  function add(list, value) { return list == "" ? value : list ", " value }
  NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }
    print "| task, method, precision | at the start | after 30 | 100 | 300 | least so far, of how many | at half the time step | torn particles |"
    print "|---|---|---|---|---|---|---|---|"
    next }
  $2 == "start" || $at["evaluations"] < 10 { next }
  { row = "`" $1 "`, " $2 ", " $3
    if (!(row in seen)) { seen[row] = 1; order[++n] = row }
    start[row] = sprintf("%.3g", $at["start"])
    for (k = 1; k <= 3; k++) { of = $at["after_" budget(k)]; if (of != "") { after[row, k] = add(after[row, k], sprintf("%.3g", of)) } }
    least[row] = add(least[row], sprintf("%.3g (%d)", $at["best"], $at["evaluations"]))
    if ($at["half_step"] != "") { half[row] = add(half[row], sprintf("%.3g", $at["half_step"])) }
    if ($at["torn_share"] != "") { torn[row] = add(torn[row], sprintf("%.1f %%", 100 * $at["torn_share"])) } }
  function budget(k) { return k == 1 ? 30 : k == 2 ? 100 : 300 }
  END { for (i = 1; i <= n; i++) { row = order[i]
    print "| " row " | " start[row] " | " after[row, 1] " | " after[row, 2] " | " after[row, 3] " | " least[row] " | " \
      half[row] " | " torn[row] " |" } }' walkers_3d.csv | sed 's/|  |/| |/g; s/|  |/| |/g' | fact walkers_3d

awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
  $2 == "start" { norm[$1, $3] = $at["gradient_norm"]; tasks[$1] }
  END { for (t in tasks) { if (norm[t, "float"] > 0 && norm[t, "double"] > 0) { d = norm[t, "float"] / norm[t, "double"] - 1; print d < 0 ? -d : d } } }' \
  walkers_3d.csv | most | as %.0e | fact walkers_3d.float
for method in adam gradient_descent sep_cmaes; do
  pick walkers_3d best task=quadruped method=$method precision=float | as %.2f | fact "walkers_3d.${method#gradient_}"
done
pick walkers_3d half_step task=quadruped method='adam|gradient_descent' precision=float | as %.2f | fact walkers_3d.half
pick walkers_3d_scale peak_gib | as %.2f | fact walkers_3d.peak
pick walkers_3d_scale states | fact walkers_3d.states
awk -F, 'NR > 1 { print $6 / $3 }' walkers_3d_scale.csv | as %.0f | fact walkers_3d.seconds

# random goals, arm_goals.csv
{
  echo "| method, seed | steps of ten goals | mean distance to 64 other goals [m] | the largest | torn particles |"
  echo "|---|---|---|---|---|"
  awk -F, 'NR > 1 { printf "| %s, %d | %d | %.3f | %.2f | %.1f %% |\n", $1, $2, $3, $4, $5, 100 * $6 }' arm_goals.csv
} | fact arm_goals
