/* Keys that say how a rigid body is moved, for sections of any engine: X(owner, key, type, ...) as
 * the rows of schema_table.h. An engine names the list in its table of keys, and hands what it got
 * to tracks.h. */
#ifndef CQ_PROBLEMS_TRACK_KEYS_H
#define CQ_PROBLEMS_TRACK_KEYS_H

#define CQ_MOTION_KEY_LIST(X, owner)                                                               \
  X(owner, track, TABLE, "s, m, rad", ANY, NONE, "", "",                                           \
    "knots of a driven motion: rows [time, x, y, turn], in 3D [time, x, y, z, turn (three "        \
    "numbers, as rotation)]: how far it is from where the file has it. A smooth curve joins "      \
    "them; "                                                                                       \
    "turns may be left out")                                                                       \
  X(owner, sway, TABLE, "Hz, m, rad", ANY, NONE, "", "",                                           \
    "sines of a driven motion: rows [frequency, x, y, turn, phase], in 3D [frequency, x, y, z, "   \
    "turn, phase], of these amplitudes; the phase may be left out")                                \
  X(owner, sway_axis, POINT, "", ANY, NONE, "", "axis",                                            \
    "in 3D: what the turns of `sway` are about, in its own frame; by default the axis of `spin`")

#define CQ_TRACK_KEY_LIST(X, owner)                                                                \
  CQ_MOTION_KEY_LIST(X, owner)                                                                     \
  X(owner, belt, POINT, "m/s", ANY, NONE, "", "",                                                  \
    "how its surface runs beside its own motion, in its own frame: a conveyor")

/* For sections that have no velocity and no spin else. */
#define CQ_STEADY_KEY_LIST(X, owner)                                                               \
  X(owner, velocity, POINT, "m/s", ANY, NONE, "", "", "a steady motion")                           \
  X(owner, spin, NUMBERS, "rad/s", ANY, NONE, "", "",                                              \
    "a steady turn about its centre of mass (a plane: about its point): a number in 2D, a vector " \
    "in 3D")

#endif
