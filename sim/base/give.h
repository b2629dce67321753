/* Structs that callers have filled, whose size they set first (cqopt/file.h). */
#ifndef CQ_BASE_GIVE_H
#define CQ_BASE_GIVE_H

#include "cqopt/base.h"

/* Gives the caller, who knows as many bytes of a struct as its struct_size says, the fields of
 * `from` [size] that are in them, all but struct_size. CQ_USAGE where there is no struct, or one
 * without a field. */
cq_status cq_give(cq_ctx *ctx, void *to, const void *from, size_t size);
#define CQ_GIVE(ctx, out, local) cq_give((ctx), (out), &(local), sizeof(local))

#endif
