/* Targets that give arbitrary bytes to a reader of files: one a reader, each a program.
 *
 *   fuzz_NAME SECONDS SEED FOLDER     of driver.c: the files of the folder, then changed ones
 *   fuzz_NAME -max_total_time=S FOLDER   with libFuzzer (-DCQ_FUZZER=ON, clang)
 *
 * A target must not crash, leak, hang or touch what is not its own; what it thinks of the bytes is
 * its own affair, but an error must have a sentence. */
#ifndef CQ_TESTS_FUZZ_H
#define CQ_TESTS_FUZZ_H

#include "cqopt/base.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes a file of a folder that is there for this process alone, in memory where the system has
 * that; returns its path, valid until the next call. name "": the folder. */
const char *fuzz_file(const char *name, const void *data, size_t size);
const char *fuzz_folder(void);

/* A context that says nothing and has one thread. */
cq_ctx *fuzz_begin(void);
/* Aborts unless nothing is held and an error has its sentence. */
void fuzz_end(cq_ctx *ctx, cq_status status);

#endif
