/* Keys of rigid bodies and of what drives them, for sections of any engine: X(owner, key, type,
 * ...) as the rows of schema_table.h. An engine names the lists in its table of keys, and hands
 * what it got to rigid_read.h. */
#ifndef CQ_PROBLEMS_RIGID_KEYS_H
#define CQ_PROBLEMS_RIGID_KEYS_H

/* of a body; the words of motion are in the order of cq_motion_word */
#define CQ_RIGID_KEY_LIST(X, owner)                                                                \
  X(owner, motion, WORD, "", ANY, NONE, "", "free|driven|fixed",                                   \
    "of a rigid body. free, the default: what touches it moves it; driven: it moves by `track`, "  \
    "`sway`, an actuator, or its velocity and spin, whatever pushes it; fixed: it stays")          \
  X(owner, friction, NUMBER, "", NONNEGATIVE, NONE, "", "infinite",                                \
    "coefficient of friction at a rigid body; of two of them, or one at a wall, the geometric "    \
    "mean; by default 0")                                                                          \
  X(owner, rolling, NUMBER, "m", NONNEGATIVE, NONE, "", "",                                        \
    "friction of rolling of a rigid body on others and on walls: a couple of this times the "      \
    "force")                                                                                       \
  X(owner, restitution, NUMBER, "", FRACTION, NONE, "", "",                                        \
    "what is left of the speed when rigid bodies collide, where contacts are by impulses")         \
  X(owner, release, NUMBER, "s", NONNEGATIVE, NONE, "", "",                                        \
    "a driven body is free from this time on")

/* of a driven body, where contacts are by impulses */
#define CQ_LIMIT_KEY_LIST(X, owner)                                                                \
  X(owner, max_force, NUMBER, "N", NONNEGATIVE, NONE, "", "",                                      \
    "what drives a rigid body pushes with no more, so that it yields where it is held; its "       \
    "weight "                                                                                      \
    "is carried beside. 0: it is turned alone, as a wheel, and nothing carries it (2D: N/m)")      \
  X(owner, max_torque, NUMBER, "N m", NONNEGATIVE, NONE, "", "", "and turns it with no more")

/* of a driven body that hangs at another one */
#define CQ_JOINT_KEY_LIST(X, owner)                                                                \
  X(owner, joint, WORD, "", ANY, NONE, "", "hinge|slider",                                         \
    "a driven body hangs at another one; an actuator with controls = \"joint\" gives its rate. "   \
    "hinge: it turns about joint_point, and in 3D about joint_axis; slider: it moves along "       \
    "joint_axis")                                                                                  \
  X(owner, joint_at, TEXT, "", ANY, REQUIRED, "joint=hinge|slider", "",                            \
    "the driven or fixed rigid body that it hangs at, which stands before it, or an obstacle, "    \
    "\"obstacles.[0]\"")                                                                           \
  X(owner, joint_point, POINT, "m", ANY, REQUIRED, "joint=hinge", "",                              \
    "where the hinge is at the start")                                                             \
  X(owner, joint_axis, POINT, "", ANY, NONE, "joint=hinge|slider", "axis",                         \
    "axis of a hinge in 3D, direction of a slider, at the start; it moves with joint_at")

/* of an actuator with model = "drive" */
#define CQ_DRIVE_KEY_LIST(X, owner)                                                                \
  X(owner, controls, TEXTS, "", ANY, REQUIRED, "model=drive", "",                                  \
    "what it drives: velocities \"x\", \"y\", \"z\" and turns \"turn x\", \"turn y\", \"turn z\" " \
    "(2D: \"turn\"); or \"joint\", the rate of the joint at which it hangs")                       \
  X(owner, frame, WORD, "", ANY, "world", "model=drive", "world|own",                              \
    "own: along the axes of the body as it is turned, as a vehicle")                               \
  X(owner, max_turn, NUMBER, "rad/s", POSITIVE, NONE, "model=drive", "",                           \
    "largest turn; by default the number of max")

#endif
