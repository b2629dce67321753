# The levels of base/simd.h and what their files are compiled for.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(CQ_SIMD_LEVELS sse2 avx2 avx512)
  set(CQ_SIMD_SANITIZED avx2)
  set(CQ_SIMD_sse2)
  set(CQ_SIMD_avx2 -mavx2 -mfma -mbmi -mbmi2)
  set(CQ_SIMD_avx512 ${CQ_SIMD_avx2} -mavx512f -mavx512dq -mavx512vl -mavx512bw
    -mprefer-vector-width=512)
else()
  set(CQ_SIMD_LEVELS generic)
  set(CQ_SIMD_SANITIZED generic)
  set(CQ_SIMD_generic)
endif()
