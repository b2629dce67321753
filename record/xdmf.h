/* The text file that describes a trajectory.h5 beside it to ParaView, VisIt and VTK. */
#ifndef CQ_RECORD_XDMF_H
#define CQ_RECORD_XDMF_H

#include "trajectory.h"

/* Writes it under another name, then renames it. */
cq_status xdmf_write(cq_ctx *ctx, const char *path, const cq_trajectory_def *def, int n_frames,
                     const double *times);

#endif
