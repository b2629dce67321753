#!/usr/bin/env bash
# Makes validation_walls.csv, which docs/validation.md has of bodies on walls and slopes: a minute on one core.
#
#   results/reference/make_walls.sh [build/cqopt] [FOLDER]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/work.sh"
source "$here/scene_laid.sh"
export OMP_WAIT_POLICY=passive

# run NAME: simulates NAME.cfg
run() {
  rm -rf "$1"
  "$cqopt" simulate "$1.cfg" --output "$1" --set output.trajectory=false --quiet > "$1.out" 2>&1
}

# row CASE DIM PARAMETER CELLS QUANTITY VALUE
row() { (IFS=, && echo "$*"); }

# slope NAME DIM FRICTION KEYS: an elastic block without viscosity; the slope is the floor
slope() {
  local grid='[80, 80]' g='[-5, -8.6602540378]' low='[0.9, 0.13]' size='[0.2, 0.08]' point='[0, 0.13]'
  if [ "$2" = 3 ]; then
    grid='[64, 24, 24]' g='[-5, -8.6602540378, 0]' low='[0.9, 0.13, 0.17]' size='[0.2, 0.08, 0.12]' point='[0, 0.13, 0]'
  fi
  cat > "$1.cfg" << END
simulation: { dimension = $2; grid = $grid; cell = "1/50"; time_step = 2.5e-4; steps = 1600; gravity = $g; $4 };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; } );
bodies: ( { name = "b"; material = "m"; low = $low; size = $size; } );
boundaries: { half_spaces: ( { type = "separate"; friction = $3; point = $point; normal = "y"; } ); };
END
}

# steep NAME DIM ANGLE FRICTION: the same on another slope
steep() {
  local g
  g=$(awk -v a="$3" -v dim="$2" 'BEGIN { a *= atan2(0, -1)/180; printf "%.12g, %.12g%s", -10*sin(a), -10*cos(a), dim == 3 ? ", 0" : "" }')
  slope "$1" "$2" "$4" ''
  sed -i "s/gravity = [^;]*/gravity = [$g]/" "$1.cfg"
}

# flat NAME FRICTION KEYS: the block of `slope` is pushed along a flat floor, at 1 m/s
flat() {
  slope "$1" 2 "$2" "$3"
  sed -i 's/steps = [0-9]*/steps = 2400/; s/gravity = [^;]*/gravity = [0, -10]/; s/0.08\];/& velocity = [1, 0];/' "$1.cfg"
}

# stops NAME FRICTION: how far it has got, of v^2/(2 mu g)
stops() {
  run "$1"
  awk -F, -v mu="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }; next }
    { x = $at["b.x"] }
    NR == 2 { start = x }
    END { printf "%.6f\n", (x - start)*20*mu }' "$1/observations.csv"
}

# roll NAME KEYS PART: a disc on the same slope, whose plane is a part of a cell off the nodes below it
roll() {
  local plane
  plane=$(awk -v part="$3" 'BEGIN { printf "%.12g", 0.12 + part/50 }')
  slope "$1" 2 0.5 ''
  sed -i "s/friction = 0.5;/& $2/; s/steps = [0-9]*/steps = 2400/; s/0, 0.13/0, $plane/
    s/low = .*size = [^;]*/shape = \"ball\"; center = [1.2, $(awk -v y="$plane" 'BEGIN { printf "%.12g", y + 0.12 }')]; radius = 0.12/" "$1.cfg"
}

# rolls NAME: how far it has got, of sin t^2 g/3, and how fast it is then
rolls() {
  run "$1"
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }; next }
    NR == 2 { start = $at["b.x"] }
    { t = $1; x = $at["b.x"]; v = $at["b.vx"] }
    END { printf "%.4f %.4f\n", (start - x)/(5/3*t*t), -v/(10/3*t) }' "$1/observations.csv"
}

