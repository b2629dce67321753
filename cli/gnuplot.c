#include "gnuplot.h"

#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

cli_script cli_script_open_as(cq_ctx *ctx, const char *folder, const char *name, const char *ending,
                              int width, int height) {
  cli_script script = {.ctx = ctx, .folder = folder, .name = name, .ending = ending};
  const bool svg = strcmp(ending, "svg") == 0;
  char path[CLI_PATH], picture[300];
  snprintf(path, sizeof path, "%s/%s.gp", folder, name);
  snprintf(picture, sizeof picture, "%.280s.%s", name, ending);
  script.out = fopen(path, "w");
  if (script.out == NULL) {
    cq_log(ctx, CQ_LOG_WARNING, "no picture: %s: %s", path, strerror(errno));
    return script;
  }
  fprintf(script.out,
          "# gnuplot %s.gp makes %s\n"
          "set terminal %s size %d,%d %sbackground rgb 'white' "
          "font 'Helvetica,Arial,sans-serif,15' linewidth 1.2\nset output ",
          name, picture, svg ? "svg" : "pngcairo", width, height, svg ? "dynamic " : "");
  cli_script_text(&script, picture);
  fputs("\nset datafile separator ','\n"
        "set datafile columnheaders\n"
        "set border 3 linecolor rgb '#444444'\n"
        "set tics nomirror out scale 0.6 textcolor rgb '#222222'\n"
        "set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.6\n",
        script.out);
  return script;
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
  fputc('\'', script->out);
  for (; *text != '\0'; text++) {
    fputs(*text == '\'' ? "''" : (const char[]){*text == '\n' ? ' ' : *text, '\0'}, script->out);
  }
  fputc('\'', script->out);
}

/* in the child: gnuplot in the folder, without a word on the terminal */
static void become_gnuplot(const char *folder, const char *file) {
  const int null = open("/dev/null", O_RDWR);
  if (chdir(folder) == 0 && null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execlp("gnuplot", "gnuplot", file, (char *)NULL);
  }
  _exit(NOT_FOUND);
}

/* gnuplot's exit status; NOT_FOUND without gnuplot, -1 when it did not end by itself */
static int run_gnuplot(const char *folder, const char *file) {
  const pid_t child = fork();
  if (child == 0) {
    become_gnuplot(folder, file);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return -1;
    }
  }
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool cli_script_close(cli_script *script) {
  if (script->out == NULL) {
    return false;
  }
  char file[300], picture[CLI_PATH];
  snprintf(file, sizeof file, "%.290s.gp", script->name);
  snprintf(picture, sizeof picture, "%s/%s.%s", script->folder, script->name, script->ending);
  const bool failed = ferror(script->out) != 0;
  if (fclose(script->out) != 0 || failed) {
    cq_log(script->ctx, CQ_LOG_WARNING, "no picture: %s/%s: %s", script->folder, file,
           strerror(errno));
    return false;
  }
  const int status = run_gnuplot(script->folder, file);
  if (status == NOT_FOUND) {
    cq_log(script->ctx, CQ_LOG_INFO, "gnuplot is not installed: %s is left out", picture);
  } else if (status != 0) {
    cq_log(script->ctx, CQ_LOG_WARNING, "gnuplot could not make %s from %s", picture, file);
    unlink(picture);
  }
  return status == 0;
}
