/* The part of CUDA's language that our kernels use: qualifiers, vector types, and what a thread can
 * call. A thread of a block is a fiber; it runs until it has to wait for others (block.cpp). */
#ifndef CQ_SHIM_DEVICE_H
#define CQ_SHIM_DEVICE_H

#include <cstddef>
#include <cstring>
#include <type_traits>

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
/* glibc and libstdc++ write __attribute__((__noinline__)): it must vanish, an attribute in there
 * would not parse */
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
/* One section of its own, which the shim fills with 0xff (NaN) before each block. GCC forgets the
 * section within templates, and cannot mix `static` with `inline` functions in one section: use it
 * in static functions. */
#define __shared__                                                                                 \
  static_assert(!cq_shim_is_template(__PRETTY_FUNCTION__),                                         \
                "__shared__ in a template would not be filled with NaN: use a plain function");    \
  static __attribute__((section("cq_shim_shared")))

constexpr bool cq_shim_is_template(const char *function) {
  for (; *function; function++)
    if (function[0] == '[' && function[1] == 'w' && function[2] == 'i' && function[3] == 't')
      return true;
  return false;
}

#define CQ_SHIM_VECTORS(T, BYTES)                                                                  \
  struct alignas(2 * BYTES) T##2 {                                                                 \
    T x, y;                                                                                        \
  };                                                                                               \
  struct alignas(4 * BYTES > 16 ? 16 : 4 * BYTES) T##4 {                                           \
    T x, y, z, w;                                                                                  \
  };                                                                                               \
  inline T##2 make_##T##2(T x, T y) {                                                              \
    return {x, y};                                                                                 \
  }                                                                                                \
  inline T##4 make_##T##4(T x, T y, T z, T w) {                                                    \
    return {x, y, z, w};                                                                           \
  }
CQ_SHIM_VECTORS(float, 4)
CQ_SHIM_VECTORS(double, 8)
CQ_SHIM_VECTORS(int, 4)
#undef CQ_SHIM_VECTORS

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {
  }
};

/* of the fiber that runs: set whenever one takes over */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
static const int warpSize = 32;

/* where a call stands in the source: says in reports who waits where, and tells barriers apart */
struct cq_shim_site {
  const char *file;
  int line;
  const char *function;
  static constexpr cq_shim_site here(const char *file_ = __builtin_FILE(),
                                     int line_ = __builtin_LINE(),
                                     const char *function_ = __builtin_FUNCTION()) {
    return {file_, line_, function_};
  }
};
#define CQ_SHIM_HERE cq_shim_site at = cq_shim_site::here()

/* The values of all lanes of the caller's warp, all ones for lanes that the block does not have;
 * they stay until the caller's next but one exchange. Waits for the whole warp. */
struct cq_shim_warp {
  const unsigned long long *value;
  int lane, lanes;
};
cq_shim_warp cq_shim_exchange(unsigned mask, unsigned long long mine, const char *what,
                              cq_shim_site at);
void cq_shim_block_barrier(const char *what, cq_shim_site at);

inline void __syncthreads(CQ_SHIM_HERE) {
  cq_shim_block_barrier("__syncthreads", at);
}
inline void __syncwarp(unsigned mask = ~0u, CQ_SHIM_HERE) {
  cq_shim_exchange(mask, 0, "__syncwarp", at);
}

template <class T> T cq_shim_read(const cq_shim_warp &warp, int lane) {
  T value;
  memcpy(&value, &warp.value[lane], sizeof value);
  return value;
}
template <class T>
cq_shim_warp cq_shim_share(unsigned mask, T mine, const char *what, cq_shim_site at) {
  static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8, "shuffles take numbers");
  unsigned long long word = 0;
  memcpy(&word, &mine, sizeof mine);
  return cq_shim_exchange(mask, word, what, at);
}

/* `width` cuts the warp into pieces that shuffle apart; a lane outside of the piece gives the
 * caller's own value */
template <class T> T __shfl_sync(unsigned mask, T mine, int from, int width = 32, CQ_SHIM_HERE) {
  const cq_shim_warp warp = cq_shim_share(mask, mine, "__shfl_sync", at);
  return cq_shim_read<T>(warp, (warp.lane & ~(width - 1)) | (from & (width - 1)));
}
template <class T>
T __shfl_up_sync(unsigned mask, T mine, unsigned by, int width = 32, CQ_SHIM_HERE) {
  const cq_shim_warp warp = cq_shim_share(mask, mine, "__shfl_up_sync", at);
  const int from = warp.lane - (int)by;
  return cq_shim_read<T>(warp, from < (warp.lane & ~(width - 1)) ? warp.lane : from);
}
template <class T>
T __shfl_down_sync(unsigned mask, T mine, unsigned by, int width = 32, CQ_SHIM_HERE) {
  const cq_shim_warp warp = cq_shim_share(mask, mine, "__shfl_down_sync", at);
  const int from = warp.lane + (int)by;
  return cq_shim_read<T>(warp, from > (warp.lane | (width - 1)) ? warp.lane : from);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T mine, int with, int width = 32, CQ_SHIM_HERE) {
  const cq_shim_warp warp = cq_shim_share(mask, mine, "__shfl_xor_sync", at);
  const int from = warp.lane ^ with;
  return cq_shim_read<T>(warp, from > (warp.lane | (width - 1)) ? warp.lane : from);
}

