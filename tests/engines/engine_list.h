/* The engines of the program, and those of the tests. */
#include "../../sim/core/engine_list.h"
CQ_ENGINE(spring)
