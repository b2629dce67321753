# shellcheck shell=bash
# For facts.sh: PPO beside gradients, ppo.csv.

last() { # PROBLEM METHOD COLUMN [SIMULATIONS]: of each seed, the last row with no more than so many
  awk -F, -v problem="$1" -v method="$2" -v column="$3" -v most="${4:-1e30}" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    $at["problem"] == problem && $at["method"] == method && $at["simulations"] + 0 <= most + 0 {
      seen[$at["seed"]] = $at[column] }
    END { for (seed = 1; seed in seen; seed++) { print seen[seed] } }' ppo.csv
}

when() { # PROBLEM METHOD COLUMN BEST: of each seed, when the best is that good, or "-"
  awk -F, -v problem="$1" -v method="$2" -v column="$3" -v wanted="$4" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } next }
    $at["problem"] == problem && $at["method"] == method {
      seed = $at["seed"]
      if (!(seed in when)) { when[seed] = "-" }
      good = problem == "walker_2d" ? $at["best"] + 0 >= wanted : $at["best"] + 0 <= wanted
      if (good && when[seed] == "-") { when[seed] = sprintf("%.0f", $at[column]) } }
    END { for (seed = 1; seed in when; seed++) { row = row (seed > 1 ? ", " : "") when[seed] }
          print row }' ppo.csv
}

# cells COMMAND...: of the three problems; PROBLEM, FORMAT and FACTOR are set for it
cells() {
  local PROBLEM FORMAT FACTOR WANTED
  while read -r PROBLEM FORMAT FACTOR WANTED; do
    printf ' %s |' "$("$@")"
  done << 'PROBLEMS'
finger %.1f 1e3 0.01
finger_random %.1f 1e3 0.015
walker_2d %.2f 1 1.2
PROBLEMS
  echo
}
value() { last "$PROBLEM" "$1" best "${2:-}" | times "$FACTOR" | as "$FORMAT"; }
start() { last "$PROBLEM" gradients value 3 | times "$FACTOR" | as "$FORMAT"; }
# lines that are all the same, once
once() { awk '{ all[NR] = $0; differ = differ || $0 != all[1] }
              END { for (i = 1; i <= (differ ? NR : 1); i++) { print all[i] } }'; }
spent() {
  echo "$(last "$PROBLEM" "$1" simulations | once | as %d); $(last "$PROBLEM" "$1" seconds | as %.0f) s"
}
alike() { value ppo "$(last "$PROBLEM" gradients simulations | least)"; }
reached() { echo "$(when "$PROBLEM" "$1" simulations "$WANTED"); $(when "$PROBLEM" "$1" seconds "$WANTED") s"; }

{
  echo "| | \`finger\` [mm] | \`finger_random\` [mm] | \`walker_2d\` [m] |"
  echo "|---|---|---|---|"
  echo "| gradients, first controller |$(cells start)"
  echo "| gradients: simulations; time |$(cells spent gradients)"
  echo "| gradients: best |$(cells value gradients)"
  echo "| PPO after as many simulations |$(cells alike)"
  echo "| PPO: simulations; time |$(cells spent ppo)"
  echo "| PPO: best |$(cells value ppo)"
  echo "| to 10 mm, 15 mm, 1.2 m: gradients |$(cells reached gradients)"
  echo "| the same: PPO |$(cells reached ppo)"
} | fact ppo
