/* Keys that say a shape, in every section that has one: X(owner, key, type, ...) as the rows of
 * schema_table.h. Their struct is cq_shape_keys, the field `form` of the section's struct. */
#ifndef CQ_PROBLEMS_SHAPE_KEYS_H
#define CQ_PROBLEMS_SHAPE_KEYS_H

#define CQ_SHAPE_KEY_LIST(X, owner)                                                                \
  X(owner, shape, WORD, "", ANY, "box", "", cq_shape_words, "box, or ball (a disc in 2D)")         \
  X(owner, low, POINT, "m", ANY, NONE, "shape=box", "", "lowest corner; or give center")           \
  X(owner, center, POINT, "m", ANY, NONE, "", "", "centre of the shape")                           \
  X(owner, size, POINT, "m", POSITIVE, REQUIRED, "shape=box", "", "edge lengths")                  \
  X(owner, radius, NUMBER, "m", POSITIVE, REQUIRED, "shape=ball", "", "radius")

#endif
