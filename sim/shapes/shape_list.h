/* CQ_SHAPE(name). The shape is <name>.h, which shapes.c includes. */
CQ_SHAPE(box)
CQ_SHAPE(ball)
