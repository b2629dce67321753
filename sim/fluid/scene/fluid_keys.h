/* The keys that this engine has in the sections of a problem file, as own_structs.h and own_rows.h
 * take them. No include guard but that of the motions. */
#include "track_keys.h"

SECTION(simulation)
AFTER(simulation, precision)
KEY(simulation, size, POINT, "m", ANY, REQUIRED, "", "",
    "what everything is in, from 0 along each axis; its sides are the walls of the domain")
KEY(simulation, radius, NUMBER, "m", POSITIVE, REQUIRED, "", "",
    "of a particle: they are two radii apart, and see each other four radii far")
AFTER(simulation, gravity)
KEY(simulation, sweeps, INT, "", SWEEPS, "100", "", "",
    "of the density solver in a step, at most; all of them where its tolerance is 0")
KEY(simulation, tolerance, NUMBER, "", FRACTION, "5e-4", "", "",
    "mean error of the density at which it stops, as a part of the density")
KEY(simulation, divergence_sweeps, INT, "", SWEEPS, "100", "", "",
    "the same of the divergence solver")
KEY(simulation, divergence_tolerance, NUMBER, "", FRACTION, "1e-3", "", "",
    "and of the change of the density in a step")
KEY(simulation, relax, INT, "", INTEGER, "0", "", "",
    "so many steps, each from rest and without gravity, move the fluid apart before the run, where "
    "it starts too dense, as around a body that does not fit its lattice; bodies stay")
KEY(simulation, warm_start, FLAG, "", ANY, "false", "", "",
    "the density solver begins with half the pressures of the step before: fewer sweeps, but in a "
    "moving container it has thrown bodies by metres")
KEY(simulation, surface_tension, NUMBER, "N m^2/kg^2", NONNEGATIVE, "0", "", "",
    "coefficient of Akinci et al. (2013), no physical one; DiffFR has 0.2 to 0.5")
KEY(simulation, xsph, NUMBER, "", FRACTION, "0", "", "",
    "part of the mean velocity nearby that a particle takes on in a step")
KEY(simulation, contact_stiffness, NUMBER, "N/m", NONNEGATIVE, "0", "", "",
    "of a sample of a rigid body that meets another body or a wall; 0: they pass through each "
    "other")
KEY(simulation, contact_friction, NUMBER, "", NONNEGATIVE, "0", "", "",
    "coefficient of friction of rigid bodies with each other")
KEY(simulation, contact_speed, NUMBER, "m/s", POSITIVE, "1e-3", "", "",
    "tangential speed below which friction is smoothed")
KEY(simulation, cfl, NUMBER, "diameters", NONNEGATIVE, "0", "", "",
    "a step is cut into parts so short that nothing moves farther in one, and that viscosity is "
    "stable; 0: a step is one. With gradient = \"difference\" alone")
KEY(simulation, horizon, INT, "steps", INTEGER, "0", "", "",
    "with a heuristic gradient: what a design has changed of the bodies is forgotten "
    "every so many steps, as if a run began there, so that the gradient is the sum of those of "
    "short runs; 0: never")
KEY(simulation, allow_unstable, FLAG, "", ANY, "false", "", "",
    "run even if time_step is above the stable one")
END(simulation)

SECTION(material)
AFTER(material, name)
KEY(material, model, WORD, "", ANY, "fluid", "", "fluid|rigid",
    "rigid: what is made of it keeps its shape, and moves freely unless it is driven")
KEY(material, viscosity, NUMBER, "Pa s", NONNEGATIVE, "0", "model=fluid", "",
    "dynamic; numerical ones come on top of it")
END(material)

SECTION(body)
AFTER(body, spin)
KEY(body, emitter, FLAG, "", ANY, "false", "", "",
    "fluid that waits: it glides at its velocity, whatever pushes it, and is free as it passes the "
    "plane "
    "across that at its foremost particles; far from there it sleeps and costs nothing")
KEY(body, driven, FLAG, "", ANY, "false", "", "",
    "a rigid body keeps its velocity and spin, whatever pushes it; without them it is an obstacle")
KEY(body, release, NUMBER, "s", NONNEGATIVE, "0", "", "",
    "until then a rigid body is driven by a velocity and spin that grow to those written; then "
    "free")
KEY(body, joint, WORD, "", ANY, NONE, "", "hinge|ball",
    "a rigid body shares a point with another one, about which both turn freely: hinge in 2D, ball "
    "in 3D")
KEY(body, joint_at, TEXT, "", ANY, REQUIRED, "joint=hinge|ball", "", "the other rigid body")
KEY(body, joint_point, POINT, "m", ANY, REQUIRED, "joint=hinge|ball", "",
    "where that is at the start")
KEY(body, drags, FLAG, "", ANY, "false", "", "",
    "the fluid's viscosity drags at the surface of the rigid body")
KEY(body, sample_spacing, NUMBER, "radii", POSITIVE, "2", "", "",
    "distance of the points on its surface that the fluid meets; 1 is safer where it is fast")
END(body)

SECTION(actuator)
KEY(actuator, model, WORD, "", ANY, "thrust", "", "thrust",
    "thrust: an acceleration of a rigid body, beside gravity")
KEY(actuator, along, POINT, "", ANY, NONE, "", "axis",
    "direction of the thrust: one control; without it one control an axis")
KEY(actuator, max, NUMBER, "m/s^2", ANY, REQUIRED, "", "", "largest control")
KEY(actuator, min, NUMBER, "m/s^2", ANY, NONE, "", "", "smallest control; by default -max")
END(actuator)

SECTION(half_space)
AFTER(half_space, )
KEY(half_space, type, WORD, "", ANY, "slip", "", "none|slip|sticky", "as for the domain")
KEY(half_space, friction, NUMBER, "", NONNEGATIVE, "0", "", "",
    "coefficient of friction of rigid bodies at it")
END(half_space)

SECTION(obstacle)
AFTER(obstacle, )
KEY(obstacle, type, WORD, "", ANY, "slip", "", "none|slip|sticky", "as for the domain")
KEY(obstacle, friction, NUMBER, "", NONNEGATIVE, "0", "", "",
    "coefficient of friction of rigid bodies at it")
CQ_STEADY_KEY_LIST(KEY, obstacle)
CQ_MOTION_KEY_LIST(KEY, obstacle)
END(obstacle)

SECTION(domain)
KEY(domain, type, WORD, "", ANY, "slip", "", "none|slip|sticky",
    "sides of the room: slip, no velocity through them; sticky: the fluid's viscosity drags, too; "
    "none: there are no walls")
KEY(domain, friction, NUMBER, "", NONNEGATIVE, "0", "", "",
    "coefficient of friction of rigid bodies at it")
END(domain)
