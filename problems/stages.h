/* Stages of a problem file: other settings under which it is solved first, each from the best
 * design of the one before, and the file as it is from that of the last. */
#ifndef CQ_PROBLEMS_STAGES_H
#define CQ_PROBLEMS_STAGES_H

#include "tree.h"

/* Makes the tree that of one stage, "1" for the first: with its settings, and without stages. */
cq_status cq_stage_take(cq_arena *arena, cq_node *root, const char *number);

#endif
