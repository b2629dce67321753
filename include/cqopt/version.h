/* cqopt/version.h: numbers of this release. The build reads them from here. */
#ifndef CQOPT_VERSION_H
#define CQOPT_VERSION_H

#include "cqopt/base.h"

/* What a release of this series may change is said in CHANGELOG.md. */
#define CQ_VERSION_MAJOR 0
/* New keys and functions. */
#define CQ_VERSION_MINOR 2
/* Mended faults. */
#define CQ_VERSION_PATCH 0
/* Of the binary interface: programs linked with one number run with any library of the same one. */
#define CQ_ABI 1

#ifdef __cplusplus
extern "C" {
#endif

/* CQ_ABI of the library that is running. */
CQ_API int cq_abi(void);
/* Its version, "0.2.0". Static. */
CQ_API const char *cq_version(void);
/* What this build has: "simd" (the level that simulations run at), "engines" (their names, with
 * blanks between them), "cuda", "ipopt" ("yes"). NULL: it has it not, or there is no such thing.
 * Static. */
CQ_API const char *cq_capability(const char *what);

#ifdef __cplusplus
}
#endif
#endif
