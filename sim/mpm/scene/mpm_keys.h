/* The keys that this engine has in the sections of a problem file, as own_structs.h and own_rows.h
 * take them; their words stand in keys.c. No include guard but that of the motions: it is included
 * several times. */
#include "rigid_keys.h"
#include "track_keys.h"

SECTION(simulation)
AFTER(simulation, precision)
KEY(simulation, kernels, WORD, "", ANY, "fast", "", "fast|reference",
    "reference, to compare with, runs the same step slowly: as plain loops, on a device by atomics")
KEY(simulation, grid, AXES, "nodes", GRID, REQUIRED, "", "", "nodes per axis; node i is at i*cell")
KEY(simulation, cell, NUMBER, "m", POSITIVE, REQUIRED, "", "", "distance between nodes")
AFTER(simulation, gravity)
KEY(simulation, damping, NUMBER, "1/s", NONNEGATIVE, "0", "", "",
    "velocities decay as exp(-damping*time)")
KEY(simulation, relax, INT, "", INTEGER, "0", "", "",
    "so many steps before the run, in which bodies come to rest under gravity, held by every wall "
    "that "
    "has friction: what stands on something begins as it would stand")
KEY(simulation, transfer, WORD, "", ANY, "apic", "", "apic|pic",
    "particle-grid transfer: apic keeps rotation, pic damps it")
AFTER(simulation, memo)
KEY(simulation, on_inversion, WORD, "", ANY, "fail", "", "fail|continue",
    "what happens when det F <= 0 (continue: fixed_corotated and st_venant_kirchhoff alone)")
AFTER(simulation, on_tear)
KEY(simulation, horizon, INT, "steps", INTEGER, "0", "", "",
    "the gradient is the sum of those of runs of so many steps, each from the state in which the "
    "one before ended, which is taken as given: short "
    "horizons along a long run, whose gradients do not grow with its length; it is heuristic then; "
    "0: exact, over the whole run")
KEY(simulation, allow_unstable, FLAG, "", ANY, "false", "", "",
    "run even if time_step is above the stable one")
KEY(simulation, contact_speed, NUMBER, "m/s", POSITIVE, "3.162e-4", "", "",
    "tangential speed below which friction is smoothed")
KEY(simulation, friction_mean, FLAG, "", ANY, "true", "", "",
    "friction goes by the mean of the pressure over eight times what a shear wave takes "
    "through the largest body, so that a body that swings on a slope does not creep; false: by "
    "that of the moment")
KEY(simulation, rigid_contact, WORD, "", ANY, NONE, "", "springs|impulses",
    "how rigid bodies meet each other and walls: springs, the default, have a gradient; impulses "
    "hold bodies apart and bounce, and have none")
KEY(simulation, contact_depth, NUMBER, "m", POSITIVE, NONE, "", "",
    "how deep the heaviest free rigid body sinks into what it rests on, which says how stiff the "
    "springs are; by default a tenth of a cell")
END(simulation)

SECTION(material)
AFTER(material, name)
KEY(material, model, WORD, "", ANY, "fixed_corotated", "", cq_material_words,
    "constitutive model; rigid: what is made of it keeps its shape")
KEY(material, youngs_modulus, NUMBER, "Pa", POSITIVE, REQUIRED, cq_solids, "", "stiffness")
KEY(material, poisson_ratio, NUMBER, "", POISSON, REQUIRED, cq_solids, "", "transverse contraction")
KEY(material, bulk_modulus, NUMBER, "Pa", POSITIVE, REQUIRED, cq_liquids, "",
    "pressure = bulk_modulus (density / density at rest - 1)")
KEY(material, viscosity, NUMBER, "Pa s", NONNEGATIVE, "0", cq_soft, "",
    "damps the rate of strain D by the stress 2 viscosity D (Kelvin-Voigt)")
END(material)

SECTION(body)
AFTER(body, spin)
KEY(body, youngs_modulus, NUMBER, "Pa", POSITIVE, NONE, "", "", "instead of the material's")
KEY(body, poisson_ratio, NUMBER, "", POISSON, NONE, "", "", "instead of the material's")
CQ_RIGID_KEY_LIST(KEY, body)
KEY(body, type, WORD, "", ANY, NONE, "", cq_wall_words_only,
    "condition at the surface of a rigid body, as for the domain; by default separate")
KEY(body, ground_friction, NUMBER, "m/s^2", NONNEGATIVE, NONE, "", "",
    "2D, seen from above: how fast the ground slows a free rigid body, its coefficient of friction "
    "times g; gravity is 0 then")
CQ_JOINT_KEY_LIST(KEY, body)
CQ_TRACK_KEY_LIST(KEY, body)
END(body)

SECTION(domain)
KEY(domain, type, WORD, "", ANY, "separate", "", cq_wall_words,
    "slip: no normal velocity; sticky: no velocity; separate: contact on approach, with friction; "
    "separate_stick: with infinite friction")
KEY(domain, friction, NUMBER, "", NONNEGATIVE, "0", "type=separate", "infinite",
    "coefficient of friction, or \"infinite\"")
