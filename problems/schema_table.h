/* Every key of a problem file, once. Included several times: the including file defines
 *
 *   SECTION(struct)  KEY(struct, key, type, unit, range, fallback, only, words, help)  END(struct)
 *   SHAPE_KEYS(struct, only): the rows of shape_keys.h
 *
 * type is one of schema.h; range one of CQ_RANGE_LIST. fallback is the default as it would be
 * written in a file, REQUIRED, or NONE (may be left out, no default). only limits a key to settings
 * of another one ("shape=ball"). words are the texts allowed beside a number or instead of one. */

SECTION(problem)
KEY(problem, name, NAME, "", ANY, "", "", "",
    "short name; names results; by default the file's name")
KEY(problem, title, TEXT, "", ANY, "", "", "", "one line on what is solved")
KEY(problem, expected_time, NUMBER, "s", POSITIVE, NONE, "", "",
    "what a solve takes on two cores, for lists")
END(problem)

SECTION(simulation)
KEY(simulation, engine, WORD, "", ANY, cq_engine_names[0], "", cq_engine_words, "simulator")
KEY(simulation, device, WORD, "", ANY, "cpu", "", "cpu|cuda|auto",
    "what it runs on; auto is cuda where there is a device for it. It decides the bits")
KEY(simulation, dimension, INT, "", DIMENSION, "2", "", "", "2 (plane strain, a metre deep) or 3")
KEY(simulation, precision, WORD, "", ANY, "double", "", "double|float",
    "arithmetic of the simulation; objective and controls are always double")
KEY(simulation, time_step, NUMBER, "s", POSITIVE, REQUIRED, "", "", "time step, checked at loading")
KEY(simulation, steps, INT, "", STEPS, REQUIRED, "", "", "number of time steps")
KEY(simulation, gravity, POINT, "m/s^2", ANY, "0", "", "", "acceleration of everything")
KEY(simulation, memory, BYTES, "", POSITIVE, "auto", "", "auto",
    "most memory for stored states and observations, as \"256 MiB\" or \"2 GiB\"; auto is half of "
    "what is free")
KEY(simulation, memo, WORD, "", ANY, "binomial", "", cq_memo_words,
    "which states are kept for the gradient; the bits do not depend on it")
KEY(simulation, gradient, NAME, "", ANY, NONE, "", "",
    "how gradients are made, in a word of the engine or \"difference\"; by default its best one")
KEY(simulation, difference_step, NUMBER, "", DIFFERENCE, NONE, "gradient=difference", "",
    "steps of differences, in parts of the scale or the range of each variable, whichever is less; "
    "by default 1e-5, in float 1e-3; above 1e-3 nothing is verified by them")
KEY(simulation, start_jitter, NUMBER, "", NONNEGATIVE, "0", "", "",
    "particles begin at random up to so many of their radii from where they are, but for those of "
    "rigid bodies; 0: not")
KEY(simulation, start_seed, INT, "", INTEGER, "0", "", "", "of start_jitter: another start each")
KEY(simulation, start_repeat, INT, "", INTEGER, "0", "", "",
    "the same, beside start_seed: the number of a re-run (optimizer.repeats)")
KEY(simulation, start_file, TEXT, "", ANY, NONE, "", "",
    "a state that `export --state` wrote, in which the particles begin")
KEY(simulation, start_state, TABLE, "", ANY, NONE, "", "",
    "the same, where there is no start_file: a row a particle of x, v and what else is its state")
KEY(simulation, start_means, TABLE, "", ANY, NONE, "", "",
    "of a start_state: the means over time that an engine keeps beside particles; [], or none: "
    "they begin anew")
KEY(simulation, torn_share, NUMBER, "", FRACTION, "0.01", "", "",
    "share of a body's particles that may lose their neighbours; above it the run is no success")
KEY(simulation, on_tear, WORD, "", ANY, "report", "", "report|fail",
    "report: the best design is judged at the end; fail: no design of which a body loses more can "
    "be simulated, which takes a forward run more an evaluation")
END(simulation)

