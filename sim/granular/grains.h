/* The inside of the engine, in the types of a variant. */
#ifndef CQ_GRAINS_H
#define CQ_GRAINS_H

#include "granular_model.h"
#include "host_loop.h"
#include "simd.h"
#include "turns.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

#if CQ_DIM == 2
enum { GRAIN_SPINS = 1 };
#else
enum { GRAIN_SPINS = 3 };
#endif
enum {
  GRAIN_LANES = 16,                    /* contacts of a block */
  GRAIN_ROW = 8,                       /* numbers of a row: v, 1/m, w, 1/I */
  GRAIN_PLACE = 4,                     /* x, y, z, radius */
  GRAIN_IMPULSE = CQ_DIM == 2 ? 4 : 8, /* pn, pt, pr */
  GRAIN_SURFACE = 4,                   /* most contacts of a grain with tools */
  GRAIN_UNIT = 900,                    /* grains of a unit, about */
  GRAIN_DUMMIES = 2 * GRAIN_LANES,     /* rows of a unit for lanes that stand for nothing */
  GRAIN_COLUMNS = 256,                 /* most columns of an unevenness */
  GRAIN_COLOURS = 64                   /* that are found by bits */
};

#define FOR_EACH_AXIS(a) for (int a = 0; a < CQ_DIM; a++)

/* where the numbers of a row are */
enum { ROW_V = 0, ROW_IM = 3, ROW_W = 4, ROW_II = 7 };

/* 16 contacts that share no grain, between grains or (surface) with tools. */
typedef struct block {
  int i[GRAIN_LANES], j[GRAIN_LANES]; /* rows; of a surface j is the number of its tool's part */
  int slot[GRAIN_LANES];              /* pair, or touch, whose impulse it is; -1: none */
  scalar n[CQ_DIM][GRAIN_LANES];
  scalar arm[GRAIN_LANES], kn[GRAIN_LANES], kt[GRAIN_LANES], kr[GRAIN_LANES], bias[GRAIN_LANES];
  scalar friction[GRAIN_LANES], roll[GRAIN_LANES], pull[GRAIN_LANES];
  scalar p[1 + CQ_DIM + GRAIN_SPINS][GRAIN_LANES]; /* pn, pt, pr */
} block;

typedef struct surface_block {
  block b;
  scalar v[CQ_DIM][GRAIN_LANES], w[GRAIN_SPINS][GRAIN_LANES]; /* of the surface */
} surface_block;

/* A contact of a grain with a part of a tool, and its impulse: what the next step knows of it. */
typedef struct kept {
  int grain, part;
  scalar p[1 + CQ_DIM + GRAIN_SPINS];
} kept;

typedef struct touch {
  kept is;
  scalar n[CQ_DIM], gap, rate;
  scalar at[CQ_DIM], v[CQ_DIM]; /* where it touches, from the origin of the tool; its speed there */
} touch;

typedef struct state_head {
  int n_pairs, n_touches, n_units;
  int stamp; /* of the list: the step it was made in, plus 1 */
} state_head;

/* A state: one piece of memory that may be copied. Grains stand in the order of the last list. */
typedef struct state {
  state_head *head;
  cq_tool_pose *poses; /* [tools] */
  scalar *place;       /* [n][GRAIN_PLACE] */
  scalar *rows;        /* [n + dummies][GRAIN_ROW] */
  scalar *listed;      /* [n][GRAIN_PLACE] where the list was made; how far one may go */
  int *id;             /* [n] the particle that a grain is */
  int *laps;           /* [n] how often it has gone through a room without end */
  int *unit;           /* [units + 1] first grain of each */
  int *a, *b;          /* [pair_room] grains of a pair, by unit and colour */
  scalar *impulse;     /* [pair_room][GRAIN_IMPULSE] */
  kept *touches;       /* [touch_room] by grain */
  double *bodies;      /* grains_bodies.h */
} state;

/* Pairs that are solved together by one thread: of a unit, or between two neighbours. */
typedef struct group {
  cq_turns turns;        /* of this step: contacts, impulses to begin with, iterations */
  int first, last;       /* pairs */
  int colour, n_colours; /* its colours in grains.colour_end */
  block *blocks;         /* of this step */
  size_t room;
  int n_blocks;
  surface_block *surfaces; /* units alone */
  size_t surface_room;
  int n_surfaces;
  touch *touches;
  size_t touch_room;
  int n_touches, n_contacts;
  bool full;        /* more room is needed for one of them */
  cq_status status; /* of making it */
  size_t wants_blocks, wants_touches;
  scalar deepest; /* penetration by radius */
} group;

typedef struct grains grains;
typedef struct bodies bodies; /* grains_bodies.h */

/* what is compiled for each SIMD level */
typedef struct grains_hot {
  void (*contacts)(const grains *g, const state *s, group *to);
  void (*push)(const grains *g, scalar *rows, const group *of);
  void (*solve)(const grains *g, scalar *rows, const group *of);
  void (*split)(const grains *g, const scalar *from, scalar *to, const group *of);
} grains_hot;

