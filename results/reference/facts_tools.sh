# shellcheck shell=bash
# For facts.sh: the problems with rigid tools, tools.csv.

{
  echo "| problem | wanted | by gradients | evaluations, of them with gradients | time | CMA-ES at this cost, 3 seeds | best of 20 random designs | without control |"
  echo "|---|---|---|---|---|---|---|---|"
  for task in gripper grasp_friction push_t conveyor_2d piston_2d; do
    case $task in
      gripper | grasp_friction) wanted=6.4e-5 ;;
      push_t) wanted=4.3e-4 ;;
      conveyor_2d) wanted=1.4e-4 ;;
      piston_2d) wanted=0.125 ;;
    esac
    awk -F, -v task=$task -v wanted=$wanted '
      NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
      $1 != task { next }
      { value = sprintf("%.2g", $at["f"]); sub(/e-0/, "e-", value)
        if ($at["violation"] > 1e-6) { value = "infeasible" }
        of[$2] = of[$2] (of[$2] == "" ? "" : ", ") value }
      $2 == "gradients" { spent = $at["evaluations"] ", " $at["gradients"] " | " sprintf("%.1f s", $at["seconds"]) }
      END { printf "| `%s` | %s | %s | %s | %s | %s | %s |\n", task, wanted, of["gradients"], spent, of["cmaes"],
              of["random"], of["none"] }' tools.csv
  done
} | fact tools
