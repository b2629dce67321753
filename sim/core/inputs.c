#include "inputs.h"

#include <string.h>

int cq_layout_find(const cq_layout *layout, const char *name) {
  for (int i = 0; i < layout->n; i++) {
    if (strcmp(layout->inputs[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

size_t cq_layout_offset(const cq_layout *layout, const char *name) {
  const int i = cq_layout_find(layout, name);
  return i >= 0 ? layout->offset[i] : CQ_NO_INPUT;
}

size_t cq_layout_deformation(const cq_layout *layout) {
  for (int i = 0; i < layout->n; i++) {
    if (layout->inputs[i].deformation) {
      return layout->offset[i];
    }
  }
  return CQ_NO_INPUT;
}

int cq_layout_at(const cq_layout *layout, size_t place) {
  for (int i = 0; i < layout->n; i++) {
    if (place >= layout->offset[i] && place - layout->offset[i] < layout->count[i]) {
      return i;
    }
  }
  return -1;
}
