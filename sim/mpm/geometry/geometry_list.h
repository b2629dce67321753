/* CQ_GEOMETRY(name, role): the nodes that a wall holds.
 * WALL: has a section of its own in a problem file, and leaves the free nodes of a line along the
 * last axis in one piece. OBSTACLE: a `shape` of boundaries.obstacles; it may stand in the middle
 * of a line. */
CQ_GEOMETRY(domain, WALL)
CQ_GEOMETRY(half_space, WALL)
CQ_GEOMETRY(height_field, WALL)
CQ_GEOMETRY(ball, OBSTACLE)
CQ_GEOMETRY(box, OBSTACLE)
