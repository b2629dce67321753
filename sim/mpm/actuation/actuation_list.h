/* CQ_ACTUATION(name, acts, drive, in 2D, in 3D, unit, rest, sign, labels in 2D, in 3D)
 *
 * acts    STRESS: adds a stress to its particles; PUSH: accelerates them; CABLE: pulls at points
 * drive   what the physics is driven by: SAME: the controls; OWN: <name>_drive() of the controls;
 *         PLACED: of the controls and where the actuator's group is (its centre of mass);
 *         SEEN: of the controls and all that is observed of it, with its volume;
 *         WEIGHED: of the actuator itself and the mass of its group
 * in 2D, in 3D  how many numbers drive it, six at most
 * unit    of a control, at rest that of an idle actuator; with sign BOTH controls go as far below
 *         rest as above it, with ABOVE no lower than rest (unless the file says how far)
 * labels  of the controls, "" for a single one; there are as many controls as labels, 0: none */
CQ_ACTUATION(muscle, STRESS, SAME, 1, 1, "Pa", 0, BOTH, "", "")
CQ_ACTUATION(stress, STRESS, SAME, 3, 6, "Pa", 0, BOTH, "xx|yy|xy", "xx|yy|zz|xy|xz|yz")
CQ_ACTUATION(diagonal, STRESS, SAME, 2, 3, "Pa", 0, BOTH, "x|y", "x|y|z")
CQ_ACTUATION(pneumatic, STRESS, SAME, 1, 1, "Pa", 0, ABOVE, "", "")
CQ_ACTUATION(hydraulic, STRESS, SEEN, 1, 1, "1", 1, BOTH, "", "")
CQ_ACTUATION(thrust, PUSH, OWN, 2, 3, "m/s^2", 0, BOTH, "x|y", "x|y|z")
CQ_ACTUATION(push, PUSH, WEIGHED, 2, 3, "N", 0, BOTH, 0, 0)
CQ_ACTUATION(torque, PUSH, PLACED, 3, 6, "rad/s^2", 0, BOTH, "", "x|y|z")
CQ_ACTUATION(cable, CABLE, SAME, 1, 1, "N", 0, ABOVE, "", "")