# inclined NAME FRICTION: the block of `slope` on a rigid body that is turned by 30 degrees
inclined() {
  cat > "$1.cfg" << END
simulation: { grid = [100, 100]; cell = "1/50"; time_step = 2e-4; steps = 2000; gravity = [0, -10]; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; },
  { name = "r"; model = "rigid"; density = 1; } );
bodies: ( { name = "b"; material = "m"; center = [1.05320508076, 0.884641016151]; size = [0.2, 0.08]; rotation = 0.523598775598298; },
  { name = "slope"; material = "r"; motion = "fixed"; friction = $2; center = [0.95, 0.663397459622];
    size = [1.4, 0.2]; rotation = 0.523598775598298; } );
boundaries: { domain: { type = "none"; }; };
END
}

# moves NAME X Y: acceleration along (X, Y) since 0.2 s, the largest speed since, and the mean one
moves() {
  awk -F, -v x="$2" -v y="$3" '
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }; next }
    { t = $1; v = x*$at["b.vx"] + y*$at["b.vy"]; speed = v < 0 ? -v : v }
    { way = x*$at["b.x"] + y*$at["b.y"] }
    t < 0.2 + 1e-9 { v2 = v; t2 = t; way2 = way; next }
    { top = speed > top ? speed : top }
    END { printf "%.8g %.3g %.3g\n", (v - v2)/(t - t2), top, (way - way2)/(t - t2) }' "$1/observations.csv"
}

# slides CASE DIM FRICTION X Y, of the run that is called like the case
slides() {
  run "$1"
  read -r a top mean < <(moves "$1" "$4" "$5")
  row "$1" "$2" "$3" 4 acceleration "$a"
  row "$1" "$2" "$3" 4 speed "$top"
  row "$1" "$2" "$3" 4 drift "$mean"
}

# column NAME DIM NU CELLS KEY: between slip walls that it ends at; 8 cells wide
column() {
  awk -v dim="$2" -v nu="$3" -v n="$4" -v key="$5" 'BEGIN {
    M = 1000*(1 - nu)/((1 + nu)*(1 - 2*nu)); H = 0.5; dx = H/n; p = 5.5*dx; w = 8*dx
    T = 4*H/sqrt(M); dt = 0.6*dx/sqrt(M)
    three = dim == 3; z = three ? sprintf(", %.17g", p) : ""; o = three ? ", 0" : ""
    printf "simulation: { dimension = %d; grid = [20, %d%s]; cell = %.17g; time_step = %.10g; steps = %d; gravity = [0, -0.2%s]; damping = %.8g; };\n",
      dim, n + 14, three ? ", 20" : "", dx, dt, 3*T/dt + 1, o, 12.57/T
    printf "materials: ( { name = \"m\"; youngs_modulus = 1000; poisson_ratio = %g; density = 1; } );\n", nu
    printf "bodies: ( { name = \"b\"; material = \"m\"; low = [%.17g, %.17g%s]; size = [%.17g, %g%s]; } );\n", p, p, z, w, H, three ? sprintf(", %.17g", w) : ""
    wall = "{ type = \"slip\"; %s point = [%s]; normal = [%s]; }"
    printf "boundaries: { domain: { type = \"none\"; }; half_spaces: ( "
    printf wall ", " wall ", " wall, key, sprintf("0, %.17g%s", p, o), "0, 1" o, key, sprintf("%.17g, 0%s", p, o), "1, 0" o, key, sprintf("%.17g, 0%s", p + w, o), "-1, 0" o
    if (three) { printf ", " wall ", " wall, key, sprintf("0, 0, %.17g", p), "0, 0, 1", key, sprintf("0, 0, %.17g", p + w), "0, 0, -1" }
    print " ); };" }' > "$1.cfg"
}

