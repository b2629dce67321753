/* Design variables: blocks that map slices of x to inputs of the simulator, and gradients back.
 *
 * A block is a set of links: input[i] = base + x[j]. One variable may drive many inputs (a Young's
 * modulus those of all particles of a body); no input has two variables. */
#ifndef CQ_PROBLEMS_DESIGN_H
#define CQ_PROBLEMS_DESIGN_H

#include "cqopt/problem.h"
#include "schema.h"

typedef struct cq_body cq_body;

typedef struct cq_link {
  size_t input; /* index in the inputs */
  int variable; /* index in the block */
  double base;
} cq_link;

typedef struct cq_block {
  const cq_block_keys *keys;
  cq_block_kind kind;
  const cq_body *body; /* NULL: of the whole scene */
  const char *name, *unit;
  int first, count; /* its variables in x */
  size_t n_links;
  cq_link *links;
  double *start, *lower, *upper, *scale; /* [count] */
} cq_block;

typedef struct cq_design {
  int n_blocks, n;
  cq_block *blocks;
  double *start, *lower, *upper, *scale; /* [n] */
} cq_design;

/* A kind of block stands in blocks/<name>.c: link reserves links and fills them, with the start and
 * bounds that hold when the file gives none; check (or NULL) sees the final ones; label (or NULL)
 * writes what distinguishes variable j of the block. */
typedef struct cq_block_type {
  const char *unit;
  cq_status (*link)(cq_scene *scene, cq_block *block);
  cq_status (*check)(cq_scene *scene, const cq_block *block);
  void (*label)(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size);
} cq_block_type;

#define CQ_BLOCK(name, belongs) extern const cq_block_type cq_block_##name;
#include "block_list.h"
#undef CQ_BLOCK

/* Arrays for a block: bounds infinite, all else zero. */
cq_status cq_block_reserve(cq_scene *scene, cq_block *block, int count, size_t n_links);
/* Links a per-particle input of the block's body: one variable for all, or one a particle. */
cq_status cq_block_link_particles(cq_scene *scene, cq_block *block, int input, int per,
                                  double start);

cq_status cq_design_build(cq_scene *scene, cq_design *design);
/* Writes the linked inputs at x. */
void cq_design_apply(const cq_design *design, const double *x, double *inputs);
/* gradient [n] = J^T d(inputs). */
void cq_design_pull(const cq_design *design, const double *d_inputs, double *gradient);
/* Smallest and largest value of the linked inputs over the bounds; others are left as they are. */
void cq_design_range(const cq_design *design, double *least, double *largest);

#endif
