/* Keys that say a shape, in every section that has one: X(owner, key, type, ...) as the rows of
 * schema_table.h; `only` is that of the key `shape`. Their struct is cq_shape_keys, the field
 * `form` of the section's struct. */
#ifndef CQ_PROBLEMS_SHAPE_KEYS_H
#define CQ_PROBLEMS_SHAPE_KEYS_H

#define CQ_SHAPE_KEY_LIST(X, owner, only)                                                          \
  X(owner, shape, WORD, "", ANY, "box", only, cq_shape_words,                                      \
    "ball: a disc in 2D; capsule: what is within radius of a segment; composite: parts together")  \
  X(owner, low, POINT, "m", ANY, NONE, "shape=box", "", "lowest corner; or give center")           \
  X(owner, center, POINT, "m", ANY, NONE, "shape=box|ball", "", "centre of the shape")             \
  X(owner, size, POINT, "m", POSITIVE, REQUIRED, "shape=box", "", "edge lengths")                  \
  X(owner, radius, NUMBER, "m", POSITIVE, REQUIRED, "shape=ball|capsule", "", "radius")            \
  X(owner, points, TABLE, "m", ANY, REQUIRED, "shape=polygon|capsule", "",                         \
    "corners of a polygon (2D) in order, either way round; the two ends of a capsule's segment")   \
  X(owner, rotation, NUMBERS, "rad", ANY, NONE, "shape=box|polygon|capsule|composite", "",         \
    "turns it about its centre: an angle in 2D, axis times angle in 3D")                           \
  X(owner, parts, PARTS, "", ANY, REQUIRED, "shape=composite", "",                                 \
    "shapes, each added to those before it or taken away from them")

#endif
