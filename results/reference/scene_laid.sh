# shellcheck shell=bash
# For make_walls.sh and tests/cli_between.sh.

# laid NAME FRICTION: NAME.cfg, an elastic block on a body of its own material that is turned by 30 degrees and held three
# cells below its surface
laid() {
  cat > "$1.cfg" << END
simulation: { grid = [64, 64]; cell = "1/50"; time_step = 2e-4; steps = 2000; gravity = [0, -10]; };
materials: ( { name = "m"; youngs_modulus = 2000; poisson_ratio = 0.2; density = 1; } );
bodies: ( { name = "base"; material = "m"; center = [0.64, 0.54]; size = [0.8, 0.16]; rotation = 0.523598776; },
  { name = "b"; material = "m"; center = [0.66660254, 0.69392305]; size = [0.2, 0.08]; rotation = 0.523598776; } );
boundaries: { half_spaces: ( { type = "sticky"; point = [0.64, 0.49]; normal = [-0.5, 0.866025403784]; } ); };
contact: ( { between = ["base", "b"]; friction = $2; } );
END
}
