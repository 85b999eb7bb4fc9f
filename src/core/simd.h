/** \file
 *  Hot functions compiled once for each instruction set that helps, and chosen at run time: plain functions and a look at
 *  hf_simd_level(), as resolvers in the loader (ifunc) go with neither sanitizers nor all libraries of C. */
#ifndef HOLDFAST_SRC_CORE_SIMD_H
#define HOLDFAST_SRC_CORE_SIMD_H

#include <holdfast/core/bitset.h>

/** A function that is to be compiled with its caller's instruction set. */
#define HF_SIMD_BODY static inline __attribute__((always_inline))

#if defined __x86_64__
#define HF_SIMD_V2 __attribute__((target("popcnt,sse4.2")))
#define HF_SIMD_V3 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define HF_SIMD_V4 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,bmi,bmi2,popcnt")))
/** Makes `type name parameters` of NAME_any, which is a HF_SIMD_BODY: x86-64 as it is, v2, v3 and v4.
 *  \param[in] arguments the parameters' names, in parentheses */
#define HF_SIMD_CHOICE(type, name, parameters, arguments)                                                                        \
    HF_SIMD_V2 static type name##_v2 parameters { return name##_any arguments; }                                                 \
    HF_SIMD_V3 static type name##_v3 parameters { return name##_any arguments; }                                                 \
    HF_SIMD_V4 static type name##_v4 parameters { return name##_any arguments; }                                                 \
    static type name parameters {                                                                                                \
        switch (hf_simd_level()) {                                                                                               \
        case HF_SIMD_AVX512:                                                                                                     \
            return name##_v4 arguments;                                                                                          \
        case HF_SIMD_AVX2:                                                                                                       \
            return name##_v3 arguments;                                                                                          \
        case HF_SIMD_POPCNT:                                                                                                     \
            return name##_v2 arguments;                                                                                          \
        default:                                                                                                                 \
            return name##_any arguments;                                                                                         \
        }                                                                                                                        \
    }
#else
#define HF_SIMD_CHOICE(type, name, parameters, arguments)                                                                        \
    static type name parameters { return name##_any arguments; }
#endif

#endif