SECTION(material)
KEY(material, name, NAME, "", ANY, REQUIRED, "", "", "what bodies call it")
KEY(material, density, NUMBER, "kg/m^dim", POSITIVE, REQUIRED, "", "",
    "mass of a unit volume (2D: of a unit area)")
END(material)

SECTION(body)
KEY(body, name, NAME, "", ANY, REQUIRED, "", "", "what terms, actuators and design blocks call it")
KEY(body, material, TEXT, "", ANY, REQUIRED, "", "", "name of a material")
SHAPE_KEYS(body, "sampling=lattice|random|jittered|blue_noise")
KEY(body, sampling, WORD, "", ANY, "lattice", "", "lattice|random|points|jittered|blue_noise",
    "how particles are placed; points: where the file or the list of points says; jittered: on a "
    "lattice, each moved at random; blue_noise: at random, but apart")
KEY(body, points_file, TEXT, "", ANY, NONE, "sampling=points", "",
    "particles as CSV with a line of names: x, y, z (3D) and, where wanted, volume, density, group "
    "and the stiffness, by its name in materials")
KEY(body, positions, TABLE, "m", ANY, NONE, "sampling=points", "",
    "particles, where there is no points_file: rows [x, y, (z,) volume]; the volume may be missing")
KEY(body, properties, TABLE, "", ANY, NONE, "sampling=points", "",
    "of each point a row [density, group, stiffness], in the units of materials; group: a whole "
    "number, for groups; an engine without a stiffness has two columns")
KEY(body, spacing, NUMBER, "m", POSITIVE, NONE, "sampling=lattice|jittered", "",
    "distance of particles; a box must be a whole number of them; by default about half a cell")
KEY(body, count, AXES, "", COUNT, NONE, "sampling=lattice|jittered", "",
    "particles per axis across the body, instead of spacing")
KEY(body, lattice_offset, NUMBER, "", FRACTION, "0.5", "sampling=lattice|jittered", "",
    "particle i is at low + (i + lattice_offset)*spacing")
KEY(body, jitter, NUMBER, "", FRACTION, "0.5", "sampling=jittered", "",
    "a particle is moved by up to half of this part of the spacing, along each axis")
KEY(body, particles, INT, "", COUNT, REQUIRED, "sampling=random|blue_noise", "",
    "number of particles, uniformly distributed")
KEY(body, seed, SEED, "", INTEGER, NONE, "sampling=random|jittered|blue_noise", "",
    "fixes the places; without it the seed of the run does")
KEY(body, particle_mass, NUMBER, "kg", POSITIVE, NONE, "", "",
    "mass of a particle, instead of density: density = mass/volume")
KEY(body, particle_volume, NUMBER, "m^dim", POSITIVE, NONE, "", "",
    "reference volume of a particle; by default the body's volume over its particles, for a "
    "composite on a lattice that of a lattice cell")
KEY(body, volume, NUMBER, "m^dim", POSITIVE, NONE, "", "",
    "volume of the body, instead of that of its shape; its particles share it")
KEY(body, velocity, POINT, "m/s", ANY, "0", "", "", "initial velocity")
KEY(body, spin, NUMBERS, "rad/s", ANY, NONE, "", "",
    "initial rotation about the centre: a number in 2D, a vector in 3D")
KEY(body, density, NUMBER, "kg/m^dim", POSITIVE, NONE, "", "", "instead of the material's")
END(body)

SECTION(part)
KEY(part, operation, WORD, "", ANY, "add", "", "add|subtract",
    "add the shape to those before it, or take it away from them")
SHAPE_KEYS(part, "")
KEY(part, array, INT, "", COUNT, "1", "", "",
    "how often the part is there, each `step` from the one before")
KEY(part, step, POINT, "m", ANY, NONE, "", "", "from one of an array to the next")
KEY(part, mirror, WORD, "", ANY, "none", "", "none|x|y|z",
    "the part, or the array, is there once more, mirrored at a plane across this axis")
KEY(part, mirror_at, NUMBER, "m", ANY, NONE, "mirror=x|y|z", "", "where that plane is on the axis")
END(part)

