/* XDMF 2: a temporal collection of point clouds; every array is a hyperslab of a dataset. */
#include "xdmf.h"

#include "status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct document {
  FILE *out;
  const cq_trajectory_def *def;
  int n_frames;
} document;

static void put_text(FILE *out, const char *text) {
  for (; *text != '\0'; text++) {
    switch (*text) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      fputc(*text, out);
    }
  }
}

/* the axes behind those of frames and particles, as XML: " 3", " 3 3" or none */
static const char *tail_of(const cq_trajectory_field *field, char text[32]) {
  if (field->components == 9) {
    return " 3 3";
  }
  snprintf(text, 32, field->components > 1 ? " %d" : "", field->components);
  return text;
}

static void put_dataset(const document *d, const char *name, const char *number, int precision,
                        const char *size) {
  fprintf(d->out,
          "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%s\">"
          "trajectory.h5:/%s</DataItem>\n",
          number, precision, size, name);
}

/* entry `frame` of a dataset */
static void put_array(const document *d, const cq_trajectory_field *field, int frame) {
  char text[32], size[96];
  const char *const tail = tail_of(field, text);
  const int n = d->def->n_particles, precision = d->def->double_precision ? 8 : 4;
  if (field->fixed) {
    snprintf(size, sizeof size, "%d%s", n, tail);
    put_dataset(d, field->name, "Float", precision, size);
    return;
  }
  const int n_axes = 2 + (field->components > 1) + (field->components == 9);
  fprintf(d->out,
          "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%d%s\"><DataItem Format=\"XML\" "
          "Dimensions=\"3 %d\">%d",
          n, tail, n_axes, frame);
  for (int row = 0; row < 2; row++) { /* first entries, strides */
    for (int a = row == 0 ? 1 : 0; a < n_axes; a++) {
      fprintf(d->out, " %d", row);
    }
  }
  fprintf(d->out, " 1 %d%s</DataItem>", n, tail);
  snprintf(size, sizeof size, "%d %d%s", d->n_frames, n, tail);
  put_dataset(d, field->name, "Float", precision, size);
  fputs("</DataItem>\n", d->out);
}

static const char *attribute_type(int components) {
  return components == 1   ? "Scalar"
         : components == 3 ? "Vector"
         : components == 9 ? "Tensor"
                           : "Matrix";
}

static void begin_attribute(const document *d, const char *name, int components) {
  fprintf(d->out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", name,
          attribute_type(components));
}

static void put_frame(const document *d, int frame, double time) {
  const cq_trajectory_def *const def = d->def;
  char size[32];
  snprintf(size, sizeof size, "%d", def->n_particles);
  fprintf(d->out,
          "<Grid Name=\"particles\" GridType=\"Uniform\"><Time Value=\"%.17g\"/>\n"
          "<Topology TopologyType=\"Polyvertex\" NodesPerElement=\"1\" NumberOfElements=\"%d\"/>\n",
          time, def->n_particles);
  for (int i = 0; i < def->n_fields; i++) {
    const cq_trajectory_field *const field = &def->fields[i];
    const bool is_place = strcmp(field->name, "x") == 0;
    if (is_place) {
      fputs("<Geometry GeometryType=\"XYZ\">", d->out);
    } else {
      begin_attribute(d, field->name, field->components);
    }
    put_array(d, field, frame);
    fputs(is_place ? "</Geometry>\n" : "</Attribute>\n", d->out);
  }
  begin_attribute(d, "body", 1);
  put_dataset(d, "body", "Int", 4, size);
  fputs("</Attribute>\n</Grid>\n", d->out);
}

static void put_document(const document *d, const double *times) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
        "<Grid Name=\"",
        d->out);
  put_text(d->out, d->def->problem);
  fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", d->out);
  for (int k = 0; k < d->n_frames; k++) {
    put_frame(d, k, times[k]);
  }
  fputs("</Grid>\n</Domain>\n</Xdmf>\n", d->out);
}

cq_status xdmf_write(cq_ctx *ctx, const char *path, const cq_trajectory_def *def, int n_frames,
                     const double *times) {
  char temporary[4096 + 8];
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  const document d = {fopen(temporary, "w"), def, n_frames};
  CQ_CHECK(ctx, d.out != NULL, CQ_IO, "%s: %s", path, strerror(errno));
  put_document(&d, times);
  const bool written = fflush(d.out) == 0 && !ferror(d.out) && fsync(fileno(d.out)) == 0;
  const int error = errno;
  const bool closed = fclose(d.out) == 0;
  if (!written || !closed || rename(temporary, path) != 0) {
    const int reason = written ? errno : error;
    unlink(temporary);
    return CQ_FAIL(ctx, CQ_IO, "%s: %s", path, strerror(reason));
  }
  return CQ_OK;
}