struct grains {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_granular_model *own;
  const cq_layout *layout;
  const grains_hot *hot;
  int n, threads, n_parts;
  size_t pair_room, touch_room;
  int unit_room, n_dummies;
  scalar dt, inverse_dt, smallest, largest; /* radii */
  double weight;                            /* of all grains */
  scalar gravity[CQ_DIM], bounce_above;     /* slower contacts do not bounce */
  bool spins, rolls;
  scalar low[CQ_DIM], high[CQ_DIM]; /* of the room */
  int cyclic;                       /* axis along which it has no end; -1: none */
  scalar period;                    /* its length there */
  /* of particles */
  scalar *radius, *inverse_mass,
      *share; /* share [n][4]: roots of friction, rolling, bounce, pull */
  /* of grains, in the order of the list with this stamp; -1: of none */
  int stamp;
  int *slot;               /* [n] the grain that a particle is */
  scalar *kind_share;      /* [n][4] share in the order of the list */
  unsigned char *material; /* [n] or NULL */
  scalar *touching;        /* [n] contacts of a grain in this step, for splitting */
  /* groups: units, then what is between unit u and u + 1, then the rest */
  group *groups;
  int n_groups;
  int *colour_end; /* ends of colours, of all groups */
  size_t colour_room;
  /* parts of tools */
  const cq_shape **part;
  int *part_tool;
  cq_tool_place *placed; /* [parts] in this step */
  double *wall_friction; /* [tools] */
  double *wrench;        /* [tools][6] of the last step */
  double *tool_twist;    /* [tools][6] velocity and spin in a step; of what yields before it */
  double *tool_speed;    /* [tools] the most of any point that a grain can touch */
  struct bodies *bodies; /* NULL: there are none */
  scalar *parallel;      /* rows of an iteration that begins, for splitting */
  /* scratch of list-making */
  int *cell, *start, *order, *from, *pair_key, *pair_from;
  size_t start_room;
  int *key, *head, *next; /* hashed: cells of grains [n], chains [2 n] and what follows in them */
  scalar *scratch;
  int *pa, *pb;
  scalar *saved; /* [saved_room][GRAIN_IMPULSE] */
  int *saved_other;
  size_t saved_room, other_room;
  uint64_t *mask;
  int *next_colour;
  kept *old_touches;
  cq_failure failure;
  cq_tally tally;
};

/* grains_state.c */
size_t V(cq_grains_state_bytes)(const void *work);
state V(cq_grains_view)(const grains *g, const void *slab);
void V(cq_grains_copy)(const grains *g, const void *from, void *to);
cq_status V(cq_grains_upload)(void *work, const double *inputs, void *slab);
void V(cq_grains_download)(const void *work, const void *slab, double *out);
void V(cq_grains_walls)(const void *work, const void *slab, double *maps);
void V(cq_grains_observe)(void *work, int k, const void *slab, double *z);
/* grains.c */
/* The parts of a step around the grains: how tools move in it, and where their parts are; then,
 * with what pushed them in g->wrench, where they are after it. *jams: tools that are jammed. */
cq_status V(cq_grains_tools_begin)(grains *g, int step, const state *s, const double *w);
cq_status V(cq_grains_tools_end)(grains *g, int step, const state *s, int *jams);
/* Words and records where a particle went. */
cq_status V(cq_grains_gone)(grains *g, const state *s, int step, int particle);
/* grains_create.c */
cq_status V(cq_grains_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                              void **work);
void V(cq_grains_destroy)(void *work);
cq_status V(cq_grains_reserve)(const grains *g, void **pointer, size_t *room, size_t needed,
                               size_t size);
/* grains_list.c: a list where the one of the state does not hold any more; then grains, slots and
 * groups of the workspace are those of the state's list. */
cq_status V(cq_grains_take_list)(grains *g, int step, const state *s);
cq_status V(cq_grains_make_list)(grains *g, int step, const state *s);
/* Sorts the n pairs of pa, pb by group and colour into the state. */
cq_status V(cq_grains_make_groups)(grains *g, const state *s, int n);
/* Where a list has more pairs than there is room for. */
cq_status V(cq_grains_too_many)(grains *g, int step, size_t pairs);
/* grains_touch.c: contacts of a unit's grains with tools, and the wrench at the end of a step */
void V(cq_grains_touch)(const grains *g, const state *s, group *unit, int first, int last);
cq_status V(cq_grains_keep_touches)(grains *g, int step, const state *s);
/* Does a touch move what it touches? Such ones are no part of a unit's blocks. */
bool V(cq_grains_moves)(const grains *g, const touch *t);
/* grains_paper.c */
/* the iterations of Algorithm 1, on one thread */
void V(cq_grains_paper)(const grains *g, const state *s);

#define CQ_PASTE_LEVEL_(name, level) name##_##level
#define CQ_PASTE_LEVEL(name, level)  CQ_PASTE_LEVEL_(name, level)
/* the table of hot files at a level */
#define CQ_HOT(level)        CQ_PASTE_LEVEL(V(cq_grains_hot), level)
#define CQ_HOT_EXTERN(level) extern const grains_hot CQ_HOT(level);
CQ_SIMD_LIST(CQ_HOT_EXTERN)
#undef CQ_HOT_EXTERN

#ifdef __cplusplus
}
#endif

#endif