# block NAME NU CELLS: on a slip floor, with free sides, twice as wide as high
block() {
  awk -v nu="$2" -v n="$3" 'BEGIN {
    M = 1000*(1 - nu)/((1 + nu)*(1 - 2*nu)); H = 0.5; dx = H/n; c = sqrt(M); dt = 0.6*dx/c; T = 4*H/sqrt(1000)
    printf "simulation: { grid = [%d, %d]; cell = %.17g; time_step = %.10g; steps = %d; gravity = [0, -0.2]; damping = %.8g; };\n",
      2*n + 20, n + 14, dx, dt, 3*T/dt + 1, 12.57/T
    printf "materials: ( { name = \"m\"; youngs_modulus = 1000; poisson_ratio = %g; density = 1; } );\n", nu
    printf "bodies: ( { name = \"b\"; material = \"m\"; low = [%.17g, %.17g]; size = [1, 0.5]; } );\n", 10*dx, 5.5*dx
    printf "boundaries: { domain: { type = \"none\"; }; half_spaces: ( { type = \"slip\"; point = [0, %.17g]; normal = \"y\"; } ); };\n", 5.5*dx }' > "$1.cfg"
}

# settles NAME MODULUS: how far the mean sinks, of rho g H^2/(3 M)
settles() {
  run "$1"
  awk -F, -v M="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } NR == 2 { first = $at["b.y"] }
    { last = $at["b.y"] } END { printf "%.6f\n", (first - last)*3*M/(0.2*0.25) }' "$1/observations.csv"
}

# cylinder NAME CELLS: of radius 0.1 m between two plates without friction, which come together by 5 % of it each
cylinder() {
  awk -v n="$2" 'BEGIN { R = 0.1; dx = R/n; c = sqrt(1000*0.7/(1.3*0.4)); dt = 0.5*dx/c; T = 32*R/c; v = 0.05*R/T
    g = 2*n + 16; m = (g - 1)*dx/2
    printf "simulation: { grid = [%d, %d]; cell = %.17g; time_step = %.10g; steps = %d; damping = 60; };\n", g, g, dx, dt, T/dt
    printf "materials: ( { name = \"m\"; youngs_modulus = 1000; poisson_ratio = 0.3; density = 1; viscosity = %g; }, { name = \"r\"; model = \"rigid\"; density = 1; } );\n", 0.9/n
    printf "bodies: ( { name = \"b\"; material = \"m\"; shape = \"ball\"; center = [%.17g, %.17g]; radius = %g; },\n", m, m, R
    plate = "{ name = \"%s\"; material = \"r\"; motion = \"driven\"; velocity = [0, %.10g]; low = [%.17g, %.17g]; size = [%g, %.17g]; }"
    printf plate ", " plate " );\n", "top", -v, m - 0.4*R, m + R, 0.8*R, 3*dx, "bottom", v, m - 0.4*R, m - R - 3*dx, 0.8*R, 3*dx
    print "boundaries: { domain: { type = \"none\"; }; };" }' > "$1.cfg"
}

# pressed NAME: the force at the end, of that of Hertz at the same approach
pressed() {
  run "$1"
  awk -F, '
    function force(a) { return a*a*3.14159265358979*1000/0.91/(4*0.1) }
    function approach(a) { return a*a/(4*0.1)*(2*log(4*0.1/a) - 1) }
    NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } } NR == 2 { first = $at["top.y"] }
    { d = first - $at["top.y"]; f = ($at["top.force_y"] - $at["bottom.force_y"])/2 }
    END { low = 1e-6; high = 0.1
          for (i = 0; i < 60; i++) { a = (low + high)/2; if (approach(a) < d) { low = a } else { high = a } }
          printf "%.6f\n", f/force(low) }' "$1/observations.csv"
}

