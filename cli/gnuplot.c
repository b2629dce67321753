#ifndef _GNU_SOURCE
#  define _GNU_SOURCE /* memfd_create */
#endif
#include "gnuplot.h"

#include "fresh.h"
#include "status.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

/* A name on a line of its own, whatever is in it. */
static void put_name(FILE *out, const char *name) {
  for (; *name != '\0'; name++) {
    fputc((unsigned char)*name < ' ' ? '?' : *name, out);
  }
}

static void put_quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (char c[5]; cq_utf8_next(&text, c) > 0;) {
    fputs(*c == '\'' ? "''" : (unsigned char)*c < ' ' ? " " : c, out);
  }
  fputc('\'', out);
}

/* The script is written in memory, and becomes a file when it is whole. */
cli_script cli_script_open_as(cq_ctx *ctx, const char *folder, const char *name, const char *ending,
                              int width, int height) {
  cli_script script = {.ctx = ctx,
                       .folder = folder,
                       .name = name,
                       .ending = ending,
                       .width = width,
                       .height = height,
                       .body = calloc(1, sizeof *script.body)};
  if (script.body != NULL && cq_text_begin(NULL, script.body) == CQ_OK) {
    script.out = script.body->out;
  }
  if (script.out == NULL) {
    free(script.body);
    cq_log(ctx, CQ_LOG_WARNING, "no picture %s/%s: out of memory", folder, name);
  }
  return script;
}

/* What all scripts share. Run by cqopt, its output is a file that is open, so that nothing is
 * written through a name. */
static void put_head(const cli_script *s, bool with_output, FILE *out) {
  const bool svg = strcmp(s->ending, "svg") == 0;
  char picture[300];
  snprintf(picture, sizeof picture, "%.280s.%s", s->name, s->ending);
  fputs("# gnuplot ", out);
  put_name(out, s->name);
  fputs(".gp makes ", out);
  put_name(out, picture);
  fprintf(out,
          "\nset terminal %s size %d,%d %sbackground rgb 'white' "
          "font 'Helvetica,Arial,sans-serif,15' linewidth 1.2\n",
          svg ? "svg" : "pngcairo", s->width, s->height, svg ? "dynamic " : "");
  if (with_output) {
    fputs("set output ", out);
    put_quoted(out, picture);
    fputc('\n', out);
  }
  fputs("set datafile separator ','\n"
        "set datafile columnheaders\n"
        "set border 3 linecolor rgb '#444444'\n"
        "set tics nomirror out scale 0.6 textcolor rgb '#222222'\n"
        "set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.6\n",
        out);
}

cli_script cli_script_open(cq_ctx *ctx, const char *folder, const char *name, int width,
                           int height) {
  return cli_script_open_as(ctx, folder, name, "svg", width, height);
}

const char *cli_script_colour(int i) {
  static const char *const colours[] = {"#08519c", "#cb181d", "#238b45", "#6a51a3",
                                        "#d94801", "#525252", "#c51b8a", "#8c6d31"};
  return colours[i % (int)(sizeof colours / sizeof colours[0])];
}

void cli_script_text(cli_script *script, const char *text) {
  put_quoted(script->out, text);
}

/* In the child: gnuplot in the folder, without a word on the terminal; it ends with its parent. */
static void become_gnuplot(const char *folder, int script, int picture, pid_t parent) {
  const int null = open("/dev/null", O_RDWR);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent && chdir(folder) == 0 && null >= 0) {
    dup2(script, STDIN_FILENO);
    dup2(picture, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execlp("gnuplot", "gnuplot", "/dev/stdin", (char *)NULL);
  }
  _exit(NOT_FOUND);
}

/* gnuplot's exit status; NOT_FOUND without gnuplot, -1 when it did not end by itself */
static int run_gnuplot(const char *folder, int script, int picture) {
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    become_gnuplot(folder, script, picture, parent);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return -1;
    }
  }
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* the script as a user may run it again */
static cq_status keep_script(const cli_script *s) {
  char path[CLI_PATH];
  cq_fresh fresh;
  snprintf(path, sizeof path, "%s/%.290s.gp", s->folder, s->name);
  CQ_TRY(cq_fresh_begin(s->ctx, path, &fresh));
  put_head(s, true, fresh.out);
  fwrite(s->body->text, 1, s->body->size, fresh.out);
  return cq_fresh_end(&fresh, CQ_OK);
}

/* A file without a name, with the script to run; NULL: no memory. */
static FILE *make_script(const cli_script *s) {
  const int file = memfd_create("script.gp", MFD_CLOEXEC);
  FILE *const out = file >= 0 ? fdopen(file, "wb") : NULL;
  if (out != NULL) {
    put_head(s, false, out);
    fwrite(s->body->text, 1, s->body->size, out);
  }
  if (out != NULL && fflush(out) == 0) {
    return out;
  }
  if (out != NULL) {
    fclose(out);
  } else if (file >= 0) {
    close(file);
  }
  return NULL;
}

/* False without a picture; the log, or the context, says why. */
static bool make_picture(const cli_script *s, FILE *script) {
  char picture[CLI_PATH];
  cq_fresh fresh;
  snprintf(picture, sizeof picture, "%s/%s.%s", s->folder, s->name, s->ending);
  if (cq_fresh_begin(s->ctx, picture, &fresh) != CQ_OK) {
    return false;
  }
  const int status = run_gnuplot(s->folder, fileno(script), fileno(fresh.out));
  if (status == NOT_FOUND) {
    cq_log(s->ctx, CQ_LOG_INFO, "gnuplot is not installed: %s is left out", picture);
  } else if (status != 0) {
    cq_log(s->ctx, CQ_LOG_WARNING, "gnuplot could not make %s from %s.gp", picture, s->name);
  }
  return cq_fresh_end(&fresh, status == 0 ? CQ_OK : CQ_IO) == CQ_OK;
}

bool cli_script_close(cli_script *script) {
  if (script->out == NULL) {
    return false;
  }
  cq_ctx *const ctx = script->ctx;
  const bool clean = cq_ctx_status(ctx) == CQ_OK;
  const bool whole = cq_text_end(NULL, script->body) == CQ_OK;
  FILE *const to_run = whole ? make_script(script) : NULL;
  const bool made = to_run != NULL && keep_script(script) == CQ_OK && make_picture(script, to_run);
  if (to_run == NULL) {
    cq_log(ctx, CQ_LOG_WARNING, "no picture %s/%s: out of memory", script->folder, script->name);
  } else {
    fclose(to_run);
  }
  if (clean && cq_ctx_status(ctx) != CQ_OK) { /* a run is whole without its pictures */
    cq_log(ctx, CQ_LOG_WARNING, "no picture: %s", cq_ctx_error(ctx));
    cq_ctx_clear_error(ctx);
  }
  free(script->body->text);
  free(script->body);
  script->out = NULL;
  return made;
}
