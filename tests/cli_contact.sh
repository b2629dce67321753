#!/usr/bin/env bash
# What stands, slides and rolls on a slope of 30 degrees, and the keys of walls that it needs.
source "$(dirname "$0")/cli_lib.sh"

# slope FILE STEP STEPS MATERIAL BODY WALL: the slope is the floor, gravity is turned
slope() {
  cat > "$1" << END
simulation: { grid = [80, 80]; cell = "1/50"; time_step = $2; steps = $3; gravity = [-5, -8.6602540378]; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; $4 } );
bodies: ( { name = "b"; material = "m"; $5 } );
boundaries: { half_spaces: ( { type = "separate"; $6 point = [0, 0.13]; normal = "y"; } ); };
END
}

# run NAME: simulates NAME.cfg
run() {
  expect 0 "$cqopt" simulate "$1.cfg" --output "$1" --quiet
}

# says NAME CONDITION: of its observations, v and x at 0.2 s (v2, x2) and at the end (v, x, t), the largest
# speed since (top), how far it went (way), and the slope of the line through v since (line), whatever swings
says() {
  awk -F, -v name="$1" 'NR == 2 { x0 = $2 }
    NR > 1 { t = $1; x = $2; v = $4; way = x - x0; speed = v > 0 ? v : -v }
    NR > 1 && t < 0.2 + 1e-9 { v2 = v; x2 = x; t2 = t }
    NR > 1 && t > 0.2 { top = speed > top ? speed : top; n++; st += t; sv += v; stt += t * t; stv += t * v }
    END { line = (stv - st * sv/n)/(stt - st * st/n)
          printf "  %s: x %.6g, v %.6g, acceleration since 0.2 s %.6g, largest speed %.3g\n", name, way, v, line, top
          exit !('"$2"') }' "$1/observations.csv" || fail "$1: not $2"
}

# hard FILE FRICTION: the slope is a rigid body that is turned by 30 degrees, and nothing has viscosity
hard() {
  cat > "$1" << END
simulation: { grid = [100, 100]; cell = "1/50"; time_step = 2e-4; steps = 2000; gravity = [0, -10]; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; }, { name = "r"; model = "rigid"; density = 1; } );
bodies: ( { name = "b"; material = "m"; center = [1.05320508076, 0.884641016151]; size = [0.2, 0.08]; rotation = 0.523598775598298; },
  { name = "slope"; material = "r"; motion = "fixed"; friction = $2; center = [0.95, 0.663397459622];
    size = [1.4, 0.2]; rotation = 0.523598775598298; } );
boundaries: { domain: { type = "none"; }; };
END
}

block='low = [0.9, 0.13]; size = [0.2, 0.08];'
disc='shape = "ball"; center = [1.2, 0.25]; radius = 0.12;'

# a block of a material with a little viscosity stands below the angle of friction and slides above
# it, and so does one without, which swings; by the pressure of the moment that shakes it down the slope
slope stands.cfg 1e-4 3000 'viscosity = 0.7;' "$block" 'friction = 0.6;'
slope slides.cfg 1e-4 3000 'viscosity = 0.7;' "$block" 'friction = 0.5;'
slope shakes.cfg '2.5e-4; friction_mean = false' 1200 '' "$block" 'friction = 0.7;'
for mu in 0.5 0.6 0.7 1; do
  slope swings$mu.cfg 2.5e-4 1600 '' "$block" "friction = $mu;"
done
# on a slope of 45 degrees, too, where an edge of it lifts, and after a fall of a third of a cell
slope steep.cfg 2.5e-4 1600 '' "$block" 'friction = 1.1;'
sed -i 's/gravity = .*]; }/gravity = [-7.07106781187, -7.07106781187]; }/' steep.cfg
slope falls.cfg 2.5e-4 4000 '' 'low = [0.9259, 0.137]; size = [0.2, 0.08];' 'friction = 0.7;'
slope stops.cfg 2.5e-4 2000 '' 'low = [0.5, 0.13]; size = [0.2, 0.08]; velocity = [1, 0];' 'friction = 0.2;'
sed -i 's/gravity = .*]; }/gravity = [0, -10]; }/' stops.cfg
# or begins at rest: then it stays there, and slides as it should, without any viscosity
for mu in 0.5 0.6 0.7 1; do
  slope begins$mu.cfg '2.5e-4; relax = 200' 1600 '' "$block" "friction = $mu;"
done
for name in stands slides shakes stops swings0.5 swings0.6 swings0.7 swings1 steep falls begins0.5 begins0.6 begins0.7 begins1; do
  run $name
done
for mu in 0.6 0.7 1; do
  says begins$mu 'top < 1e-5 && way > -1e-5'
done
# of x and vx, which is sqrt(3)/2 along this slope
for mu in 0.5 0.6; do
  hard hard$mu.cfg $mu
  run hard$mu