SECTION(group)
KEY(group, name, NAME, "", ANY, REQUIRED, "", "", "what terms call it; no body has the same name")
KEY(group, body, TEXT, "", ANY, "*", "", "", "name of a body, or * for all")
KEY(group, by, WORD, "", ANY, "shape", "", "shape|number",
    "those that start in a shape; or those that have a number as their `group` in a points file")
KEY(group, number, INT, "", INTEGER, REQUIRED, "by=number", "", "which number")
SHAPE_KEYS(group, "by=shape")
END(group)

SECTION(domain)
END(domain)

SECTION(half_space)
KEY(half_space, point, POINT, "m", ANY, REQUIRED, "", "",
    "a point of the plane; half a cell off the nodes is safe from rounding")
KEY(half_space, normal, POINT, "", ANY, REQUIRED, "", "axis",
    "points to where bodies may be; numbers or an axis, \"y\"")
END(half_space)

SECTION(height_field)
KEY(height_field, heights, NUMBERS, "m", ANY, REQUIRED, "", "",
    "of the ground at x0, x0 + spacing, ...; a smooth curve joins them, straight lines continue it")
KEY(height_field, x0, NUMBER, "m", ANY, "0", "", "", "where the first height is")
KEY(height_field, spacing, NUMBER, "m", POSITIVE, REQUIRED, "", "", "distance of the heights")
END(height_field)

SECTION(obstacle)
SHAPE_KEYS(obstacle, "")
KEY(obstacle, angle, NUMBER, "rad", ANY, "0", "shape=box", "", "in 2D: as rotation")
END(obstacle)

SECTION(contact)
KEY(contact, between, TEXTS, "", ANY, REQUIRED, "", "",
    "two bodies of material, which meet here with friction and part freely; bodies that no contact "
    "names together stick to each other where they touch")
KEY(contact, friction, NUMBER, "", NONNEGATIVE, "0", "", "infinite",
    "coefficient of friction, or \"infinite\"")
END(contact)
SECTION(camera)
KEY(camera, name, NAME, "", ANY, REQUIRED, "", "", "what its images are called")
KEY(camera, kind, WORD, "", ANY, "orthographic", "", "orthographic|perspective",
    "rays side by side, or from the eye")
KEY(camera, size, NUMBERS, "", COUNT, REQUIRED, "", "",
    "pixels, [wide, high]; in 2D one number: an image is a line")
KEY(camera, eye, POINT, "m", ANY, REQUIRED, "", "", "where it is")
KEY(camera, at, POINT, "m", ANY, REQUIRED, "", "", "a point in the middle of the image")
KEY(camera, up, POINT, "", ANY, "y", "", "axis",
    "points to the upper edge of the image; numbers or an axis; not used in 2D")
KEY(camera, width, NUMBER, "m", POSITIVE, REQUIRED, "kind=orthographic", "",
    "from the left to the right edge; pixels are square")
KEY(camera, fov, NUMBER, "rad", POSITIVE, REQUIRED, "kind=perspective", "",
    "angle from the left to the right edge; pixels are square")
KEY(camera, near, NUMBER, "m", NONNEGATIVE, "0", "", "", "what is nearer is not seen")
KEY(camera, far, NUMBER, "m", POSITIVE, REQUIRED, "", "",
    "what is farther is not seen; the value of a pixel that sees nothing")
KEY(camera, on, TEXT, "", ANY, NONE, "", "",
    "an obstacle, \"obstacles.[0]\", or a rigid body that carries it; eye, at and up are where the "
    "file has that")
END(camera)

SECTION(actuator)
KEY(actuator, name, NAME, "", ANY, REQUIRED, "", "", "what labels call it")
KEY(actuator, body, TEXT, "", ANY, REQUIRED, "", "",
    "what it acts on: a body or group, or * for all")
END(actuator)

SECTION(launch)
KEY(launch, name, NAME, "", ANY, REQUIRED, "", "", "what labels call it")
KEY(launch, body, TEXT, "", ANY, REQUIRED, "", "", "that is thrown")
KEY(launch, controls, TEXTS, "", ANY, REQUIRED, "", "",
    "what the controller sets of it as a run begins: velocities \"x\", \"y\", \"z\" and turns "
    "\"turn x\", \"turn y\", \"turn z\" (2D: \"turn\")")
