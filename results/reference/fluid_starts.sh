# shellcheck shell=bash
# For make_fluid_*.sh: three small tasks in thin water, with the loss of DiffFR: half the squared
# distance, on the bottle a tenth of that and half of |q - q*|^2, to second order in the angle (in 3D, where three
# places are compared, no less than that). The stone's ring is 60 cm nearer than that of stone_skipping: in thin water,
# with particles of this size, that one takes 29 m/s, at the bound, where throws scatter by 20 cm.

sizes() { # TASK: 504, 291 and 800 particles, the loss
  case $1 in
    bottle_flip) echo '--set=objective=({term="distance";body="bottle";target=[9.0,6.25];weight=0.05;},{term="distance_between";body="cap";to="base";offset=[0,2.6];weight=0.01849;})' ;;
    bottle_flip_3d) echo '--set=simulation.radius=0.055 --set=objective=({term="distance";body="bottle";target=[9.0,6.2244,2.5];weight=0.05;},{term="distance_between";body="cap";to="base";offset=[0,2.7564,0];weight=0.01645;},{term="distance_between";body="side";to="bottle";offset=[0.4125,-0.0244,0];weight=0.7346;})' ;;
    stone_skipping) echo '--set=simulation.radius=0.025 --set=bodies.[0].size=[4.0,0.5] --set=objective=({term="distance";body="stone";target=[2.4,1.0];weight=0.5;})' ;;
  esac
}

starts() { # TASK SEED: both blocks of the design, shifted by up to 0.5
  awk -v task="$1" -v seed="$2" '
    function near(x) { return x + 2 * rand() * 0.5 - 0.5 }
    BEGIN {
      srand(seed)
      if (task == "bottle_flip") { v = near(6.5) "," near(5); w = near(6.8) }
      if (task == "bottle_flip_3d") { v = near(6.5) "," near(5) "," near(0); w = "[" near(0) "," near(0) "," near(6.8) "]" }
      if (task == "stone_near") { v = near(20) "," near(-8); w = near(5) }
      if (task == "stone_skipping") { v = near(14) "," near(-10); w = near(0) }
      printf "--set=design.[0].start=[%s] --set=design.[1].start=%s", v, w
    }'
}

# after RUN COST: the least f within so many forward runs
after() {
  awk -F, -v budget="$2" -v each="$(member "$1" gradient_cost)" '
    NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
    { cost += $column["kind"] == "fg" ? each : 1 }
    cost <= budget && $column["status"] == "OK" && (best == "" || $column["f"] < best) { best = $column["f"] }
    END { print best == "" ? "nan" : best }' "$1/history.csv"
}
