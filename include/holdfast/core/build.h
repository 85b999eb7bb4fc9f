/** \file
 *  What this build of the library is. */
#ifndef HOLDFAST_BUILD_H
#define HOLDFAST_BUILD_H

#ifdef __cplusplus
extern "C" {
#endif

/** Version, commit, code and compiler of the program. The code is a hash of all its sources and of how they were built, 16
 * hexadecimal digits: what a store keeps is an answer of the program of that code, and of no other. */
const char *hf_build_version(void);
const char *hf_build_commit(void);
const char *hf_build_code(void);
const char *hf_build_compiler(void);

#ifdef __cplusplus
}
#endif
#endif
