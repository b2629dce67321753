/* A function that the threads of a block call together on a device: they are its team and share its
 * loops. On the host the team is the caller alone. */
#ifndef CQ_MATH_TEAM_H
#define CQ_MATH_TEAM_H

#if defined(__CUDA_ARCH__) || defined(CQ_SHIM)
#  define CQ_TEAM_RANK ((int)threadIdx.x)
#  define CQ_TEAM_SIZE ((int)blockDim.x)
/* what the others wrote is there after it; all of the team call it */
#  define CQ_TEAM_WAIT() __syncthreads()
#else
#  define CQ_TEAM_RANK   0
#  define CQ_TEAM_SIZE   1
#  define CQ_TEAM_WAIT() ((void)0)
#endif
/* this thread's part of 0 ... n - 1, and whether i >= 0 is in it */
#define FOR_TEAM(i, n)  for (int i = CQ_TEAM_RANK; i < (n); i += CQ_TEAM_SIZE)
#define CQ_TEAM_MINE(i) ((i) % CQ_TEAM_SIZE == CQ_TEAM_RANK)

#endif