KEY(launch, low, NUMBERS, "m/s|rad/s", ANY, REQUIRED, "", "",
    "least it can be: a number or one a control")
KEY(launch, high, NUMBERS, "m/s|rad/s", ANY, REQUIRED, "", "", "and largest")
END(launch)

SECTION(controller)
KEY(controller, type, WORD, "", ANY, "none", "", cq_controller_words,
    "open_loop: a table of controls, a row every hold steps; tanh_linear: max tanh(W inputs + b); "
    "mlp: the same with hidden layers; sinusoid: max tanh(bias + amplitude sin(rate t + phase))")
KEY(controller, hold, INT, "steps", COUNT, "1", "type=open_loop", "",
    "steps from a row of the table to the next")
KEY(controller, interpolation, WORD, "", ANY, "constant", "type=open_loop", "constant|linear|path",
    "between two rows: the first of them is held, or the controls change linearly; path: rows are "
    "places [m, rad], the control points of a quadratic B-spline that begins at 0 and at rest, and "
    "the controls, rates of drives and joints, its slopes")
KEY(controller, hidden, NUMBERS, "", COUNT, REQUIRED, "type=mlp", "",
    "units of the hidden layer, or one number a layer (at most 4)")
KEY(controller, activation, WORD, "", ANY, "tanh", "type=mlp", "tanh|relu", "of the hidden units")
KEY(controller, rate, NUMBER, "rad/s", ANY, REQUIRED, "type=sinusoid", "", "of all sines")
KEY(controller, learn_rate, FLAG, "", ANY, "false", "type=sinusoid", "",
    "the rate is a parameter, which starts at `rate`")
KEY(controller, spread, NUMBER, "", NONNEGATIVE, NONE, "type=tanh_linear|mlp|sinusoid", "",
    "deviation of the random weights and amplitudes it starts with; by default 0.02, and "
    "1/sqrt(inputs of the layer) in an mlp")
END(controller)

SECTION(input)
KEY(input, read, WORD, "", ANY, REQUIRED, "",
    "position|velocity|target|constant|clock|turn|spin|force|torque",
    "position, velocity: of a centre of mass; target: of a distance term; clock: sines of time; "
    "turn, spin, force, torque: of a rigid body, as the terms of these names have them")
KEY(input, body, TEXT, "", ANY, "each", "read=position|velocity|turn|spin|force|torque", "",
    "name of a body or group, * for all particles, each for every body in turn that has it")
KEY(input, term, NAME, "", ANY, NONE, "read=target", "",
    "label of the distance term; by default the first one of the objective")
KEY(input, value, NUMBERS, "", ANY, REQUIRED, "read=constant", "", "numbers, an input each")
KEY(input, rate, NUMBER, "rad/s", ANY, REQUIRED, "read=clock", "",
    "clock j of `clocks` is sin(rate t + 2 pi j/clocks)")
KEY(input, clocks, INT, "", COUNT, "1", "read=clock", "", "how many, a part of a period apart")
KEY(input, center, NUMBERS, "", ANY, NONE, "", "",
    "subtracted first: a number, or one for each number that is read of one body")
KEY(input, scale, NUMBERS, "", ANY, NONE, "", "", "then multiplied: a number, or one each")
END(input)

SECTION(block)
KEY(block, variable, WORD, "", ANY, REQUIRED, "", cq_block_words, "what is designed")
KEY(block, body, TEXT, "", ANY, REQUIRED, cq_body_blocks, "",
    "body or group it belongs to; of variable = \"track\" an obstacle or half-space, too, by its "
    "place: \"obstacles.[0]\"")
KEY(block, per, WORD, "", ANY, "body", cq_field_blocks, "body|group|particle|patch",
    "variables: one for the body (or group), one a group of `groups`, one a particle, or one a "
    "patch of the lattice `patches`; for a vector, as many as it has components")
KEY(block, groups, TEXTS, "", ANY, REQUIRED, "per=group", "",
    "groups (or bodies) with a variable each; what is in none of them stays as it is")
