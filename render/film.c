/* A film through ffmpeg, which gets raw frames by a pipe. */
#include "picture.h"

#include "fresh.h"
#include "status.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096, NOT_FOUND = 127 };

typedef struct encoder {
  cq_ctx *ctx;
  const char *path;
  cq_fresh fresh;
  char file[64]; /* by descriptor: no name is an option */
  pid_t child;
  int pipe;
} encoder;

static bool is_installed(const char *name) {
  const char *list = getenv("PATH");
  while (list != NULL && *list != '\0') {
    char path[PATH];
    const int length = (int)strcspn(list, ":");
    snprintf(path, sizeof path, "%.*s/%s", length, list, name);
    if (access(path, X_OK) == 0) {
      return true;
    }
    list += length + (list[length] == ':');
  }
  return false;
}

/* In the child. A film's pixels come in pairs, each way: sizes are even. */
static void become_ffmpeg(const encoder *e, int from, int width, int height, double per_second) {
  char size[32], rate[32];
  const bool is_gif = strcmp(strrchr(e->path, '.'), ".gif") == 0;
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(rate, sizeof rate, "%g", per_second);
  const char *const order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "bgr0" : "0rgb";
  const char *const filter = is_gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse" : "null";
  const char *const pixels = is_gif ? "pal8" : "yuv420p";
  const char *const argv[] = {"ffmpeg",
                              "-loglevel",
                              "error",
                              "-y",
                              "-f",
                              "rawvideo",
                              "-pixel_format",
                              order,
                              "-video_size",
                              size,
                              "-framerate",
                              rate,
                              "-i",
                              "-",
                              "-filter_complex",
                              filter,
                              "-pix_fmt",
                              pixels,
                              "-q:v",
                              "3",
                              "-bitexact",
                              "-f",
                              is_gif ? "gif" : "mp4",
                              e->file,
                              NULL};
  signal(SIGPIPE, SIG_DFL);
  if (dup2(from, STDIN_FILENO) >= 0) {
    close(from);
    execvp(argv[0], (char *const *)argv);
  }
  _exit(NOT_FOUND);
}

/* Starts ffmpeg with a pipe to it; the film gets its name when it is whole. */
static cq_status begin(encoder *e, const cq_layout *layout, double per_second) {
  int ends[2];
  CQ_CHECK(e->ctx, is_installed("ffmpeg"), CQ_DEVICE,
           "%s: a film is made by ffmpeg, which is not installed; install it (Debian: apt install "
           "ffmpeg), or give --frames N and a folder as --output for pictures",
           e->path);
  CQ_TRY(cq_fresh_begin(e->ctx, e->path, &e->fresh));
  cq_fresh_alias(&e->fresh, e->file);
  CQ_CHECK(e->ctx, pipe(ends) == 0, CQ_IO, "%s: %s", e->path, strerror(errno));
  e->child = fork();
  if (e->child == 0) {
    close(ends[1]);
    become_ffmpeg(e, ends[0], layout->width, layout->height, per_second);
  }
  close(ends[0]);
  e->pipe = ends[1];
  CQ_CHECK(e->ctx, e->child > 0, CQ_MEMORY, "%s: no process for ffmpeg", e->path);
  return CQ_OK;
}

/* False when ffmpeg reads no more: its exit status says why. */
static bool put(const encoder *e, const unsigned char *bytes, size_t n) {
  while (n > 0) {
    const ssize_t done = write(e->pipe, bytes, n);
    if (done < 0 && errno != EINTR) {
      return false;
    }
    bytes += done > 0 ? done : 0;
    n -= done > 0 ? (size_t)done : 0;
  }
  return true;
}

static cq_status end(encoder *e, cq_status status) {
  int code = 0;
  close(e->pipe);
  while (e->child > 0 && waitpid(e->child, &code, 0) < 0 && errno == EINTR) {
  }
  if (status == CQ_OK && code != 0) {
    status = CQ_FAIL(e->ctx, CQ_IO, "%s: ffmpeg could not write it", e->path);
  }
  return cq_fresh_end(&e->fresh, status);
}

static cq_status put_all(const encoder *e, const cq_render *r, const cq_layout *layout, int n,
                         const int *frames) {
  cairo_surface_t *const surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, layout->width, layout->height);
  cairo_t *const cr = cairo_create(surface);
  cq_status status = cairo_status(cr) == CAIRO_STATUS_SUCCESS ? CQ_OK : CQ_MEMORY;
  bool reads = true;
  for (int i = 0; i < n && status == CQ_OK && reads; i++) {
    status = cq_sheet_draw(r, cr, layout, &frames[i], 1);
    cairo_surface_flush(surface); /* rows have no gaps: four bytes a pixel */
    reads = put(e, cairo_image_surface_get_data(surface),
                4 * (size_t)layout->width * (size_t)layout->height);
    status = status == CQ_OK ? cq_ctx_stop_requested(e->ctx) : status;
  }
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  return status;
}

cq_status cq_render_film(cq_render *render, int n, const int *frames, double per_second,
                         const char *path) {
  encoder e = {.ctx = render->ctx, .path = path, .pipe = -1};
  cq_layout layout = {0};
  CQ_TRY(cq_sheet_plan(render, 1, &layout));
  CQ_CHECK(e.ctx, layout.width % 2 == 0 && layout.height % 2 == 0, CQ_USAGE,
           "a film has an even number of pixels each way, not %d x %d", layout.width,
           layout.height);
  const cq_status status = begin(&e, &layout, per_second);
  if (status != CQ_OK) {
    return cq_fresh_end(&e.fresh, status);
  }
  signal(SIGPIPE, SIG_IGN);
  return end(&e, put_all(&e, render, &layout, n, frames));
}
