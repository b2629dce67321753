/* The keys of a problem file that are the fluid's, with their ranges. */
#include "fluid_scene.h"

static const cq_range cq_range_SWEEPS = {0.0, 100000.0, "0 to 100000"};

#define OWN_ROWS cq_fluid_rows
#include "own_rows.h"

const cq_also_called cq_fluid_also_called[] = {
    {"particle_radius", "radius"},
    {"room", "size"},
    {"mu", "viscosity"},
    {"dynamic_viscosity", "viscosity"},
    {"solid", "rigid"},
    {"water", "fluid"},
    {"liquid", "fluid"},
    {"no_slip", "sticky"},
    {"free_slip", "slip"},
    {NULL, NULL},
};