KEY(block, patches, AXES, "", COUNT, REQUIRED, "per=patch", "",
    "variables an axis, evenly over the bounding box; where no particle is, there is none")
KEY(block, interpolation, WORD, "", ANY, "constant", "per=patch", "constant|linear",
    "constant on each patch, or linear between the nodes of a lattice that spans the box")
KEY(block, filter_radius, NUMBER, "cells", NONNEGATIVE, "0", "per=particle|patch", "",
    "each particle gets the mean of its surroundings, weighted by volume and 1 - distance/radius")
KEY(block, smoothness, NUMBER, "", POSITIVE, NONE, "per=patch", "",
    "standard deviation by which neighbouring patches (nodes) differ, in what the optimizer "
    "changes: the squares of these differences over it are added to the objective")
KEY(block, boundary, TEXT, "", ANY, REQUIRED, "variable=friction", "",
    "\"domain\", or another wall by its place: \"half_spaces.[0]\"")
KEY(block, actuator, TEXT, "", ANY, NONE, "variable=actuation", "",
    "name of an actuator; by default the table has the controls of all")
KEY(block, experiments, TEXTS, "", ANY, NONE, "", "",
    "of a file with experiments: names of those that it is for; by default all that have what it "
    "is "
    "about")
KEY(block, term, NAME, "", ANY, NONE, cq_term_blocks, "",
    "label of the marker_distance term whose samples it is about; by default the only one there is")
KEY(block, tie, TEXTS, "", ANY, NONE, cq_tie_blocks, "",
    "other bodies (groups, boundaries, actuators, terms) that the same variables drive")
KEY(block, tie_factor, NUMBERS, "", ANY, NONE, cq_tie_blocks, "",
    "the tied ones get the values times this, -1 for opposite: a number or one a tie; by default 1")
KEY(block, mirror, WORD, "", ANY, "none", cq_body_blocks, "none|x|y|z",
    "the tied ones are mirror images along this axis")
KEY(block, transform, WORD, "", ANY, "identity", "", "identity|log|tanh",
    "what the optimizer changes: the value, its logarithm, or y of lower + "
    "(upper - lower)(1 + tanh y)/2, which has no bounds")
KEY(block, start, NUMBERS, "", ANY, NONE, "", "",
    "where the optimizer starts: a number or one a variable; by default the scene's value")
KEY(block, start_spread, NUMBER, "", NONNEGATIVE, "0", "", "",
    "standard deviation of normal draws added to the start, by the seed of the run, within the "
    "bounds")
KEY(block, lower, NUMBERS, "", ANY, NONE, "", "",
    "lower bound: a number or one a variable; -1e19 and below: none")
KEY(block, upper, NUMBERS, "", ANY, NONE, "", "",
    "upper bound: a number or one a variable; 1e19 and above: none")
KEY(block, scale, NUMBERS, "", POSITIVE, NONE, "", "",
    "typical change, after the transform: a number or one a variable; by default upper - lower, "
    "where that is more than ten usual changes such a one, without bounds |start| (1 after a "
    "transform), else 1")
END(block)

/* objective and constraints; keys of one kind of term stand in terms/<name>.h */
SECTION(term)
KEY(term, term, WORD, "", ANY, REQUIRED, "", cq_term_words, "what is measured")
KEY(term, weight, NUMBER, "", ANY, "1", "", "", "factor; a negative one maximises")
KEY(term, body, TEXT, "", ANY, "*", cq_body_terms, "", "name of a body or group, or * for all")
KEY(term, to, TEXT, "", ANY, REQUIRED, cq_pair_terms, "", "name of another body or group")
KEY(term, time, NUMBER, "s", NONNEGATIVE, REQUIRED, "when=at", "", "when it is measured")
KEY(term, window, NUMBERS, "s", NONNEGATIVE, REQUIRED, "when=window", "",
    "[from, to]: the mean over the states after `from`, up to `to`")
KEY(term, label, NAME, "", ANY, "", "", "", "its name in tables; by default body.term")
KEY(term, upper, NUMBER, "", ANY, NONE, "", "", "constraints: value <= upper")
KEY(term, lower, NUMBER, "", ANY, NONE, "", "", "constraints: value >= lower")
KEY(term, equals, NUMBER, "", ANY, NONE, "", "", "constraints: value = equals")
END(term)

