/* CQ_SHAPE(name). The shape is <name>.h, which shapes.c includes. */
CQ_SHAPE(box)
CQ_SHAPE(ball)
CQ_SHAPE(polygon)
CQ_SHAPE(capsule)
CQ_SHAPE(composite)
