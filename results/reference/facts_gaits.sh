# shellcheck shell=bash
# For facts.sh: how long gaits last, gaits.csv.

# ways, of each seed; where there is none the simulation failed before
ways() { # TRAINING COLUMN
  pick gaits "$2" "training=$1" |
    awk '{ row = row (NR > 1 ? ", " : "") ($1 == "" ? "failed" : sprintf("%.2f", $1)) } END { print row }'
}
gait() { # TRAINING
  local column
  for column in near far far_slippery far_kicked; do
    printf ' %s |' "$(ways "$1" "$column")"
  done
  printf ' %d of %d |\n' "$(for column in fell fell_slippery fell_kicked; do pick gaits "$column" "training=$1"; done | grep -c . || true)" \
    "$(for column in fell fell_slippery fell_kicked; do pick gaits "$column" "training=$1"; done | wc -l)"
}
{
  echo "| trained | 3 s [m] | 30 s | 30 s, friction 0.4 | 30 s, kicked | runs in which it fell |"
  echo "|---|---|---|---|---|---|"
  echo "| as shipped |$(gait shipped)"
  echo "| in stages of 200, 400, 600 steps |$(gait stages)"
  echo "| with the term \`periodic\` |$(gait periodic)"
  echo "| in three scenarios of friction and kicks |$(gait scenarios)"
  echo "| by a clock of half a second |$(gait clock)"
  echo "| by that clock, with the term \`periodic\` |$(gait clock_periodic)"
  echo "| as shipped, then from three states along its run |$(gait states)"
  echo "| by that clock, with \`periodic\`, then from three states along its run |$(gait clock_periodic_states)"
} | fact gaits

# by pushes, gaits_pushed.csv
pushed() { # PUSHES HORIZON
  local column
  for column in alone pushed_back pushed_on; do
    printf ' %s |' "$(pick gaits_pushed "$column" "training=$1" "horizon=$2" |
      awk '{ row = row (NR > 1 ? ", " : "") sprintf("%.2f", $1) } END { print row }')"
  done
  printf ' %s |\n' "$(pick gaits_pushed fell "training=$1" "horizon=$2" | awk '{ n += $1 } END { printf "%d of %d", n, 3 * NR }')"
}
{
  echo "| trained | 3 s [m] | pushed back | pushed on | runs in which it fell |"
  echo "|---|---|---|---|---|"
  echo "| as shipped |$(pushed none 0)"
  echo "| on three pushes |$(pushed three 0)"
  echo "| with a horizon of half a second |$(pushed none 100)"
  echo "| on three pushes, with that horizon |$(pushed three 100)"
} | fact gaits_pushed
