/* The functions of the hot files, at the SIMD level this file is compiled for. */
#ifndef CQ_GRAINS_HOT_H
#define CQ_GRAINS_HOT_H

#include "grains.h"

/* a symbol of one variant at one SIMD level */
#define H(name) CQ_PASTE_LEVEL(V(name), CQ_LEVEL)

void H(cq_grains_contacts)(const grains *g, const state *s, group *to);
void H(cq_grains_push)(const grains *g, scalar *rows, const group *of);
void H(cq_grains_solve)(const grains *g, scalar *rows, const group *of);
void H(cq_grains_split)(const grains *g, const scalar *from, scalar *to, const group *of);

#endif
