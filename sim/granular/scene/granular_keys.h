/* The keys that this engine has in the sections of a problem file, as own_structs.h and own_rows.h
 * take them. */
#include "rigid_keys.h"
#include "track_keys.h"

SECTION(simulation)
AFTER(simulation, precision)
KEY(simulation, room, POINT, "m", POSITIVE, REQUIRED, "", "",
    "far corner of the room, which begins at 0: a grain that leaves it ends the run")
KEY(simulation, cyclic, WORD, "", ANY, "none", "", "none|x|y|z",
    "axis along which the room has no end: what leaves on one side comes in on the other, and "
    "there "
    "are no walls")
KEY(simulation, solver, WORD, "", ANY, "ncp", "", "ncp|jacobi|paper",
    "of contacts: ncp, the accurate one; jacobi, softer, for smooth searches: grains sink into "
    "each "
    "other by a tenth of a radius and more; paper: as GranularGym prints it, to compare with")
KEY(simulation, solver_iterations, INT, "", COUNT, "10", "", "", "of the solver in a step")
KEY(simulation, broadphase, WORD, "", ANY, "sort", "", "sort|hash",
    "how grains find those in cells around: by their sorted order, or by a hash table, to compare "
    "with; the same bits")
KEY(simulation, warm_start, WORD, "", ANY, "auto", "solver=ncp|jacobi", "auto|on|off",
    "begin with the impulses of the step before; auto: with ncp")
KEY(simulation, spins, FLAG, "", ANY, "true", "solver=ncp|jacobi", "",
    "grains may turn; without it nothing rolls")
KEY(simulation, neighbour_damping, NUMBER, "", FRACTION, "1", "solver=paper", "",
    "gamma: what is left of a neighbour's velocity")
END(simulation)

SECTION(material)
AFTER(material, name)
KEY(material, model, WORD, "", ANY, "grain", "", "grain|rigid",
    "rigid: what is made of it keeps its shape, and grains move it unless it is driven")
AFTER(material, density)
KEY(material, friction, NUMBER, "", NONNEGATIVE, "0.5", "model=grain", "",
    "of grains on each other; of two materials the geometric mean, as of all below")
KEY(material, rolling_friction, NUMBER, "", NONNEGATIVE, "0.1", "model=grain", "",
    "a couple against rolling of this times radius and force; smooth balls 0, which make no pile, "
    "glass beads 0.1, sand 0.2; from 0.1 on narrow openings clog")
KEY(material, restitution, NUMBER, "", FRACTION, "0", "model=grain", "",
    "what is left of the speed of a collision")
KEY(material, cohesion, NUMBER, "N", NONNEGATIVE, "0", "model=grain", "",
    "force that a contact can pull with (2D: N/m); 4 pi gamma R for a surface energy gamma")
END(material)

SECTION(body)
AFTER(body, material)
KEY(body, grain_radius, NUMBER, "m", POSITIVE, NONE, "", "",
    "radius of its grains; all bodies but rigid ones need it")
KEY(body, grain_spread, NUMBER, "", FRACTION, "0", "", "",
    "radii are uniform between (1 - spread) and (1 + spread) grain_radius")
KEY(body, packing, WORD, "", ANY, "staggered", "sampling=lattice", "cubic|staggered",
    "staggered: odd layers along gravity are shifted by half a spacing, since columns that "
    "stand on each other stay standing")
KEY(body, jitter, NUMBER, "", FRACTION, "0", "sampling=lattice", "",
    "random displacement, in gaps between the grains of the lattice")
AFTER(body, spin)
CQ_RIGID_KEY_LIST(KEY, body)
CQ_LIMIT_KEY_LIST(KEY, body)
CQ_JOINT_KEY_LIST(KEY, body)
CQ_TRACK_KEY_LIST(KEY, body)
END(body)

SECTION(domain)
KEY(domain, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on the walls of the room")
KEY(domain, open, TEXTS, "", ANY, NONE, "", "",
    "sides without a wall: \"low x\", \"high z\"; there grains leave")
END(domain)

SECTION(half_space)
KEY(half_space, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on it")
CQ_STEADY_KEY_LIST(KEY, half_space)
CQ_TRACK_KEY_LIST(KEY, half_space)
END(half_space)

SECTION(height_field)
KEY(height_field, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on it")
END(height_field)

SECTION(obstacle)
KEY(obstacle, friction, NUMBER, "", NONNEGATIVE, "0.5", "", "", "of grains on it")
CQ_STEADY_KEY_LIST(KEY, obstacle)
CQ_TRACK_KEY_LIST(KEY, obstacle)
END(obstacle)

SECTION(actuator)
KEY(actuator, model, WORD, "", ANY, "wall", "", "wall|drive",
    "wall: it moves an obstacle; drive: velocities of a rigid body with motion = \"driven\"")
KEY(actuator, wall, TEXT, "", ANY, REQUIRED, "model=wall", "",
    "what it moves, by its place: \"obstacles.[0]\"")
KEY(actuator, along, TEXTS, "", ANY, REQUIRED, "model=wall", "",
    "its controls: velocities \"x\", \"y\", \"z\" and turns \"turn x\", \"turn y\", \"turn z\" "
    "(2D: \"turn\")")
CQ_DRIVE_KEY_LIST(KEY, actuator)
KEY(actuator, max, NUMBER, "", POSITIVE, REQUIRED, "", "", "largest control, in m/s or rad/s")
KEY(actuator, min, NUMBER, "", ANY, NONE, "model=drive", "", "smallest control; by default -max")
END(actuator)