SECTION(experiment)
KEY(experiment, include, TEXT, "", ANY, NONE, "", "",
    "problem file or built-in problem: a complete scene with its own terms; its design and "
    "optimizer "
    "do not count")
KEY(experiment, name, NAME, "", ANY, REQUIRED, "", "",
    "its name in tables and of its folder; by default that of the included file")
KEY(experiment, weight, NUMBER, "", POSITIVE, "1", "", "", "factor of its objective in the sum")
END(experiment)

SECTION(scenarios)
KEY(scenarios, sampling, WORD, "", ANY, "list", "", "list|grid|random",
    "the values given, all combinations on a grid, or draws between low and high")
KEY(scenarios, count, INT, "", COUNT, REQUIRED, "sampling=random", "", "how many draws")
KEY(scenarios, seed, SEED, "", INTEGER, NONE, "sampling=random", "",
    "of the draws; without it the seed of the run")
KEY(scenarios, combine, WORD, "", ANY, "mean", "", "mean|worst|batch",
    "objective of all: their mean, the worst of them, or the mean of a few that change with each "
    "evaluation (for adam, and gradient_descent with fixed steps)")
KEY(scenarios, batch, INT, "", COUNT, "1", "combine=batch", "", "how many at a time")
END(scenarios)

SECTION(vary)
KEY(vary, key, TEXT, "", ANY, REQUIRED, "", "",
    "path of the setting, as for --set: \"objective.[0].target\"")
KEY(vary, values, VALUES, "", ANY, NONE, "", "",
    "with sampling = list: its values, one scenario after the other: numbers, texts, names of "
    "files, "
    "lists")
KEY(vary, low, NUMBERS, "", ANY, NONE, "", "", "with sampling = grid, random: least value")
KEY(vary, high, NUMBERS, "", ANY, NONE, "", "", "and largest; numbers, or lists as the setting is")
KEY(vary, points, NUMBERS, "", COUNT, NONE, "", "",
    "with sampling = grid: points from low to high, a number or one for each number of the setting")
KEY(vary, tie, TEXTS, "", ANY, NONE, "", "",
    "with sampling = grid, random: other settings of as many numbers that move along: as far from "
    "what the file has as this one is")
END(vary)

SECTION(stage)
KEY(stage, set, TEXTS, "", ANY, REQUIRED, "", "",
    "its settings, as for --set: [\"simulation.steps=200\", \"optimizer.max_evaluations=20\"]")
END(stage)

SECTION(optimizer)
KEY(optimizer, name, TEXT, "", ANY, "auto", "", "",
    "method; cqopt help algorithms shows all; auto: LD_SLSQP up to 300 variables, sqp above")
KEY(optimizer, starts, INT, "", STARTS, "1", "", "",
    "solve from so many, each with the budgets below: the design's own start, then others drawn "
    "between the bounds (where one is missing, up to a scale from the start)")
KEY(optimizer, workers, INT, "", INTEGER, "0", "", "",
    "starts solved at a time, each in a process of its own; 0: one a thread")
KEY(optimizer, max_evaluations, INT, "", INTEGER, "200", "", "",
    "most designs evaluated; 0: no limit")
KEY(optimizer, max_simulations, INT, "", INTEGER, "0", "", "",
    "most simulations, retries included; 0: no limit")
KEY(optimizer, max_cost, NUMBER, "", NONNEGATIVE, "0", "", "",
    "most cost in forward runs: a value is 1, with its gradient gradient_cost; 0: no limit")
KEY(optimizer, gradient_cost, NUMBER, "", GRADIENT_COST, "3", "", "",
    "what a value and its gradient cost in forward runs; cqopt compare measures it")
KEY(optimizer, max_time, NUMBER, "s", NONNEGATIVE, "0", "", "", "most time; 0: no limit")
KEY(optimizer, stagnation, INT, "", INTEGER, "0", "", "",
    "stop after so many evaluations without a better design; 0: off")