# meeting NAME DIM CONTACT: two discs or balls, 12 cells in diameter, come together at 0.6 m/s
meeting() {
  local grid='[80, 40]' z='' o='' at=0.4
  if [ "$2" = 3 ]; then
    grid='[62, 24, 24]' z=', 0.24' o=', 0' at=0.24
  fi
  cat > "$1.cfg" << END
simulation: { dimension = $2; grid = $grid; cell = "1/50"; time_step = 4e-4; steps = 300; };
materials: ( { name = "m"; youngs_modulus = 1000; poisson_ratio = 0.2; density = 1; } );
bodies: ( { name = "a"; shape = "ball"; material = "m"; center = [0.46, $at$z]; radius = 0.12; velocity = [0.3, 0$o]; },
  { name = "b"; material = "m"; shape = "ball"; center = [0.76, $at$z]; radius = 0.12; velocity = [-0.3, 0$o]; } );
$3
END
}

# gap NAME: in cells, where 1 % of the speed is lost
gap() {
  run "$1"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i }; next }
    { speed = $at["a.vx"] - $at["b.vx"]; apart = $at["b.x"] - $at["a.x"] }
    speed < 0.594 { printf "%.3f\n", (apart0 + (apart - apart0)*(speed0 - 0.594)/(speed0 - speed) - 0.24)*50; exit }
    { speed0 = speed; apart0 = apart }' "$1/observations.csv"
}

plain() { awk -v nu="$1" 'BEGIN { printf "%.10g", 1000/(1 - nu*nu) }'; }
confined() { awk -v nu="$1" 'BEGIN { printf "%.10g", 1000*(1 - nu)/((1 + nu)*(1 - 2*nu)) }'; }

# value CASE DIM PARAMETER CELLS QUANTITY COMMAND...: a row with what COMMAND prints
value() {
  local result
  result=$("${@:6}")
  row "${@:1:5}" "$result"
}

{
  echo case,dim,parameter,cells,quantity,value
  for mu in 0.5 0.6 0.7 1; do
    for dim in 2 3; do
      slope slope $dim $mu 'relax = 200; friction_mean = false;'
      slides slope $dim $mu 1 0
      slope swings $dim $mu ''
      slides swings $dim $mu 1 0
    done
    for what in inclined laid; do
      $what $what $mu
      slides $what 2 $mu 0.866025403784 0.5
    done
  done
  for what in '40 0.93' '45 1.1'; do
    read -r angle mu <<< "$what"
    for dim in 2 3; do
      steep "steep$angle" $dim "$angle" "$mu"
      slides "steep$angle" $dim "$mu" 1 0
    done
  done
  for mu in 0.2 0.5 0.7; do
    flat flat $mu 'friction_mean = false;'
    value flat 2 $mu 4 way stops flat $mu
    flat flat $mu ''
    value flat 2 $mu 4 mean_way stops flat $mu
  done
  for touch in 0 0.6; do
    for part in 0.01 0.25 0.5 0.75 0.99; do
      roll roll "touch = $touch;" $part
      read -r way speed < <(rolls roll)
      row roll 2 $part 12 "way_$touch" "$way"
      row roll 2 $part 12 "speed_$touch" "$speed"
    done
  done
  for what in '2 0.3 16' '2 0.3 32' '2 0 32' '3 0.3 16'; do
    read -r dim nu cells <<< "$what"
    column column "$dim" "$nu" "$cells" ''
    value column "$dim" "$nu" "$cells" mirror settles column "$(confined "$nu")"
    column column "$dim" "$nu" "$cells" 'mirror = false;'
    value column "$dim" "$nu" "$cells" nodes settles column "$(confined "$nu")"
  done
  for cells in 10 20; do
    for nu in 0.3 0.45 0.49 0.495 0.499; do
      block block $nu $cells
      value block 2 $nu $cells settles settles block "$(plain $nu)"
    done
  done
  for cells in 10 20 40; do
    cylinder cylinder $cells
    value hertz 2 0.05 $cells force pressed cylinder
  done
  for dim in 2 3; do
    meeting meeting $dim ''
    value meeting $dim 0 12 gap gap meeting
    meeting meeting $dim 'contact: ( { between = ["a", "b"]; friction = 0.5; } );'
    value meeting $dim 1 12 gap gap meeting
  done
} > csv
mv csv "$here/validation_walls.csv"
