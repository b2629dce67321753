/* XDMF 2: a temporal collection of point clouds, or of a cloud with surfaces beside it. */
#include "xdmf.h"

#include "fresh.h"
#include "layout.h"
#include "status.h"
#include "utf8.h"

#include <string.h>

typedef struct document {
  FILE *out;
  const cq_trajectory_def *def;
} document;

/* An array of n rows. */
static void put_rows(const document *d, const char *path, const char *number, int precision, int n,
                     const char *tail) {
  fprintf(d->out,
          "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%d%s\">"
          "trajectory.h5:/%s</DataItem>",
          number, precision, n, tail, path);
}

static void put_dataset(const document *d, const char *path, const char *number, int precision,
                        const char *tail) {
  put_rows(d, path, number, precision, d->def->n_particles, tail);
}

static void put_field(const document *d, const cq_trajectory_field *field, int frame) {
  char tail[32] = "", path[CQ_TRAJECTORY_NAME];
  if (field->components == 9) {
    snprintf(tail, sizeof tail, " 3 3");
  } else if (field->components > 1) {
    snprintf(tail, sizeof tail, " %d", field->components);
  }
  trajectory_path(field, frame, path);
  put_dataset(d, path, "Float", d->def->double_precision ? 8 : 4, tail);
}

static void begin_attribute(const document *d, const char *name, int components) {
  const char *const type = components == 1   ? "Scalar"
                           : components == 3 ? "Vector"
                           : components == 9 ? "Tensor"
                                             : "Matrix";
  fprintf(d->out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", name, type);
}

static void put_time(const document *d, double time) {
  fprintf(d->out, "<Time Value=\"%.17g\"/>\n", time);
}

/* Faces with a number at each vertex: those of the surface, or of what moves. */
typedef struct skin {
  const char *name;   /* of the block, and of its group in the file */
  const char *number; /* of the attribute, and of its array in the group */
  const char *places; /* path of a frame's */
  int n_vertices, n_faces;
} skin;

/* A block of faces at a frame. */
static void put_skin(const document *d, const skin *s, double time) {
  const bool flat = d->def->dimension == 2;
  char path[CQ_TRAJECTORY_NAME];
  fprintf(d->out, "<Grid Name=\"%s\" GridType=\"Uniform\">", s->name);
  put_time(d, time);
  fprintf(d->out, "<Topology TopologyType=\"%s\" NumberOfElements=\"%d\">",
          flat ? "Polyline\" NodesPerElement=\"2" : "Triangle", s->n_faces);
  snprintf(path, sizeof path, "%s/faces", s->name);
  put_rows(d, path, "Int", 4, s->n_faces, flat ? " 2" : " 3");
  fputs("</Topology>\n<Geometry GeometryType=\"XYZ\">", d->out);
  put_rows(d, s->places, "Float", 4, s->n_vertices, " 3");
  fputs("</Geometry>\n", d->out);
  begin_attribute(d, s->number, 1);
  snprintf(path, sizeof path, "%s/%s", s->name, s->number);
  put_rows(d, path, "Int", 4, s->n_vertices, "");
  fputs("</Attribute>\n</Grid>\n", d->out);
}

static void put_surface(const document *d, int frame, double time) {
  const cq_cover *const cover = d->def->cover;
  char places[CQ_TRAJECTORY_NAME];
  snprintf(places, sizeof places, CQ_TRAJECTORY_SURFACE_FRAME, frame);
  put_skin(d, &(skin){CQ_TRAJECTORY_SURFACE, "body", places, cover->n_vertices, cover->n_faces},
           time);
}

static void put_movers(const document *d, int frame, double time) {
  const cq_moving *const moving = d->def->moving;
  char places[CQ_TRAJECTORY_NAME];
  snprintf(places, sizeof places, CQ_TRAJECTORY_MOVERS_FRAME "/x", frame);
  put_skin(d, &(skin){CQ_TRAJECTORY_MOVERS, "mover", places, moving->n_vertices, moving->n_faces},
           time);
}

/* The cloud at a frame: x makes its points, all other fields are attributes of them. */
static void put_particles(const document *d, int frame, double time) {
  const cq_trajectory_def *const def = d->def;
  fputs("<Grid Name=\"particles\" GridType=\"Uniform\">", d->out);
  put_time(d, time);
  fprintf(d->out,
          "<Topology TopologyType=\"Polyvertex\" NodesPerElement=\"1\" NumberOfElements=\"%d\">",
          def->n_particles);
  put_dataset(d, "particle", "Int", 4, "");
  fputs("</Topology>\n", d->out);
  for (int i = 0; i < def->n_fields; i++) {
    const cq_trajectory_field *const field = &def->fields[i];
    const bool is_place = strcmp(field->name, "x") == 0;
    if (is_place) {
      fputs("<Geometry GeometryType=\"XYZ\">", d->out);
    } else {
      begin_attribute(d, field->name, field->components);
    }
    put_field(d, field, frame);
    fputs(is_place ? "</Geometry>\n" : "</Attribute>\n", d->out);
  }
  begin_attribute(d, "body", 1);
  put_dataset(d, "body", "Int", 4, "");
  fputs("</Attribute>\n</Grid>\n", d->out);
}

/* A surface, and what moves, stand beside the particles in blocks of their own. */
static void put_frame(const document *d, int frame, double time) {
  if (d->def->cover == NULL && d->def->moving == NULL) {
    put_particles(d, frame, time);
    return;
  }
  fputs("<Grid Name=\"bodies\" GridType=\"Collection\" CollectionType=\"Spatial\">", d->out);
  put_time(d, time);
  put_particles(d, frame, time);
  if (d->def->cover != NULL) {
    put_surface(d, frame, time);
  }
  if (d->def->moving != NULL) {
    put_movers(d, frame, time);
  }
  fputs("</Grid>\n", d->out);
}

static void put_xml(FILE *out, const char *text) {
  for (char c[5]; cq_utf8_next(&text, c) > 0;) {
    fputs(*c == '<'                 ? "&lt;"
          : *c == '&'               ? "&amp;"
          : *c == '"'               ? "&quot;"
          : (unsigned char)*c < ' ' ? " "
                                    : c,
          out);
  }
}

static void put_document(const document *d, int n_frames, const double *times) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
        "<Grid Name=\"",
        d->out);
  put_xml(d->out, d->def->problem);
  fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", d->out);
  for (int k = 0; k < n_frames; k++) {
    put_frame(d, k, times[k]);
  }
  fputs("</Grid>\n</Domain>\n</Xdmf>\n", d->out);
}

cq_status xdmf_write(cq_ctx *ctx, const char *path, const cq_trajectory_def *def, int n_frames,
                     const double *times) {
  cq_fresh fresh;
  CQ_TRY(cq_fresh_begin(ctx, path, &fresh));
  const document d = {fresh.out, def};
  put_document(&d, n_frames, times);
  return cq_fresh_end(&fresh, CQ_OK);
}