done
says hard0.5 '(v - v2)/(t - t2)/-0.669873*2/sqrt(3) > 0.97 && (v - v2)/(t - t2)/-0.669873*2/sqrt(3) < 1.03'
says hard0.6 '(x - x2)/(t - t2) > -1e-4 && (x - x2)/(t - t2) < 1e-4'
says begins0.5 'line/-0.669873 > 0.99 && line/-0.669873 < 1.01'
says stands 'top < 1e-5'
says slides '(v - v2)/(t - t2)/-0.669873 > 0.998 && (v - v2)/(t - t2)/-0.669873 < 1.002'
says shakes 'top > 0.02' # the text says so
for mu in 0.6 0.7 1; do
  says swings$mu '(x - x2)/(t - t2) > -1e-4 && (x - x2)/(t - t2) < 1e-4 && way > -2e-3'
done
says steep '(x - x2)/(t - t2) > -1e-4 && (x - x2)/(t - t2) < 1e-4 && way > -2e-3'
says falls 'v > -1e-4 && v < 1e-4'
says swings0.5 'line/-0.669873 > 0.98 && line/-0.669873 < 1.02'
says stops 'way/0.25 > 0.995 && way/0.25 < 1.005'

# a block that lies askew on a slope of 30 degrees in 3D: heights over x and z are as the plane through them
ground() { # FILE WALL
  cat > "$1" << END
simulation: { dimension = 3; grid = [40, 36, 40]; cell = "1/25"; time_step = 5e-4; steps = 800; gravity = [0, -10, 0]; };
materials: ( { name = "m"; youngs_modulus = 500; poisson_ratio = 0.2; density = 1; viscosity = 0.7; } );
bodies: ( { name = "b"; material = "m"; center = [0.76245, 0.64852, 0.78041]; size = [0.2, 0.08, 0.2]; spacing = 0.02;
  rotation = [-0.25102, 0, 0.45949]; } );
boundaries: { domain: { type = "none"; }; $2 };
END
}
# y = tan(30 degrees) (cos 0.5 x + sin 0.5 z) at x, z = 0.1, 0.6, 1.1
heights=$(awk 'BEGIN { for (j = 0; j < 3; j++) { for (i = 0; i < 3; i++) {
  printf "%s%.12f", (i + j > 0 ? ", " : ""), sqrt(1/3) * (cos(0.5) * (0.1 + 0.5 * i) + sin(0.5) * (0.1 + 0.5 * j)) } } }')
ground plane.cfg 'half_spaces: ( { type = "separate"; friction = 0.5; point = [0, 0, 0]; normal = [-0.438791280945, 0.866025403784, -0.239712769302]; } );'
ground hills.cfg "height_fields: ( { type = \"separate\"; friction = 0.5; x0 = 0.1; z0 = 0.1; spacing = 0.5; rows_z = 3; heights = [$heights]; } );"
for name in plane hills; do
  run $name
  # along the slope, downwards, from 0.1 s on
  awk -F, -v name=$name 'NR > 1 { v = -sqrt(3)/2 * (cos(0.5) * $5 + sin(0.5) * $7) - 0.5 * $6 } NR > 1 && $1 < 0.1 + 1e-9 { v1 = v; t1 = $1 }
    END { a = (v - v1)/($1 - t1); printf "  %s: acceleration %.6g, %.4f of g (sin - mu cos)\n", name, a, a/0.669873
          exit !(a/0.669873 > 0.97 && a/0.669873 < 1.03) }' $name/observations.csv || fail "$name: it does not slide as it should"
done
paste -d, plane/observations.csv hills/observations.csv | awk -F, 'NR > 1 { for (i = 2; i <= 7; i++) { d = $i - $(i + NF/2)
  most = d * d > most ? d * d : most } } END { exit !(most < 1e-18) }' || fail "heights on a plane are another ground"
expect 0 "$cqopt" render hills.cfg --time 0 --output hills.png --size 160x120 --set simulation.steps=1
has_file hills.png
expect 1 "$cqopt" show hills.cfg --set boundaries.height_fields.[0].rows_z=2
error_says 'height_fields.\[0\].heights: has 9 heights, which are not 2 rows of as many'
expect 1 "$cqopt" show hills.cfg --set boundaries.height_fields.[0].heights=[0,1,2,3,1e999,5]
error_says 'height_fields.\[0\].heights'

# a disc of 12 cells rolls; nodes that it has not reached do not hold it where the wall says so
slope rolls.cfg 2.5e-4 2400 '' "$disc" 'friction = 0.5; touch = 0.6;'
slope early.cfg 2.5e-4 2400 '' "$disc" 'friction = 0.5;'
run rolls
run early
says rolls 'v/(-10/3*t) > 0.97 && v/(-10/3*t) < 1.03 && way/(-5/3*t*t) > 0.97 && way/(-5/3*t*t) < 1.03'
says early 'way/(-5/3*t*t) < 0.9'