KEY(optimizer, phases, WORD, "", ANY, "together", "", "together|feasibility_first",
    "feasibility_first: first a feasible design, whatever the objective is, then the problem from "
    "there")
KEY(optimizer, feasibility_evaluations, INT, "", INTEGER, "0", "", "",
    "feasibility_first: most designs evaluated until one is feasible; 0: as max_evaluations, of "
    "which they are part")
KEY(optimizer, ftol_rel, NUMBER, "", NONNEGATIVE, "0", "", "",
    "stop when the objective changes less, relatively; 0: off")
KEY(optimizer, xtol_rel, NUMBER, "", NONNEGATIVE, "0", "", "",
    "stop when the variables change less, relatively; 0: off")
KEY(optimizer, gradient_tolerance, NUMBER, "", NONNEGATIVE, "0", "", "",
    "stop when the KKT residual of the best design falls to this; 0: off")
KEY(optimizer, target, NUMBER, "", ANY, NONE, "", "", "an objective this low is a success")
KEY(optimizer, stop_at_target, FLAG, "", ANY, "true", "", "", "and ends the run")
KEY(optimizer, constraint_tolerance, NUMBER, "", NONNEGATIVE, "1e-6", "", "",
    "largest violation that counts as feasible")
KEY(optimizer, constraint_margin, NUMBER, "", NONNEGATIVE, "0", "", "",
    "the method keeps inequalities by this much; what counts as feasible stays the same")
KEY(optimizer, optimality_tolerance, NUMBER, "", POSITIVE, "1e-4", "", "",
    "largest scaled projected-gradient residual that counts as an optimum")
KEY(optimizer, verify, WORD, "", ANY, "probe", "", "probe|residual",
    "what an optimum has to survive: probe: also a look at up to six designs around it; residual: "
    "a small gradient alone")
KEY(optimizer, restarts, INT, "", INTEGER, "20", "", "",
    "most restarts at the best design, after claims of success that do not verify; ipop_cmaes, "
    "bipop_cmaes: most restarts elsewhere")
KEY(optimizer, stall_time, NUMBER, "s", NONNEGATIVE, "60", "", "",
    "a method silent for this long, simulations aside, has stalled; 0: wait for ever")
KEY(optimizer, verify_refined, FLAG, "", ANY, "true", "", "",
    "simulate the best design once more at half the time step, and tell what that changes")
KEY(optimizer, error_bars, WORD, "", ANY, "auto", "", "auto|yes|no",
    "standard errors of the best design of a fit, for one Jacobian; auto: with "
    "gauss_newton, "
    "and with other methods where every term has a deviation and they cost less than the fit")
KEY(optimizer, repeats, INT, "", INTEGER, NONE, "", "",
    "re-runs of the best design, and of each that reaches the target, from starts moved at random: "
    "the target is claimed by their mean; they count in no budget. Without it "
    "as many as an engine wants whose runs are chaotic, else 0")
KEY(optimizer, repeat_jitter, NUMBER, "", POSITIVE, "1e-3", "", "",
    "by how much of its radius a particle is moved at most in a re-run")
KEY(optimizer, repeat_with, TEXTS, "", ANY, NONE, "", "",
    "settings of re-runs, as for --set: [\"simulation.solver=ncp\"] after a search in a softer, "
    "less "
    "chaotic mode")
KEY(optimizer, jacobian, WORD, "", ANY, "auto", "", "auto|differences|adjoint",
    "derivatives of the residuals of a fit: differences: two runs a variable; adjoint: a sweep "
    "with a seed for each residual; auto: the cheaper of both")
KEY(optimizer, force, FLAG, "", ANY, "false", "", "",
    "run a method that is refused because it would take too long")
KEY(optimizer, allow_heuristic, FLAG, "", ANY, "false", "", "",
    "let a method that needs an exact gradient have a heuristic one")
KEY(optimizer, on_failure, WORD, "", ANY, "retry_smaller_step", "",
    "abort|penalty|infeasible|retry_smaller_step", "what a design that cannot be simulated means")
KEY(optimizer, scaling, WORD, "", ANY, "auto", "", "auto|none",
    "scaling of variables, objective and constraints, for the methods that need it")
