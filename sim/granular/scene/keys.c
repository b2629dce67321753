/* The keys of a problem file that are this engine's. */
#include "granular_scene.h"

#define OWN_ROWS cq_granular_rows
#include "own_rows.h"
