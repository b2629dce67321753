/* Polygons cut off at a plane or a box (Sutherland and Hodgman). Corners are cut in place: points
 * has room for `room` of them, and what does not fit is left out; a convex one gets at most one
 * corner more by a plane. */
#ifndef CQ_RECORD_CUT_H
#define CQ_RECORD_CUT_H

/* Keeps the part where normal . (x - point) >= 0; returns how many corners it has. */
int cq_cut(double (*points)[3], int n, int room, const double normal[3], const double point[3]);
/* Keeps what is in a box of `dim` axes. */
int cq_cut_to_box(double (*points)[3], int n, int room, int dim, const double low[3],
                  const double high[3]);

#endif
