/* CQ_SHAPE(name, extent). The shape is <name>.h, which shapes.c includes.
 * BOUNDED: it can be a body, a group, an obstacle or a part of a composite, and is a word of their
 * key `shape`. UNBOUNDED: it can be a wall alone, and has a section of its own in a file. */
CQ_SHAPE(box, BOUNDED)
CQ_SHAPE(ball, BOUNDED)
CQ_SHAPE(polygon, BOUNDED)
CQ_SHAPE(capsule, BOUNDED)
CQ_SHAPE(composite, BOUNDED)
CQ_SHAPE(mesh, BOUNDED)
CQ_SHAPE(gear, BOUNDED)
CQ_SHAPE(domain, UNBOUNDED)
CQ_SHAPE(half_space, UNBOUNDED)
CQ_SHAPE(height_field, UNBOUNDED)