KEY(optimizer, objective_scale, NUMBER, "", POSITIVE, NONE, "scaling=auto", "",
    "typical size of the objective; by default from the first evaluation")
KEY(optimizer, constraint_scale, NUMBERS, "", POSITIVE, NONE, "scaling=auto", "",
    "typical size of the constraints: a number or one a constraint; by default as the objective's")
KEY(optimizer, learning_rate, NUMBER, "", POSITIVE, "0.1", "", "",
    "gradient_descent: step per gradient, or the first one to try; adam: step")
KEY(optimizer, momentum, NUMBER, "", FRACTION, "0", "", "",
    "gradient_descent with fixed steps: part of the last step kept")
KEY(optimizer, clip, NUMBER, "", NONNEGATIVE, "0", "", "",
    "gradient_descent with fixed steps, adam: largest component of a gradient; 0: off")
KEY(optimizer, step_rule, WORD, "", ANY, "fixed", "", "fixed|armijo|barzilai_borwein",
    "gradient_descent: how the length of a step is found")
KEY(optimizer, schedule, WORD, "", ANY, "constant", "", "constant|plateau|cosine",
    "gradient_descent with fixed steps, adam: the learning rate over the run")
KEY(optimizer, schedule_period, INT, "", INTEGER, "0", "", "",
    "plateau: evaluations without a better design that halve the rate, 0: 20; cosine: its length, "
    "0: max_evaluations")
KEY(optimizer, beta_1, NUMBER, "", FRACTION, "0.9", "", "", "adam: decay of the mean gradient")
KEY(optimizer, beta_2, NUMBER, "", FRACTION, "0.999", "", "", "adam: decay of the mean square")
KEY(optimizer, epsilon, NUMBER, "", POSITIVE, "1e-8", "", "", "adam: added to the root mean square")
KEY(optimizer, population, INT, "", INTEGER, "0", "", "",
    "cmaes and its kin, random_search, random_smoothing: designs a generation; 0: 4 + 3 ln(n), "
    "random_search 16, random_smoothing 8")
KEY(optimizer, sigma, NUMBER, "", POSITIVE, NONE, "", "",
    "cmaes and its kin: standard deviation of the first steps, in units of the scale of each "
    "variable, or of a narrower range; by default 0.3, one_plus_one_es 0.5")
KEY(optimizer, difference_step, NUMBER, "", FRACTION, "0.02", "", "",
    "gauss_newton_broyden: steps of its first differences, in parts of the scale of each variable, "
    "or of a narrower range")
KEY(optimizer, bounds_handling, WORD, "", ANY, "transform", "", "transform|penalty",
    "cmaes and its kin: a smooth map into the bounds, or a penalty beyond them")
KEY(optimizer, seed, SEED, "", INTEGER, NONE, "", "", "seed of everything random in the run")
END(optimizer)

SECTION(output)
KEY(output, frames, INT, "", COUNT, "50", "", "",
    "a recorded motion is written at the start and so many even times after it")
KEY(output, interval, NUMBER, "s", POSITIVE, NONE, "", "",
    "time between frames, instead of their number")
KEY(output, trajectory, FLAG, "", ANY, "true", "", "",
    "write trajectory.h5 and .xdmf: simulate, and solve of its best design")
KEY(output, report, FLAG, "", ANY, "true", "", "",
    "solve ends with report.html, and two runs for it: of the first and the last design")
KEY(output, trajectory_limit, BYTES, "", POSITIVE, "2 GiB", "", "none",
    "a larger one (before compression) is left out, with a warning")
KEY(output, fields, TEXTS, "", ANY, NONE, "", "",
    "what the trajectory has beside positions, body and time: v, density, actuation and what else "
    "the engine records (a name that is none shows all); by default all")
KEY(output, adjoint, FLAG, "", ANY, "false", "", "",
    "write adjoint.csv, the norms of the gradient at every step and the contacts that change: "
    "simulate, and solve of its best design")
KEY(output, precision, WORD, "", ANY, "float", "", "double|float", "numbers of the trajectory")
END(output)