inline unsigned cq_shim_votes(const cq_shim_warp &warp) {
  unsigned votes = 0;
  for (int lane = 0; lane < warp.lanes; lane++)
    votes |= (unsigned)(warp.value[lane] != 0) << lane;
  return votes;
}
inline unsigned __ballot_sync(unsigned mask, int vote, CQ_SHIM_HERE) {
  return cq_shim_votes(cq_shim_exchange(mask, vote != 0, "__ballot_sync", at));
}
inline int __any_sync(unsigned mask, int vote, CQ_SHIM_HERE) {
  return cq_shim_votes(cq_shim_exchange(mask, vote != 0, "__any_sync", at)) != 0;
}
inline int __all_sync(unsigned mask, int vote, CQ_SHIM_HERE) {
  return cq_shim_votes(cq_shim_exchange(mask, vote == 0, "__all_sync", at)) == 0;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned mine, CQ_SHIM_HERE) {
  const cq_shim_warp warp = cq_shim_exchange(mask, mine, "__reduce_add_sync", at);
  unsigned sum = 0;
  for (int lane = 0; lane < warp.lanes; lane++)
    sum += (unsigned)warp.value[lane];
  return sum;
}
inline int __reduce_add_sync(unsigned mask, int mine, CQ_SHIM_HERE) {
  return (int)__reduce_add_sync(mask, (unsigned)mine, at);
}
inline int __reduce_max_sync(unsigned mask, int mine, CQ_SHIM_HERE) {
  const cq_shim_warp warp = cq_shim_exchange(mask, (unsigned)mine, "__reduce_max_sync", at);
  for (int lane = 0; lane < warp.lanes; lane++)
    mine = (int)warp.value[lane] > mine ? (int)warp.value[lane] : mine;
  return mine;
}
inline int __reduce_min_sync(unsigned mask, int mine, CQ_SHIM_HERE) {
  return -__reduce_max_sync(mask, -mine, at);
}

inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline int __clz(int x) {
  return x ? __builtin_clz((unsigned)x) : 32;
}
template <class T> static T __ldg(const T *p) {
  return *p;
}

/* One fiber runs at a time and none is stopped in the middle: plain reads and writes are atomic and
 * ordered. */
inline void __threadfence() {
}
inline void __threadfence_block() {
}

/* overloads, not templates: what CUDA has no atomic for must not compile here */
#define CQ_SHIM_ATOMIC(NAME, T, NEXT)                                                              \
  inline T NAME(T *p, T x) {                                                                       \
    const T old = *p;                                                                              \
    *p = NEXT;                                                                                     \
    return old;                                                                                    \
  }
#define CQ_SHIM_ATOMICS(NAME, NEXT)                                                                \
  CQ_SHIM_ATOMIC(NAME, unsigned, NEXT)                                                             \
  CQ_SHIM_ATOMIC(NAME, unsigned long long, NEXT)
/* signed sums wrap around */
CQ_SHIM_ATOMIC(atomicAdd, int, (int)((unsigned)old + (unsigned)x))
CQ_SHIM_ATOMICS(atomicAdd, old + x)
CQ_SHIM_ATOMIC(atomicAdd, float, old + x)
CQ_SHIM_ATOMIC(atomicAdd, double, old + x)
CQ_SHIM_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)x))
CQ_SHIM_ATOMIC(atomicSub, unsigned, old - x)
CQ_SHIM_ATOMIC(atomicMin, int, x < old ? x : old)
CQ_SHIM_ATOMICS(atomicMin, x < old ? x : old)
CQ_SHIM_ATOMIC(atomicMax, int, x > old ? x : old)
CQ_SHIM_ATOMICS(atomicMax, x > old ? x : old)
CQ_SHIM_ATOMIC(atomicOr, int, old | x)
CQ_SHIM_ATOMICS(atomicOr, old | x)
CQ_SHIM_ATOMIC(atomicExch, int, x)
CQ_SHIM_ATOMICS(atomicExch, x)
CQ_SHIM_ATOMIC(atomicExch, float, x)
#undef CQ_SHIM_ATOMICS
#undef CQ_SHIM_ATOMIC
#define CQ_SHIM_CAS(T)                                                                             \
  inline T atomicCAS(T *p, T expected, T value) {                                                  \
    const T old = *p;                                                                              \
    if (old == expected)                                                                           \
      *p = value;                                                                                  \
    return old;                                                                                    \
  }
CQ_SHIM_CAS(int)
CQ_SHIM_CAS(unsigned)
CQ_SHIM_CAS(unsigned long long)
#undef CQ_SHIM_CAS

#endif
