/* A problem file as a tree of settings that remember where they were written. */
#ifndef CQ_PROBLEMS_TREE_H
#define CQ_PROBLEMS_TREE_H

#include "arena.h"

#include <stdio.h>

typedef enum cq_node_type {
  CQ_NODE_GROUP,
  CQ_NODE_LIST,
  CQ_NODE_FLAG,
  CQ_NODE_INT,
  CQ_NODE_NUMBER,
  CQ_NODE_TEXT,
  CQ_NODE_UNSET /* taken out by --set; the schema sees to it that it is known */
} cq_node_type;

typedef struct cq_node {
  const char *name; /* NULL for an element of a list */
  cq_node_type type;
  long long integer;  /* FLAG and INT */
  double number;      /* INT and NUMBER */
  const char *text;   /* TEXT */
  const char *origin; /* file, or the --set option */
  int line;           /* 0: none */
  const char *was;    /* the key of the file that it was read from; NULL: none */
  struct cq_node *parent, *child, *last, *next;
} cq_node;

/* Text of a place, for messages. */
typedef struct cq_place {
  char text[256];
} cq_place;

/* "my.cfg:12" or "--set path=value" */
cq_place cq_node_where(const cq_node *node);
/* "bodies.[0].density" */
cq_place cq_node_path(const cq_node *node);

cq_node *cq_node_find(const cq_node *parent, const char *name);
int cq_node_count(const cq_node *parent);
/* Adds a child at the end; name NULL for an element of a list. The origin is the parent's. */
cq_status cq_node_add(cq_arena *arena, cq_node *parent, const char *name, cq_node_type type,
                      cq_node **out);

/* Takes a node out of its tree. */
void cq_node_unlink(cq_node *node);
/* A copy of a node with all below it, at the end of parent (NULL: a tree of its own). Texts are
 * those of the original, which has to outlive it. */
cq_status cq_node_copy(cq_arena *arena, const cq_node *node, cq_node *parent, cq_node **out);
/* Moves to group `over` what it does not have itself of group `base`: groups key by key. */
void cq_node_merge(cq_node *over, const cq_node *base);

/* Parses libconfig text. label names the text in messages. [ ] and ( ) are the same thing, so that
 * [0, -9.8] may be written. */
cq_status cq_tree_parse(cq_arena *arena, const char *text, const char *label, cq_node **root);
/* The same with @include, which looks in folder. */
cq_status cq_tree_parse_file(cq_arena *arena, const char *text, const char *label,
                             const char *folder, cq_node **root);
/* The same of the file or built-in problem that a TEXT node names. */
cq_status cq_tree_open(cq_arena *arena, const cq_node *node, const char *folder, cq_node **root);
/* The text of a file of at most so many bytes. Messages begin with where it is named: "a.cfg:3: ",
 * or "". CQ_IO, or CQ_CONFIG when it is not text or too long. */
cq_status cq_file_text(cq_arena *arena, const char *path, const char *where, size_t most,
                       char **out);
/* The path of the file that a key names, from the folder of the file in which it stands, or from
 * `folder` when it was set on the command line: it belongs to the problem file then. */
cq_status cq_node_file(cq_arena *arena, const cq_node *node, const char *folder, const char **path);
/* Most bytes of a problem file with all that it includes; room for millions of points. */
#define CQ_MOST_TEXT ((size_t)1 << 30)
/* Length of the quoted text or comment that starts at s; 0 when none does. */
size_t cq_text_verbatim(const char *s);
/* The node at a path "objective.[0].target"; NULL when there is none. */
cq_status cq_tree_find(cq_arena *arena, cq_node *root, const char *path, cq_node **out);
/* Applies "path=value": value is libconfig, or a plain word; "path=unset" takes the key out. */
cq_status cq_tree_set(cq_arena *arena, cq_node *root, const char *assignment);
/* Writes libconfig text that parses to the same tree. */
void cq_tree_write(const cq_node *root, FILE *out);
/* The value of a node alone; as text on one line. */
void cq_value_write(const cq_node *node, FILE *out);
cq_status cq_value_text(cq_arena *arena, const cq_node *node, const char **out);
/* Shortest decimal text that reads back as the same double. */
void cq_number_text(double value, char text[32]);

#endif