# a column that ends at slip walls settles by the closed form g h^2/(3 M); without mirrors, too far
column() {
  cat > "$1" << END
simulation: { $2 cell = "1/64"; time_step = 2.5e-4; steps = 500; damping = 460; };
materials: ( { name = "m"; youngs_modulus = 1000; poisson_ratio = 0.3; density = 1; } );
END
  cat >> "$1"
}
column flush.cfg 'grid = [20, 30]; gravity = [0, -0.2];' << END
bodies: ( { name = "b"; material = "m"; low = ["5.5/64", "5.5/64"]; size = [0.125, 0.25]; } );
boundaries: { half_spaces: ( { type = "slip"; point = [0, "5.5/64"]; normal = "y"; },
  { type = "slip"; point = ["5.5/64", 0]; normal = "x"; }, { type = "slip"; point = ["13.5/64", 0]; normal = [-1, 0]; } ); };
END
column flush3.cfg 'dimension = 3; grid = [12, 30, 14]; gravity = [0, -0.2, 0];' << END
bodies: ( { name = "b"; material = "m"; low = ["2.5/64", "3.5/64", "2.5/64"]; size = ["6/64", 0.25, "8/64"]; } );
boundaries: { domain: { type = "slip"; layers_low = [3, 4, 3]; layers_high = 3; }; };
END
sed 's/normal = [^;]*;/& mirror = false;/g' flush.cfg > held.cfg
# two halves, one on the other; a column under a rigid lid, whose edge the nodes behind the mirrors do not feel
column halves.cfg 'grid = [20, 30]; gravity = [0, -0.2];' << END
bodies: ( { name = "b"; material = "m"; low = ["5.5/64", "5.5/64"]; size = [0.125, 0.125]; },
  { name = "c"; material = "m"; low = ["5.5/64", "13.5/64"]; size = [0.125, 0.125]; } );
contact: ( { between = ["b", "c"]; friction = 0.3; } );
$(grep -A 1 '^boundaries' flush.cfg)
END
column lid.cfg 'grid = [20, 34]; gravity = [0, -0.2];' << END
bodies: ( { name = "b"; material = "m"; low = ["5.5/64", "5.5/64"]; size = [0.125, 0.25]; },
  { name = "lid"; material = "r"; low = ["5.5/64", "21.5/64"]; size = [0.125, 0.0625]; } );
$(grep -A 1 '^boundaries' flush.cfg)
END
sed -i 's/materials: (/& { name = "r"; model = "rigid"; density = 2; },/' lid.cfg
# settles FILE LEAST MOST FORM: by how much of the closed form, FORM/M
settles() {
  run "$1"
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { first = $column["b.y"] }
    { last = $column["b.y"] }
    END { E = 1000; nu = 0.3; M = E*(1 - nu)/((1 + nu)*(1 - 2*nu)); ratio = (first - last)*M/('"$4"')
          printf "  %s: settles by %.5f of the closed form\n", name, ratio
          exit !(ratio > '"$2"' && ratio < '"$3"') }' "$1/observations.csv" || fail "$1: not within $2 to $3"
}
settles flush 0.999 1.001 '0.2*0.25^2/3'
settles flush3 0.999 1.001 '0.2*0.25^2/3'
settles held 1.2 1.5 '0.2*0.25^2/3'
settles halves 0.999 1.001 '0.2*0.25^2*5/24'
settles lid 0.999 1.06 '0.2*0.25^2/3 + 0.2*2*0.0625*0.25/2'
expect 0 "$cqopt" simulate held.cfg --output said
cat out err | grep -q 'ends at the slip wall' || fail "no word of a wall that holds nodes"

# one clear line
slope wrong.cfg 1e-4 10 '' "$block" 'friction = -0.1;'
expect 1 "$cqopt" simulate wrong.cfg
error_says 'wrong.cfg:4: boundaries.half_spaces.\[0\].friction = -0.1 is out of range: must be >= 0'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1; touch = 2;'
expect 1 "$cqopt" simulate wrong.cfg
error_says 'touch = 2 is out of range: must be 0 to 1'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1; touch = 0.1; velocity = [0, 1];'
expect 1 "$cqopt" simulate wrong.cfg
error_says 'touch is not for walls that move; leave it out'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1;'
sed -i 's/steps = 10/& ; relax = 5/
        s/materials: (/& { name = "r"; model = "rigid"; density = 1; },/
        s/bodies: (/& { name = "r"; material = "r"; low = [0.3, 0.5]; size = [0.1, 0.1]; },/' wrong.cfg
expect 1 "$cqopt" simulate wrong.cfg
error_says 'wrong.cfg:1: simulation.relax: is not for scenes with rigid bodies or walls that move'
slope wrong.cfg 1e-4 10 '' "$block" 'friction = 0.1;'
sed -i 's/steps = 10/& ; relax = 5/' wrong.cfg
echo 'design: ( { variable = "rotation"; body = "b"; start = 0; lower = -0.1; upper = 0.1; } );
objective: ( { term = "height"; body = "b"; } );' >> wrong.cfg
expect 1 "$cqopt" simulate wrong.cfg
error_says 'relax: the design places or turns body "b", which would undo it; leave it out'

# what locks is said
slope locks.cfg 1e-5 1 '' "$block" ''
sed -i 's/poisson_ratio = 0.2/poisson_ratio = 0.495/' locks.cfg
expect 0 "$cqopt" simulate locks.cfg --output locks
cat out err | grep -q 'body "b" is nearly incompressible' || fail "no word of locking"

finish