KEY(domain, touch, NUMBER, "", FRACTION, "0", "type=separate|separate_stick", "",
    "a node is held in full that has this part of the mass which it would have of a body that ends "
    "at the wall, of the lightest material, and below half of that not at all. With 0.6 what rolls "
    "is not held by nodes before it")
KEY(domain, mirror, FLAG, "", ANY, "true", "type=slip", "",
    "a body that ends at the wall when the run starts, and none that goes on behind it: it is held "
    "as "
    "if its mirror image stood behind; false: the nodes of the wall are held, as of other walls")
KEY(domain, layers_low, AXES, "nodes", LAYERS, "3", "", "",
    "thickness of the wall at the low end of each axis")
KEY(domain, layers_high, AXES, "nodes", LAYERS, "3", "", "", "and at the high end")
END(domain)

SECTION(half_space)
AFTER(half_space, )
KEY(half_space, type, WORD, "", ANY, REQUIRED, "", cq_wall_words, "as for the domain")
KEY(half_space, friction, NUMBER, "", NONNEGATIVE, "0", "type=separate", "infinite",
    "coefficient of friction, or \"infinite\"")
KEY(half_space, touch, NUMBER, "", FRACTION, "0", "type=separate|separate_stick", "",
    "as for the domain")
KEY(half_space, mirror, FLAG, "", ANY, "true", "type=slip", "",
    "as for the domain; the plane has to lie along the grid, through nodes or half way between "
    "them")
CQ_STEADY_KEY_LIST(KEY, half_space)
CQ_TRACK_KEY_LIST(KEY, half_space)
END(half_space)

SECTION(height_field)
AFTER(height_field, )
KEY(height_field, rows_z, INT, "", COUNT, "1", "", "",
    "3D: heights are so many rows along x, at z0, z0 + spacing, ...: a smooth ground over x and z, "
    "which planes continue; 1: it is the same for all z")
KEY(height_field, z0, NUMBER, "m", ANY, "0", "", "", "where the first of several rows is")
KEY(height_field, type, WORD, "", ANY, REQUIRED, "", cq_wall_words, "as for the domain")
KEY(height_field, friction, NUMBER, "", NONNEGATIVE, "0", "type=separate", "infinite",
    "coefficient of friction, or \"infinite\"")
KEY(height_field, touch, NUMBER, "", FRACTION, "0", "type=separate|separate_stick", "",
    "as for the domain")
END(height_field)

SECTION(obstacle)
AFTER(obstacle, )
KEY(obstacle, type, WORD, "", ANY, REQUIRED, "", cq_wall_words, "as for the domain")
KEY(obstacle, friction, NUMBER, "", NONNEGATIVE, "0", "type=separate", "infinite",
    "coefficient of friction, or \"infinite\"")
KEY(obstacle, touch, NUMBER, "", FRACTION, "0", "type=separate|separate_stick", "",
    "as for the domain")
CQ_STEADY_KEY_LIST(KEY, obstacle)
CQ_TRACK_KEY_LIST(KEY, obstacle)
END(obstacle)

SECTION(actuator)
KEY(actuator, model, WORD, "", ANY, "muscle", "", cq_actuation_words,
    "stresses: muscle, one control along direction; diagonal, one an axis; stress, one a "
    "component; "
    "pneumatic, a pressure; hydraulic, a volume. cable: a tension. thrust: an acceleration; "
    "torque: an angular one. drive: velocities of a rigid body, or of an obstacle or half-space. "
    "push: a given force, without controls")
KEY(actuator, direction, TENSOR, "", ANY, REQUIRED, "model=muscle", "axis",
    "in the material frame: an axis \"y\", a vector, or a symmetric matrix row by row")
KEY(actuator, along, POINT, "", ANY, NONE, "model=thrust", "axis|slope",
    "direction of the thrust: one control; slope: that of the height field under the centre of "
    "mass "
    "of what it acts on; without it one control an axis")
KEY(actuator, points, TABLE, "m", ANY, REQUIRED, "model=cable", "",
    "what the cable runs through, in the body at rest: [[x, y], [x, y], ...]")
KEY(actuator, stiffness, NUMBER, "Pa", POSITIVE, REQUIRED, "model=hydraulic", "",
    "of the liquid: its pressure is stiffness times what the relative volume lacks of the control")
CQ_DRIVE_KEY_LIST(KEY, actuator)
KEY(actuator, force, POINT, "N", ANY, REQUIRED, "model=push", "",
    "on all of the body, from a time until another")
KEY(actuator, from, NUMBER, "s", NONNEGATIVE, "0", "model=push", "", "when it begins to push")
KEY(actuator, until, NUMBER, "s", POSITIVE, REQUIRED, "model=push", "", "and when it ends")
KEY(actuator, max, NUMBER, "", ANY, REQUIRED, cq_controlled, "",
    "largest control, in Pa, 1 (hydraulic), N (cable), m/s^2 (thrust), rad/s^2 (torque), m/s "
    "(drive): bounds of the design and the stable time step follow from it")
KEY(actuator, min, NUMBER, "", ANY, NONE, cq_controlled, "",
    "smallest control; by default -max, for a cable and a pressure 0, for a volume 2 - max")
END(actuator)
