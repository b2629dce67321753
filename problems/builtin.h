/* The built-in problem files, embedded at build time (cmake/embed.cmake). */
#ifndef CQ_PROBLEMS_BUILTIN_H
#define CQ_PROBLEMS_BUILTIN_H

typedef struct cq_builtin {
  const char *name;
  const char *text;
} cq_builtin;

/* ends with a row of NULLs */
extern const cq_builtin cq_builtin_data[];
/* NULL: there is none of that name */
const cq_builtin *cq_builtin_find(const char *name);

/* in the same order (titles.cmake) */
extern const char *const cq_builtin_titles[];

#endif
