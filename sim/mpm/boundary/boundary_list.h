/* CQ_BOUNDARY(name). separate_stick is `separate` with infinite friction. */
CQ_BOUNDARY(slip)
CQ_BOUNDARY(sticky)
CQ_BOUNDARY(separate)
CQ_BOUNDARY(separate_stick)
