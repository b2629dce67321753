/* The keys that this engine has in the sections of a problem file, as own_structs.h and own_rows.h
 * take them. */

SECTION(simulation)
AFTER(simulation, precision)
KEY(simulation, room, POINT, "m", POSITIVE, REQUIRED, "", "",
    "far corner of the room, which begins at 0: a grain that leaves it ends the run")
KEY(simulation, solver, WORD, "", ANY, "ncp", "", "ncp|jacobi|paper",
    "of contacts: ncp, the accurate one; jacobi, softer, for smooth searches: grains sink into "
    "each "
    "other by a tenth of a radius and more; paper: as GranularGym prints it, to compare with")
KEY(simulation, solver_iterations, INT, "", COUNT, "10", "", "", "of the solver in a step")
KEY(simulation, warm_start, WORD, "", ANY, "auto", "solver=ncp|jacobi", "auto|on|off",
    "begin with the impulses of the step before; auto: with ncp")
KEY(simulation, spins, FLAG, "", ANY, "true", "solver=ncp|jacobi", "",
    "grains may turn; without it nothing rolls")
KEY(simulation, neighbour_damping, NUMBER, "", FRACTION, "1", "solver=paper", "",
    "gamma: what is left of a neighbour's velocity")
END(simulation)

SECTION(material)
KEY(material, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "",
    "of grains on each other; of two materials the geometric mean, as of all below")
KEY(material, rolling_friction, NUMBER, "", NONNEGATIVE, "0.1", "", "",
    "a couple against rolling of this times radius and force; smooth balls 0, which make no pile, "
    "glass beads 0.1, sand 0.2; from 0.1 on narrow openings clog")
KEY(material, restitution, NUMBER, "", FRACTION, "0", "", "",
    "what is left of the speed of a collision")
KEY(material, cohesion, NUMBER, "N", NONNEGATIVE, "0", "", "",
    "force that a contact can pull with (2D: N/m); 4 pi gamma R for a surface energy gamma")
END(material)

SECTION(body)
AFTER(body, material)
KEY(body, grain_radius, NUMBER, "m", POSITIVE, REQUIRED, "", "", "radius of its grains")
KEY(body, grain_spread, NUMBER, "", FRACTION, "0", "", "",
    "radii are uniform between (1 - spread) and (1 + spread) grain_radius")
KEY(body, packing, WORD, "", ANY, "staggered", "sampling=lattice", "cubic|staggered",
    "staggered: odd layers along gravity are shifted by half a spacing, since columns that "
    "stand on each other stay standing")
KEY(body, jitter, NUMBER, "", FRACTION, "0", "sampling=lattice", "",
    "random displacement, in gaps between the grains of the lattice")
END(body)

SECTION(domain)
KEY(domain, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on the walls of the room")
KEY(domain, open, TEXTS, "", ANY, NONE, "", "",
    "sides without a wall: \"low x\", \"high z\"; there grains leave")
END(domain)

SECTION(half_space)
KEY(half_space, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on it")
END(half_space)

SECTION(height_field)
KEY(height_field, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on it")
END(height_field)

SECTION(obstacle)
KEY(obstacle, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on it")
END(obstacle)

SECTION(actuator)
KEY(actuator, wall, TEXT, "", ANY, REQUIRED, "", "",
    "what it moves, by its place: \"obstacles.[0]\"")
KEY(actuator, along, TEXTS, "", ANY, REQUIRED, "", "",
    "its controls: velocities \"x\", \"y\", \"z\" and turns \"turn x\", \"turn y\", \"turn z\" "
    "(2D: \"turn\")")
KEY(actuator, max, NUMBER, "", POSITIVE, REQUIRED, "", "", "largest control, in m/s or rad/s")
END(actuator)
