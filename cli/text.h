/* Texts that the library hands out, on a stream. */
#ifndef CQ_CLI_TEXT_H
#define CQ_CLI_TEXT_H

#include "cqopt/file.h"

#include <stdio.h>

/* Fills text [*size] as the functions of cqopt/file.h do. */
typedef cq_status (*cli_text_fn)(const void *of, char *text, size_t *size);
/* Prints the text of something; the status of fn, or CQ_MEMORY. */
cq_status cli_text_print(cq_ctx *ctx, cli_text_fn fn, const void *of, FILE *out);

/* The text of a problem file with every default and override; a cli_write_fn on a cq_file. */
cq_status cli_text_resolved(void *file, FILE *out);
/* What there is to say of its size, materials and variables. */
cq_status cli_text_describe(const cq_file *file, FILE *out);

#endif
