/* Keys that say a shape, in every section that has one: X(owner, key, type, ...) as the rows of
 * schema_table.h; `only` is that of the key `shape`. Their struct is cq_shape_keys, the field
 * `form` of the section's struct. */
#ifndef CQ_PROBLEMS_SHAPE_KEYS_H
#define CQ_PROBLEMS_SHAPE_KEYS_H

#define CQ_SHAPE_KEY_LIST(X, owner, only)                                                          \
  X(owner, shape, WORD, "", ANY, "box", only, cq_shape_words,                                      \
    "ball: a disc in 2D; capsule: what is within radius of a segment; composite: parts together; " \
    "mesh: what a surface encloses; gear: an involute gear about z")                               \
  X(owner, low, POINT, "m", ANY, NONE, "shape=box|mesh", "",                                       \
    "lowest corner, of a mesh that of its bounds; or give center")                                 \
  X(owner, center, POINT, "m", ANY, NONE, "shape=box|ball|mesh|gear", "",                          \
    "centre of the shape, of a mesh that of its bounds; without it a mesh is where its file says") \
  X(owner, size, POINT, "m", POSITIVE, REQUIRED, "shape=box", "", "edge lengths")                  \
  X(owner, radius, NUMBER, "m", POSITIVE, REQUIRED, "shape=ball|capsule", "", "radius")            \
  X(owner, points, TABLE, "m", ANY, REQUIRED, "shape=polygon|capsule", "",                         \
    "corners of a polygon (2D) in order, either way round; the two ends of a capsule's segment")   \
  X(owner, rotation, NUMBERS, "rad", ANY, NONE, "shape=box|polygon|capsule|composite|mesh|gear",   \
    "", "turns it about its centre: an angle in 2D, axis times angle in 3D")                       \
  X(owner, file, TEXT, "", ANY, NONE, "shape=mesh", "",                                            \
    "closed surface: in 3D STL, OBJ or PLY; in 2D an outline as CSV with a line of names (x, y, "  \
    "and loop where there are several), or a picture, PNG or PGM, in which the body is bright "    \
    "and a pixel is the unit")                                                                     \
  X(owner, vertices, TABLE, "", ANY, NONE, "shape=mesh", "", "instead of file: rows [x, y, (z)]")  \
  X(owner, faces, TABLE, "", ANY, NONE, "shape=mesh", "",                                          \
    "with vertices: a row is a triangle, in 2D an edge; three or two vertices, the first is 0")    \
  X(owner, scale, NUMBER, "m", POSITIVE, "1", "shape=mesh", "",                                    \
    "length of a unit of the surface; 1e-3 for millimetres")                                       \
  X(owner, cells, INT, "", CELLS, "0", "shape=mesh", "",                                           \
    "0: exact distances; else from a grid of so many cells along the longest side, faster")        \
  X(owner, teeth, INT, "", TEETH, REQUIRED, "shape=gear", "",                                      \
    "of a gear; the first is along x in the middle of its width")                                  \
  X(owner, module, NUMBER, "m", POSITIVE, REQUIRED, "shape=gear", "",                              \
    "normal module: teeth stand out of the pitch circle by it, and gaps are 1.25 of it deep; the " \
    "pitch circle has a radius of teeth module/2, by the cosine of the helix angle")               \
  X(owner, pressure_angle, NUMBER, "rad", FLANK, "0.3490658503988659", "shape=gear", "",           \
    "of the flanks, in the normal section; by default 20 degrees")                                 \
  X(owner, helix_angle, NUMBER, "rad", HELIX, "0", "shape=gear", "",                               \
    "3D: of the teeth at the pitch circle; they turn counterclockwise along z")                    \
  X(owner, width, NUMBER, "m", POSITIVE, NONE, "shape=gear", "", "3D: of a gear, along its axis")  \
  X(owner, bore, NUMBER, "m", NONNEGATIVE, "0", "shape=gear", "", "radius of a hole in a gear")    \
  X(owner, parts, PARTS, "", ANY, REQUIRED, "shape=composite", "",                                 \
    "shapes, each added to those before it or taken away from them")

#endif
